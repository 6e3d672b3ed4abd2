(** * Theorem 3: who wins two-player TANHINMIN with cut cards *)

From Coq Require Import List Arith Lia Bool Permutation.
From Tanhinmin Require Import Cards Game MuCalc CutGame CutLose CutWin.
Import ListNotations.

(** Both directions at once, by induction on the number of cards; a pass by the
    winner happens only on a table card that he cannot beat, so it makes progress. *)
Lemma cut_induction n :
  (forall X U Z V r,
     3 * (length X + length U + length Z + length V) + (if r =? 0 then 0 else 2) < n ->
     faces X -> faces U -> faces Z -> faces V ->
     0 < length X + length U -> 0 < length Z + length V ->
     T3 X U Z V r -> cwins X U Z V (Face r)) /\
  (forall X U Z V r,
     3 * (length X + length U + length Z + length V) + 1 < n ->
     faces X -> faces U -> faces Z -> faces V ->
     0 < length X + length U -> 0 < length Z + length V ->
     ~ T3 X U Z V r -> closes X U Z V (Face r)).
Proof.
  induction n as [|n [IHW IHL]]; [split; intros; lia|].
  split; intros X U Z V r Hn FX FU FZ FV LX LZ H.
  - destruct (win_side X U Z V r FX FU FV H) as [(v & Cd & D)|[(y & Cd & D)|(N & D)]].
    + destruct (cand_ord_legal _ _ _ Cd) as [Iv Hr]. pose proof (del_length v X Iv) as E.
      destruct (le_lt_dec (length (del v X) + length U) 0) as [L|L].
      { eapply cwins_last; eauto. lia. }
      destruct D as [D|D]; [lia|].
      eapply cwins_discard; eauto. apply IHL; auto; [|now apply del_Forall].
      destruct (r =? 0); lia.
    + destruct Cd as (Iy & Hr & _). pose proof (del_length y U Iy) as E.
      destruct (le_lt_dec (length X + length (del y U)) 0) as [L|L].
      { eapply cwins_last_cut; eauto. lia. }
      destruct D as [D|D]; [lia|].
      eapply cwins_discard_cut; eauto. apply closes_cut.
      apply IHW; auto; [|now apply del_Forall].
      simpl. destruct (r =? 0); lia.
    + apply cwins_pass. apply IHL; auto.
      destruct (Nat.eqb_spec r 0) as [E0|]; [|lia].
      rewrite E0, faces_cgt0, app_length in N by now apply faces_app. lia.
  - destruct (lose_side X U Z V r FX FU FZ FV LZ H) as (H1 & H2 & H3).
    apply closes_face.
    + intros v Iv Hr. now apply H1.
    + intros y Iy Hr. now apply H2.
    + intros v Iv Hr. pose proof (del_length v X Iv).
      destruct (H1 v Iv Hr). apply IHW; auto; [|now apply del_Forall].
      destruct (v =? 0); lia.
    + intros y Iy Hr. pose proof (del_length y U Iy).
      destruct (H2 y Iy Hr). apply cwins_pass. apply IHL; auto; [|now apply del_Forall]. lia.
    + apply IHW; auto. simpl. lia.
Qed.

(** ** Theorem 3 *)

Theorem tanhinmin_cut X U Z V r :
  faces X -> faces U -> faces Z -> faces V ->
  0 < length X + length U -> 0 < length Z + length V ->
  (cwins X U Z V (Face r) <-> T3 X U Z V r) /\
  (closes X U Z V (Face r) <-> ~ T3 X U Z V r).
Proof.
  intros FX FU FZ FV LX LZ.
  destruct (cut_induction (3 * (length X + length U + length Z + length V) + 3)) as [HW HL].
  assert (W : T3 X U Z V r -> cwins X U Z V (Face r)).
  { apply HW; auto. destruct (r =? 0); lia. }
  assert (L : ~ T3 X U Z V r -> closes X U Z V (Face r)) by (apply HL; auto; lia).
  pose proof (cwins_not_closes X U Z V (Face r)) as N.
  destruct (T3_dec X U Z V r); tauto.
Qed.

(** The same, spelled out clause by clause in the stated order of evaluation. *)
Theorem tanhinmin_theorem_3 X U Z V r :
  faces X -> faces U -> faces Z -> faces V ->
  0 < length X + length U -> 0 < length Z + length V ->
  (U <> [] -> list_max U <= r -> clt (list_max U) Z <= 1 ->
   mu (Z ++ V) X = length X ->
     closes X U Z V (Face r)) /\
  (~ (U <> [] /\ list_max U <= r /\ clt (list_max U) Z <= 1 /\ mu (Z ++ V) X = length X) ->
   V <> [] -> clt (list_max V) X <= 1 -> mu (X ++ U) (r :: Z) = S (length Z) ->
     cwins X U Z V (Face r)) /\
  (~ (U <> [] /\ list_max U <= r /\ clt (list_max U) Z <= 1 /\ mu (Z ++ V) X = length X) ->
   ~ (V <> [] /\ clt (list_max V) X <= 1 /\ mu (X ++ U) (r :: Z) = S (length Z)) ->
     (mu (X ++ U) (r :: drop 1 Z) > mu (Z ++ V) (drop 1 X) -> cwins X U Z V (Face r)) /\
     (mu (X ++ U) (r :: drop 1 Z) <= mu (Z ++ V) (drop 1 X) -> closes X U Z V (Face r))).
