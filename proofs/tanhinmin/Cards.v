(** * Hands of cards, counting, and the matching number mu

    A card is a natural number (its face); a hand is a list of cards, read as
    a multiset: nothing below depends on the order of the list. *)

From Coq Require Import List Arith Lia Bool Permutation Sorted.
Import ListNotations.

(** Number of cards strictly weaker / strictly stronger than [t]. *)
Fixpoint clt (t : nat) (l : list nat) : nat :=
  match l with
  | [] => 0
  | x :: l => Nat.b2n (x <? t) + clt t l
  end.

Fixpoint cgt (t : nat) (l : list nat) : nat :=
  match l with
  | [] => 0
  | x :: l => Nat.b2n (t <? x) + cgt t l
  end.

(** Remove one copy of [v]. *)
Fixpoint del (v : nat) (l : list nat) : list nat :=
  match l with
  | [] => []
  | x :: l => if x =? v then l else x :: del v l
  end.

(** Ascending insertion sort. *)
Fixpoint ins (x : nat) (l : list nat) : list nat :=
  match l with
  | [] => [x]
  | y :: l' => if x <=? y then x :: l else y :: ins x l'
  end.

Fixpoint isort (l : list nat) : list nat :=
  match l with
  | [] => []
  | x :: l => ins x (isort l)
  end.

(** A hand without its [c] weakest cards (empty if it has at most [c] cards). *)
Definition drop (c : nat) (l : list nat) : list nat := skipn c (isort l).

(** ** The matching number *)

(** Greedy two-pointer scan, for ascending lists. *)
Fixpoint greedy (A B : list nat) : nat :=
  match A, B with
  | a :: A', b :: B' => if b <? a then S (greedy A' B') else greedy A' B
  | _, _ => 0
  end.

Definition mu (A B : list nat) : nat := greedy (isort A) (isort B).

(** What [mu] is supposed to be: a matching of [A] into [B] is a list of pairs
    (a, b) with a > b whose first components are distinct cards of [A] and whose
    second components are distinct cards of [B] (as multisets). *)
Definition submultiset (l A : list nat) : Prop :=
  exists rest, Permutation A (l ++ rest).

Definition matching (A B : list nat) (m : list (nat * nat)) : Prop :=
  (forall a b, In (a, b) m -> a > b) /\
  submultiset (map fst m) A /\ submultiset (map snd m) B.

Ltac bcase :=
  repeat match goal with
  | |- context [?x <? ?y] => destruct (Nat.ltb_spec x y)
  | H : context [?x <? ?y] |- _ => destruct (Nat.ltb_spec x y)
  end; simpl Nat.b2n in *.

(** ** Counting lemmas *)

Lemma clt_le_length t l : clt t l <= length l.
Proof. induction l; simpl; bcase; lia. Qed.

Lemma cgt_le_length t l : cgt t l <= length l.
Proof. induction l; simpl; bcase; lia. Qed.

Lemma clt_app t l m : clt t (l ++ m) = clt t l + clt t m.
Proof. induction l; simpl; lia. Qed.

Lemma cgt_app t l m : cgt t (l ++ m) = cgt t l + cgt t m.
Proof. induction l; simpl; lia. Qed.

Lemma clt_perm t l m : Permutation l m -> clt t l = clt t m.
Proof. induction 1; simpl; lia. Qed.

Lemma cgt_perm t l m : Permutation l m -> cgt t l = cgt t m.
Proof. induction 1; simpl; lia. Qed.

Lemma clt_mono s t l : s <= t -> clt s l <= clt t l.
Proof. intros; induction l; simpl; bcase; lia. Qed.

Lemma cgt_anti s t l : s <= t -> cgt t l <= cgt s l.
Proof. intros; induction l; simpl; bcase; lia. Qed.

Lemma clt_0 l : clt 0 l = 0.
Proof. induction l; simpl; bcase; lia. Qed.

Lemma cgt_pos_all t l : Forall (fun x => t < x) l -> cgt t l = length l.
Proof. induction 1; simpl; bcase; lia. Qed.

Lemma clt_all t l : Forall (fun x => x < t) l -> clt t l = length l.
Proof. induction 1; simpl; bcase; lia. Qed.

Lemma cgt_none t l : Forall (fun x => x <= t) l -> cgt t l = 0.
Proof. induction 1; simpl; bcase; lia. Qed.

Lemma clt_none t l : Forall (fun x => t <= x) l -> clt t l = 0.
Proof. induction 1; simpl; bcase; lia. Qed.

Lemma clt_In t v l : In v l -> v < t -> 1 <= clt t l.
Proof.
  induction l; simpl; [tauto|]. intros [->|H] Ht.
  - bcase; lia.
  - specialize (IHl H Ht); lia.
