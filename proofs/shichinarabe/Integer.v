(** * Last-mover-wins games in which the two players' plays commute are integers

    [up] and [down] are the plays of the two players. If a play of one and a play
    of the other can always be made in either order with the same result, every
    position has an integer value. *)

From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
Local Open Scope Z_scope.

(** Greatest and least element, [None] for the empty list. *)
Fixpoint maxo (l : list Z) : option Z :=
  match l with
  | [] => None
  | x :: l => Some (match maxo l with None => x | Some y => Z.max x y end)
  end.

Fixpoint mino (l : list Z) : option Z :=
  match l with
  | [] => None
  | x :: l => Some (match mino l with None => x | Some y => Z.min x y end)
  end.

Lemma maxo_spec l :
  match maxo l with
  | None => l = []
  | Some x => In x l /\ forall y, In y l -> y <= x
  end.
Proof.
  induction l as [|a l IH]; simpl; auto. destruct (maxo l) as [x|].
  - destruct IH as [A B]. split.
    + destruct (Z.max_spec a x) as [[_ ->]|[_ ->]]; auto.
    + intros y [->|H]; [lia|]. specialize (B y H). lia.
  - subst. split; auto. intros y [->|[]]. lia.
Qed.

Lemma mino_spec l :
  match mino l with
  | None => l = []
  | Some x => In x l /\ forall y, In y l -> x <= y
  end.
Proof.
  induction l as [|a l IH]; simpl; auto. destruct (mino l) as [x|].
  - destruct IH as [A B]. split.
    + destruct (Z.min_spec a x) as [[_ ->]|[_ ->]]; auto.
    + intros y [->|H]; [lia|]. specialize (B y H). lia.
  - subst. split; auto. intros y [->|[]]. lia.
Qed.

(** The integer nearest 0 strictly between lo and hi. *)
Definition simplest (lo hi : option Z) : Z :=
  match lo, hi with
  | None, None => 0
  | Some l, None => Z.max 0 (l + 1)
  | None, Some h => Z.min 0 (h - 1)
  | Some l, Some h => if 0 <=? l then l + 1 else if h <=? 0 then h - 1 else 0
  end.

Section Value.

Variable pos : Type.
Variable size : pos -> nat.
Variables up down : pos -> list pos.
Hypothesis up_size : forall P Q, In Q (up P) -> (size Q < size P)%nat.
Hypothesis down_size : forall P Q, In Q (down P) -> (size Q < size P)%nat.

Fixpoint vn (n : nat) (P : pos) : Z :=
  match n with
  | O => 0
  | S n => simplest (maxo (map (vn n) (up P))) (mino (map (vn n) (down P)))
  end.

Definition value (P : pos) : Z := vn (S (size P)) P.

Lemma vn_enough n : forall P, (size P < n)%nat -> vn n P = value P.
Proof.
  induction n as [n IH] using lt_wf_ind. intros P H. destruct n as [|n]; [lia|].
  unfold value. simpl. f_equal; f_equal; apply map_ext_in; intros Q HQ.
  - pose proof (up_size _ _ HQ). rewrite (IH n) by lia.
    destruct (Nat.eq_dec (size P) n) as [->|]; [rewrite (IH n) by lia; auto|].
    rewrite (IH (size P)) by lia. auto.
  - pose proof (down_size _ _ HQ). rewrite (IH n) by lia.
    destruct (Nat.eq_dec (size P) n) as [->|]; [rewrite (IH n) by lia; auto|].
    rewrite (IH (size P)) by lia. auto.
Qed.

Theorem value_eq P :
  value P = simplest (maxo (map value (up P))) (mino (map value (down P))).
Proof.
  unfold value at 1. simpl. f_equal; f_equal; apply map_ext_in; intros Q HQ.
  - apply vn_enough. now apply up_size.
  - apply vn_enough. now apply down_size.
Qed.

