(** * A position rejected by the criterion: every move leads to an accepted one *)

From Coq Require Import List Arith Lia Bool.
From Tanhinmin Require Import Cards Game MuCalc CutGame.
Import ListNotations.

Lemma not_C1_empty X U Z V : faces U -> ~ C1 X U Z V 0.
Proof. intros F (N & M & _). pose proof (faces_max U F N). lia. Qed.

(** ** Clause 1 *)

Lemma lose1_ord X U Z V r v :
  C1 X U Z V r -> In v X -> r < v -> T3 Z V (del v X) U v.
Proof.
  intros (NU & MU & CU & F) Hv Hr. split.
  - intros (NV & MV & CV & G).
    rewrite mu_full in F, G.
    (* the strongest ordinary card of the mover *)
    assert (NX : X <> []) by (intros ->; destruct Hv).
    set (m := list_max X).
    assert (Im : In m X) by (apply list_max_In; auto).
    assert (Lm : v <= m) by (apply list_max_ge; auto).
    pose proof (F m) as Fm. rewrite cgt_app, (cgt_max m V) in Fm by lia.
    pose proof (clt_not_all m m X Im (Nat.le_refl _)) as K.
    assert (Zm : 1 <= cgt m Z) by lia.
    destruct (cgt_ex m Z Zm) as (z & Iz & Lz).
    set (z' := list_max Z).
    assert (NZ : Z <> []) by (intros ->; destruct Iz).
    assert (Iz' : In z' Z) by (apply list_max_In; auto).
    assert (Lz' : z <= z') by (apply list_max_ge; auto).
    pose proof (G z') as Gz. rewrite cgt_app, (cgt_max z' U) in Gz by lia.
    pose proof (del_cgt z' v X Hv) as D. rewrite (cgt_max z' X) in D by (fold m; lia).
    pose proof (clt_not_all z' z' Z Iz' (Nat.le_refl _)). lia.
  - left. split; [auto|split; [auto|]].
    rewrite mu_apart_all by auto. rewrite F. now apply del_length.
Qed.

Lemma lose1_pass X U Z V r :
  faces Z -> faces V -> 0 < length Z + length V ->
  C1 X U Z V r -> T3 Z V X U 0.
Proof.
  intros FZ FV L (NU & MU & CU & F). split; [now apply not_C1_empty|].
  pose proof (mu_le_A (Z ++ V) X) as B. rewrite app_length in B.
  destruct (le_lt_dec (length Z + length V) (length X)) as [H|H].
  - right. unfold C3. rewrite mu_zero by now apply faces_app.
    rewrite app_length, (mu_full_drop _ _ F).
    pose proof (mu_le_B (X ++ U) (drop 1 Z)) as E. rewrite drop_length in E. lia.
  - left. split; [auto|split; [auto|]].
    rewrite mu_zero by now apply faces_app. rewrite app_length, F. lia.
Qed.

(** ** Clauses 2 and 3 both fail *)

Lemma lose2_ord X U Z V r v :
  ~ C2 X U Z V r -> ~ C3 X U Z V r -> In v X -> r < v ->
  0 < length (del v X) + length U /\ T3 Z V (del v X) U v.
Proof.
  intros N2 N3 Hv Hr. unfold C3 in N3.
  pose proof (takes_left X U v Hv) as T.
  pose proof (mu_pair _ _ _ (drop 1 Z) r T Hr) as A3.
  pose proof (mu_apart_ge (Z ++ V) X v Hv) as A4.
  split; [|split].
  - destruct (le_lt_dec (length (del v X) + length U) 0); [exfalso|lia].
    pose proof (del_length v X Hv). pose proof (mu_le_B (Z ++ V) (drop 1 X)) as E.
    rewrite drop_length in E. lia.
  - intros (NV & MV & CV & G). apply N2. split; [auto|split].
    + rewrite (del_clt _ v X Hv). bcase; lia.
    + pose proof (mu_pair _ _ _ Z r T Hr). pose proof (mu_le_B (X ++ U) (r :: Z)) as E.
      simpl in E. lia.
  - right. unfold C3. lia.
Qed.

Lemma lose2_cut X U Z V r y :
  faces U -> faces X -> ~ C2 X U Z V r -> ~ C3 X U Z V r -> In y U -> r < y ->
  0 < length X + length (del y U) /\ ~ T3 X (del y U) Z V 0.
Proof.
  intros FU FX N2 N3 Hy Hr. unfold C3 in N3.
  pose proof (takes_right X U y Hy) as T.
  pose proof (mu_pair _ _ _ (drop 1 Z) r T Hr) as A3.
  split.
  - destruct (le_lt_dec (length X + length (del y U)) 0); [exfalso|lia].
    pose proof (mu_le_B (Z ++ V) (drop 1 X)) as E. rewrite drop_length in E. lia.
  - intros [_ [(NV & CV & G)|G]].
    + apply N2. split; [auto|split; [auto|]].
      pose proof (mu_pair _ _ _ Z r T Hr). pose proof (mu_le_B (X ++ U) (r :: Z)) as E.
      pose proof (mu_cons_le (X ++ del y U) Z 0). simpl in E. lia.
    + unfold C3 in G. pose proof (mu_cons_le (X ++ del y U) (drop 1 Z) 0). lia.
Qed.

Lemma lose2_pass X U Z V r :
  faces Z -> faces V -> 0 < length Z + length V ->
  ~ C3 X U Z V r -> T3 Z V X U 0.
Proof.
  intros FZ FV L N3. split; [now apply not_C1_empty|]. right.
  unfold C3 in *. rewrite mu_zero by now apply faces_app.
  pose proof (mu_cons_ge (X ++ U) (drop 1 Z) r).
  pose proof (mu_le_B (X ++ U) (drop 1 Z)) as E. rewrite drop_length in E.
  rewrite app_length. lia.
Qed.

(** ** Summary *)

Theorem lose_side X U Z V r :
  faces X -> faces U -> faces Z -> faces V -> 0 < length Z + length V ->
  ~ T3 X U Z V r ->
  (forall v, In v X -> r < v ->
     0 < length (del v X) + length U /\ T3 Z V (del v X) U v) /\
  (forall y, In y U -> r < y ->
     0 < length X + length (del y U) /\ ~ T3 X (del y U) Z V 0) /\
  T3 Z V X U 0.
Proof.
  intros FX FU FZ FV L N. destruct (C1_dec X U Z V r) as [H|H].
  - split; [|split].
    + intros v Hv Hr. split; [|now apply lose1_ord with r].
      destruct H as (NU & _). destruct U; [congruence|simpl; lia].
    + intros y Hy Hr. exfalso. destruct H as (_ & M & _).
      pose proof (list_max_ge U y Hy). lia.
    + now apply lose1_pass with r.
  - assert (N2 : ~ C2 X U Z V r) by (intros K; apply N; split; auto).
    assert (N3 : ~ C3 X U Z V r) by (intros K; apply N; split; auto).
    split; [|split].
    + intros v Hv Hr. now apply lose2_ord with r.
    + intros y Hy Hr. now apply lose2_cut with r.
    + now apply lose2_pass with r.
Qed.