Qed.

Lemma cgt_In t v l : In v l -> t < v -> 1 <= cgt t l.
Proof.
  induction l; simpl; [tauto|]. intros [->|H] Ht.
  - bcase; lia.
  - specialize (IHl H Ht); lia.
Qed.

Lemma cgt_ex t l : 1 <= cgt t l -> exists v, In v l /\ t < v.
Proof.
  induction l; simpl; [lia|]. destruct (Nat.ltb_spec t a); simpl.
  - exists a; auto.
  - intros H1. destruct (IHl H1) as (v & ? & ?). exists v; auto.
Qed.

(** A threshold above every card of [l]. *)
Definition top (l : list nat) : nat := S (list_max l).

Lemma top_all l : Forall (fun x => x < top l) l.
Proof.
  assert (H : Forall (fun x => x <= list_max l) l)
    by (apply list_max_le; lia).
  eapply Forall_impl; [|exact H]. unfold top; simpl; lia.
Qed.

Lemma clt_top l t : top l <= t -> clt t l = length l.
Proof.
  intros. apply clt_all. eapply Forall_impl; [|apply top_all]. simpl; lia.
Qed.

Lemma cgt_top l t : top l <= t -> cgt t l = 0.
Proof.
  intros. apply cgt_none. eapply Forall_impl; [|apply top_all]. simpl; lia.
Qed.

(** Cards weaker than [t+1] and cards stronger than [t] partition a hand. *)
Lemma clt_cgt t l : clt (S t) l + cgt t l = length l.
Proof. induction l; simpl; bcase; lia. Qed.

(** ** Removing a card *)

Lemma del_perm v l : In v l -> Permutation l (v :: del v l).
Proof.
  induction l as [|x l IH]; simpl; [tauto|].
  destruct (Nat.eqb_spec x v) as [->|N].
  - reflexivity.
  - intros [E|H]; [congruence|]. rewrite (IH H) at 1. apply perm_swap.
Qed.

Lemma del_length v l : In v l -> length l = S (length (del v l)).
Proof. intros H. rewrite (Permutation_length (del_perm v l H)). reflexivity. Qed.

Lemma del_clt t v l : In v l -> clt t l = Nat.b2n (v <? t) + clt t (del v l).
Proof. intros H. rewrite (clt_perm t _ _ (del_perm v l H)). reflexivity. Qed.

Lemma del_cgt t v l : In v l -> cgt t l = Nat.b2n (t <? v) + cgt t (del v l).
Proof. intros H. rewrite (cgt_perm t _ _ (del_perm v l H)). reflexivity. Qed.

Lemma del_Forall (P : nat -> Prop) v l : Forall P l -> Forall P (del v l).
Proof.
  induction 1; simpl; auto. destruct (x =? v); auto.
Qed.

(** ** Sorting *)

Lemma ins_perm x l : Permutation (ins x l) (x :: l).
Proof.
  induction l as [|y l IH]; simpl; auto.
  destruct (x <=? y); auto. rewrite IH. apply perm_swap.
Qed.

Lemma isort_perm l : Permutation (isort l) l.
Proof.
  induction l; simpl; auto. rewrite ins_perm. auto.
Qed.

Lemma ins_sorted x l : StronglySorted le l -> StronglySorted le (ins x l).
Proof.
  induction 1 as [|y l H IH F]; simpl.
  - repeat constructor.
  - destruct (Nat.leb_spec x y).
    + constructor; [constructor; auto|]. constructor; auto.
      eapply Forall_impl; [|exact F]. simpl; lia.
    + constructor; auto. eapply Permutation_Forall.
      * symmetry; apply ins_perm.
      * constructor; auto; lia.
Qed.

Lemma isort_sorted l : StronglySorted le (isort l).
Proof. induction l; simpl; [constructor|]. apply ins_sorted; auto. Qed.

Lemma isort_length l : length (isort l) = length l.
Proof. apply Permutation_length, isort_perm. Qed.

Lemma isort_clt t l : clt t (isort l) = clt t l.
Proof. apply clt_perm, isort_perm. Qed.

Lemma isort_cgt t l : cgt t (isort l) = cgt t l.
Proof. apply cgt_perm, isort_perm. Qed.

(** ** Dropping the weakest cards *)

Lemma skipn_clt t c l :
  StronglySorted le l -> clt t (skipn c l) = clt t l - c.
Proof.
  intros H; revert c; induction H as [|x l H IH F]; intros c.
  - rewrite skipn_nil; simpl; lia.
  - destruct c; [simpl; lia|]. simpl. rewrite IH. bcase; [lia|].
    rewrite (clt_none t l); [lia|].
    eapply Forall_impl; [|exact F]; simpl; lia.