(** The two players' plays commute. *)
Variable good : pos -> Prop.
Hypothesis good_up : forall P Q, good P -> In Q (up P) -> good Q.
Hypothesis good_down : forall P Q, good P -> In Q (down P) -> good Q.
Hypothesis commute : forall P Q1 Q2, good P ->
  In Q1 (up P) -> In Q2 (down P) -> exists Q, In Q (down Q1) /\ In Q (up Q2).

(** Every play costs its player at least 1, and the best one exactly 1 if the
    value is his. *)
Theorem value_spec P : good P ->
  (forall Q, In Q (up P) -> value Q <= value P - 1) /\
  (forall Q, In Q (down P) -> value P + 1 <= value Q) /\
  (0 < value P -> exists Q, In Q (up P) /\ value Q = value P - 1) /\
  (value P < 0 -> exists Q, In Q (down P) /\ value Q = value P + 1).
Proof.
  remember (size P) as n eqn:En. revert P En.
  induction n as [n IH] using lt_wf_ind. intros P En HG.
  assert (G : forall Q1 Q2, In Q1 (up P) -> In Q2 (down P) -> value Q1 + 2 <= value Q2).
  { intros Q1 Q2 H1 H2. destruct (commute P Q1 Q2 HG H1 H2) as (Q & HQ1 & HQ2).
    pose proof (up_size _ _ H1). pose proof (down_size _ _ H2).
    destruct (IH (size Q1) ltac:(lia) Q1 eq_refl (good_up _ _ HG H1)) as (_ & A & _).
    destruct (IH (size Q2) ltac:(lia) Q2 eq_refl (good_down _ _ HG H2)) as (B & _).
    specialize (A Q HQ1). specialize (B Q HQ2). lia. }
  pose proof (maxo_spec (map value (up P))) as MX.
  pose proof (mino_spec (map value (down P))) as MN.
  pose proof (value_eq P) as E.
  assert (HL : forall l, maxo (map value (up P)) = Some l -> exists Q, In Q (up P) /\ value Q = l).
  { intros l El. rewrite El in MX. destruct MX as [A _]. apply in_map_iff in A.
    destruct A as (Q & A & B). eauto. }
  assert (HH : forall h, mino (map value (down P)) = Some h -> exists Q, In Q (down P) /\ value Q = h).
  { intros h Eh. rewrite Eh in MN. destruct MN as [A _]. apply in_map_iff in A.
    destruct A as (Q & A & B). eauto. }
  destruct (maxo (map value (up P))) as [l|];
  destruct (mino (map value (down P))) as [h|]; unfold simplest in E.
  - destruct MX as [_ MX], MN as [_ MN].
    destruct (HL l eq_refl) as (Q1 & I1 & V1). destruct (HH h eq_refl) as (Q2 & I2 & V2).
    pose proof (G _ _ I1 I2).
    assert (value P = if 0 <=? l then l + 1 else if h <=? 0 then h - 1 else 0) by auto.
    destruct (Z.leb_spec 0 l); [|destruct (Z.leb_spec h 0)];
    (split; [intros Q HQ; specialize (MX _ (in_map value _ _ HQ)); lia|];
     split; [intros Q HQ; specialize (MN _ (in_map value _ _ HQ)); lia|]).
    + split; [|lia]. exists Q1. split; auto. lia.
    + split; [lia|]. exists Q2. split; auto. lia.
    + split; lia.
  - destruct MX as [_ MX]. destruct (HL l eq_refl) as (Q1 & I1 & V1).
    apply map_eq_nil in MN. rewrite MN.
    split; [intros Q HQ; specialize (MX _ (in_map value _ _ HQ)); lia|].
    split; [intros Q []|]. split; [|lia]. intros C. exists Q1. split; auto. lia.
  - destruct MN as [_ MN]. destruct (HH h eq_refl) as (Q2 & I2 & V2).
    apply map_eq_nil in MX. rewrite MX.
    split; [intros Q []|].
    split; [intros Q HQ; specialize (MN _ (in_map value _ _ HQ)); lia|].
    split; [lia|]. intros C. exists Q2. split; auto. lia.
  - apply map_eq_nil in MX, MN. rewrite MX, MN.
    split; [intros Q []|]. split; [intros Q []|]. split; lia.
Qed.

(** A function with these four properties is the value. *)
Theorem value_unique (F : pos -> Z) :
  (forall P, good P ->
    (forall Q, In Q (up P) -> F Q <= F P - 1) /\
    (forall Q, In Q (down P) -> F P + 1 <= F Q) /\
    (0 < F P -> exists Q, In Q (up P) /\ F Q = F P - 1) /\
    (F P < 0 -> exists Q, In Q (down P) /\ F Q = F P + 1)) ->
  forall P, good P -> value P = F P.
Proof.
  intros HF P. remember (size P) as n eqn:En. revert P En.
  induction n as [n IH] using lt_wf_ind. intros P En HG.
  destruct (HF P HG) as (A & B & C & D).
  assert (EU : forall Q, In Q (up P) -> value Q = F Q).
  { intros Q HQ. pose proof (up_size _ _ HQ). apply (IH (size Q)); auto; [lia|].
    eapply good_up; eauto. }
  assert (ED : forall Q, In Q (down P) -> value Q = F Q).
  { intros Q HQ. pose proof (down_size _ _ HQ). apply (IH (size Q)); auto; [lia|].
    eapply good_down; eauto. }
  rewrite value_eq.
  pose proof (maxo_spec (map value (up P))) as MX.
  pose proof (mino_spec (map value (down P))) as MN.
  assert (HL : match maxo (map value (up P)) with
               | None => F P <= 0
               | Some l => l <= F P - 1 /\ (0 < F P -> l = F P - 1) end).
  { destruct (maxo (map value (up P))) as [l|].
    - destruct MX as [M1 M2]. apply in_map_iff in M1. destruct M1 as (Q & E & HQ).
      rewrite (EU _ HQ) in E. specialize (A Q HQ). split; [lia|]. intros H.
      destruct (C H) as (Q' & HQ' & E'). specialize (M2 _ (in_map value _ _ HQ')).
      rewrite (EU _ HQ') in M2. lia.
    - apply map_eq_nil in MX. destruct (Z.ltb_spec 0 (F P)) as [H|H]; auto.
      destruct (C H) as (Q & HQ & _). rewrite MX in HQ. destruct HQ. }
  assert (HH : match mino (map value (down P)) with
               | None => 0 <= F P
               | Some l => F P + 1 <= l /\ (F P < 0 -> l = F P + 1) end).
  { destruct (mino (map value (down P))) as [l|].
    - destruct MN as [M1 M2]. apply in_map_iff in M1. destruct M1 as (Q & E & HQ).
      rewrite (ED _ HQ) in E. specialize (B Q HQ). split; [lia|]. intros H.
      destruct (D H) as (Q' & HQ' & E'). specialize (M2 _ (in_map value _ _ HQ')).
      rewrite (ED _ HQ') in M2. lia.
    - apply map_eq_nil in MN. destruct (Z.ltb_spec (F P) 0) as [H|H]; auto.
      destruct (D H) as (Q & HQ & _). rewrite MN in HQ. destruct HQ. }
  clear MX MN. unfold simplest.
  destruct (maxo (map value (up P))) as [l|]; destruct (mino (map value (down P))) as [r|];
    try lia.
  destruct (Z.leb_spec 0 l); [lia|]. destruct (Z.leb_spec r 0); lia.
Qed.

(** The game with n spare plays (n > 0: of the upper player, n < 0: of the
    lower one); [u] tells whether the upper player is to move. Result: does
    the upper player make the last play? *)
Fixpoint outcome (f : nat) (u : bool) (n : Z) (P : pos) : bool :=
  match f with
  | O => negb u
  | S f =>
      if u then ((0 <? n) && outcome f false (n - 1) P)
                || existsb (outcome f false n) (up P)
      else (negb (n <? 0) || outcome f true (n + 1) P)
           && forallb (outcome f true n) (down P)
  end.

(** [value] is the value: it decides the game with any number of spare plays. *)
Theorem value_outcome f : forall u n P, good P -> (size P + Z.abs_nat n <= f)%nat ->
  (outcome f u n P = true <-> (if u then 1 else 0) <= value P + n).
Proof.
  induction f as [|f IH]; intros u n P HG Hf; destruct (value_spec P HG) as (A & B & C & D).
  - assert (n = 0) by lia. subst n.
    assert (value P = 0).
    { destruct (Z.lt_trichotomy (value P) 0) as [H|[H|H]]; auto.
      - destruct (D H) as (Q & HQ & _). apply down_size in HQ. lia.
      - destruct (C H) as (Q & HQ & _). apply up_size in HQ. lia. }
    destruct u; simpl; split; intros; auto; try discriminate; lia.
  - destruct u; simpl.
    + rewrite orb_true_iff, andb_true_iff, Z.ltb_lt, existsb_exists. split.
      * intros [[H1 H2]|(Q & HQ & H2)].
        { apply IH in H2; auto; lia. }
        { pose proof (up_size _ _ HQ). specialize (A Q HQ).
          apply IH in H2; [lia|eapply good_up; eauto|lia]. }
      * intros H. destruct (Z.ltb_spec 0 n) as [Hn|Hn].
        { left. split; auto. apply IH; auto; lia. }
        { right. destruct C as (Q & HQ & E); [lia|]. exists Q. split; auto.
          pose proof (up_size _ _ HQ). apply IH; [eapply good_up; eauto|lia|lia]. }
    + rewrite andb_true_iff, orb_true_iff, negb_true_iff, Z.ltb_ge, forallb_forall. split.
      * intros [H1 H2]. destruct (Z.ltb_spec n 0) as [Hn|Hn].
        { destruct H1 as [H1|H1]; [lia|]. apply IH in H1; auto; lia. }
        { destruct (Z.ltb_spec (value P) 0) as [Hv|Hv]; [|lia].
          destruct (D Hv) as (Q & HQ & E). specialize (H2 Q HQ).
          pose proof (down_size _ _ HQ).
          apply IH in H2; [lia|eapply good_down; eauto|lia]. }
      * intros H. split.
        { destruct (Z.ltb_spec n 0) as [Hn|Hn]; [right|left; lia]. apply IH; auto; lia. }
        { intros Q HQ. specialize (B Q HQ). pose proof (down_size _ _ HQ).
          apply IH; [eapply good_down; eauto|lia|lia]. }
Qed.

(** Safe plays: if P' arises from P by a play after which the opponent has no new
    play (as a simulation [rel], so that this lasts), the play costs exactly 1. *)
Section Safe.

Variable rel : pos -> pos -> Prop.

Theorem safe_up :
  (forall P P', rel P P' -> In P' (up P)) ->
  (forall P P' Q, rel P P' -> In Q (up P) ->
     Q = P' \/ exists Q', In Q' (up P') /\ rel Q Q') ->
  (forall P P' Q', rel P P' -> In Q' (down P') -> exists Q, In Q (down P) /\ rel Q Q') ->
  forall P P', good P -> rel P P' -> value P = value P' + 1.
Proof.
  intros R1 R2 R3 P. remember (size P) as n eqn:En. revert P En.
  induction n as [n IH] using lt_wf_ind. intros P En P' HG HR.
  assert (I : In P' (up P)) by auto.
  destruct (value_spec P HG) as (A & B & C & D).
  destruct (value_spec P' (good_up _ _ HG I)) as (A' & B' & C' & D').
  pose proof (A _ I).
  destruct (Z.leb_spec (value P) (value P' + 1)); [lia|exfalso].
  destruct (Z.ltb_spec 0 (value P)) as [H1|H1].
  - destruct (C H1) as (Q & HQ & E). destruct (R2 _ _ _ HR HQ) as [->|(Q' & HQ' & HR')]; [lia|].
    pose proof (up_size _ _ HQ).
    rewrite (IH (size Q) ltac:(lia) Q eq_refl Q' (good_up _ _ HG HQ) HR') in E.
    specialize (A' _ HQ'). lia.
  - destruct D' as (Q' & HQ' & E); [lia|]. destruct (R3 _ _ _ HR HQ') as (Q & HQ & HR').
    pose proof (down_size _ _ HQ). specialize (B _ HQ).
    rewrite (IH (size Q) ltac:(lia) Q eq_refl Q' (good_down _ _ HG HQ) HR') in B. lia.
Qed.

Theorem safe_down :
  (forall P P', rel P P' -> In P' (down P)) ->
  (forall P P' Q, rel P P' -> In Q (down P) ->
     Q = P' \/ exists Q', In Q' (down P') /\ rel Q Q') ->
  (forall P P' Q', rel P P' -> In Q' (up P') -> exists Q, In Q (up P) /\ rel Q Q') ->
  forall P P', good P -> rel P P' -> value P = value P' - 1.
Proof.
  intros R1 R2 R3 P. remember (size P) as n eqn:En. revert P En.
  induction n as [n IH] using lt_wf_ind. intros P En P' HG HR.
  assert (I : In P' (down P)) by auto.
  destruct (value_spec P HG) as (A & B & C & D).
  destruct (value_spec P' (good_down _ _ HG I)) as (A' & B' & C' & D').
  pose proof (B _ I).
  destruct (Z.leb_spec (value P' - 1) (value P)); [lia|exfalso].
  destruct (Z.ltb_spec (value P) 0) as [H1|H1].
  - destruct (D H1) as (Q & HQ & E). destruct (R2 _ _ _ HR HQ) as [->|(Q' & HQ' & HR')]; [lia|].
    pose proof (down_size _ _ HQ).
    rewrite (IH (size Q) ltac:(lia) Q eq_refl Q' (good_down _ _ HG HQ) HR') in E.
    specialize (B' _ HQ'). lia.
  - destruct C' as (Q' & HQ' & E); [lia|]. destruct (R3 _ _ _ HR HQ') as (Q & HQ & HR').
    pose proof (up_size _ _ HQ). specialize (A _ HQ).
    rewrite (IH (size Q) ltac:(lia) Q eq_refl Q' (good_up _ _ HG HQ) HR') in A. lia.
Qed.

End Safe.

End Value.
