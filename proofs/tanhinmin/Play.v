(** * Explicit strategies and plays; the counter strategy

    [wins] / [loses] in Game.v are inductive definitions.  Here the same is said
    with explicit strategies that are played against each other, and the
    strategy that wins is shown to need very little information. *)

From Coq Require Import List Arith Lia Bool Permutation Sorted.
From Tanhinmin Require Import Cards Game.
Import ListNotations.

(** A move: [Some v] = discard v, [None] = pass.
    A strategy has a memory of any type [M]; on its turn it sees its own hand
    and the table card, and it is told every move of the opponent.  (The memory
    may be initialised with the opponent's hand, so strategies with perfect
    information and perfect recall are included.) *)
Record strategy (M : Type) : Type := {
  act : M -> list nat -> nat -> option nat * M;
  see : M -> option nat -> M
}.
Arguments act {M}. Arguments see {M}.

Definition legal (v r : nat) (X : list nat) : bool :=
  existsb (Nat.eqb v) X && (r <? v).

(** [play n s q m m' c d X Z r]: the player to move uses strategy [s] with memory
    [m], hand X, goal c; the other one [q], [m'], Z, d.  The result after at most
    [n] moves: [Some true] = the player to move now has won, [Some false] = the
    other player has won, [None] = not finished.  An illegal move loses. *)
Fixpoint play (n : nat) {M N : Type} (s : strategy M) (q : strategy N)
    (m : M) (m' : N) (c d : nat) (X Z : list nat) (r : nat) : option bool :=
  match n with
  | 0 => None
  | S n =>
    match act s m X r with
    | (None, m1) =>
        option_map negb (play n q s (see q m' None) m1 d c Z X 0)
    | (Some v, m1) =>
        if legal v r X then
          if length (del v X) <=? c then Some true
          else option_map negb
                 (play n q s (see q m' (Some v)) m1 d c Z (del v X) v)
        else Some false
    end
  end.

(** Strategy [s] (memory [m]) of the player to move beats every strategy of the
    other player; and the same for the player not to move. *)
Definition mover_strategy_wins {M} (s : strategy M) (m : M) c d X Z r : Prop :=
  forall (N : Type) (q : strategy N) (m' : N),
    exists n, play n s q m m' c d X Z r = Some true.

Definition other_strategy_wins {N} (q : strategy N) (m' : N) c d X Z r : Prop :=
  forall (M : Type) (s : strategy M) (m : M),
    exists n, play n s q m m' c d X Z r = Some false.

Lemma play_more n {M N} (s : strategy M) (q : strategy N) m m' c d X Z r b :
  play n s q m m' c d X Z r = Some b ->
  forall k, play (n + k) s q m m' c d X Z r = Some b.
Proof.
  revert M N s q m m' c d X Z r b.
  induction n as [|n IH]; intros M N s q m m' c d X Z r b H k; [discriminate|].
  simpl in *. destruct (act s m X r) as [[v|] m1].
  - destruct (legal v r X); [|exact H].
    destruct (length (del v X) <=? c); [exact H|].
    destruct (play n q s (see q m' (Some v)) m1 d c Z (del v X) v) as [b'|] eqn:E;
      [|discriminate].
    now rewrite (IH _ _ _ _ _ _ _ _ _ _ _ _ E k).
  - destruct (play n q s (see q m' None) m1 d c Z X 0) as [b'|] eqn:E; [|discriminate].
    now rewrite (IH _ _ _ _ _ _ _ _ _ _ _ _ E k).
Qed.

(** Two strategies cannot both win. *)
Lemma strategies_exclusive {M N} (s : strategy M) (q : strategy N) m m' c d X Z r :
  mover_strategy_wins s m c d X Z r -> other_strategy_wins q m' c d X Z r -> False.
Proof.
  intros H1 H2. destruct (H1 N q m') as [n1 E1]. destruct (H2 M s m) as [n2 E2].
  pose proof (play_more _ _ _ _ _ _ _ _ _ _ _ E1 n2) as F1.
  pose proof (play_more _ _ _ _ _ _ _ _ _ _ _ E2 n1) as F2.
  rewrite Nat.add_comm in F2. congruence.
Qed.

(** ** The counter strategy

    The memory is one number k.  My turn: cap k at (own cards - own goal);
    discard the weakest legal card among my k strongest and lower k by one; pass
    if there is none.  The opponent passes: raise k by one.  He discards: no
    change.  It looks neither at the opponent's hand, nor at the number of his
    cards, nor at what he discarded (except for the card on the table). *)
Definition counter (c : nat) : strategy nat := {|
  act := fun k X r =>
    let k := Nat.min k (length X - c) in
    match sk k r X with
    | Some v => (Some v, k - 1)
    | None => (None, k)
    end;
  see := fun k mv => match mv with None => S k | Some _ => k end
|}.

Lemma legal_iff v r X : legal v r X = true <-> In v X /\ r < v.
Proof.
  unfold legal. rewrite andb_true_iff, Nat.ltb_lt, existsb_exists. split.
  - intros [(x & Hx & E) H]. apply Nat.eqb_eq in E. subst; auto.
  - intros [H1 H2]. split; auto. exists v. split; auto. apply Nat.eqb_refl.
Qed.

Lemma counter_wins c d n :
  (forall X Z r k,
     3 * (length X + length Z) + (if r =? 0 then 0 else 2) < n ->
     faces X -> c < length X -> d < length Z ->
     WI c d X Z r (Nat.min k (length X - c)) ->
     forall N (q : strategy N) m', exists l,
       play l (counter c) q k m' c d X Z r = Some true) /\
  (forall X Z r k,
     3 * (length X + length Z) + 1 < n ->
     faces X -> c < length X -> d < length Z ->
     LI c d X Z r k ->
     forall N (q : strategy N) m', exists l,
       play l q (counter c) m' k d c Z X r = Some false).
Proof.
  induction n as [|n [IHW IHL]]; [split; intros; lia|].
  split; intros X Z r k Hn FX Hc Hd I N q m'.
  - set (k1 := Nat.min k (length X - c)) in *.
    assert (Kpos : 1 <= k1) by (destruct I as [_ [t Ht]]; lia).
    destruct (sk k1 r X) as [v|] eqn:E.
    + destruct (sk_some _ _ _ _ E) as (Hv & Hr & _ & _).
      pose proof (del_length v X Hv) as EL.
      assert (EL' : legal v r X = true) by (apply legal_iff; auto).
      destruct (le_lt_dec (length (del v X)) c) as [Hl|Hl].
      * exists 1. simpl. fold k1. rewrite E, EL'.
        apply Nat.leb_le in Hl. now rewrite Hl.
      * destruct (IHL (del v X) Z v (k1 - 1)) with (q := q) (m' := see q m' (Some v))
          as [l Hp]; auto.
        -- destruct (r =? 0); lia.
        -- now apply del_Forall.
        -- eapply WI_discard; eauto.
        -- exists (S l). simpl. fold k1. rewrite E, EL'.
           destruct (Nat.leb_spec (length (del v X)) c); [lia|].
           now rewrite Hp.
    + pose proof (sk_none _ _ _ Kpos E) as Hno.
      destruct (IHL X Z 0 k1) with (q := q) (m' := see q m' None) as [l Hp]; auto.
      * destruct (Nat.eqb_spec r 0) as [->|]; [|lia].
        rewrite faces_cgt0 in Hno by auto. lia.
      * eapply WI_pass; eauto.
      * exists (S l). simpl. fold k1. rewrite E. now rewrite Hp.
  - destruct (act q m' Z r) as [[v|] m1] eqn:E.
    + destruct (legal v r Z) eqn:EL.
      * pose proof EL as EL'. apply legal_iff in EL'. destruct EL' as [Hv Hr].
        destruct (LI_discard c d X Z r k v Hd I Hv Hr) as [Hd' I'].
        pose proof (del_length v Z Hv).
        assert (Ek : Nat.min k (length X - c) = k).
        { destruct I as [I _]. specialize (I 0). rewrite clt_0 in I. lia. }
        destruct (IHW X (del v Z) v k) with (q := q) (m' := m1) as [l Hp]; auto.
        -- destruct (v =? 0); lia.
        -- now rewrite Ek.
        -- exists (S l). simpl. rewrite E, EL.
           destruct (Nat.leb_spec (length (del v Z)) d); [lia|].
           now rewrite Hp.
      * exists 1. simpl. now rewrite E, EL.
    + destruct (IHW X Z 0 (S k)) with (q := q) (m' := m1) as [l Hp]; auto.
      * simpl; lia.
      * eapply LI_pass; eauto.
      * exists (S l). simpl. rewrite E. simpl. now rewrite Hp.
Qed.

(** The counter strategy wins whenever the position is won, from any start value
    between the two matching numbers; in particular knowing one of the two
    matching numbers once is enough. *)
Theorem counter_strategy_mover c d X Z r k :
  faces X -> c < length X -> d < length Z ->
  mu1 c d X Z < k <= mu0 c d X Z r ->
  mover_strategy_wins (counter c) k c d X Z r.
Proof.
  intros FX Hc Hd H N q m'.
  eapply (proj1 (counter_wins c d (S _))); eauto.
  assert (I : WI c d X Z r k) by (apply WI_mu; lia).
  assert (Ek : Nat.min k (length X - c) = k).
  { destruct I as [I _]. specialize (I 0). rewrite clt_0 in I. bcase; lia. }
  now rewrite Ek.
Qed.

Theorem counter_strategy_other c d X Z r k :
  faces Z -> c < length X -> d < length Z ->
  mu0 c d X Z r <= k <= mu1 c d X Z ->
  other_strategy_wins (counter d) k c d X Z r.
Proof.
  intros FZ Hc Hd H M s m.
  eapply (proj2 (counter_wins d c (S _))); eauto.
  apply LI_mu. lia.
Qed.

(** ** Theorem 1 in terms of strategies *)
Theorem tanhinmin_strategies c d X Z r :
  faces X -> faces Z -> c < length X -> d < length Z ->
  ((exists (M : Type) (s : strategy M) (m : M), mover_strategy_wins s m c d X Z r)
     <-> mu0 c d X Z r > mu1 c d X Z) /\
  ((exists (N : Type) (q : strategy N) (m' : N), other_strategy_wins q m' c d X Z r)
     <-> mu0 c d X Z r <= mu1 c d X Z).
Proof.
  intros FX FZ Hc Hd. split; split.
  - intros (M & s & m & H).
    destruct (le_lt_dec (mu0 c d X Z r) (mu1 c d X Z)); [exfalso|lia].
    eapply strategies_exclusive; [exact H|].
    apply counter_strategy_other with (k := mu1 c d X Z); auto; lia.
  - intros H. exists nat, (counter c), (mu0 c d X Z r).
    apply counter_strategy_mover; auto; lia.
  - intros (N & q & m' & H).
    destruct (le_lt_dec (mu0 c d X Z r) (mu1 c d X Z)); [lia|exfalso].
    eapply strategies_exclusive; [|exact H].
    apply counter_strategy_mover with (k := mu0 c d X Z r); auto; lia.
  - intros H. exists nat, (counter d), (mu1 c d X Z).
    apply counter_strategy_other; auto; lia.
Qed.