Proof.
  intros FX FU FZ FV LX LZ.
  destruct (tanhinmin_cut X U Z V r FX FU FZ FV LX LZ) as [HW HL].
  rewrite HW, HL. unfold T3, C1, C2, C3. repeat split.
  - intros A B C D [N _]. tauto.
  - assumption.
  - left; tauto.
  - assumption.
  - right; assumption.
  - intros L [_ [K|K]]; [tauto|lia].
Qed.

(** The decision program is right. *)
Corollary decide_cut_correct X U Z V r :
  faces X -> faces U -> faces Z -> faces V ->
  0 < length X + length U -> 0 < length Z + length V ->
  (decide_cut X U Z V r = true <-> cwins X U Z V (Face r)) /\
  (decide_cut X U Z V r = false <-> closes X U Z V (Face r)).
Proof.
  intros FX FU FZ FV LX LZ.
  destruct (tanhinmin_cut X U Z V r FX FU FZ FV LX LZ) as [HW HL].
  rewrite HW, HL, <- decide_cut_spec. destruct (decide_cut X U Z V r); intuition congruence.
Qed.

(** Exactly one player can force a win: there are no draws. *)
Corollary cut_determined X U Z V t :
  faces X -> faces U -> faces Z -> faces V ->
  0 < length X + length U -> 0 < length Z + length V ->
  (cwins X U Z V t \/ closes X U Z V t) /\ ~ (cwins X U Z V t /\ closes X U Z V t).
Proof.
  intros FX FU FZ FV LX LZ. split.
  - destruct t as [r|].
    + destruct (tanhinmin_cut X U Z V r FX FU FZ FV LX LZ) as [HW HL].
      destruct (T3_dec X U Z V r); tauto.
    + destruct (tanhinmin_cut Z V X U 0 FZ FV FX FU LZ LX) as [HW HL].
      destruct (T3_dec Z V X U 0).
      * right. apply closes_cut. tauto.
      * left. apply cwins_pass. tauto.
  - intros [A B]. exact (cwins_not_closes _ _ _ _ _ A B).
Qed.

Corollary cut_no_draws X U Z V t :
  faces X -> faces U -> faces Z -> faces V ->
  0 < length X + length U -> 0 < length Z + length V ->
  cwins X U Z V t \/ closes X U Z V t.
Proof. intros FX FU FZ FV LX LZ. now apply cut_determined. Qed.

(** A cut card on the table: the player who discarded it moves on the empty table. *)
Corollary cut_on_table X U Z V :
  (cwins X U Z V Cut <-> closes Z V X U (Face 0)) /\
  (closes X U Z V Cut <-> cwins Z V X U (Face 0)).
Proof.
  split; split; intros H.
  - inversion H; subst; auto.
  - now apply cwins_pass.
  - inversion H; subst; auto.
  - now apply closes_cut.
Qed.

(** The same in terms of the criterion. *)
Corollary tanhinmin_cut_on_table X U Z V :
  faces X -> faces U -> faces Z -> faces V ->
  0 < length X + length U -> 0 < length Z + length V ->
  (cwins X U Z V Cut <-> ~ T3 Z V X U 0) /\
  (closes X U Z V Cut <-> T3 Z V X U 0).
Proof.
  intros FX FU FZ FV LX LZ.
  destruct (cut_on_table X U Z V) as [E1 E2]. rewrite E1, E2.
  destruct (tanhinmin_cut Z V X U 0 FZ FV FX FU LZ LX). tauto.
Qed.

(** Without cut cards the criterion is the one of the basic game. *)
Corollary no_cut_cards X Z r : T3 X [] Z [] r <-> mu0 0 0 X Z r > mu1 0 0 X Z.
Proof.
  unfold T3, C1, C2, C3, mu0, mu1. rewrite !app_nil_r.
  change (drop 0 X) with (isort X). change (drop 0 Z) with (isort Z).
  rewrite (mu_perm (isort X) X (r :: drop 1 Z) (r :: drop 1 Z)) by auto using isort_perm.
  rewrite (mu_perm (isort Z) Z (drop 1 X) (drop 1 X)) by auto using isort_perm.
  intuition congruence.
Qed.

(** A few positions, computed by the kernel. *)
Example ex1 : decide_cut [3; 4] [1; 6] [2; 5] [] 0 = true. Proof. reflexivity. Qed.
Example ex2 : decide_cut [2] [1] [] [3] 1 = false. Proof. reflexivity. Qed.
Example ex3 : decide_cut [] [1] [2] [] 0 = true. Proof. reflexivity. Qed.
Example ex4 : decide_cut [] [3] [1; 2] [] 3 = true. Proof. reflexivity. Qed.
Example ex5 : decide_cut [1; 2] [] [] [3] 0 = false. Proof. reflexivity. Qed.
Example ex6 : decide_cut [2] [1] [3] [] 1 = false. Proof. reflexivity. Qed.
