(** * A verified decision function and its extraction *)

From Coq Require Import List Arith Lia Bool Permutation Sorted.
From Tanhinmin Require Import Cards Game Moves.
Import ListNotations.

(** Positions that can be decided: faces at least 1, nobody finished yet. *)
Definition valid (c d : nat) (X Z : list nat) : bool :=
  forallb (Nat.leb 1) X && forallb (Nat.leb 1) Z &&
  (c <? length X) && (d <? length Z).

Lemma forallb_faces l : forallb (Nat.leb 1) l = true <-> faces l.
Proof.
  unfold faces. rewrite forallb_forall, Forall_forall.
  split; intros H x Hx; [apply Nat.leb_le|apply Nat.leb_le]; auto.
Qed.

Lemma valid_iff c d X Z :
  valid c d X Z = true <-> faces X /\ faces Z /\ c < length X /\ d < length Z.
Proof.
  unfold valid. rewrite !andb_true_iff, !Nat.ltb_lt, !forallb_faces. tauto.
Qed.

(** [Some true]: the mover wins; [Some false]: the other player wins;
    [None]: not a position. *)
Definition decide (c d : nat) (X Z : list nat) (r : nat) : option bool :=
  if valid c d X Z then Some (mu1 c d X Z <? mu0 c d X Z r) else None.

Theorem decide_correct c d X Z r :
  match decide c d X Z r with
  | Some true => wins c d X Z r
  | Some false => loses c d X Z r
  | None => ~ (faces X /\ faces Z /\ c < length X /\ d < length Z)
  end.
Proof.
  unfold decide. destruct (valid c d X Z) eqn:V.
  - apply valid_iff in V. destruct V as (FX & FZ & Hc & Hd).
    destruct (tanhinmin_goals c d X Z r FX FZ Hc Hd) as [E1 E2].
    destruct (Nat.ltb_spec (mu1 c d X Z) (mu0 c d X Z r)).
    + apply E1. lia.
    + apply E2. lia.
  - rewrite <- valid_iff. congruence.
Qed.

(** All winning discards, each face once. *)
Definition winning_discards (c d : nat) (X Z : list nat) (r : nat) : list nat :=
  let n := length X in
  let m1 := mu1 c d X Z in
  let L := mu (drop c X) (drop (S d) Z) in
  let g := lw (drop c X) (drop (S d) Z) in
  let O := mu (drop (S c) X) (drop (S d) Z) in
  let base := mu (drop d Z) (drop (S (S c)) X) in
  let th := lw (drop d Z) (drop (S (S c)) X) in
  let low_ok v := (n =? S c) || (base <? O) || ((O =? base) && (th <=? v)) in
  let high_ok v := (m1 <? L) || ((L =? m1) && (v <=? g)) in
  nodup Nat.eq_dec
    (filter (fun v => r <? v)
       (filter low_ok (low c X) ++ filter high_ok (high c X))).

Definition winning_pass (c d : nat) (X Z : list nat) : bool :=
  mu (drop d Z) (0 :: drop (S c) X) <=? mu (drop c X) (drop (S d) Z).

Theorem winning_discards_correct c d X Z r v :
  valid c d X Z = true ->
  (In v (winning_discards c d X Z r) <->
   In v X /\ r < v /\ discard_wins c d X Z v).
Proof.
  intros V. apply valid_iff in V. destruct V as (FX & FZ & Hc & Hd).
  pose proof (theorem_2_low c d X Z FX FZ Hc Hd v) as TL.
  pose proof (theorem_2_high c d X Z FX FZ Hc Hd v) as TH.
  unfold winning_discards. rewrite nodup_In, filter_In, in_app_iff, !filter_In.
  rewrite !orb_true_iff, !andb_true_iff, !Nat.eqb_eq, !Nat.leb_le, !Nat.ltb_lt.
  split.
  - intros [[[Hi H]|[Hi H]] Hr].
    + split; [eapply low_In; eauto|split; auto]. apply TL; auto; lia.
    + split; [eapply high_In; eauto|split; auto]. apply TH; auto; lia.
  - intros (Hv & Hr & W). split; auto.
    destruct (low_or_high c X v Hv) as [Hi|Hi]; [left|right]; split; auto.
    + apply TL in W; auto; lia.
    + apply TH in W; auto; lia.
Qed.

Theorem winning_discards_NoDup c d X Z r : NoDup (winning_discards c d X Z r).
Proof. apply NoDup_nodup. Qed.

Theorem winning_pass_correct c d X Z :
  valid c d X Z = true -> (winning_pass c d X Z = true <-> pass_wins c d X Z).
Proof.
  intros V. apply valid_iff in V. destruct V as (FX & FZ & Hc & Hd).
  unfold winning_pass. rewrite Nat.leb_le, theorem_2_pass by auto. reflexivity.
Qed.

(** One winning move (SK with k = mu0): [Some (Some v)] = discard v,
    [Some None] = pass, [None] = the position is not won (or not valid). *)
Definition best_move (c d : nat) (X Z : list nat) (r : nat) : option (option nat) :=
  match decide c d X Z r with
  | Some true => Some (sk (mu0 c d X Z r) r X)
  | _ => None
  end.

Theorem best_move_correct c d X Z r :
  valid c d X Z = true ->
  match best_move c d X Z r with
  | Some (Some v) => In v X /\ r < v /\ discard_wins c d X Z v
  | Some None => (forall v, In v X -> v <= r) /\ pass_wins c d X Z
  | None => loses c d X Z r
  end.
Proof.
  intros V. pose proof (decide_correct c d X Z r) as D.
  unfold best_move. unfold decide in *. rewrite V in *.
  apply valid_iff in V. destruct V as (FX & FZ & Hc & Hd).
  destruct (Nat.ltb_spec (mu1 c d X Z) (mu0 c d X Z r)); [|exact D].
  pose proof (sk_wins c d X Z FX FZ Hc Hd r (mu0 c d X Z r) H (le_n _)) as K.
  destruct (sk (mu0 c d X Z r) r X); exact K.
Qed.

(** A few positions, computed by the kernel. *)
Example ex1 : decide 0 0 [1;3;4;5;8] [2;6;7] 0 = Some false.
Proof. reflexivity. Qed.
Example ex2 : decide 0 0 [1] [1] 1 = Some false.
Proof. reflexivity. Qed.
Example ex3 : winning_discards 0 0 [1;2] [2] 0 = [2].
Proof. reflexivity. Qed.
Example ex4 : winning_discards 0 0 [2;3] [1] 0 = [2;3].
Proof. reflexivity. Qed.
