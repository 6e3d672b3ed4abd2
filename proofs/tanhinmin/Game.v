(** * Two-player TANHINMIN (with goals) and the winner theorem *)

From Coq Require Import List Arith Lia Bool Permutation Sorted.
From Tanhinmin Require Import Cards.
Import ListNotations.

(** ** The game

    A position is (X, Z, r): hand of the player to move, hand of the other
    player, table card (0 = empty table).  [c] and [d] are the goals of the
    mover and of the other player: a player wins at the moment when a discard
    leaves him with at most that many cards (0, 0 = the plain game).

    [wins c d X Z r]  : the player to move can force a win in finitely many
                        moves (least fixpoint);
    [loses c d X Z r] : the other player can force a win in finitely many moves.

    Endless passing satisfies neither: it is won by nobody. *)

Inductive wins : nat -> nat -> list nat -> list nat -> nat -> Prop :=
| wins_last c d X Z r v :
    In v X -> r < v -> length (del v X) <= c ->
    wins c d X Z r
| wins_discard c d X Z r v :
    In v X -> r < v -> c < length (del v X) ->
    loses d c Z (del v X) v ->
    wins c d X Z r
| wins_pass c d X Z r :
    loses d c Z X 0 ->
    wins c d X Z r
with loses : nat -> nat -> list nat -> list nat -> nat -> Prop :=
| loses_all c d X Z r :
    (forall v, In v X -> r < v -> c < length (del v X)) ->
    (forall v, In v X -> r < v -> wins d c Z (del v X) v) ->
    wins d c Z X 0 ->
    loses c d X Z r.

Scheme wins_mut := Minimality for wins Sort Prop
  with loses_mut := Minimality for loses Sort Prop.

(** Not both players can force a win. *)
Theorem wins_not_loses c d X Z r : wins c d X Z r -> ~ loses c d X Z r.
Proof.
  intros H. pattern c, d, X, Z, r.
  revert c d X Z r H.
  apply (wins_mut (fun c d X Z r => ~ loses c d X Z r)
                  (fun c d X Z r => ~ wins c d X Z r)).
  - intros c d X Z r v Hv Hr Hl H. inversion H; subst.
    specialize (H0 v Hv Hr). lia.
  - intros c d X Z r v Hv Hr Hl _ IH H. inversion H; subst.
    apply IH. auto.
  - intros c d X Z r _ IH H. inversion H; subst. auto.
  - intros c d X Z r Hlast _ IH _ IHp H. inversion H; subst.
    + specialize (Hlast v H0 H1). lia.
    + apply (IH v H0 H1); auto.
    + auto.
Qed.

(** ** The two matching numbers of a position *)

Definition mu0 (c d : nat) (X Z : list nat) (r : nat) : nat :=
  mu (drop c X) (r :: drop (S d) Z).

Definition mu1 (c d : nat) (X Z : list nat) : nat :=
  mu (drop d Z) (drop (S c) X).

(** ** The counter strategy SK *)

(** The weakest legal card among the [k] strongest cards of [X]. *)
Definition sk (k r : nat) (X : list nat) : option nat :=
  hd_error (filter (fun x => r <? x) (skipn (length X - k) (isort X))).

Lemma skipn_sorted j (l : list nat) :
  StronglySorted le l -> StronglySorted le (skipn j l).
Proof.
  revert j; induction l; intros j H; [rewrite skipn_nil; constructor|].
  destruct j; [exact H|]. simpl. apply IHl. now inversion H.
Qed.

Lemma skipn_In j (x : nat) l : In x (skipn j l) -> In x l.
Proof.
  intros H. rewrite <- (firstn_skipn j l). apply in_or_app; auto.
Qed.

Lemma first_legal r v T :
  StronglySorted le T ->
  hd_error (filter (fun x => r <? x) T) = Some v ->
  In v T /\ r < v /\ cgt v T < length T /\
  forall t, r <= t -> t < v -> cgt t T = cgt r T.
Proof.
  induction 1 as [|x T H IH F]; simpl; [discriminate|].
  destruct (Nat.ltb_spec r x) as [Hx|Hx]; simpl.
  - intros E; inversion E; subst v. repeat split; auto.
    + pose proof (cgt_le_length x T). bcase; lia.
    + intros t H1 H2.
      rewrite !cgt_pos_all by (eapply Forall_impl; [|exact F]; simpl; lia).
      bcase; lia.
  - intros E. destruct (IH E) as (I & L & C & K). repeat split; auto.
    + bcase; lia.
    + intros t H1 H2. rewrite (K t) by auto. bcase; lia.
