(** * Two-player TANHINMIN with cut cards: the game and the winner's criterion *)

From Coq Require Import List Arith Lia Bool.
From Tanhinmin Require Import Cards Game.
Import ListNotations.

(** ** The game

    X, U = ordinary and cut cards of the player to move; Z, V = those of the
    other player.  The table is empty ([Face 0]), shows an ordinary card of face
    r ([Face r]), or shows a cut card ([Cut]). *)

Inductive table : Type := Face (r : nat) | Cut.

(** [cwins X U Z V t]  : the player to move can force a win in finitely many moves;
    [closes X U Z V t] : the other player can.
    A card (ordinary or cut) is legal on [Face r] iff its face is > r; on [Cut]
    only pass is legal; pass is always legal and empties the table.  Whoever
    discards his last card wins at once.  Endless play is won by nobody. *)

Inductive cwins : list nat -> list nat -> list nat -> list nat -> table -> Prop :=
| cwins_last X U Z V r v :
    In v X -> r < v -> length (del v X) + length U = 0 ->
    cwins X U Z V (Face r)
| cwins_last_cut X U Z V r y :
    In y U -> r < y -> length X + length (del y U) = 0 ->
    cwins X U Z V (Face r)
| cwins_discard X U Z V r v :
    In v X -> r < v -> 0 < length (del v X) + length U ->
    closes Z V (del v X) U (Face v) ->
    cwins X U Z V (Face r)
| cwins_discard_cut X U Z V r y :
    In y U -> r < y -> 0 < length X + length (del y U) ->
    closes Z V X (del y U) Cut ->
    cwins X U Z V (Face r)
| cwins_pass X U Z V t :
    closes Z V X U (Face 0) ->
    cwins X U Z V t
with closes : list nat -> list nat -> list nat -> list nat -> table -> Prop :=
| closes_face X U Z V r :
    (forall v, In v X -> r < v -> 0 < length (del v X) + length U) ->
    (forall y, In y U -> r < y -> 0 < length X + length (del y U)) ->
    (forall v, In v X -> r < v -> cwins Z V (del v X) U (Face v)) ->
    (forall y, In y U -> r < y -> cwins Z V X (del y U) Cut) ->
    cwins Z V X U (Face 0) ->
    closes X U Z V (Face r)
| closes_cut X U Z V :
    cwins Z V X U (Face 0) ->
    closes X U Z V Cut.

Scheme cwins_mut := Minimality for cwins Sort Prop
  with closes_mut := Minimality for closes Sort Prop.

(** Not both players can force a win. *)
Theorem cwins_not_closes X U Z V t : cwins X U Z V t -> ~ closes X U Z V t.
Proof.
  intros H. pattern X, U, Z, V, t. revert X U Z V t H.
  apply (cwins_mut (fun X U Z V t => ~ closes X U Z V t)
                   (fun X U Z V t => ~ cwins X U Z V t)).
  - intros X U Z V r v Hv Hr Hl H. inversion H; subst.
    match goal with K : forall v, In v X -> r < v -> 0 < _ |- _ => specialize (K v Hv Hr) end. lia.
  - intros X U Z V r y Hv Hr Hl H. inversion H; subst.
    match goal with K : forall v, In v U -> r < v -> 0 < _ |- _ => specialize (K y Hv Hr) end. lia.
  - intros X U Z V r v Hv Hr Hl _ IH H. inversion H; subst. apply IH; auto.
  - intros X U Z V r y Hv Hr Hl _ IH H. inversion H; subst. apply IH; auto.
  - intros X U Z V t _ IH H. inversion H; subst; auto.
  - intros X U Z V r L1 L2 _ IH1 _ IH2 _ IHp H.
    inversion H as [? ? ? ? ? v Hv Hr Hl|? ? ? ? ? y Hy Hr Hl|? ? ? ? ? v Hv Hr Hl HC
                   |? ? ? ? ? y Hy Hr Hl HC|? ? ? ? ? HC]; subst.
    + specialize (L1 v Hv Hr). lia.
    + specialize (L2 y Hy Hr). lia.
    + apply (IH1 v Hv Hr); auto.
    + apply (IH2 y Hy Hr); auto.
    + auto.
  - intros X U Z V _ IH H. inversion H; subst. auto.
Qed.

(** ** The criterion (Theorem 3), clause by clause *)

(** 1: the mover's surplus; the other player wins. *)
Definition C1 (X U Z V : list nat) (r : nat) : Prop :=
  U <> [] /\ list_max U <= r /\ clt (list_max U) Z <= 1 /\ mu (Z ++ V) X = length X.

(** 2: the other player's surplus; the mover wins (unless 1). *)
Definition C2 (X U Z V : list nat) (r : nat) : Prop :=
  V <> [] /\ clt (list_max V) X <= 1 /\ mu (X ++ U) (r :: Z) = S (length Z).

(** 3: comparison of the two matching numbers. *)
Definition C3 (X U Z V : list nat) (r : nat) : Prop :=
  mu (X ++ U) (r :: drop 1 Z) > mu (Z ++ V) (drop 1 X).

(** "Evaluate in this order", on the table [Face r]. *)
Definition T3 (X U Z V : list nat) (r : nat) : Prop :=
  ~ C1 X U Z V r /\ (C2 X U Z V r \/ C3 X U Z V r).

(** The same as a program. *)
Definition empty (l : list nat) : bool := match l with [] => true | _ => false end.

Definition decide_cut (X U Z V : list nat) (r : nat) : bool :=
  if negb (empty U) && (list_max U <=? r) && (clt (list_max U) Z <=? 1)
     && (mu (Z ++ V) X =? length X)
  then false
  else if negb (empty V) && (clt (list_max V) X <=? 1)
     && (mu (X ++ U) (r :: Z) =? S (length Z))
  then true
  else mu (Z ++ V) (drop 1 X) <? mu (X ++ U) (r :: drop 1 Z).

Lemma empty_spec l : negb (empty l) = true <-> l <> [].
Proof. destruct l; simpl; split; congruence. Qed.

Lemma decide_cut_spec X U Z V r : decide_cut X U Z V r = true <-> T3 X U Z V r.
Proof.
  assert (E1 : negb (empty U) && (list_max U <=? r) && (clt (list_max U) Z <=? 1)
     && (mu (Z ++ V) X =? length X) = true <-> C1 X U Z V r).
  { unfold C1. rewrite !andb_true_iff, empty_spec, !Nat.leb_le, Nat.eqb_eq. tauto. }
  assert (E2 : negb (empty V) && (clt (list_max V) X <=? 1)
     && (mu (X ++ U) (r :: Z) =? S (length Z)) = true <-> C2 X U Z V r).
  { unfold C2. rewrite !andb_true_iff, empty_spec, !Nat.leb_le, Nat.eqb_eq. tauto. }
  assert (E3 : (mu (Z ++ V) (drop 1 X) <? mu (X ++ U) (r :: drop 1 Z)) = true <-> C3 X U Z V r).
  { unfold C3. rewrite Nat.ltb_lt. lia. }
  unfold decide_cut, T3.
  destruct (_ && _ && _ && (mu (Z ++ V) X =? length X)); [intuition congruence|].
  destruct (_ && _ && (mu (X ++ U) (r :: Z) =? S (length Z))); [intuition congruence|].
  rewrite E3. intuition congruence.
Qed.

Lemma T3_dec X U Z V r : T3 X U Z V r \/ ~ T3 X U Z V r.
Proof.
  rewrite <- decide_cut_spec. destruct (decide_cut X U Z V r); [now left|right; congruence].
Qed.

Lemma C1_dec X U Z V r : C1 X U Z V r \/ ~ C1 X U Z V r.
Proof.
  unfold C1. destruct U as [|u U]; [right; intuition congruence|].
  destruct (le_lt_dec (list_max (u :: U)) r); [|right; lia].
  destruct (le_lt_dec (clt (list_max (u :: U)) Z) 1); [|right; lia].
  destruct (Nat.eq_dec (mu (Z ++ V) X) (length X)); [|right; tauto].
  left. repeat split; auto. congruence.
Qed.
