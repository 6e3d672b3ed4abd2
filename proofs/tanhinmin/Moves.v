(** * Which moves win (Theorem 2), and the SK move *)

From Coq Require Import List Arith Lia Bool Permutation Sorted.
From Tanhinmin Require Import Cards Game.
Import ListNotations.

(** ** The least minimising threshold *)

Definition is_witness (A B : list nat) (t : nat) : bool :=
  clt t B + cgt t A =? mu A B.

(** The least t with #{b < t} + #{a > t} = mu A B.  It is 0 or a face of [A],
    so it can be looked up in the sorted hand. *)
Definition lw (A B : list nat) : nat :=
  match find (is_witness A B) (0 :: isort A) with
  | Some t => t
  | None => 0
  end.

(** The same, but searched among the faces of [B] only; None = infinity. *)
Definition gamma (A B : list nat) : option nat :=
  find (is_witness A B) (isort B).

Lemma cgt_pred s A : ~ In (S s) A -> cgt s A = cgt (S s) A.
Proof.
  induction A as [|x A IH]; simpl; auto. intros H.
  rewrite IH by tauto. assert (x <> S s) by (intros ->; tauto). bcase; lia.
Qed.

Lemma clt_succ s B : ~ In s B -> clt (S s) B = clt s B.
Proof.
  induction B as [|x B IH]; simpl; auto. intros H.
  rewrite IH by tauto. assert (x <> s) by (intros ->; tauto). bcase; lia.
Qed.

Lemma witness_iff A B t : is_witness A B t = true <-> clt t B + cgt t A = mu A B.
Proof. unfold is_witness. apply Nat.eqb_eq. Qed.

Lemma witness_down A B t :
  is_witness A B t = true ->
  exists s, s <= t /\ In s (0 :: A) /\ is_witness A B s = true.
Proof.
  induction t as [|t IH]; intros H.
  - exists 0. simpl; auto.
  - destruct (in_dec Nat.eq_dec (S t) A) as [I|N].
    + exists (S t). simpl; auto.
    + destruct IH as (s & ? & ? & ?).
      * apply witness_iff. apply witness_iff in H.
        pose proof (mu_bound A B t). pose proof (clt_mono t (S t) B).
        rewrite (cgt_pred t A N) in *. lia.
      * exists s. repeat split; auto.
Qed.

Lemma find_sorted f l x :
  StronglySorted le l -> find f l = Some x ->
  f x = true /\ In x l /\ forall y, In y l -> f y = true -> x <= y.
Proof.
  induction 1 as [|a l H IH F]; simpl; [discriminate|].
  destruct (f a) eqn:E.
  - intros E1; inversion E1; subst. repeat split; auto.
    intros y [->|Hy] _; auto. rewrite Forall_forall in F; auto.
  - intros E1. destruct (IH E1) as (? & ? & K). repeat split; auto.
    intros y [->|Hy] Hf; [congruence|]. auto.
Qed.

Lemma lw_spec A B :
  clt (lw A B) B + cgt (lw A B) A = mu A B /\
  forall t, t < lw A B -> mu A B < clt t B + cgt t A.
Proof.
  assert (HS : StronglySorted le (0 :: isort A)).
  { constructor; [apply isort_sorted|]. apply Forall_forall; intros; lia. }
  assert (HI : forall s, In s (0 :: A) -> In s (0 :: isort A)).
  { intros s [->|Hs]; [simpl; auto|right].
    eapply Permutation_in; [symmetry; apply isort_perm|exact Hs]. }
  unfold lw. destruct (find (is_witness A B) (0 :: isort A)) as [x|] eqn:E.
  - destruct (find_sorted _ _ _ HS E) as (W & _ & K).
    apply witness_iff in W. split; auto. intros t Ht.
    pose proof (mu_bound A B t).
    destruct (Nat.eq_dec (clt t B + cgt t A) (mu A B)) as [Et|]; [exfalso|lia].
    apply witness_iff in Et. destruct (witness_down A B t Et) as (s & L & I & Ws).
    specialize (K s (HI s I) Ws). lia.
  - exfalso. destruct (mu_witness A B) as [t Et]. apply witness_iff in Et.
    destruct (witness_down A B t Et) as (s & L & I & Ws).
    pose proof (find_none _ _ E s (HI s I)). congruence.
Qed.

(** Removing a card from the beating side. *)
Lemma mu_remove A B a :
  In a A ->
  mu A B = mu (del a A) B + (if a <=? lw A B then 0 else 1).