Qed.

Lemma sk_some k r X v :
  sk k r X = Some v ->
  In v X /\ r < v /\ cgt v X < k /\
  forall t, r <= t -> t < v -> cgt t X = cgt r X \/ k <= cgt t X.
Proof.
  unfold sk. intros E.
  pose proof (skipn_sorted (length X - k) _ (isort_sorted X)) as ST.
  destruct (first_legal r v _ ST E) as (I & L & C & K).
  rewrite skipn_length, isort_length in C.
  rewrite skipn_cgt, isort_cgt, isort_length in C by apply isort_sorted.
  repeat split; auto.
  - apply skipn_In in I. eapply Permutation_in; [apply isort_perm|exact I].
  - lia.
  - intros t H1 H2. specialize (K t H1 H2).
    rewrite !skipn_cgt, !isort_cgt, isort_length in K by apply isort_sorted.
    pose proof (cgt_le_length t X). pose proof (cgt_le_length r X). lia.
Qed.

Lemma sk_none k r X : 1 <= k -> sk k r X = None -> cgt r X = 0.
Proof.
  unfold sk. intros Hk E.
  assert (N : cgt r (skipn (length X - k) (isort X)) = 0).
  { revert E. generalize (skipn (length X - k) (isort X)) as T.
    induction T as [|x T IH]; simpl; auto. bcase; simpl; [discriminate|auto]. }
  rewrite skipn_cgt, isort_cgt, isort_length in N by apply isort_sorted.
  pose proof (cgt_le_length r X). lia.
Qed.

(** ** The invariants

    X, c = hand and goal of the player who follows the strategy, Z, d = of the
    other one; k = the counter.  [WI]: the strategist is to move;
    other mu < k <= own mu.  [LI]: the other player is to move;
    other mu <= k <= own mu. *)

Definition WI c d X Z r k : Prop :=
  (forall t, k <= (clt t Z - S d) + Nat.b2n (r <? t) + Nat.min (cgt t X) (length X - c)) /\
  (exists t, (clt t X - S c) + Nat.min (cgt t Z) (length Z - d) < k).

Definition LI c d X Z r k : Prop :=
  (forall t, k <= (clt t Z - S d) + Nat.min (cgt t X) (length X - c)) /\
  (exists t, (clt t X - S c) + Nat.b2n (r <? t) + Nat.min (cgt t Z) (length Z - d) <= k).

Lemma WI_mu c d X Z r k :
  WI c d X Z r k <-> mu1 c d X Z < k /\ k <= mu0 c d X Z r.
Proof.
  unfold WI, mu0, mu1. rewrite mu_ge.
  split; intros [H1 H2].
  - split.
    + destruct H2 as [t H2]. pose proof (mu_bound (drop d Z) (drop (S c) X) t) as B.
      rewrite drop_clt, drop_cgt in B. lia.
    + intros t. specialize (H1 t). simpl. rewrite drop_clt, drop_cgt. lia.
  - split.
    + intros t. specialize (H2 t). simpl in H2. rewrite drop_clt, drop_cgt in H2. lia.
    + destruct (mu_witness (drop d Z) (drop (S c) X)) as [t E].
      exists t. rewrite drop_clt, drop_cgt in E. lia.
Qed.

(** Here the player to move is the other one (hand Z, goal d). *)
Lemma LI_mu c d X Z r k :
  LI c d X Z r k <-> mu0 d c Z X r <= k /\ k <= mu1 d c Z X.
Proof.
  unfold LI, mu0, mu1. rewrite mu_ge.
  split; intros [H1 H2].
  - split.
    + destruct H2 as [t H2]. pose proof (mu_bound (drop d Z) (r :: drop (S c) X) t) as B.
      simpl in B. rewrite drop_clt, drop_cgt in B. lia.
    + intros t. specialize (H1 t). rewrite drop_clt, drop_cgt. lia.
  - split.
    + intros t. specialize (H2 t). rewrite drop_clt, drop_cgt in H2. lia.
    + destruct (mu_witness (drop d Z) (r :: drop (S c) X)) as [t E].
      exists t. simpl in E. rewrite drop_clt, drop_cgt in E. lia.