Qed.

Lemma skipn_cgt t c l :
  StronglySorted le l -> cgt t (skipn c l) = Nat.min (cgt t l) (length l - c).
Proof.
  intros H; revert c; induction H as [|x l H IH F]; intros c.
  - rewrite skipn_nil; simpl; lia.
  - destruct c.
    + simpl skipn. pose proof (cgt_le_length t (x :: l)). lia.
    + simpl. rewrite IH. bcase; [|lia].
      rewrite (cgt_pos_all t l); [lia|].
      eapply Forall_impl; [|exact F]; simpl; lia.
Qed.

Lemma drop_clt t c l : clt t (drop c l) = clt t l - c.
Proof. unfold drop. rewrite skipn_clt by apply isort_sorted. now rewrite isort_clt. Qed.

Lemma drop_cgt t c l : cgt t (drop c l) = Nat.min (cgt t l) (length l - c).
Proof.
  unfold drop. rewrite skipn_cgt by apply isort_sorted.
  now rewrite isort_cgt, isort_length.
Qed.

Lemma drop_length c l : length (drop c l) = length l - c.
Proof. unfold drop. now rewrite skipn_length, isort_length. Qed.

(** [drop] really removes the weakest cards: the hand splits into [c] (or all)
    cards and the rest, and no removed card is stronger than a kept one. *)
Theorem drop_spec c l :
  exists w, Permutation l (w ++ drop c l) /\ length w = Nat.min c (length l) /\
            forall x y, In x w -> In y (drop c l) -> x <= y.
Proof.
  exists (firstn c (isort l)). unfold drop. repeat split.
  - rewrite firstn_skipn. symmetry; apply isort_perm.
  - now rewrite firstn_length, isort_length.
  - intros x y. generalize (isort_sorted l). generalize (isort l) as s. revert c.
    induction c; intros s Hs Hx Hy; [now simpl in Hx|].
    destruct Hs as [|z s Hs F]; [now simpl in Hx|].
    simpl in Hx, Hy. destruct Hx as [->|Hx].
    + rewrite Forall_forall in F. apply F.
      rewrite <- (firstn_skipn c s). apply in_or_app; auto.
    + eapply IHc; eauto.
Qed.

(** ** mu: counting formula *)

(** Duality: the greedy value is attained by some threshold. *)
Lemma greedy_witness A B :
  StronglySorted le A -> StronglySorted le B ->
  exists t, clt t B + cgt t A <= greedy A B.
Proof.
  intros HA; revert B; induction HA as [|a A HA IH FA]; intros B HB.
  - exists 0. rewrite clt_0; simpl; lia.
  - destruct HB as [|b B HB FB].
    + exists (top (a :: A)). rewrite cgt_top by lia. simpl; lia.
    + simpl greedy. destruct (Nat.ltb_spec b a) as [Hab|Hab].
      * destruct (IH B HB) as [t Ht].
        destruct (le_lt_dec t b); [exists t; simpl; bcase; lia|].
        destruct (le_lt_dec a t); [exists t; simpl; bcase; lia|].
        exists b.
        assert (E1 : cgt t A = length A).
        { apply cgt_pos_all. eapply Forall_impl; [|exact FA]; simpl; lia. }
        assert (E2 : clt b (b :: B) = 0).
        { apply clt_none. constructor; auto. }
        rewrite E2. pose proof (cgt_le_length b (a :: A)) as E3.
        simpl length in E3. lia.
      * destruct (IH (b :: B)) as [t Ht]; [now constructor|].
        destruct (le_lt_dec a t); [exists t; simpl in *; bcase; lia|].
        exists a.
        assert (E1 : cgt t A = length A).
        { apply cgt_pos_all. eapply Forall_impl; [|exact FA]; simpl; lia. }
        assert (E2 : clt a (b :: B) = 0).
        { apply clt_none. constructor; auto.
          eapply Forall_impl; [|exact FB]; simpl; lia. }
        rewrite E2. simpl cgt. pose proof (cgt_le_length a A).
        bcase; lia.
Qed.

(** The greedy scan produces a matching of that size. *)
Lemma greedy_matching A B :
  exists m, length m = greedy A B /\ matching A B m.
