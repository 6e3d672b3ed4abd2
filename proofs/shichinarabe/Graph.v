(** * Graphs: race, integers, safe plays, decision

    Vertices are numbers; a position is the set W of white vertices, written as a
    bit set. [own p] lists the vertices that belong to player p (a vertex is played
    when it is white) and [av W v] tells whether v is accessible. All that is
    asked of [av] is that more white vertices never make a vertex inaccessible:
    directed and undirected graphs and edge additions are fine, deletions not. *)

From Coq Require Import List Arith NArith ZArith Lia Bool.
From Shichinarabe Require Import Integer.
Import ListNotations.

Definition sub (W W' : N) : Prop := forall x, N.testbit W x = true -> N.testbit W' x = true.

Section Graph.

Variable own : bool -> list N.
Variable av : N -> N -> bool.
Hypothesis own_nodup : forall p, NoDup (own p).
Hypothesis own_disjoint : forall v p, In v (own p) -> ~ In v (own (negb p)).
Hypothesis av_mono : forall W W' v, sub W W' -> av W v = true -> av W' v = true.

Definition cards (p : bool) (W : N) : list N :=
  filter (fun v => negb (N.testbit W v)) (own p).
Definition hand (p : bool) (W : N) : nat := length (cards p W).
Definition moves (p : bool) (W : N) : list N :=
  map (N.setbit W) (filter (av W) (cards p W)).
Definition size (W : N) : nat := hand true W + hand false W.

(** The game, as for suits. *)
Fixpoint winner (n : nat) (m : bool) (W : N) : bool :=
  if hand m W =? 0 then m
  else if hand (negb m) W =? 0 then negb m
  else match n with
       | 0 => negb m
       | S n' => if existsb (fun Q => eqb (winner n' (negb m) Q) m) (moves m W)
                 then m else negb m
       end.

Definition game (m : bool) (W : N) : bool := winner (size W) m W.

Lemma mv_spec p W Q :
  In Q (moves p W) <->
  exists v, In v (own p) /\ N.testbit W v = false /\ av W v = true /\ Q = N.setbit W v.
Proof.
  unfold moves, cards. rewrite in_map_iff. split.
  - intros (v & <- & H). rewrite !filter_In, negb_true_iff in H.
    exists v. tauto.
  - intros (v & A & B & C & ->). exists v. split; auto.
    rewrite !filter_In, negb_true_iff. tauto.
Qed.

Lemma setbit_test W v x : N.testbit (N.setbit W v) x = true <-> v = x \/ N.testbit W x = true.
Proof. apply N.setbit_iff. Qed.

Lemma setbit_sub W v : sub W (N.setbit W v).
Proof. intros x H. apply setbit_test. auto. Qed.