Proof.
  intros Ha. destruct (lw_spec A B) as [W L].
  destruct (Nat.leb_spec a (lw A B)).
  - rewrite Nat.add_0_r. apply Nat.le_antisymm.
    + apply mu_ge. intros t. pose proof (mu_bound A B t) as Bt.
      pose proof (del_cgt t a A Ha) as E.
      destruct (Nat.ltb_spec t a); simpl in E; [|lia].
      pose proof (L t). lia.
    + apply mu_ge. intros t. pose proof (mu_bound (del a A) B t) as Bt.
      pose proof (del_cgt t a A Ha). lia.
  - apply Nat.le_antisymm.
    + assert (mu A B - 1 <= mu (del a A) B); [|lia].
      apply mu_ge. intros t. pose proof (mu_bound A B t) as Bt.
      pose proof (del_cgt t a A Ha). bcase; lia.
    + pose proof (mu_bound (del a A) B (lw A B)) as Bt.
      pose proof (del_cgt (lw A B) a A Ha). bcase; lia.
Qed.

(** Adding a card to the beaten side. *)
Lemma mu_add A B v :
  mu A (v :: B) = mu A B + (if lw A B <=? v then 0 else 1).
Proof.
  destruct (lw_spec A B) as [W L].
  assert (G : mu A B <= mu A (v :: B)).
  { apply mu_ge. intros t. pose proof (mu_bound A B t). simpl. lia. }
  pose proof (mu_bound A (v :: B) (lw A B)) as Bt. simpl in Bt.
  destruct (Nat.leb_spec (lw A B) v).
  - bcase; lia.
  - assert (S (mu A B) <= mu A (v :: B)); [|bcase; lia].
    apply mu_ge. intros t. simpl. pose proof (mu_bound A B t).
    pose proof (L t). bcase; lia.
Qed.

(** On cards of [A], the thresholds [lw] and [gamma] say the same. *)
Lemma lw_gamma A B a :
  In a A ->
  (a <= lw A B <-> match gamma A B with Some g => a <= g | None => True end).