Qed.

(** *** Preservation *)

Definition faces (l : list nat) : Prop := Forall (fun x => 1 <= x) l.

Lemma faces_cgt0 l : faces l -> cgt 0 l = length l.
Proof. intros H. apply cgt_pos_all. eapply Forall_impl; [|exact H]; simpl; lia. Qed.

(** The other player discards. *)
Lemma LI_discard c d X Z r k v :
  d < length Z -> LI c d X Z r k -> In v Z -> r < v ->
  d < length (del v Z) /\ WI c d X (del v Z) v k.
Proof.
  intros Hd [H1 [t H2]] Hv Hr.
  pose proof (del_length v Z Hv) as EL.
  split.
  - destruct (le_lt_dec (length (del v Z)) d) as [Hs|]; [exfalso|auto].
    specialize (H1 (Nat.max (top Z) (top X))).
    rewrite clt_top, cgt_top in H1 by lia.
    pose proof (cgt_In t v Z Hv). bcase; lia.
  - split.
    + intros s. specialize (H1 s). rewrite (del_clt s v Z Hv) in H1. bcase; lia.
    + exists t. rewrite (del_cgt t v Z Hv) in H2. bcase; lia.
Qed.

(** The other player passes. *)
Lemma LI_pass c d X Z r k :
  c < length X -> faces X -> LI c d X Z r k ->
  WI c d X Z 0 (Nat.min (S k) (length X - c)).
Proof.
  intros Hc FX [H1 [t H2]]. split.
  - intros s. specialize (H1 s). destruct s.
    + rewrite faces_cgt0 by auto. lia.
    + bcase; lia.
  - destruct (le_lt_dec (S k) (length X - c)).
    + exists t. bcase; lia.
    + exists (Nat.max (top X) (top Z)). rewrite clt_top, cgt_top by lia. lia.
Qed.

(** The strategist has no legal card and passes. *)
Lemma WI_pass c d X Z r k :
  cgt r X = 0 -> WI c d X Z r k -> LI c d X Z 0 k.
Proof.
  intros Hn [H1 [t H2]]. split.
  - intros s. destruct (le_lt_dec s r).
    + specialize (H1 s). bcase; lia.
    + specialize (H1 r). pose proof (clt_mono r s Z). bcase; lia.
  - exists t. bcase; lia.
Qed.

(** The strategist discards by the rule. *)
Lemma WI_discard c d X Z r k v :
  WI c d X Z r k -> sk k r X = Some v -> c < length (del v X) ->
  LI c d (del v X) Z v (k - 1).
Proof.
  intros [H1 [t H2]] E Hc.
  destruct (sk_some _ _ _ _ E) as (Hv & Hr & Hk & Hgap).
  pose proof (del_length v X Hv) as EL.
  assert (Kc : k <= length X - c).
  { specialize (H1 0). rewrite clt_0 in H1. bcase; lia. }
  split.
  - intros s. pose proof (H1 s) as Hs. pose proof (del_cgt s v X Hv) as Es.
    destruct (Nat.ltb_spec s v) as [Hsv|Hsv]; simpl in Es.
    + destruct (le_lt_dec r s) as [Hrs|Hrs].
      * destruct (Hgap s Hrs Hsv) as [G|G]; [|lia].
        pose proof (H1 r) as Hr1. pose proof (clt_mono r s Z Hrs).
        bcase; lia.
      * bcase; lia.
    + bcase; lia.
  - pose proof (del_clt t v X Hv) as Et.
    destruct (Nat.ltb_spec v t) as [Hvt|Hvt]; simpl in Et.
    + destruct (le_lt_dec (S (S c)) (clt t X)).
      * exists t. bcase; lia.
      * exists (S (v + Nat.max (top (del v X)) (top Z))).
        rewrite clt_top, cgt_top by lia.
        pose proof (clt_cgt v X). pose proof (clt_mono (S v) t X Hvt).
        bcase; lia.
    + exists t. bcase; lia.
Qed.

(** *** The strategy wins in finitely many moves *)