Lemma sub_setbit W W' v : sub W W' -> sub (N.setbit W v) (N.setbit W' v).
Proof. intros H x. rewrite !setbit_test. intuition auto. Qed.

Lemma setbit_comm W u v : N.setbit (N.setbit W u) v = N.setbit (N.setbit W v) u.
Proof.
  apply N.bits_inj. intros x. apply eq_true_iff_eq. rewrite !setbit_test. tauto.
Qed.

Lemma setbit_other W v x : v <> x -> N.testbit (N.setbit W v) x = N.testbit W x.
Proof. intros H. apply eq_true_iff_eq. rewrite setbit_test. tauto. Qed.

Lemma count_other W v l : ~ In v l ->
  filter (fun x => negb (N.testbit (N.setbit W v) x)) l =
  filter (fun x => negb (N.testbit W x)) l.
Proof.
  intros H. apply filter_ext_in. intros x Hx. rewrite setbit_other; auto. congruence.
Qed.

Lemma count_own W v l : NoDup l -> In v l -> N.testbit W v = false ->
  length (filter (fun x => negb (N.testbit W x)) l) =
  S (length (filter (fun x => negb (N.testbit (N.setbit W v) x)) l)).
Proof.
  induction l as [|a l IH]; intros HN HI HW; [destruct HI|].
  inversion HN as [|? ? HN1 HN2]; subst. destruct (N.eq_dec a v) as [->|E].
  - simpl. rewrite count_other by auto. rewrite HW. simpl.
    replace (N.testbit (N.setbit W v) v) with true; auto.
    symmetry. apply setbit_test. auto.
  - destruct HI as [HI|HI]; [congruence|]. simpl. rewrite setbit_other by auto.
    specialize (IH HN2 HI HW). destruct (N.testbit W a); simpl; lia.
Qed.

Lemma move_own p W Q : In Q (moves p W) -> hand p W = S (hand p Q).
Proof.
  rewrite mv_spec. intros (v & A & B & C & ->). apply count_own; auto.
Qed.

Lemma move_other p W Q : In Q (moves p W) -> hand (negb p) Q = hand (negb p) W.
Proof.
  rewrite mv_spec. intros (v & A & B & C & ->). unfold hand, cards.
  rewrite count_other; auto.
Qed.

Lemma size_any p W : size W = hand p W + hand (negb p) W.
Proof. unfold size. destruct p; simpl; lia. Qed.

Lemma move_size p W Q : In Q (moves p W) -> size W = S (size Q).
Proof.
  intros H. rewrite !(size_any p). pose proof (move_own _ _ _ H).
  pose proof (move_other _ _ _ H). lia.
Qed.

Lemma own_or_opp (k c : bool) : c = k \/ c = negb k.
Proof. destruct k, c; auto. Qed.

Lemma existsb_ext_in {T} (f g : T -> bool) l :
  (forall x, In x l -> f x = g x) -> existsb f l = existsb g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; auto.
  rewrite H by auto. rewrite IH; auto.
Qed.

Lemma winner_enough n : forall m W, size W <= n -> winner n m W = game m W.
Proof.
  induction n as [n IH] using lt_wf_ind. intros m W H. unfold game.
  destruct n as [|n].
  - replace (size W) with 0 by lia. reflexivity.
  - pose proof (size_any m W) as E.
    destruct (size W) as [|z] eqn:Z.
    + simpl. destruct (hand m W); simpl; auto. lia.
    + simpl. destruct (hand m W =? 0); auto. destruct (hand (negb m) W =? 0); auto.
      rewrite (existsb_ext_in _ (fun Q => eqb (winner z (negb m) Q) m)); auto.
      intros Q HQ. pose proof (move_size _ _ _ HQ).
      rewrite (IH n) by lia. rewrite (IH z) by lia. reflexivity.
Qed.

Theorem game_eq m W :
  game m W =
  if hand m W =? 0 then m
  else if hand (negb m) W =? 0 then negb m
  else if existsb (fun Q => eqb (game (negb m) Q) m) (moves m W)
       then m else negb m.
Proof.
  unfold game at 1. pose proof (size_any m W) as E.
  destruct (size W) as [|z] eqn:Z; simpl.
  - destruct (hand m W); simpl; auto. lia.
  - destruct (hand m W =? 0); auto. destruct (hand (negb m) W =? 0); auto.
    rewrite (existsb_ext_in _ (fun Q => eqb (game (negb m) Q) m)); auto.
    intros Q HQ. pose proof (move_size _ _ _ HQ).
    rewrite winner_enough by lia. reflexivity.
Qed.

Lemma game_mover m W : 0 < hand m W -> 0 < hand (negb m) W ->
  (game m W = m <-> exists Q, In Q (moves m W) /\ game (negb m) Q = m).
Proof.
  intros H1 H2. rewrite game_eq.
  destruct (Nat.eqb_spec (hand m W) 0); [lia|].
  destruct (Nat.eqb_spec (hand (negb m) W) 0); [lia|].
  destruct (existsb _ _) eqn:E.
  - split; auto. intros _. apply existsb_exists in E.
    destruct E as (Q & HQ & E). exists Q. split; auto. now apply eqb_prop.
  - split; [intros C; destruct m; discriminate|].
    intros (Q & HQ & EQ). exfalso.
    assert (existsb (fun Q => eqb (game (negb m) Q) m) (moves m W) = true); [|congruence].
    apply existsb_exists. exists Q. split; auto. rewrite EQ. destruct m; reflexivity.
Qed.

Lemma game_empty m p W : hand p W = 0 -> 0 < hand (negb p) W -> game m W = p.
Proof.
  intros H0 H1. rewrite game_eq. destruct (own_or_opp m p) as [->| ->].
  - rewrite H0. reflexivity.
  - rewrite negb_involutive in H1. rewrite H0.
    destruct (Nat.eqb_spec (hand m W) 0); [lia|]. reflexivity.
Qed.

(** ** Freedom *)

Inductive alone (w : bool) : N -> Prop :=
| alone_done W : hand w W = 0 -> alone w W
| alone_play W Q : In Q (moves w W) -> alone w Q -> alone w W.

Lemma hand_sub w W W' : sub W W' -> hand w W = 0 -> hand w W' = 0.
Proof.
  unfold hand, cards. intros HS H. apply length_zero_iff_nil in H.
  apply length_zero_iff_nil.
  destruct (filter (fun v => negb (N.testbit W' v)) (own w)) as [|v l] eqn:E; auto.
  exfalso. assert (I : In v (filter (fun v => negb (N.testbit W' v)) (own w)))
    by (rewrite E; simpl; auto).
  apply filter_In in I. destruct I as [I1 I2]. apply negb_true_iff in I2.
  assert (I : In v (filter (fun v => negb (N.testbit W v)) (own w))).
  { apply filter_In. split; auto. apply negb_true_iff.
    destruct (N.testbit W v) eqn:T; auto. apply HS in T. congruence. }
  rewrite H in I. destruct I.
Qed.

(** More white vertices never take freedom away. *)
Theorem alone_sub w W W' : alone w W -> sub W W' -> alone w W'.
Proof.
  intros H. revert W'. induction H as [W H|W Q HQ H IH]; intros W' HS.
  - constructor. eapply hand_sub; eauto.
  - apply mv_spec in HQ. destruct HQ as (v & A & B & C & ->).
    destruct (N.testbit W' v) eqn:T.
    + apply IH. intros x Hx. apply setbit_test in Hx. destruct Hx as [<-|Hx]; auto.
    + apply alone_play with (N.setbit W' v).
      * apply mv_spec. exists v. repeat split; auto. eapply av_mono; eauto.
      * apply IH. now apply sub_setbit.
Qed.

Lemma free_stays w p W Q : In Q (moves p W) -> alone w W -> alone w Q.
Proof.
  rewrite mv_spec. intros (v & _ & _ & _ & ->) H. eapply alone_sub; eauto. apply setbit_sub.
Qed.

Theorem free_own_play w W Q : In Q (moves w W) -> (alone w W <-> alone w Q).
Proof. intros H. split; [now apply free_stays with w|now apply alone_play]. Qed.

Fixpoint freen (n : nat) (w : bool) (W : N) : bool :=
  (hand w W =? 0) ||
  match n with O => false | S n => existsb (freen n w) (moves w W) end.
Definition freeb (w : bool) (W : N) : bool := freen (hand w W) w W.

Lemma freeb_spec w W : freeb w W = true <-> alone w W.
Proof.
  unfold freeb. remember (hand w W) as n eqn:E. revert W E.
  induction n as [|n IH]; intros W E; simpl; rewrite <- E; simpl.
  - split; auto. intros _. now constructor.
  - rewrite existsb_exists. split.
    + intros (Q & HQ & H). apply alone_play with Q; auto. apply IH; auto.
      apply move_own in HQ. lia.
    + intros H. inversion H as [? H0|? Q HQ HA]; subst; [lia|]. exists Q. split; auto.
      apply IH; auto. apply move_own in HQ. lia.
Qed.

Lemma alone_dec w W : alone w W \/ ~ alone w W.
Proof.
  destruct (freeb w W) eqn:E; [left; now apply freeb_spec|right].
  intros C. apply freeb_spec in C. congruence.
Qed.

(** ** Values: A and h, for player k *)

(** Plays of [k] that do not make his opponent free. *)
Definition kmoves (k : bool) (W : N) : list N :=
  filter (fun Q => negb (freeb (negb k) Q)) (moves k W).

Definition A (k : bool) : N -> Z := value N size (moves k) (moves (negb k)).
Definition h (k : bool) : N -> Z := value N size (kmoves k) (moves (negb k)).

Lemma kmoves_spec k W Q : In Q (kmoves k W) <-> In Q (moves k W) /\ ~ alone (negb k) Q.
Proof.
  unfold kmoves. rewrite filter_In, negb_true_iff, <- freeb_spec.
  destruct (freeb (negb k) Q); intuition congruence.
Qed.

Lemma mv_size p W Q : In Q (moves p W) -> size Q < size W.
Proof. intros H. apply move_size in H. lia. Qed.

Lemma kmv_size k W Q : In Q (kmoves k W) -> size Q < size W.
Proof. rewrite kmoves_spec. intros [H _]. now apply mv_size with k. Qed.

Definition any : N -> Prop := fun _ => True.

(** A play of one player and a play of the other commute. *)
Lemma moves_commute k W u v :
  In u (own k) -> N.testbit W u = false -> av W u = true ->
  In v (own (negb k)) -> N.testbit W v = false -> av W v = true ->
  In (N.setbit (N.setbit W u) v) (moves (negb k) (N.setbit W u)) /\
  In (N.setbit (N.setbit W u) v) (moves k (N.setbit W v)).
Proof.
  intros A1 A2 A3 B1 B2 B3.
  assert (NE : u <> v) by (intros ->; apply (own_disjoint v k); auto).
  split.
  - apply mv_spec. exists v. rewrite setbit_other by auto. repeat split; auto.
    eapply av_mono; [apply setbit_sub|auto].
  - apply mv_spec. exists u. rewrite setbit_other by auto. repeat split; auto.
    + eapply av_mono; [apply setbit_sub|auto].
    + apply setbit_comm.
Qed.

Lemma commute_A k W Q1 Q2 : any W -> In Q1 (moves k W) -> In Q2 (moves (negb k) W) ->
  exists Q, In Q (moves (negb k) Q1) /\ In Q (moves k Q2).
Proof.
  intros _ H1 H2. apply mv_spec in H1, H2.
  destruct H1 as (u & A1 & A2 & A3 & ->), H2 as (v & B1 & B2 & B3 & ->).
  exists (N.setbit (N.setbit W u) v). now apply moves_commute.
Qed.

Lemma commute_h k W Q1 Q2 : any W -> In Q1 (kmoves k W) -> In Q2 (moves (negb k) W) ->
  exists Q, In Q (moves (negb k) Q1) /\ In Q (kmoves k Q2).
Proof.
  intros _ H1 H2. apply kmoves_spec in H1. destruct H1 as [H1 HL].
  destruct (commute_A k W Q1 Q2 I H1 H2) as (Q & HA & HB).
  exists Q. split; auto. apply kmoves_spec. split; auto.
  intros C. apply HL. now apply alone_play with Q.
Qed.

(** Integers (3, 2.): every play costs at least 1, restricted or not. *)
Definition A_spec k W := value_spec N size (moves k) (moves (negb k))
  (mv_size k) (mv_size (negb k)) any (fun _ _ _ _ => I) (fun _ _ _ _ => I) (commute_A k) W I.
Definition h_spec k W := value_spec N size (kmoves k) (moves (negb k))
  (kmv_size k) (mv_size (negb k)) any (fun _ _ _ _ => I) (fun _ _ _ _ => I) (commute_h k) W I.

Definition A_eq k := value_eq N size (moves k) (moves (negb k)) (mv_size k) (mv_size (negb k)).
Definition h_eq k := value_eq N size (kmoves k) (moves (negb k)) (kmv_size k) (mv_size (negb k)).

(** With any number n of spare plays, A (h) decides the unrestricted
    (restricted) last-mover-wins game. *)
Theorem A_outcome k f u n W : size W + Z.abs_nat n <= f ->
  (outcome N (moves k) (moves (negb k)) f u n W = true <->
   ((if u then 1 else 0) <= A k W + n)%Z).
Proof.
  apply (value_outcome N size (moves k) (moves (negb k)) (mv_size k) (mv_size (negb k))
    any (fun _ _ _ _ => I) (fun _ _ _ _ => I) (commute_A k) f u n W I).
Qed.

Theorem h_outcome k f u n W : size W + Z.abs_nat n <= f ->
  (outcome N (kmoves k) (moves (negb k)) f u n W = true <->
   ((if u then 1 else 0) <= h k W + n)%Z).
Proof.
  apply (value_outcome N size (kmoves k) (moves (negb k)) (kmv_size k) (mv_size (negb k))
    any (fun _ _ _ _ => I) (fun _ _ _ _ => I) (commute_h k) f u n W I).
Qed.

(** The price A - h is not negative. *)
Theorem price_nonneg k W : (h k W <= A k W)%Z.
Proof.
  remember (size W) as n eqn:En. revert W En.
  induction n as [n IH] using lt_wf_ind. intros W En.
  destruct (A_spec k W) as (A1 & A2 & A3 & A4). destruct (h_spec k W) as (B1 & B2 & B3 & B4).
  fold (A k) in A1, A2, A3, A4. fold (h k) in B1, B2, B3, B4.
  destruct (Z.leb_spec (h k W) (A k W)) as [|C]; auto. exfalso.
  destruct (Z.ltb_spec 0 (h k W)) as [H|H].
  - destruct (B3 H) as (Q & HQ & E). apply kmoves_spec in HQ as HQ'. destruct HQ' as [HQ' _].
    pose proof (mv_size _ _ _ HQ'). specialize (A1 Q HQ').
    specialize (IH (size Q) ltac:(lia) Q eq_refl). lia.
  - destruct A4 as (Q & HQ & E); [lia|]. pose proof (mv_size _ _ _ HQ).
    specialize (B2 Q HQ). specialize (IH (size Q) ltac:(lia) Q eq_refl). lia.
Qed.

(** ** Race and decision *)

Definition race (m : bool) (W : N) : bool :=
  if hand true W <? hand false W then true
  else if hand false W <? hand true W then false else m.

Definition rw (k m : bool) (W : N) : Prop :=
  hand (negb k) W < hand k W \/ (hand (negb k) W = hand k W /\ m = negb k).

Lemma race_rw k m W : race m W = negb k <-> rw k m W.
Proof.
  unfold race, rw.
  destruct (Nat.ltb_spec (hand true W) (hand false W));
  destruct (Nat.ltb_spec (hand false W) (hand true W));
  destruct k, m; simpl; split; intros; try lia; try congruence;
  intuition (try lia; try congruence).
Qed.

Lemma rw_play k m W Q : rw k m W -> In Q (moves m W) -> rw k (negb m) Q.
Proof.
  unfold rw. intros H HQ.
  pose proof (move_own _ _ _ HQ). pose proof (move_other _ _ _ HQ).
  destruct (own_or_opp k m) as [->| ->].
  - destruct H as [H|[H E]]; [|destruct k; discriminate].
    destruct (Nat.eq_dec (hand (negb k) Q) (hand k Q)); [right; auto|left; lia].
  - rewrite negb_involutive in *. left. destruct H as [H|[H E]]; lia.
Qed.

Lemma rw_hand k m W Q : rw k m W -> 0 < hand (negb k) W -> In Q (moves m W) -> 0 < hand k Q.
Proof.
  unfold rw. intros H H0 HQ.
  pose proof (move_own _ _ _ HQ). pose proof (move_other _ _ _ HQ).
  destruct (own_or_opp k m) as [->| ->].
  - destruct H as [H|[H E]]; [|destruct k; discriminate]. lia.
  - rewrite negb_involutive in *. destruct H as [H|[H E]]; lia.
Qed.

(** The keeper wins iff the race winner is not free and the restricted value is
    positive, or 0 with the race winner to move. *)
Theorem keeper_wins k m W :
  rw k m W -> 0 < hand k W ->
  (game m W = k <-> ~ alone (negb k) W /\ ((if eqb m k then 1 else 0) <= h k W)%Z).
Proof.
  remember (size W) as n eqn:En. revert m W En.
  induction n as [n IH] using lt_wf_ind. intros m W En HR Hk.
  destruct (Nat.eq_dec (hand (negb k) W) 0) as [Z|Z].
  { rewrite (game_empty m (negb k) W Z); [|rewrite negb_involutive; auto].
    split; [destruct k; discriminate|]. intros [H _]. exfalso. apply H. now constructor. }
  assert (IHQ : forall Q, In Q (moves m W) ->
      (game (negb m) Q = k <->
       ~ alone (negb k) Q /\ ((if eqb (negb m) k then 1 else 0) <= h k Q)%Z)).
  { intros Q HQ. pose proof (move_size _ _ _ HQ).
    apply (IH (size Q)); auto; [lia|eapply rw_play; eauto|].
    eapply rw_hand; eauto. lia. }
  destruct (h_spec k W) as (B1 & B2 & B3 & B4). fold (h k) in B1, B2, B3, B4.
  destruct (own_or_opp k m) as [->| ->].
  - replace (eqb k k) with true by (destruct k; auto).
    replace (eqb (negb k) k) with false in IHQ by (destruct k; auto).
    rewrite game_mover; [|lia|lia]. split.
    + intros (Q & HQ & G). apply IHQ in G; auto. destruct G as [G1 G2].
      split; [intros C; apply G1; eapply free_stays; eauto|].
      assert (HQ' : In Q (kmoves k W)) by (apply kmoves_spec; auto).
      specialize (B1 Q HQ'). lia.
    + intros [H1 H2]. destruct B3 as (Q & HQ & E); [lia|].
      apply kmoves_spec in HQ. destruct HQ as [HQ HL].
      exists Q. split; auto. apply IHQ; auto. split; auto. lia.
  - replace (eqb (negb k) k) with false by (destruct k; auto).
    rewrite negb_involutive in IHQ. replace (eqb k k) with true in IHQ by (destruct k; auto).
    assert (GO : game (negb k) W = k <-> forall Q, In Q (moves (negb k) W) -> game k Q = k).
    { pose proof (game_mover (negb k) W ltac:(lia) ltac:(rewrite negb_involutive; lia)) as GM.
      rewrite negb_involutive in GM. split.
      - intros G Q HQ. destruct (own_or_opp k (game k Q)) as [|C]; auto.
        assert (game (negb k) W = negb k) by (apply GM; eauto).
        rewrite G in *. destruct k; discriminate.
      - intros G. destruct (own_or_opp k (game (negb k) W)) as [|C]; auto.
        apply GM in C. destruct C as (Q & HQ & C). specialize (G Q HQ).
        rewrite G in C. destruct k; discriminate. }
    rewrite GO. split.
    + intros G. destruct (alone_dec (negb k) W) as [C|C].
      * exfalso. inversion C as [? H0|? Q HQ HA]; subst; [lia|].
        apply (IHQ Q HQ) in G; auto. tauto.
      * split; auto. destruct (Z.ltb_spec (h k W) 0) as [H|H]; auto.
        destruct (B4 H) as (Q & HQ & E). specialize (G Q HQ). apply IHQ in G; auto. lia.
    + intros [H1 H2] Q HQ. apply IHQ; auto. split.
      * intros C. apply H1. eapply alone_play; eauto.
      * specialize (B2 Q HQ). lia.
Qed.

(** The decision, with exact A and price. *)
Definition decide (m : bool) (W : N) : bool :=
  if hand true W =? 0 then true
  else if hand false W =? 0 then false
  else
    let w := race m W in
    let k := negb w in
    if freeb w W then w else
    let a := A k W in
    if ((a <? 0) || ((a =? 0) && eqb m k))%Z then w else
    let t := (a - (A k W - h k W))%Z in
    if ((0 <? t) || ((t =? 0) && eqb m w))%Z then k else w.

Theorem decide_correct m W : 0 < size W -> decide m W = game m W.
Proof.
  intros H0. unfold decide, size in *.
  destruct (Nat.eqb_spec (hand true W) 0) as [E1|E1].
  { symmetry. apply game_empty; simpl; lia. }
  destruct (Nat.eqb_spec (hand false W) 0) as [E2|E2].
  { symmetry. apply game_empty; simpl; lia. }
  remember (negb (race m W)) as k eqn:Ek.
  assert (Ew : race m W = negb k) by (subst k; now rewrite negb_involutive).
  rewrite Ew. assert (HR : rw k m W) by now apply race_rw.
  assert (G := keeper_wins k m W HR ltac:(destruct k; lia)).
  rewrite <- freeb_spec in G. pose proof (price_nonneg k W) as HP.
  replace (A k W - (A k W - h k W))%Z with (h k W) by lia.
  assert (GW : game m W <> k -> negb k = game m W)
    by (intros C; destruct k, (game m W); simpl; congruence).
  destruct (freeb (negb k) W).
  { apply GW. intros C. apply G in C. destruct C as [C _]. now apply C. }
  assert (G' : game m W = k <-> ((if eqb m k then 1 else 0) <= h k W)%Z).
  { rewrite G. split; [tauto|]. intros; split; auto. }
  clear G. destruct (own_or_opp k m) as [->| ->].
  - replace (eqb k k) with true in * by (destruct k; auto).
    replace (eqb k (negb k)) with false by (destruct k; auto).
    rewrite andb_true_r, andb_false_r, orb_false_r.
    destruct (Z.ltb_spec (A k W) 0); simpl; [apply GW; intros C; apply G' in C; lia|].
    destruct (Z.eqb_spec (A k W) 0); simpl; [apply GW; intros C; apply G' in C; lia|].
    destruct (Z.ltb_spec 0 (h k W)); [symmetry; apply G'; lia|].
    apply GW; intros C; apply G' in C; lia.
  - replace (eqb (negb k) k) with false in * by (destruct k; auto).
    replace (eqb (negb k) (negb k)) with true by (destruct k; auto).
    rewrite andb_true_r, andb_false_r, orb_false_r.
    destruct (Z.ltb_spec (A k W) 0); simpl; [apply GW; intros C; apply G' in C; lia|].
    destruct (Z.ltb_spec 0 (h k W)); simpl; [symmetry; apply G'; lia|].
    destruct (Z.eqb_spec (h k W) 0); simpl; [symmetry; apply G'; lia|].
    apply GW; intros C; apply G' in C; lia.
Qed.

(** A free race winner wins. *)
Theorem race_free m W : 0 < hand true W -> 0 < hand false W ->
  alone (race m W) W -> game m W = race m W.
Proof.
  intros H1 H2 HF. rewrite <- decide_correct by (unfold size; lia). unfold decide.
  destruct (Nat.eqb_spec (hand true W) 0); [lia|].
  destruct (Nat.eqb_spec (hand false W) 0); [lia|].
  apply freeb_spec in HF. now rewrite HF.
Qed.

(** Otherwise the winner is that of last-mover-wins play in which the keeper may
    not make the race winner free. *)
Theorem race_restricted m W : 0 < hand true W -> 0 < hand false W ->
  ~ alone (race m W) W ->
  let k := negb (race m W) in
  game m W = k <->
  outcome N (kmoves k) (moves (negb k)) (size W) (eqb m k) 0 W = true.
Proof.
  intros H1 H2 HL k.
  assert (Ew : race m W = negb k) by (unfold k; now rewrite negb_involutive).
  rewrite h_outcome by lia. rewrite Z.add_0_r.
  rewrite keeper_wins; [|now apply race_rw|destruct k; auto].
  rewrite Ew in HL. tauto.
Qed.

(** ** Safe plays (3, 3.): a play that opens no new opponent vertex costs exactly 1.
    Needs that an accessible vertex is made so by a single white neighbour. *)
Section Safe.

Hypothesis av_local : forall W v u, av (N.setbit W v) u = true ->
  av W u = true \/ forall W', N.testbit W' v = true -> av W' u = true.

Definition safe (p : bool) (W : N) (v : N) : Prop :=
  In v (own p) /\ N.testbit W v = false /\ av W v = true /\
  forall u, In u (own (negb p)) -> N.testbit W u = false ->
            av (N.setbit W v) u = true -> av W u = true.

Definition safe_rel (p : bool) (W Q : N) : Prop := exists v, safe p W v /\ Q = N.setbit W v.

Lemma safe_move p W Q : safe_rel p W Q -> In Q (moves p W).
Proof. intros (v & (H1 & H2 & H3 & _) & ->). apply mv_spec. eauto. Qed.

Lemma safe_lasts p W v x : safe p W v -> x <> v -> safe p (N.setbit W x) v.
Proof.
  intros (H1 & H2 & H3 & H4) NE. split; auto. split; [rewrite setbit_other; auto|].
  split; [eapply av_mono; [apply setbit_sub|auto]|].
  intros u Hu Hw Ha. destruct (av_local _ _ _ Ha) as [|C]; auto.
  eapply av_mono; [apply setbit_sub|]. apply H4; auto.
  - destruct (N.testbit W u) eqn:T; auto. apply (setbit_sub W x) in T. congruence.
  - apply C. apply setbit_test. auto.
Qed.

Lemma safe_own p W W' Q : safe_rel p W W' -> In Q (moves p W) ->
  Q = W' \/ exists Q', In Q' (moves p W') /\ safe_rel p Q Q' /\ In Q' (moves p Q).
Proof.
  intros (v & HS & ->) HQ. apply mv_spec in HQ. destruct HQ as (x & A1 & A2 & A3 & ->).
  destruct (N.eq_dec x v) as [->|NE]; [left; auto|right].
  assert (SR : safe_rel p (N.setbit W x) (N.setbit (N.setbit W x) v))
    by (exists v; split; auto; now apply safe_lasts).
  exists (N.setbit (N.setbit W x) v). split; [|split; auto; now apply safe_move].
  apply mv_spec. exists x. rewrite setbit_other by auto. repeat split; auto.
  - eapply av_mono; [apply setbit_sub|auto].
  - apply setbit_comm.
Qed.

Lemma safe_other p W W' Q' : safe_rel p W W' -> In Q' (moves (negb p) W') ->
  exists Q, In Q (moves (negb p) W) /\ safe_rel p Q Q'.
Proof.
  intros (v & HS & ->) HQ. apply mv_spec in HQ. destruct HQ as (x & A1 & A2 & A3 & ->).
  assert (NE : x <> v).
  { intros ->. destruct HS as (C & _). apply (own_disjoint v p); auto. }
  rewrite setbit_other in A2 by auto.
  exists (N.setbit W x). split.
  - apply mv_spec. exists x. repeat split; auto. destruct HS as (_ & _ & _ & H). auto.
  - exists v. split; [now apply safe_lasts|apply setbit_comm].
Qed.

(** A safe play of k does not make his opponent free. *)
Lemma safe_keeps p W W' : safe_rel p W W' -> alone (negb p) W' -> alone (negb p) W.
Proof.
  intros HS HA. revert W HS. induction HA as [W' H|W' Q' HQ H IH]; intros W HS.
  - constructor. apply safe_move in HS. apply move_other in HS. lia.
  - destruct (safe_other p W W' Q' HS HQ) as (Q & HQ' & HS').
    apply alone_play with Q; auto.
Qed.

Theorem safe_A_own k W Q : safe_rel k W Q -> A k W = (A k Q + 1)%Z.
Proof.
  apply (safe_up N size (moves k) (moves (negb k)) (mv_size k) (mv_size (negb k)) any
    (fun _ _ _ _ => I) (fun _ _ _ _ => I) (commute_A k) (safe_rel k)); try exact I.
  - apply safe_move.
  - intros P P' R H1 H2. destruct (safe_own k P P' R H1 H2) as [|(R' & X & Y & _)]; eauto.
  - intros P P' R H1 H2. eapply safe_other; eauto.
Qed.

Theorem safe_A_opp k W Q : safe_rel (negb k) W Q -> A k W = (A k Q - 1)%Z.
Proof.
  apply (safe_down N size (moves k) (moves (negb k)) (mv_size k) (mv_size (negb k)) any
    (fun _ _ _ _ => I) (fun _ _ _ _ => I) (commute_A k) (safe_rel (negb k))); try exact I.
  - apply safe_move.
  - intros P P' R H1 H2. destruct (safe_own (negb k) P P' R H1 H2) as [|(R' & X & Y & _)]; eauto.
  - intros P P' R H1 H2. pose proof (safe_other (negb k) P P' R H1) as S.
    rewrite negb_involutive in S. auto.
Qed.

(** Restricted: as long as the opponent is not free. *)
Theorem safe_h_own k W Q :
  ~ alone (negb k) W -> safe_rel k W Q -> h k W = (h k Q + 1)%Z.
Proof.
  intros HL HS.
  apply (safe_up N size (kmoves k) (moves (negb k)) (kmv_size k) (mv_size (negb k)) any
    (fun _ _ _ _ => I) (fun _ _ _ _ => I) (commute_h k)
    (fun W Q => ~ alone (negb k) W /\ safe_rel k W Q)); try exact I; auto.
  - intros P P' [H1 H2]. apply kmoves_spec. split; [now apply safe_move|].
    intros C. apply H1. eapply safe_keeps; eauto.
  - intros P P' R [H1 H2] H3. apply kmoves_spec in H3. destruct H3 as [H3 H4].
    destruct (safe_own k P P' R H2 H3) as [|(R' & X & Y & _)]; auto. right.
    exists R'. split; auto. apply kmoves_spec. split; auto.
    intros C. apply H4. eapply safe_keeps; eauto.
  - intros P P' R [H1 H2] H3. destruct (safe_other k P P' R H2 H3) as (R' & X & Y).
    exists R'. split; auto. split; auto. intros C. apply H1. eapply alone_play; eauto.
Qed.

Theorem safe_h_opp k W Q : safe_rel (negb k) W Q -> h k W = (h k Q - 1)%Z.
Proof.
  apply (safe_down N size (kmoves k) (moves (negb k)) (kmv_size k) (mv_size (negb k)) any
    (fun _ _ _ _ => I) (fun _ _ _ _ => I) (commute_h k) (safe_rel (negb k))); try exact I.
  - apply safe_move.
  - intros P P' R H1 H2. destruct (safe_own (negb k) P P' R H1 H2) as [|(R' & X & Y & _)]; eauto.
  - intros P P' R H1 H2. apply kmoves_spec in H2. destruct H2 as [H2 H3].
    pose proof (safe_other (negb k) P P' R H1) as S.
    rewrite negb_involutive in S. destruct (S H2) as (R' & X & Y).
    exists R'. split; auto. apply kmoves_spec. split; auto.
    intros C. apply H3. apply safe_move in Y. eapply free_stays; eauto.
Qed.

End Safe.

End Graph.

(** ** Graphs with arcs and edge additions satisfy the assumptions *)

(** [arcs]: pairs (u, v); [adds]: (l, (u, v)), an arc that exists once l is white. *)
Definition av_graph (arcs : list (N * N)) (adds : list (N * (N * N))) (W v : N) : bool :=
  existsb (fun e => N.testbit W (fst e) && (snd e =? v)%N) arcs ||
  existsb (fun e => N.testbit W (fst e) && N.testbit W (fst (snd e)) && (snd (snd e) =? v)%N) adds.

Lemma av_graph_mono arcs adds W W' v :
  sub W W' -> av_graph arcs adds W v = true -> av_graph arcs adds W' v = true.
Proof.
  intros HS. unfold av_graph. rewrite !orb_true_iff, !existsb_exists.
  intros [(e & He & H)|(e & He & H)]; [left|right]; exists e; split; auto;
    rewrite !andb_true_iff in *; intuition auto.
Qed.

Lemma av_graph_local arcs W v u : av_graph arcs [] (N.setbit W v) u = true ->
  av_graph arcs [] W u = true \/
  forall W', N.testbit W' v = true -> av_graph arcs [] W' u = true.
Proof.
  unfold av_graph. simpl. rewrite !orb_false_r, existsb_exists. intros (e & He & H).
  rewrite andb_true_iff, N.setbit_iff in H. destruct H as [[E|E] H].
  - right. intros W' HW. rewrite orb_false_r. apply existsb_exists. exists e. split; auto.
    rewrite <- E, HW. exact H.
  - left. apply existsb_exists. exists e. split; auto. now rewrite E.
Qed.

(** For directed or undirected graphs with edge additions [decide] with exact values
    is correct. *)
Theorem graph_decide_correct own arcs adds :
  (forall p, NoDup (own p)) -> (forall v p, In v (own p) -> ~ In v (own (negb p))) ->
  forall m W, 0 < size own W ->
  decide own (av_graph arcs adds) m W = game own (av_graph arcs adds) m W.
Proof.
  intros H1 H2 m W HW. apply decide_correct; auto. apply av_graph_mono.
Qed.
