(** * The suit recursion computes the values found by search

    For graphs the values A and h are defined by searching all plays and taking the
    simplest integer between the options. For suits they are the sum of the suit
    values, and that sum minus the least price. *)

From Coq Require Import List Arith ZArith Lia Bool.
From Shichinarabe Require Import Game Value Race Decide Integer.
Import ListNotations.
Local Open Scope Z_scope.

Lemma mv_size p P Q : In Q (moves p P) -> (size Q < size P)%nat.
Proof. intros H. apply move_size in H. lia. Qed.

(** Unrestricted value by search, for player k. *)
Definition searched_value (k : player) : pos -> Z :=
  value pos size (moves k) (moves (negb k)).

(** The same when [k] may not make his opponent free. *)
Definition kmoves (k : player) (P : pos) : list pos := filter (keeps_lock k) (moves k P).
Definition searched_restricted_value (k : player) : pos -> Z :=
  value pos size (kmoves k) (moves (negb k)).

Lemma kmoves_spec k P Q : In Q (kmoves k P) <-> In Q (moves k P) /\ ~ nolock k Q.
Proof.
  unfold kmoves, keeps_lock. rewrite filter_In, negb_true_iff, <- freeb_nolock.
  destruct (freeb (negb k) Q); intuition congruence.
Qed.

Lemma kmv_size k P Q : In Q (kmoves k P) -> (size Q < size P)%nat.
Proof. rewrite kmoves_spec. intros [H _]. now apply mv_size with k. Qed.

Theorem suit_value k P : searched_value k P = sumval k P.
Proof.
  unfold searched_value.
  apply (value_unique pos size (moves k) (moves (negb k)) (mv_size k) (mv_size (negb k))
           (fun _ => True)); auto.
  clear P. intros P _. split; [|split; [|split]].
  - intros Q HQ. apply moves_spec in HQ. destruct HQ as (a & X & b & -> & ->).
    rewrite !sumval_mid. pose proof (own_play k X). lia.
  - intros Q HQ. apply moves_spec in HQ. destruct HQ as (a & X & b & -> & ->).
    rewrite !sumval_mid. pose proof (opp_play k X). lia.
  - intros H. apply sumval_pos in H. destruct H as (a & s & b & -> & H).
    destruct (val_pos k s H) as (X & -> & E). exists (a ++ X :: b).
    split; [apply moves_spec; eauto|]. rewrite !sumval_mid. lia.
  - intros H. apply sumval_neg in H. destruct H as (a & s & b & -> & H).
    destruct (val_neg k s H) as (X & -> & E). exists (a ++ X :: b).
    split; [apply moves_spec; eauto|]. rewrite !sumval_mid. lia.
Qed.

Definition lockval (k : player) (P : pos) : Z :=
  match list_price k (map eval P) with Some p => sumval k P - p | None => 0 end.

Lemma kw_lockval k m n P :
  ~ nolock k P -> (kw k m n P <-> (if eqb m k then 1 else 0) <= lockval k P + n).
Proof.
  intros H. rewrite kw_price. unfold lockval.
  destruct (list_price k (map eval P)) as [p|] eqn:E.
  - split; lia.
  - apply list_price_None in E. contradiction.
Qed.

Lemma opp_keeps k P Q : ~ nolock k P -> In Q (moves (negb k) P) -> ~ nolock k Q.
Proof.
  rewrite <- !free_nolock. intros H HQ C. apply H. eapply free_own_play; eauto.
Qed.

Theorem suit_restricted_value k P p :
  list_price k (map eval P) = Some p ->
  searched_restricted_value k P = sumval k P - p.
Proof.
  intros E. replace (sumval k P - p) with (lockval k P) by (unfold lockval; now rewrite E).
  assert (HL : ~ nolock k P) by (intros C; apply list_price_None in C; congruence).
  clear E p. unfold searched_restricted_value. revert P HL.
  apply (value_unique pos size (kmoves k) (moves (negb k)) (kmv_size k) (mv_size (negb k))
           (fun P => ~ nolock k P)).
  - intros P Q _ HQ. apply kmoves_spec in HQ. tauto.
  - intros P Q. apply opp_keeps.
  - intros P HL.
    assert (U : forall Q, In Q (kmoves k P) -> lockval k Q <= lockval k P - 1).
    { intros Q HQ. apply kmoves_spec in HQ. destruct HQ as [HQ HL'].
      assert (K : kw k (negb k) (- lockval k Q) Q)
        by (apply kw_lockval; auto; rewrite eqb_negb'; lia).
      apply (not_kw_own_all k _ P Q HQ) in K. apply kw_lockval in K; auto.
      rewrite eqb_refl' in K. lia. }
    assert (D : forall Q, In Q (moves (negb k) P) -> lockval k P + 1 <= lockval k Q).
    { intros Q HQ. pose proof (opp_keeps _ _ _ HL HQ) as HL'.
      assert (K : kw k (negb k) (- lockval k P) P)
        by (apply kw_lockval; auto; rewrite eqb_negb'; lia).
      apply (kw_opp_all k _ P Q) in K; auto. apply kw_lockval in K; auto.
      rewrite eqb_refl' in K. lia. }
    split; [exact U|]. split; [exact D|]. split.
    + intros H.
      assert (K : kw k k (- (lockval k P - 1)) P)
        by (apply kw_lockval; auto; rewrite eqb_refl'; lia).
      apply kw_own_ex in K; [|lia]. destruct K as (Q & HQ & K).
      assert (HL' : ~ nolock k Q)
        by (intros C; now apply (nolock_not_kw k (negb k) (- (lockval k P - 1)) Q) in C).
      assert (HQ' : In Q (kmoves k P)) by (apply kmoves_spec; auto).
      exists Q. split; auto. apply kw_lockval in K; auto. rewrite eqb_negb' in K.
      specialize (U Q HQ'). lia.
    + intros H.
      assert (K : ~ kw k (negb k) (- (lockval k P + 1)) P)
        by (rewrite kw_lockval; auto; rewrite eqb_negb'; lia).
      destruct (not_kw_opp_ex k (- (lockval k P + 1)) P) as (Q & HQ & K'); auto; [lia|].
      pose proof (opp_keeps _ _ _ HL HQ) as HL'. exists Q. split; auto.
      rewrite kw_lockval in K'; auto. rewrite eqb_refl' in K'. specialize (D Q HQ). lia.
Qed.