Lemma strategy_wins c d n :
  (forall X Z r k,
     3 * (length X + length Z) + (if r =? 0 then 0 else 2) < n ->
     faces X -> c < length X -> d < length Z ->
     WI c d X Z r k -> wins c d X Z r) /\
  (forall X Z r k,
     3 * (length X + length Z) + 1 < n ->
     faces X -> c < length X -> d < length Z ->
     LI c d X Z r k -> loses d c Z X r).
Proof.
  induction n as [|n [IHW IHL]]; [split; intros; lia|].
  split; intros X Z r k Hn FX Hc Hd I.
  - assert (Kpos : 1 <= k) by (destruct I as [_ [t Ht]]; lia).
    destruct (sk k r X) as [v|] eqn:E.
    + destruct (sk_some _ _ _ _ E) as (Hv & Hr & _ & _).
      pose proof (del_length v X Hv) as EL.
      destruct (le_lt_dec (length (del v X)) c) as [Hl|Hl].
      * eapply wins_last; eauto.
      * eapply wins_discard; eauto.
        apply (IHL (del v X) Z v (k - 1)); auto.
        -- destruct (r =? 0); lia.
        -- now apply del_Forall.
        -- eapply WI_discard; eauto.
    + apply sk_none in E; [|assumption].
      apply wins_pass. apply (IHL X Z 0 k); eauto using WI_pass.
      destruct (Nat.eqb_spec r 0) as [->|]; [|lia].
      rewrite faces_cgt0 in E by auto. lia.
  - constructor.
    + intros v Hv Hr. eapply LI_discard; eauto.
    + intros v Hv Hr. destruct (LI_discard c d X Z r k v Hd I Hv Hr) as [Hd' I'].
      pose proof (del_length v Z Hv).
      apply (IHW X (del v Z) v k); auto. destruct (v =? 0); lia.
    + apply (IHW X Z 0 (Nat.min (S k) (length X - c))); auto.
      * simpl; lia.
      * eapply LI_pass; eauto.
Qed.

(** ** Theorem 1, for arbitrary goals *)

Theorem tanhinmin_goals_mover_wins c d X Z r :
  faces X -> faces Z -> c < length X -> d < length Z ->
  mu0 c d X Z r > mu1 c d X Z -> wins c d X Z r.
Proof.
  intros FX FZ Hc Hd H.
  eapply (proj1 (strategy_wins c d (S _))); eauto.
  apply WI_mu with (k := mu0 c d X Z r). lia.
Qed.

Theorem tanhinmin_goals_other_wins c d X Z r :
  faces X -> faces Z -> c < length X -> d < length Z ->
  mu0 c d X Z r <= mu1 c d X Z -> loses c d X Z r.
Proof.
  intros FX FZ Hc Hd H.
  eapply (proj2 (strategy_wins d c (S _))); eauto.
  apply LI_mu with (k := mu0 c d X Z r). lia.
Qed.

Theorem tanhinmin_goals c d X Z r :
  faces X -> faces Z -> c < length X -> d < length Z ->
  (wins c d X Z r <-> mu0 c d X Z r > mu1 c d X Z) /\
  (loses c d X Z r <-> mu0 c d X Z r <= mu1 c d X Z).
Proof.
  intros FX FZ Hc Hd.
  pose proof (tanhinmin_goals_mover_wins c d X Z r FX FZ Hc Hd) as HW.
  pose proof (tanhinmin_goals_other_wins c d X Z r FX FZ Hc Hd) as HL.
  pose proof (wins_not_loses c d X Z r) as HN.
  split; split; auto.
  - intros H. destruct (le_lt_dec (mu0 c d X Z r) (mu1 c d X Z)); [|lia].
    exfalso; apply HN; auto.
  - intros H. destruct (le_lt_dec (mu0 c d X Z r) (mu1 c d X Z)); [lia|].
    exfalso; apply HN; auto.
Qed.

(** There are no draws. *)
Corollary no_draws c d X Z r :
  faces X -> faces Z -> c < length X -> d < length Z ->
  wins c d X Z r \/ loses c d X Z r.
Proof.
  intros FX FZ Hc Hd.
  destruct (le_lt_dec (mu0 c d X Z r) (mu1 c d X Z)).
  - right. now apply tanhinmin_goals_other_wins.
  - left. now apply tanhinmin_goals_mover_wins.
Qed.