Proof.
  revert B; induction A as [|a A IH]; intros B.
  - exists []. simpl. repeat split; [now simpl|exists []|exists B]; reflexivity.
  - destruct B as [|b B].
    + exists []. simpl. repeat split; [now simpl|exists (a :: A)|exists []]; reflexivity.
    + simpl. destruct (Nat.ltb_spec b a) as [Hab|Hab].
      * destruct (IH B) as (m & Hm & H1 & (ra & H2) & (rb & H3)).
        exists ((a, b) :: m). simpl. repeat split.
        -- lia.
        -- intros a' b' [E|Hi]; [inversion E; subst; lia|]. now apply H1.
        -- exists ra. simpl. now constructor.
        -- exists rb. simpl. now constructor.
      * destruct (IH (b :: B)) as (m & Hm & H1 & (ra & H2) & H3).
        exists m. repeat split; auto.
        exists (a :: ra). rewrite H2. apply Permutation_middle.
Qed.

Lemma submultiset_clt t l A : submultiset l A -> clt t l <= clt t A.
Proof. intros [rest H]. rewrite (clt_perm _ _ _ H), clt_app. lia. Qed.

Lemma submultiset_cgt t l A : submultiset l A -> cgt t l <= cgt t A.
Proof. intros [rest H]. rewrite (cgt_perm _ _ _ H), cgt_app. lia. Qed.

(** Any matching is at most as large as any threshold sum. *)
Lemma matching_bound A B m t :
  matching A B m -> length m <= clt t B + cgt t A.
Proof.
  intros (H1 & H2 & H3).
  pose proof (submultiset_cgt t _ _ H2). pose proof (submultiset_clt t _ _ H3).
  assert (length m <= clt t (map snd m) + cgt t (map fst m)); [|lia].
  clear - H1. induction m as [|[a b] m IH]; simpl; [lia|].
  assert (a > b) by (apply H1; simpl; auto).
  assert (length m <= clt t (map snd m) + cgt t (map fst m)).
  { apply IH. intros; apply H1; simpl; auto. }
  bcase; lia.
Qed.

Lemma matching_perm A A' B B' m :
  Permutation A A' -> Permutation B B' -> matching A B m -> matching A' B' m.
Proof.
  intros PA PB (H1 & (ra & H2) & (rb & H3)). repeat split; auto.
  - exists ra. now rewrite <- PA.
  - exists rb. now rewrite <- PB.
Qed.

(** [mu A B] is the maximum size of a matching. *)
Theorem mu_is_maximum_matching A B :
  (exists m, matching A B m /\ length m = mu A B) /\
  (forall m, matching A B m -> length m <= mu A B).
Proof.
  split.
  - destruct (greedy_matching (isort A) (isort B)) as (m & E & H).
    exists m. split; auto. eapply matching_perm; eauto using isort_perm.
  - intros m H.
    destruct (greedy_witness (isort A) (isort B)) as [t Ht]; auto using isort_sorted.
    rewrite isort_clt, isort_cgt in Ht.
    pose proof (matching_bound A B m t H). unfold mu; lia.
Qed.

(** The counting formula, in the form used in the proofs:
    mu is the minimum over all thresholds t of #{b < t} + #{a > t}. *)
Theorem mu_witness A B : exists t, clt t B + cgt t A = mu A B.
Proof.
  destruct (greedy_witness (isort A) (isort B)) as [t Ht]; auto using isort_sorted.
  rewrite isort_clt, isort_cgt in Ht. exists t.
  destruct (proj1 (mu_is_maximum_matching A B)) as (m & H & E).
  pose proof (matching_bound A B m t H). unfold mu in *; lia.
Qed.

Theorem mu_bound A B t : mu A B <= clt t B + cgt t A.
Proof.
  destruct (proj1 (mu_is_maximum_matching A B)) as (m & H & E).
  rewrite <- E. now apply matching_bound.
Qed.

Lemma mu_ge A B k : k <= mu A B <-> forall t, k <= clt t B + cgt t A.
Proof.
  split.
  - intros H t. pose proof (mu_bound A B t). lia.
  - intros H. destruct (mu_witness A B) as [t <-]. apply H.
Qed.

Lemma mu_le A B k : mu A B <= k <-> exists t, clt t B + cgt t A <= k.
Proof.
  split.
  - intros H. destruct (mu_witness A B) as [t E]. exists t; lia.
  - intros [t H]. pose proof (mu_bound A B t). lia.
Qed.

(** [mu] depends only on the multisets. *)
Lemma mu_perm A A' B B' :
  Permutation A A' -> Permutation B B' -> mu A B = mu A' B'.
Proof.
  intros PA PB. apply Nat.le_antisymm; apply mu_ge; intros t.
  - rewrite <- (clt_perm t _ _ PB), <- (cgt_perm t _ _ PA). apply mu_bound.
  - rewrite (clt_perm t _ _ PB), (cgt_perm t _ _ PA). apply mu_bound.
Qed.
