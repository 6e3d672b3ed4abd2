(** * Theorem 1 for the plain game, stated without algorithms; set-aside *)

From Coq Require Import List Arith Lia Bool Permutation Sorted.
From Tanhinmin Require Import Cards Game.
Import ListNotations.

(** The plain game: the first player to discard his last card wins.
    X = hand of the player to move, Z = the other hand, r = table (0 = empty). *)
Inductive mover_wins : list nat -> list nat -> nat -> Prop :=
| mw_last X Z r v :
    In v X -> r < v -> del v X = [] -> mover_wins X Z r
| mw_discard X Z r v :
    In v X -> r < v -> del v X <> [] -> other_wins Z (del v X) v ->
    mover_wins X Z r
| mw_pass X Z r :
    other_wins Z X 0 -> mover_wins X Z r
with other_wins : list nat -> list nat -> nat -> Prop :=
| ow_all X Z r :
    (forall v, In v X -> r < v -> del v X <> []) ->
    (forall v, In v X -> r < v -> mover_wins Z (del v X) v) ->
    mover_wins Z X 0 ->
    other_wins X Z r.

Scheme mw_mut := Minimality for mover_wins Sort Prop
  with ow_mut := Minimality for other_wins Sort Prop.

Lemma nil_length (l : list nat) : l = [] <-> length l <= 0.
Proof. destruct l; simpl; split; intros; try reflexivity; try lia; discriminate. Qed.

Lemma nonnil_length (l : list nat) : l <> [] <-> 0 < length l.
Proof. destruct l; simpl; split; intros; try lia; try congruence; discriminate. Qed.

(** The plain game is the goal game with goals (0, 0). *)
Lemma plain_to_goal :
  (forall X Z r, mover_wins X Z r -> wins 0 0 X Z r) /\
  (forall X Z r, other_wins X Z r -> loses 0 0 X Z r).
Proof.
  split.
  - intros X Z r H. pattern X, Z, r. revert X Z r H.
    apply (mw_mut (fun X Z r => wins 0 0 X Z r) (fun X Z r => loses 0 0 X Z r)).
    + intros. eapply wins_last; eauto. now apply nil_length.
    + intros. eapply wins_discard; eauto. now apply nonnil_length.
    + intros. now apply wins_pass.
    + intros. constructor; auto. intros. apply nonnil_length; auto.
  - intros X Z r H. pattern X, Z, r. revert X Z r H.
    apply (ow_mut (fun X Z r => wins 0 0 X Z r) (fun X Z r => loses 0 0 X Z r)).
    + intros. eapply wins_last; eauto. now apply nil_length.
    + intros. eapply wins_discard; eauto. now apply nonnil_length.
    + intros. now apply wins_pass.
    + intros. constructor; auto. intros. apply nonnil_length; auto.
Qed.

Lemma goal_to_plain :
  (forall c d X Z r, wins c d X Z r -> c = 0 -> d = 0 -> mover_wins X Z r) /\
  (forall c d X Z r, loses c d X Z r -> c = 0 -> d = 0 -> other_wins X Z r).
Proof.
  assert (P1 : forall c d X Z r v, In v X -> r < v -> length (del v X) <= c ->
             c = 0 -> d = 0 -> mover_wins X Z r).
  { intros; subst. eapply mw_last; eauto. now apply nil_length. }
  assert (P2 : forall c d X Z r v, In v X -> r < v -> c < length (del v X) ->
             loses d c Z (del v X) v ->
             (d = 0 -> c = 0 -> other_wins Z (del v X) v) ->
             c = 0 -> d = 0 -> mover_wins X Z r).
  { intros; subst. eapply mw_discard; eauto. now apply nonnil_length. }
  assert (P3 : forall c d X Z r, loses d c Z X 0 ->
             (d = 0 -> c = 0 -> other_wins Z X 0) ->
             c = 0 -> d = 0 -> mover_wins X Z r).
  { intros; subst. apply mw_pass; auto. }
  assert (P4 : forall c d X Z r,
             (forall v, In v X -> r < v -> c < length (del v X)) ->
             (forall v, In v X -> r < v -> wins d c Z (del v X) v) ->
             (forall v, In v X -> r < v -> d = 0 -> c = 0 -> mover_wins Z (del v X) v) ->
             wins d c Z X 0 -> (d = 0 -> c = 0 -> mover_wins Z X 0) ->
             c = 0 -> d = 0 -> other_wins X Z r).
  { intros; subst. constructor; auto. intros. apply nonnil_length; auto. }
  split.
  - exact (wins_mut (fun c d X Z r => c = 0 -> d = 0 -> mover_wins X Z r)
                    (fun c d X Z r => c = 0 -> d = 0 -> other_wins X Z r) P1 P2 P3 P4).
  - exact (loses_mut (fun c d X Z r => c = 0 -> d = 0 -> mover_wins X Z r)
                     (fun c d X Z r => c = 0 -> d = 0 -> other_wins X Z r) P1 P2 P3 P4).
