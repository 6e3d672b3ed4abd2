(** * Consequences: monotonicity, and two candidate moves that suffice *)

From Coq Require Import List Arith Lia Bool Permutation Sorted.
From Tanhinmin Require Import Cards Game Moves.
Import ListNotations.

(** A higher own goal, or a lower goal of the opponent, never hurts. *)
Theorem goals_monotone :
  (forall c d X Z r, wins c d X Z r ->
     forall c' d', c <= c' -> d' <= d -> wins c' d' X Z r) /\
  (forall c d X Z r, loses c d X Z r ->
     forall c' d', c' <= c -> d <= d' -> loses c' d' X Z r).
Proof.
  assert (P1 : forall c d X Z r v, In v X -> r < v -> length (del v X) <= c ->
     forall c' d', c <= c' -> d' <= d -> wins c' d' X Z r).
  { intros. eapply wins_last; eauto. lia. }
  assert (P2 : forall c d X Z r v, In v X -> r < v -> c < length (del v X) ->
     loses d c Z (del v X) v ->
     (forall c' d', c' <= d -> c <= d' -> loses c' d' Z (del v X) v) ->
     forall c' d', c <= c' -> d' <= d -> wins c' d' X Z r).
  { intros c d X Z r v Hv Hr Hl _ IH c' d' Hc Hd.
    destruct (le_lt_dec (length (del v X)) c').
    - eapply wins_last; eauto.
    - eapply wins_discard; eauto. }
  assert (P3 : forall c d X Z r, loses d c Z X 0 ->
     (forall c' d', c' <= d -> c <= d' -> loses c' d' Z X 0) ->
     forall c' d', c <= c' -> d' <= d -> wins c' d' X Z r).
  { intros. apply wins_pass. auto. }
  assert (P4 : forall c d X Z r,
     (forall v, In v X -> r < v -> c < length (del v X)) ->
     (forall v, In v X -> r < v -> wins d c Z (del v X) v) ->
     (forall v, In v X -> r < v ->
        forall c' d', d <= c' -> d' <= c -> wins c' d' Z (del v X) v) ->
     wins d c Z X 0 ->
     (forall c' d', d <= c' -> d' <= c -> wins c' d' Z X 0) ->
     forall c' d', c' <= c -> d <= d' -> loses c' d' X Z r).
  { intros c d X Z r H1 _ H2 _ H3 c' d' Hc Hd. constructor; auto.
    intros v Hv Hr. specialize (H1 v Hv Hr). lia. }
  split.
  - exact (wins_mut
      (fun c d X Z r => forall c' d', c <= c' -> d' <= d -> wins c' d' X Z r)
      (fun c d X Z r => forall c' d', c' <= c -> d <= d' -> loses c' d' X Z r)
      P1 P2 P3 P4).
  - exact (loses_mut
      (fun c d X Z r => forall c' d', c <= c' -> d' <= d -> wins c' d' X Z r)
      (fun c d X Z r => forall c' d', c' <= c -> d <= d' -> loses c' d' X Z r)
      P1 P2 P3 P4).
Qed.

(** A weaker table card never hurts the mover. *)
Theorem table_monotone c d X Z r r' :
  wins c d X Z r -> r' <= r -> wins c d X Z r'.
Proof.
  intros H L. inversion H; subst.
  - eapply wins_last; eauto. lia.
  - eapply wins_discard; eauto. lia.
  - now apply wins_pass.
Qed.

(** ** Two candidates *)

Lemma skipn_more (j i : nat) (s : list nat) x :
  i <= j -> In x (skipn j s) -> In x (skipn i s).
Proof.
  revert i s. induction j; intros i s L H.
  - assert (i = 0) by lia. now subst.
  - destruct s; [rewrite skipn_nil in H; now simpl in H|].
    destruct i; [right; eapply skipn_In; exact H|]. simpl in *.
    apply IHj; [lia|exact H].
Qed.

Lemma sk_high c k r X v : k <= length X - S c -> c < length X ->
  sk k r X = Some v -> In v (high c X).
Proof.
  unfold sk, high, drop. intros L1 L2 E.
  destruct (first_legal r v _ (skipn_sorted _ _ (isort_sorted X)) E) as (I & _).
  eapply skipn_more; [|exact I]. lia.
Qed.

(** Looking at more of the strongest cards gives a weaker card. *)
Lemma sk_le k k' r X v v' :
  k <= k' -> sk k r X = Some v -> sk k' r X = Some v' -> v' <= v.
Proof.
  unfold sk. intros L E E'.
  destruct (first_legal r v _ (skipn_sorted _ _ (isort_sorted X)) E) as (I & R & _).
  apply (skipn_more _ (length X - k')) in I; [|lia].
  revert I E'. generalize (skipn_sorted (length X - k') _ (isort_sorted X)).
  generalize (skipn (length X - k') (isort X)) as T. clear - R.
  induction 1 as [|x T H IH F]; simpl; [tauto|].
  intros [->|I].
  - bcase; [|lia]. simpl. intros E; inversion E; lia.
  - rewrite Forall_forall in F. specialize (F v I).
    bcase; simpl; [intros E; inversion E; lia|auto].
Qed.

(** If the mover wins and has a legal card, then the weakest legal card, or the
    weakest legal card apart from the c+1 weakest cards of the hand, wins. *)
Theorem two_candidates c d X Z r w :
  faces X -> faces Z -> c < length X -> d < length Z ->
  wins c d X Z r -> sk (length X) r X = Some w ->
  discard_wins c d X Z w \/
  exists v, sk (length X - S c) r X = Some v /\ discard_wins c d X Z v.
Proof.
  intros FX FZ Hc Hd W E.
  destruct (tanhinmin_goals c d X Z r FX FZ Hc Hd) as [T1 _]. apply T1 in W.
  destruct (sk_some _ _ _ _ E) as (Hw & Hr & _ & _).
  pose proof (cgt_In r w X Hw Hr) as Lr.
  pose proof (sk_wins c d X Z FX FZ Hc Hd r (S (mu1 c d X Z))) as K.
  destruct (sk (S (mu1 c d X Z)) r X) as [v|] eqn:Ev.
  2:{ apply sk_none in Ev; lia. }
  destruct K as (Hv & Hrv & Wv); [lia|lia|].
  destruct (le_lt_dec (S (mu1 c d X Z)) (length X - S c)) as [L|L].
  - (* all is decided among the upper cards *)
    right. destruct (sk (length X - S c) r X) as [u|] eqn:Eu.
    2:{ apply sk_none in Eu; lia. }
    exists u. split; [reflexivity|].
    pose proof (sk_high c _ r X v L Hc Ev) as Hhv.
    pose proof (sk_high c _ r X u (le_n _) Hc Eu) as Hhu.
    pose proof (sk_le _ _ r X v u L Ev Eu) as Lvu.
    apply (theorem_2_high c d X Z FX FZ Hc Hd) in Wv; [|exact Hhv].
    apply (theorem_2_high c d X Z FX FZ Hc Hd); [exact Hhu|]. lia.
  - (* the mover can use every card that counts *)
    left.
    assert (M0 : length X - c <= mu0 c d X Z r) by lia.
    unfold mu0 in M0. rewrite mu_ge in M0.
    destruct (low_or_high c X w Hw) as [Hlo|Hhi].
    + apply (theorem_2_low c d X Z FX FZ Hc Hd); [exact Hlo|].
      destruct (Nat.eq_dec (length X) (S c)); [auto|right; left].
      assert (length X - S c <= mu (drop (S c) X) (drop (S d) Z)).
      { apply mu_ge. intros t. specialize (M0 t). simpl in M0.
        rewrite !drop_clt, !drop_cgt in *.
        pose proof (clt_cgt t X). pose proof (low_clt_strict c X w (S t) Hlo).
        destruct (le_lt_dec w t); bcase; lia. }
      assert (mu (drop d Z) (drop (S (S c)) X) <= length X - S (S c)).
      { pose proof (mu_bound (drop d Z) (drop (S (S c)) X)
                      (Nat.max (top (drop d Z)) (top (drop (S (S c)) X)))) as B.
        rewrite clt_top, cgt_top, drop_length in B by lia. lia. }
      lia.
    + assert (w <= v).
      { destruct (le_lt_dec (S (mu1 c d X Z)) (length X)) as [Lk|Lk].
        - exact (sk_le _ _ r X v w Lk Ev E).
        - assert (length X <= S (mu1 c d X Z)) by lia.
          unfold sk in Ev, E.
          replace (length X - S (mu1 c d X Z)) with (length X - length X) in Ev by lia.
          assert (Some v = Some w) by congruence. inversion H0; lia. }
      destruct (low_or_high c X v Hv) as [Hlv|Hhv].
      * (* v is low, w is high and not stronger: the same face *)
        assert (v <= w).
        { exact (firstn_skipn_le _ (isort_sorted X) (S c) v w Hlv Hhi). }
        assert (v = w) by lia. subst v. exact Wv.
      * apply (theorem_2_high c d X Z FX FZ Hc Hd) in Wv; [|exact Hhv].
        apply (theorem_2_high c d X Z FX FZ Hc Hd); [exact Hhi|]. lia.
Qed.