Proof.
  intros Ha. destruct (lw_spec A B) as [W L].
  assert (Up : forall n t, a - t <= n -> t < a -> is_witness A B t = true ->
             exists g, g < a /\ In g B /\ is_witness A B g = true).
  { induction n as [|n IH]; intros t Hn Ht Hw; [lia|].
    destruct (in_dec Nat.eq_dec t B) as [I|N]; [exists t; auto|].
    pose proof (clt_succ t B N) as E1. apply witness_iff in Hw.
    pose proof (mu_bound A B (S t)) as B1.
    assert (~ In (S t) A) as N2.
    { intros I. pose proof (del_cgt t (S t) A I) as F1.
      pose proof (del_cgt (S t) (S t) A I) as F2.
      pose proof (cgt_anti t (S t) (del (S t) A)). bcase; lia. }
    pose proof (cgt_pred t A N2) as E2.
    apply (IH (S t)).
    - lia.
    - assert (a <> S t) by (intros ->; tauto). lia.
    - apply witness_iff. lia. }
  unfold gamma. destruct (find (is_witness A B) (isort B)) as [g|] eqn:E.
  - destruct (find_sorted _ _ _ (isort_sorted B) E) as (Wg & _ & K). split.
    + intros H. apply witness_iff in Wg.
      destruct (le_lt_dec (lw A B) g); [lia|]. pose proof (L g). lia.
    + intros H. destruct (le_lt_dec a (lw A B)); [auto|exfalso].
      apply witness_iff in W.
      destruct (Up a (lw A B)) as (g' & ? & I & Wg'); try lia; auto.
      assert (In g' (isort B)) as I'
        by (eapply Permutation_in; [symmetry; apply isort_perm|exact I]).
      specialize (K g' I' Wg'). lia.
  - split; auto. intros _. destruct (le_lt_dec a (lw A B)); [auto|exfalso].
    apply witness_iff in W.
    destruct (Up a (lw A B)) as (g' & ? & I & Wg'); try lia; auto.
    assert (In g' (isort B)) as I'
      by (eapply Permutation_in; [symmetry; apply isort_perm|exact I]).
    pose proof (find_none _ _ E g' I'). congruence.
Qed.

(** ** The moves *)

(** "Discarding v wins" (v is assumed to be legal: in hand and above r; the
    table card plays no further role). *)
Definition discard_wins c d X Z v : Prop :=
  length (del v X) <= c \/ (c < length (del v X) /\ loses d c Z (del v X) v).

Definition pass_wins c d X Z : Prop := loses d c Z X 0.

Theorem wins_iff_some_move c d X Z r :
  wins c d X Z r <->
  (exists v, In v X /\ r < v /\ discard_wins c d X Z v) \/ pass_wins c d X Z.
Proof.
  split.
  - intros H; inversion H; subst.
    + left. exists v. repeat split; auto. left; auto.
    + left. exists v. repeat split; auto. right; auto.
    + right. auto.
  - intros [(v & ? & ? & [?|[? ?]])|?].
    + eapply wins_last; eauto.
    + eapply wins_discard; eauto.
    + apply wins_pass; auto.
Qed.

(** The c+1 weakest cards (x_1 .. x_(c+1)) and the others (x_(c+2) ..). *)
Definition low (c : nat) (X : list nat) : list nat := firstn (S c) (isort X).
Definition high (c : nat) (X : list nat) : list nat := drop (S c) X.

Lemma low_or_high c X v : In v X -> In v (low c X) \/ In v (high c X).
Proof.
  intros H. unfold low, high, drop. apply in_app_or.
  rewrite firstn_skipn. eapply Permutation_in; [symmetry; apply isort_perm|exact H].
Qed.

Lemma low_In c X v : In v (low c X) -> In v X.
Proof.
  intros H. eapply Permutation_in; [apply isort_perm|].
  rewrite <- (firstn_skipn (S c) (isort X)). apply in_or_app. left. exact H.
Qed.

Lemma high_In c X v : In v (high c X) -> In v X.
Proof.
  intros H. eapply Permutation_in; [apply isort_perm|]. eapply skipn_In. exact H.
Qed.

Lemma firstn_skipn_le (s : list nat) : StronglySorted le s ->
  forall c x y, In x (firstn c s) -> In y (skipn c s) -> x <= y.
Proof.
  induction 1 as [|z s Hs IH F]; intros c x y Hx Hy.
  - rewrite firstn_nil in Hx. now simpl in Hx.
  - destruct c; [now simpl in Hx|]. simpl in Hx, Hy. destruct Hx as [->|Hx].
    + rewrite Forall_forall in F. apply F. eapply skipn_In; eauto.
    + eapply IH; eauto.
Qed.

Lemma high_clt c X v t : In v (high c X) -> v < t -> S (S c) <= clt t X.
Proof.
  intros Hv Ht. pose proof (clt_In t v _ Hv Ht) as H.
  unfold high in H. rewrite drop_clt in H. lia.
Qed.

Lemma low_clt c X v t : In v (low c X) -> t <= v -> clt t X <= S c.
Proof.
  intros Hv Ht. pose proof (drop_clt t (S c) X) as E.
  rewrite clt_none in E; [lia|].
  apply Forall_forall. intros y Hy.
  pose proof (firstn_skipn_le _ (isort_sorted X) (S c) v y Hv Hy). lia.
Qed.

(** A low card, strictly: at most c cards are weaker than it. *)
Lemma low_clt_strict c X v t : In v (low c X) -> t <= v -> clt t X <= c.
Proof.
  intros Hv Ht. pose proof (low_In _ _ _ Hv) as Hi.
  assert (E : clt t X = clt t (low c X) + clt t (high c X)).
  { unfold low, high, drop. rewrite <- clt_app, firstn_skipn. now rewrite isort_clt. }
  assert (E2 : clt t (high c X) = 0).
  { apply clt_none. apply Forall_forall. intros y Hy.
    pose proof (firstn_skipn_le _ (isort_sorted X) (S c) v y Hv Hy). lia. }
  pose proof (del_clt t v (low c X) Hv) as E3.
  pose proof (clt_le_length t (del v (low c X))) as E4.
  pose proof (del_length v (low c X) Hv) as E5.
  assert (length (low c X) <= S c) by (unfold low; rewrite firstn_length; lia).
  bcase; lia.
Qed.

Lemma mu_ext A A' B B' :
  (forall t, cgt t A = cgt t A') -> (forall t, clt t B = clt t B') ->
  mu A B = mu A' B'.
Proof.
  intros HA HB. apply Nat.le_antisymm; apply mu_ge; intros t.
  - rewrite <- HA, <- HB. apply mu_bound.
  - rewrite HA, HB. apply mu_bound.
Qed.

Lemma drop_In_of_high c X v : In v (high c X) -> In v (drop c X).
Proof.
  unfold high, drop. generalize (isort X) as s. revert c.
  induction c; intros s H.
  - destruct s; simpl in *; auto.
  - destruct s as [|y s]; [rewrite skipn_nil in H; now simpl in H|].
    change (skipn (S c) (y :: s)) with (skipn c s). apply IHc. exact H.
Qed.

(** ** Theorem 2 *)

Section Theorem2.
  Variables (c d : nat) (X Z : list nat).
  Hypothesis (FX : faces X) (FZ : faces Z) (Hc : c < length X) (Hd : d < length Z).

  Let L := mu (drop c X) (drop (S d) Z).
  Let O := mu (drop (S c) X) (drop (S d) Z).
  Let base := mu (drop d Z) (drop (S (S c)) X).
  Let g := lw (drop c X) (drop (S d) Z).
  Let th := lw (drop d Z) (drop (S (S c)) X).

  Lemma loses_after v :
    In v X -> c < length (del v X) ->
    (loses d c Z (del v X) v <->
     mu (drop d Z) (v :: drop (S c) (del v X)) <= mu (drop c (del v X)) (drop (S d) Z)).
  Proof.
    intros Hv Hl.
    destruct (tanhinmin_goals d c Z (del v X) v) as [_ E]; auto using del_Forall.
    apply del_Forall; auto.
  Qed.

  (** Upper cards x_(c+2), x_(c+3), ... *)
  Theorem theorem_2_high v :
    In v (high c X) ->
    (discard_wins c d X Z v <->
     L > mu1 c d X Z \/ (L = mu1 c d X Z /\ v <= g)).
  Proof.
    intros Hh. pose proof (high_In _ _ _ Hh) as Hv.
    pose proof (del_length v X Hv) as EL.
    assert (Hl : c < length (del v X)).
    { pose proof (high_clt c X v (S v) Hh). pose proof (clt_le_length (S v) X). lia. }
    pose proof (drop_In_of_high _ _ _ Hh) as Hdv.
    assert (E1 : mu (drop d Z) (v :: drop (S c) (del v X)) = mu1 c d X Z).
    { unfold mu1. apply mu_ext; auto. intros t. simpl. rewrite !drop_clt.
      pose proof (del_clt t v X Hv). pose proof (high_clt c X v t Hh). bcase; lia. }
    assert (E2 : mu (drop c (del v X)) (drop (S d) Z) = mu (del v (drop c X)) (drop (S d) Z)).
    { apply mu_ext; auto. intros t. rewrite drop_cgt.
      pose proof (del_cgt t v X Hv). pose proof (del_cgt t v (drop c X) Hdv) as E.
      rewrite drop_cgt in E. pose proof (clt_cgt t X).
      pose proof (high_clt c X v (S t) Hh). bcase; lia. }
    pose proof (mu_remove (drop c X) (drop (S d) Z) v Hdv) as E3.
    fold L in E3. fold g in E3.
    unfold discard_wins. rewrite (loses_after v Hv Hl). rewrite E1, E2.
    destruct (Nat.leb_spec v g); lia.
  Qed.

  (** Lower cards x_1, ..., x_(c+1) *)
  Theorem theorem_2_low v :
    In v (low c X) ->
    (discard_wins c d X Z v <->
     length X = S c \/ O > base \/ (O = base /\ th <= v)).
  Proof.
    intros Hlo. pose proof (low_In _ _ _ Hlo) as Hv.
    pose proof (del_length v X Hv) as EL.
    destruct (Nat.eq_dec (length X) (S c)) as [Eq|Ne].
    - split; auto. intros _. left. lia.
    - assert (Hl : c < length (del v X)) by lia.
      assert (E1 : mu (drop d Z) (v :: drop (S c) (del v X))
                   = mu (drop d Z) (v :: drop (S (S c)) X)).
      { apply mu_ext; auto. intros t. simpl. rewrite !drop_clt.
        pose proof (del_clt t v X Hv). pose proof (low_clt c X v t Hlo). bcase; lia. }
      assert (E2 : mu (drop c (del v X)) (drop (S d) Z) = O).
      { unfold O. apply mu_ext; auto. intros t. rewrite !drop_cgt.
        pose proof (del_cgt t v X Hv). pose proof (clt_cgt t X).
        pose proof (low_clt_strict c X v (S t) Hlo). bcase; lia. }
      pose proof (mu_add (drop d Z) (drop (S (S c)) X) v) as E3.
      fold base in E3. fold th in E3.
      unfold discard_wins. rewrite (loses_after v Hv Hl). rewrite E1, E2, E3.
      destruct (Nat.leb_spec th v); lia.
  Qed.

  Theorem theorem_2_pass :
    pass_wins c d X Z <-> L >= mu (drop d Z) (0 :: drop (S c) X).
  Proof.
    unfold pass_wins.
    destruct (tanhinmin_goals d c Z X 0) as [_ E]; auto.
  Qed.

  (** The form with gamma (a face of the opponent's cards, or infinity). *)
  Corollary theorem_2_high_gamma v :
    In v (high c X) ->
    (discard_wins c d X Z v <->
     L > mu1 c d X Z \/
     (L = mu1 c d X Z /\
      match gamma (drop c X) (drop (S d) Z) with Some g' => v <= g' | None => True end)).
  Proof.
    intros Hh. rewrite (theorem_2_high v Hh).
    pose proof (lw_gamma (drop c X) (drop (S d) Z) v (drop_In_of_high _ _ _ Hh)) as E.
    fold g in E. rewrite E. reflexivity.
  Qed.

  (** ** SK: the weakest legal card among the k strongest, for any k with
      mu1 < k <= mu0, is a winning discard; if it does not exist then no card
      at all is legal and passing wins. *)
  Theorem sk_wins r k :
    mu1 c d X Z < k -> k <= mu0 c d X Z r ->
    match sk k r X with
    | Some v => In v X /\ r < v /\ discard_wins c d X Z v
    | None => (forall v, In v X -> v <= r) /\ pass_wins c d X Z
    end.
  Proof.
    intros H1 H2. assert (I : WI c d X Z r k) by (apply WI_mu; auto).
    destruct (sk k r X) as [v|] eqn:E.
    - destruct (sk_some _ _ _ _ E) as (Hv & Hr & _ & _).
      repeat split; auto. unfold discard_wins.
      destruct (le_lt_dec (length (del v X)) c) as [|Hl]; [auto|right].
      split; auto.
      pose proof (WI_discard c d X Z r k v I E Hl) as I'. apply LI_mu in I'.
      destruct (tanhinmin_goals d c Z (del v X) v) as [_ E']; auto.
      + apply del_Forall; auto.
      + apply E'. lia.
    - apply sk_none in E; [|lia]. split.
      + intros v Hv. pose proof (cgt_In r v X Hv).
        destruct (le_lt_dec v r); auto. lia.
      + pose proof (WI_pass c d X Z r k E I) as I'. apply LI_mu in I'.
        destruct (tanhinmin_goals d c Z X 0) as [_ E']; auto. apply E'. lia.
  Qed.

  (** Pass is never needed when a card is legal. *)
  Corollary pass_not_needed r :
    wins c d X Z r -> (exists v, In v X /\ r < v) ->
    exists v, In v X /\ r < v /\ discard_wins c d X Z v.
  Proof.
    intros W (u & Hu & Hr).
    destruct (tanhinmin_goals c d X Z r) as [E _]; auto. apply E in W.
    pose proof (sk_wins r (mu0 c d X Z r)) as K.
    destruct (sk (mu0 c d X Z r) r X) as [v|].
    - exists v. apply K; lia.
    - destruct K as [K _]; [lia|lia|]. specialize (K u Hu). lia.
  Qed.

  (** With a margin of two or more every move wins. *)
  Theorem margin_two r :
    mu0 c d X Z r >= mu1 c d X Z + 2 ->
    pass_wins c d X Z /\ forall v, In v X -> discard_wins c d X Z v.
  Proof.
    intros M.
    assert (LM : L >= mu1 c d X Z + 1).
    { unfold mu0 in M. rewrite mu_add in M. fold L in M.
      destruct (lw (drop c X) (drop (S d) Z) <=? r); lia. }
    split.
    - apply theorem_2_pass. rewrite mu_add.
      fold (mu1 c d X Z). destruct (lw (drop d Z) (drop (S c) X) <=? 0); lia.
    - intros v Hv. destruct (low_or_high c X v Hv) as [Hlo|Hhi].
      + apply theorem_2_low; auto.
        destruct (Nat.eq_dec (length X) (S c)); [auto|right].
        assert (base <= mu1 c d X Z).
        { unfold base, mu1. apply mu_ge. intros t.
          pose proof (mu_bound (drop d Z) (drop (S (S c)) X) t) as B.
          rewrite !drop_clt, !drop_cgt in *. lia. }
        destruct (mu_witness (drop (S c) X) (drop (S d) Z)) as [t Et]. fold O in Et.
        pose proof (mu_bound (drop c X) (drop (S d) Z) t) as Bt. fold L in Bt.
        rewrite !drop_clt, !drop_cgt in *.
        destruct (le_lt_dec O base) as [Hle|]; [|auto]. exfalso.
        assert (base <= length X - S (S c)).
        { pose proof (mu_bound (drop d Z) (drop (S (S c)) X)
                        (Nat.max (top (drop d Z)) (top (drop (S (S c)) X)))) as B.
          rewrite clt_top, cgt_top, drop_length in B by lia. fold base in B. lia. }
        lia.
      + apply theorem_2_high; auto; lia.
  Qed.

End Theorem2.