Qed.

(** [n] is the maximum number of cards of [B] that can be beaten by distinct
    strictly stronger cards of [A]. *)
Definition max_matching (A B : list nat) (n : nat) : Prop :=
  (exists m, matching A B m /\ length m = n) /\
  (forall m, matching A B m -> length m <= n).

Lemma max_matching_mu A B n : max_matching A B n <-> n = mu A B.
Proof.
  destruct (mu_is_maximum_matching A B) as [(m & Hm & Em) U]. split.
  - intros [(m' & Hm' & Em') U']. specialize (U _ Hm'). specialize (U' _ Hm). lia.
  - intros ->. split; eauto.
Qed.

Definition weakest (x : nat) (l : list nat) : Prop :=
  In x l /\ forall y, In y l -> x <= y.

Lemma weakest_clt x l t : weakest x l -> clt t (del x l) = clt t l - 1.
Proof.
  intros [Hi Hm]. rewrite (del_clt t x l Hi).
  destruct (Nat.ltb_spec x t); simpl; [lia|].
  rewrite (clt_none t (del x l)); auto.
  apply del_Forall. apply Forall_forall. intros y Hy. specialize (Hm y Hy). lia.
Qed.

Lemma plain_mu0 X Z r z : weakest z Z -> mu X (r :: del z Z) = mu0 0 0 X Z r.
Proof.
  intros Hz. unfold mu0. apply Nat.le_antisymm; apply mu_ge; intros t.
  - simpl. rewrite drop_cgt, drop_clt.
    pose proof (mu_bound X (r :: del z Z) t) as B. simpl in B.
    rewrite (weakest_clt z Z t Hz) in B. pose proof (cgt_le_length t X). lia.
  - pose proof (mu_bound (drop 0 X) (r :: drop 1 Z) t) as B. simpl in *.
    rewrite drop_cgt, drop_clt in B. rewrite (weakest_clt z Z t Hz). lia.
Qed.

Lemma plain_mu1 X Z x : weakest x X -> mu Z (del x X) = mu1 0 0 X Z.
Proof.
  intros Hx. unfold mu1. apply Nat.le_antisymm; apply mu_ge; intros t.
  - rewrite drop_cgt, drop_clt.
    pose proof (mu_bound Z (del x X) t) as B.
    rewrite (weakest_clt x X t Hx) in B. pose proof (cgt_le_length t Z). lia.
  - pose proof (mu_bound (drop 0 Z) (drop 1 X) t) as B.
    rewrite drop_cgt, drop_clt in B. rewrite (weakest_clt x X t Hx). lia.
Qed.

(** ** Theorem 1 *)
Theorem tanhinmin_theorem_1 :
  forall (X Z : list nat) (r x z n0 n1 : nat),
    Forall (fun f => 1 <= f) X -> Forall (fun f => 1 <= f) Z ->
    weakest x X -> weakest z Z ->
    max_matching X (r :: del z Z) n0 ->
    max_matching Z (del x X) n1 ->
    (mover_wins X Z r <-> n0 > n1) /\
    (other_wins X Z r <-> n0 <= n1).
Proof.
  intros X Z r x z n0 n1 FX FZ Hx Hz M0 M1.
  apply max_matching_mu in M0, M1. subst n0 n1.
  rewrite (plain_mu0 X Z r z Hz), (plain_mu1 X Z x Hx).
  assert (LX : 0 < length X).
  { destruct Hx as [Hx _]. destruct X; simpl in *; [tauto|lia]. }
  assert (LZ : 0 < length Z).
  { destruct Hz as [Hz _]. destruct Z; simpl in *; [tauto|lia]. }
  destruct (tanhinmin_goals 0 0 X Z r FX FZ LX LZ) as [E1 E2].
  rewrite <- E1, <- E2. split; split.
  - apply plain_to_goal.
  - intros H. eapply (proj1 goal_to_plain); eauto.
  - apply plain_to_goal.
  - intros H. eapply (proj2 goal_to_plain); eauto.
Qed.

(** Exactly one of the two players can force a win. *)
Theorem tanhinmin_determined X Z r :
  Forall (fun f => 1 <= f) X -> Forall (fun f => 1 <= f) Z ->
  X <> [] -> Z <> [] ->
  (mover_wins X Z r \/ other_wins X Z r) /\
  ~ (mover_wins X Z r /\ other_wins X Z r).
Proof.
  intros FX FZ NX NZ. apply nonnil_length in NX, NZ. split.
  - destruct (no_draws 0 0 X Z r FX FZ NX NZ) as [H|H].
    + left. eapply (proj1 goal_to_plain); eauto.
    + right. eapply (proj2 goal_to_plain); eauto.
  - intros [H1 H2]. apply plain_to_goal in H1. apply plain_to_goal in H2.
    eapply wins_not_loses; eauto.
Qed.

(** ** Goals = setting aside the weakest cards *)

Lemma drop_drop_mu0 c d X Z r : mu0 c d X Z r = mu0 0 0 (drop c X) (drop d Z) r.
Proof.
  unfold mu0. apply Nat.le_antisymm; apply mu_ge; intros t.
  - pose proof (mu_bound (drop c X) (r :: drop (S d) Z) t) as B. simpl in *.
    rewrite ?drop_cgt, ?drop_clt, ?drop_length in *. lia.
  - pose proof (mu_bound (drop 0 (drop c X)) (r :: drop 1 (drop d Z)) t) as B. simpl in *.
    rewrite ?drop_cgt, ?drop_clt, ?drop_length in *. lia.
Qed.

Lemma drop_drop_mu1 c d X Z : mu1 c d X Z = mu1 0 0 (drop c X) (drop d Z).
Proof.
  unfold mu1. apply Nat.le_antisymm; apply mu_ge; intros t.
  - pose proof (mu_bound (drop d Z) (drop (S c) X) t) as B.
    rewrite ?drop_cgt, ?drop_clt, ?drop_length in *. lia.
  - pose proof (mu_bound (drop 0 (drop d Z)) (drop 1 (drop c X)) t) as B.
    rewrite ?drop_cgt, ?drop_clt, ?drop_length in *. lia.
Qed.

Lemma drop_faces c l : faces l -> faces (drop c l).
Proof.
  intros H. unfold drop, faces in *. rewrite Forall_forall in *.
  intros x Hx. apply H. apply skipn_In in Hx.
  eapply Permutation_in; [apply isort_perm|exact Hx].
Qed.

(** The goal game has the same winner as the plain game in which each side has
    first set aside as many of its weakest cards as its goal says. *)
Theorem set_aside c d X Z r :
  faces X -> faces Z -> c < length X -> d < length Z ->
  (wins c d X Z r <-> mover_wins (drop c X) (drop d Z) r) /\
  (loses c d X Z r <-> other_wins (drop c X) (drop d Z) r).
Proof.
  intros FX FZ Hc Hd.
  destruct (tanhinmin_goals c d X Z r FX FZ Hc Hd) as [E1 E2].
  destruct (tanhinmin_goals 0 0 (drop c X) (drop d Z) r) as [F1 F2];
    try apply drop_faces; try rewrite drop_length; auto; try lia.
  rewrite drop_drop_mu0, drop_drop_mu1 in E1, E2.
  rewrite E1, E2, <- F1, <- F2.
  split; split; intros H.
  - eapply (proj1 goal_to_plain); eauto.
  - now apply plain_to_goal.
  - eapply (proj2 goal_to_plain); eauto.
  - now apply plain_to_goal.
Qed.
