(* Consequences: guaranteed ranks, at most one seat can force first, somebody can always be made
   last, and the mover never needs the joker. *)
From Coq Require Import Arith ZArith Lia Bool.
From Babanuki Require Import Game Forms Three.

Lemma wins_mono : forall k k' p, can_force k p -> k <= k' -> can_force k' p.
Proof.
  intros k k' p H L; induction H as [r Hr|c p p' M D _ IH|p F M _ IH].
  - apply w_done; cbn in *; lia.
  - eapply w_mine; eauto.
  - apply w_other; auto.
Qed.

(* the least k such that q can force rank <= k; 3 if there is none *)
Definition is_rank (p : pos) (r : nat) : Prop :=
  1 <= r <= 3 /\ (r < 3 -> can_force r p) /\ forall k, 1 <= k < r -> ~ can_force k p.

Theorem guaranteed_rank : forall X Y Z j q, wf (P3 X Y Z j q) ->
  let p := P3 X Y Z j q in
  (is_rank p 1 <-> formA X Y Z j q) /\
  (is_rank p 2 <-> formB X Y Z j q /\ ~ formA X Y Z j q) /\
  (is_rank p 3 <-> ~ formB X Y Z j q).
Proof.
  intros X Y Z j q W p.
  pose proof (theorem_A X Y Z j q W) as A; pose proof (theorem_B X Y Z j q W) as B. fold p in A, B.
  assert (M : can_force 1 p -> can_force 2 p) by (intros H; eapply wins_mono; [exact H|lia]).
  unfold is_rank. repeat split; intros; try lia.
  - apply A, H; lia.
  - apply A; assumption.
  - apply B, H; lia.
  - intros F. apply A in F. destruct H as (_ & _ & H). apply (H 1); [lia|exact F].
  - apply B, H.
  - intros F. assert (E : k = 1) by lia. subst k. apply A in F; tauto.
  - intros F. apply B in F. destruct H as (_ & _ & H). apply (H 2); [lia|exact F].
  - intros F. assert (E : k = 1 \/ k = 2) by lia. destruct E; subst k; tauto.
Qed.

Theorem one_first : forall X Y Z j q q', wf (P3 X Y Z j q) ->
  formA X Y Z j q -> formA X Y Z j q' -> q = q'.
Proof.
  intros X Y Z j q q' W G G'.
  pose proof (W s0) as W0; pose proof (W s1) as W1; pose proof (W s2) as W2; clear W.
  destruct q, q'; try reflexivity; exfalso; destruct j.
  all: split_counts X Y Z.
  all: open_forms.
  all: lia.
Qed.

Theorem someone_can_be_last : forall X Y Z j, wf (P3 X Y Z j s0) ->
  exists q, wins false 2 (P3 X Y Z j q).
Proof.
  intros X Y Z j W.
  assert (N : ~ (good 2 (P3 X Y Z j s0) /\ good 2 (P3 X Y Z j s1) /\ good 2 (P3 X Y Z j s2))).
  { pose proof (W s0) as W0; pose proof (W s1) as W1; pose proof (W s2) as W2; clear W.
    destruct j; split_counts X Y Z; open_forms; lia. }
  assert (B : forall q, ~ good 2 (P3 X Y Z j q) -> wins false 2 (P3 X Y Z j q))
    by (intros q; apply bad_spoil; auto).
  destruct (good_dec 2 (P3 X Y Z j s0)) as [G0|G0]; [|exists s0; apply B; exact G0].
  destruct (good_dec 2 (P3 X Y Z j s1)) as [G1|G1]; [|exists s1; apply B; exact G1].
  exists s2; apply B; tauto.
Qed.

(* a mover with a guarantee has a keeping draw other than the joker *)
Theorem joker_not_needed : forall k X Y Z j, k = 1 \/ k = 2 ->
  wf (P3 X Y Z j s0) -> can_force k (P3 X Y Z j s0) ->
  exists c p', c <> Joker /\ draw c (P3 X Y Z j s0) p' /\ can_force k p'.
Proof.
  intros k X Y Z j K W F.
  assert (G : good k (P3 X Y Z j s0)) by (apply force_iff; assumption).
  assert (H : match Y with 0 => False | S Y' => cases (good k) X Y' Z j s0 end
           \/ match Z with 0 => False | S Z' => cases (good k) (S X) Y Z' j s0 end).
  { pose proof (W s0) as W0; pose proof (W s1) as W1; pose proof (W s2) as W2; clear W F.
    destruct K as [-> | ->]; destruct j; split_counts X Y Z; open_forms; lia. }
  destruct H as [H|H].
  - destruct Y as [|Y]; [tauto|]. apply settle_cases in H.
    assert (D : draw Pair (P3 X (S Y) Z j s0) (settle X Y Z j s0)) by constructor.
    exists Pair, (settle X Y Z j s0); split; [discriminate|split; [exact D|]].
    apply good_force; [exact K|exact (wf_draw _ _ _ D W)|exact H].
  - destruct Z as [|Z]; [tauto|]. apply settle_cases in H.
    assert (D : draw Shift (P3 X Y (S Z) j s0) (settle (S X) Y Z j s0)) by constructor.
    exists Shift, (settle (S X) Y Z j s0); split; [discriminate|split; [exact D|]].
    apply good_force; [exact K|exact (wf_draw _ _ _ D W)|exact H].
Qed.
