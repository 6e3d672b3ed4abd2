(** * The race, freedom, and last-mover-wins play *)

From Coq Require Import List Arith ZArith Lia Bool.
From Shichinarabe Require Import Game Value.
Import ListNotations.

(** ** Race winner and keeper *)

(** The player with fewer cards; with equal counts the player to move. *)
Definition race (m : player) (P : pos) : player :=
  if hand true P <? hand false P then true
  else if hand false P <? hand true P then false
  else m.

Definition keeper (m : player) (P : pos) : player := negb (race m P).

(** [rw k m P]: [k] is the keeper, in numbers. *)
Definition rw (k m : player) (P : pos) : Prop :=
  hand (negb k) P < hand k P \/ (hand (negb k) P = hand k P /\ m = negb k).

Lemma keeper_rw k m P : keeper m P = k <-> rw k m P.
Proof.
  unfold keeper, race, rw.
  destruct (Nat.ltb_spec (hand true P) (hand false P));
  destruct (Nat.ltb_spec (hand false P) (hand true P));
  destruct k, m; simpl; split; intros; try lia; try congruence;
  intuition (try lia; try congruence).
Qed.

(** Race winner and keeper do not change during the play. *)
Lemma rw_play k m P Q : rw k m P -> In Q (moves m P) -> rw k (negb m) Q.
Proof.
  unfold rw. intros H HQ.
  pose proof (move_hand_own _ _ _ HQ). pose proof (move_hand_other _ _ _ HQ).
  destruct (own_or_opp k m) as [->| ->].
  - destruct H as [H|[H E]]; [|destruct k; discriminate].
    destruct (Nat.eq_dec (hand (negb k) Q) (hand k Q)); [right; auto|left; lia].
  - rewrite negb_involutive in *. left. destruct H as [H|[H E]]; lia.
Qed.

(** The keeper never plays his last card as long as the race winner has one. *)
Lemma rw_hand k m P Q :
  rw k m P -> 0 < hand (negb k) P -> In Q (moves m P) -> 0 < hand k Q.
Proof.
  unfold rw. intros H H0 HQ.
  pose proof (move_hand_own _ _ _ HQ). pose proof (move_hand_other _ _ _ HQ).
  destruct (own_or_opp k m) as [->| ->].
  - destruct H as [H|[H E]]; [|destruct k; discriminate]. lia.
  - rewrite negb_involutive in *. destruct H as [H|[H E]]; lia.
Qed.

(** Positions that can come up from [P] with [m] to move. *)
Inductive reach (m : player) (P : pos) : player -> pos -> Prop :=
| reach_here : reach m P m P
| reach_play m' P' Q :
    reach m P m' P' -> 0 < hand true P' -> 0 < hand false P' ->
    In Q (moves m' P') -> reach m P (negb m') Q.

Lemma hands_any k P :
  (0 < hand true P /\ 0 < hand false P) <-> (0 < hand k P /\ 0 < hand (negb k) P).
Proof. destruct k; simpl; tauto. Qed.

Lemma reach_rw k m P m' P' :
  rw k m P -> 0 < hand true P -> 0 < hand false P -> reach m P m' P' ->
  rw k m' P' /\ 0 < hand k P'.
Proof.
  intros HR H1 H2 HP. induction HP as [|m' P' Q HP IH H3 H4 HQ].
  - split; auto. destruct k; auto.
  - destruct IH as [IH1 IH2]. split.
    + eapply rw_play; eauto.
    + eapply rw_hand; eauto. destruct k; auto.
Qed.

(** Race theorem, first part: whatever is played, the race winner and the keeper
    stay the same, the keeper never empties his hand, and when the game is over
    the keeper has won iff the race winner is to move, holds cards and is stuck. *)
Theorem race_end m P m' P' :
  0 < hand true P -> 0 < hand false P -> reach m P m' P' ->
  let k := keeper m P in let w := race m P in
  keeper m' P' = k /\ 0 < hand k P' /\
  (hand w P' = 0 \/ moves m' P' = [] ->
   (game m' P' = k <-> m' = w /\ 0 < hand w P' /\ moves m' P' = [])).
Proof.
  intros H1 H2 HP k w.
  assert (Ew : w = negb k) by (unfold k, keeper; now rewrite negb_involutive).
  assert (HR : rw k m P) by now apply keeper_rw.
  destruct (reach_rw k m P m' P' HR H1 H2 HP) as [HR' Hk].
  split; [now apply keeper_rw|]. split; auto. intros Hover. rewrite Ew in *.
  destruct (Nat.eq_dec (hand (negb k) P') 0) as [E|E].
  - rewrite (game_empty m' (negb k) P'); auto; [|rewrite negb_involutive; auto].
    split; [destruct k; discriminate|]. intros (_ & H & _). lia.
  - destruct Hover as [C|C]; [lia|].
    assert (G : game m' P' = negb m').
    { apply game_other.
      - destruct (own_or_opp k m') as [->| ->]; auto. lia.
      - destruct (own_or_opp k m') as [->| ->]; try rewrite negb_involutive; lia.
      - rewrite C. intros Q []. }
    rewrite G. split.
    + intros Hm. split; [|split; auto; lia]. destruct m', k; simpl in *; congruence.
    + intros (-> & _ & _). now rewrite negb_involutive.
Qed.

(** ** Freedom *)

(** [alone w P]: [w] could play all his cards alone, never helped. *)
Inductive alone (w : player) : pos -> Prop :=
| alone_done P : hand w P = 0 -> alone w P
| alone_play P Q : In Q (moves w P) -> alone w Q -> alone w P.

(** No card of the other player lies before a card of [w]. *)
Definition unblocked (w : player) (s : suit) : Prop :=
  ~ exists a b c, s = a ++ negb w :: b ++ w :: c.

Lemma has_in p s : has p s = true <-> exists a b, s = a ++ p :: b.
Proof.
  induction s as [|c X IH]; simpl.
  - split; [discriminate|]. intros (a & b & E). destruct a; discriminate.
  - destruct (eqb c p) eqn:E; simpl.
    + apply eqb_prop in E. subst. split; auto. intros _. exists [], X. auto.
    + rewrite IH. split.
      * intros (a & b & ->). exists (c :: a), b. auto.
      * intros (a & b & H). destruct a as [|c' a]; simpl in H; injection H as -> H.
        { rewrite eqb_refl' in E. discriminate. }
        exists a, b. auto.
Qed.

Lemma price_unblocked k s : price k s = None <-> unblocked (negb k) s.
Proof.
  unfold unblocked. rewrite negb_involutive.
  induction s as [|c X IH].
  - split; auto. intros _ (a & b & c & E). destruct a; discriminate.
  - destruct (own_or_opp k c) as [->| ->].
    + rewrite price_own. destruct (has (negb k) X) eqn:E.
      * split; [discriminate|]. intros C. exfalso. apply C.
        apply has_in in E. destruct E as (a & b & ->). exists [], a, b. auto.
      * split; auto. intros _ (a & b & c & H).
        assert (has (negb k) X = true); [|congruence].
        apply (f_equal (@tl bool)) in H. destruct a as [|c' a]; simpl in H.
        { subst X. apply has_in. eauto. }
        subst X. apply has_in. exists (a ++ k :: b), c. rewrite <- app_assoc. reflexivity.
    + rewrite price_opp. transitivity (price k X = None).
      { destruct (price k X); split; congruence. }
      rewrite IH. split; intros N (a & b & c & H); apply N.
      * destruct a as [|c' a]; simpl in H.
        { injection H as H _. destruct k; discriminate. }
        apply (f_equal (@tl bool)) in H. simpl in H. subst X. eauto.
      * subst. exists (negb k :: a), b, c. auto.
Qed.

Theorem free_iff_unblocked w P :
  alone w P <-> forall s, In s P -> unblocked w s.
Proof.
  rewrite <- (negb_involutive w). set (k := negb w). clearbody k. clear w.
  transitivity (nolock k P).
  2:{ unfold nolock. split; intros H s Hs; apply price_unblocked; auto. }
  split.
  - induction 1 as [P H|P Q HQ H IH].
    + intros s Hs. destruct (price k s) as [q|] eqn:E; auto.
      pose proof (lock_hand k s q P Hs E). lia.
    + apply moves_spec in HQ. destruct HQ as (l1 & X & l2 & -> & ->).
      intros s Hs. apply in_mid in Hs. destruct Hs as [-> |Hs].
      * rewrite price_opp. rewrite (IH X); auto. apply in_mid_eq.
      * apply IH. now apply mid_in.
  - remember (hand (negb k) P) as n eqn:En. revert P En.
    induction n as [|n IH]; intros P En H; [now constructor|].
    destruct (nolock_move k P H) as (Q & HQ); [lia|].
    apply alone_play with Q; auto. apply IH.
    + apply move_hand_own in HQ. lia.
    + eapply nolock_play; eauto.
Qed.

Corollary free_nolock k P : alone (negb k) P <-> nolock k P.
Proof.
  rewrite free_iff_unblocked. unfold nolock.
  split; intros H s Hs; apply price_unblocked; auto.
Qed.

(** Own plays never change whether a player is free. *)
Theorem free_own_play w P Q : In Q (moves w P) -> (alone w P <-> alone w Q).
Proof.
  intros HQ. split; [|now apply alone_play].
  rewrite <- (negb_involutive w). rewrite !free_nolock. intros H.
  eapply nolock_play; eauto.
Qed.

(** Once free, always free. *)
Theorem free_stays w p P Q : In Q (moves p P) -> alone w P -> alone w Q.
Proof.
  rewrite <- (negb_involutive w). rewrite !free_nolock. intros HQ H.
  eapply nolock_play; eauto.
Qed.

(** Executable test. *)
Definition freeb (w : player) (P : pos) : bool :=
  forallb (fun s => match price (negb w) s with None => true | Some _ => false end) P.

Lemma freeb_nolock k P : freeb (negb k) P = true <-> nolock k P.
Proof.
  unfold freeb, nolock. rewrite negb_involutive, forallb_forall.
  split; intros H s Hs; specialize (H s Hs); destruct (price k s); congruence.
Qed.

Lemma freeb_spec w P : freeb w P = true <-> alone w P.
Proof. rewrite <- (negb_involutive w). rewrite free_nolock. apply freeb_nolock. Qed.

(** ** The main theorem: the keeper wins iff he can afford a lock *)

Theorem keeper_wins k m P :
  rw k m P -> 0 < hand k P -> (game m P = k <-> kw k m 0 P).
Proof.
  remember (size P) as n eqn:En. revert m P En.
  induction n as [n IH] using lt_wf_ind. intros m P En HR Hk.
  destruct (Nat.eq_dec (hand (negb k) P) 0) as [Z|Z].
  { rewrite (game_empty m (negb k) P Z); [|rewrite negb_involutive; auto].
    split; [destruct k; discriminate|]. intros H. apply kw_hand in H. lia. }
  assert (IHQ : forall Q, In Q (moves m P) ->
                (game (negb m) Q = k <-> kw k (negb m) 0 Q)).
  { intros Q HQ. pose proof (move_size _ _ _ HQ).
    apply (IH (size Q)); auto; [lia|eapply rw_play; eauto|].
    eapply rw_hand; eauto. lia. }
  destruct (own_or_opp k m) as [->| ->].
  - rewrite game_mover; [|lia|lia]. split.
    + intros (Q & HQ & G). apply IHQ in G; auto. eapply not_kw_own_all; eauto.
    + intros H. apply kw_own_ex in H; [|lia]. destruct H as (Q & HQ & H).
      exists Q. split; auto. now apply IHQ.
  - rewrite <- (negb_involutive k) at 2.
    rewrite game_other; [|lia|rewrite negb_involutive; lia].
    rewrite negb_involutive in *. split.
    + intros G. destruct (kw_dec k (negb k) 0 P) as [H|H]; auto. exfalso.
      destruct (nolock_dec k P) as [HL|(s & q & Hs & Hq)].
      * destruct (nolock_move k P HL) as (Q & HQ); [lia|].
        pose proof (nolock_play _ _ _ _ HL HQ) as HL'.
        apply (nolock_not_kw k k 0 Q HL'). apply IHQ; auto.
      * destruct (not_kw_opp_ex k 0 P) as (Q & HQ & H'); auto; [lia| |].
        { intros C. rewrite (C s Hs) in Hq. discriminate. }
        apply H'. apply IHQ; auto.
    + intros H Q HQ. apply IHQ; auto. eapply kw_opp_all; eauto.
Qed.

(** Race theorem, second part: a free race winner wins. *)
Theorem race_free m P :
  0 < hand true P -> 0 < hand false P ->
  alone (race m P) P -> game m P = race m P.
Proof.
  intros H1 H2 HF. set (k := keeper m P).
  assert (Ew : race m P = negb k) by (unfold k, keeper; now rewrite negb_involutive).
  rewrite Ew in *. apply not_eq_negb. intros G.
  apply keeper_wins in G.
  - apply free_nolock in HF. now apply (nolock_not_kw k m 0 P) in HF.
  - now apply keeper_rw.
  - destruct k; auto.
Qed.

(** ** Last-mover-wins play, restricted or not, with spare plays

    [np ok f k m n P]: does [k] win the last-mover-wins game on P plus |n| spare
    plays (of [k] if n > 0, of the other player if n < 0) with [m] to move, when
    [k] may only make plays to positions that satisfy [ok]? No hand is ever
    looked at; [f] bounds the number of plays. *)
Fixpoint np (ok : pos -> bool) (f : nat) (k m : player) (n : Z) (P : pos) : bool :=
  match f with
  | O => negb (eqb m k)
  | S f =>
      if eqb m k then
        ((0 <? n)%Z && np ok f k (negb m) (n - 1) P)
        || existsb (fun Q => ok Q && np ok f k (negb m) n Q) (moves m P)
      else
        (negb (n <? 0)%Z || np ok f k (negb m) (n + 1) P)
        && forallb (fun Q => np ok f k (negb m) n Q) (moves m P)
  end.

Definition anything : pos -> bool := fun _ => true.
(** [k] may not make his opponent free. *)
Definition keeps_lock (k : player) : pos -> bool := fun Q => negb (freeb (negb k) Q).

Lemma np_step ok f k m n P (R : player -> Z -> pos -> Prop) (inv : pos -> Prop) :
  (forall m n Q, inv Q -> size Q + Z.abs_nat n <= f ->
      (np ok f k m n Q = true <-> R m n Q)) ->
  (forall Q, In Q (moves k P) -> (ok Q = true -> inv Q) /\
                                 (R (negb k) n Q -> ok Q = true)) ->
  (forall Q, In Q (moves (negb k) P) -> inv Q) ->
  inv P ->
  size P + Z.abs_nat n <= S f ->
  (m = k -> (R k n P <-> (0 < n /\ R (negb k) (n - 1) P)%Z \/
                         exists Q, In Q (moves k P) /\ R (negb k) n Q)) ->
  (m = negb k -> (R (negb k) n P <-> ((n < 0)%Z -> R k (n + 1)%Z P) /\
                         forall Q, In Q (moves (negb k) P) -> R k n Q)) ->
  (np ok (S f) k m n P = true <-> R m n P).
Proof.
  intros IH Hok Hinv HP Hf Hown Hopp. simpl.
  destruct (own_or_opp k m) as [->| ->].
  - rewrite eqb_refl', Hown by auto.
    rewrite orb_true_iff, andb_true_iff, existsb_exists, Z.ltb_lt.
    assert (E1 : (0 < n)%Z ->
       (np ok f k (negb k) (n - 1) P = true <-> R (negb k) (n - 1)%Z P)).
    { intros. apply IH; auto. lia. }
    assert (E2 : forall Q, In Q (moves k P) ->
       ((ok Q && np ok f k (negb k) n Q) = true <-> R (negb k) n Q)).
    { intros Q HQ. destruct (Hok Q HQ) as [O1 O2].
      pose proof (move_size _ _ _ HQ). rewrite andb_true_iff. split.
      - intros [A B]. apply IH; auto. lia.
      - intros A. split; auto. apply IH; auto. lia. }
    split; (intros [[A B]|(Q & HQ & B)]; [left; split; auto; now apply E1|
             right; exists Q; split; auto; now apply E2]).
  - rewrite eqb_negb', Hopp by auto. rewrite negb_involutive.
    rewrite andb_true_iff, orb_true_iff, negb_true_iff, Z.ltb_ge, forallb_forall.
    split; intros [A B]; split.
    + intros Hn. destruct A as [A|A]; [lia|]. apply IH in A; auto. lia.
    + intros Q HQ. pose proof (move_size _ _ _ HQ). apply IH; auto. lia.
    + destruct (Z.ltb_spec n 0); [right|left; auto]. apply IH; auto. lia.
    + intros Q HQ. pose proof (move_size _ _ _ HQ). apply IH; auto. lia.
Qed.

Lemma size0_moves p P : size P = 0 -> moves p P = [].
Proof.
  intros H. destruct (moves p P) as [|Q l] eqn:E; auto.
  assert (HQ : In Q (moves p P)) by (rewrite E; simpl; auto).
  apply move_size in HQ. lia.
Qed.

Lemma size0_sumval k P : size P = 0 -> sumval k P = 0%Z.
Proof.
  unfold size. induction P as [|s P IH]; simpl; auto. intros H.
  rewrite IH by lia. destruct s as [|[|] X]; simpl in *; auto; lia.
Qed.

(** The unrestricted game has the integer value [sumval k P] (for [k]): with n
    spare plays, [k] wins iff the total is positive, or 0 with the other
    player to move. *)
Theorem normal_value k f : forall m n P,
  size P + Z.abs_nat n <= f ->
  (np anything f k m n P = true <->
   ((if eqb m k then 1 else 0) <= sumval k P + n)%Z).
Proof.
  induction f as [|f IH]; intros m n P Hf.
  - simpl. rewrite (size0_sumval k P) by lia. assert (n = 0%Z) by lia. subst n.
    destruct (eqb m k); simpl; split; auto; try discriminate; lia.
  - apply (np_step anything f k m n P
      (fun m n P => ((if eqb m k then 1 else 0) <= sumval k P + n)%Z) (fun _ => True)); auto.
    + intros ->. rewrite eqb_refl', eqb_negb'. split.
      * intros H. destruct (Z.ltb_spec 0 n); [left; lia|right].
        assert (H' : (0 < sumval k P)%Z) by lia. apply sumval_pos in H'.
        destruct H' as (l1 & s & l2 & -> & Hv).
        destruct (val_pos k s Hv) as (X & -> & HX).
        exists (l1 ++ X :: l2). split; [apply moves_spec; eauto|].
        rewrite sumval_mid in *. lia.
      * intros [H|(Q & HQ & H)]; [lia|].
        apply moves_spec in HQ. destruct HQ as (l1 & X & l2 & -> & ->).
        rewrite sumval_mid in *. pose proof (own_play k X). lia.
    + intros ->. rewrite eqb_refl', eqb_negb'. split.
      * intros H. split; [lia|]. intros Q HQ.
        apply moves_spec in HQ. destruct HQ as (l1 & X & l2 & -> & ->).
        rewrite sumval_mid in *. pose proof (opp_play k X). lia.
      * intros [A B]. destruct (Z.ltb_spec n 0); [lia|].
        destruct (Z.ltb_spec (sumval k P + n) 0) as [C|C]; auto.
        assert (H' : (sumval k P < 0)%Z) by lia. apply sumval_neg in H'.
        destruct H' as (l1 & s & l2 & -> & Hv).
        destruct (val_neg k s Hv) as (X & -> & HX).
        assert (HQ : In (l1 ++ X :: l2) (moves (negb k) (l1 ++ (negb k :: X) :: l2)))
          by (apply moves_spec; eauto).
        specialize (B _ HQ). rewrite sumval_mid in *. lia.
Qed.

(** The restricted game, as long as there is a lock, has the integer value
    [sumval k P - price], where the price is the least price of a lock. *)
Theorem restricted_value k f : forall m n P,
  ~ alone (negb k) P -> size P + Z.abs_nat n <= f ->
  (np (keeps_lock k) f k m n P = true <-> kw k m n P).
Proof.
  induction f as [|f IH]; intros m n P HL Hf.
  - exfalso. apply HL. constructor. unfold size in Hf. destruct k; simpl; lia.
  - apply (np_step (keeps_lock k) f k m n P (fun m n P => kw k m n P)
             (fun P => ~ alone (negb k) P)); auto.
    + intros Q HQ. unfold keeps_lock. split.
      * rewrite negb_true_iff. intros H C. apply freeb_spec in C. congruence.
      * intros H. apply negb_true_iff. apply not_true_is_false. intros C.
        apply freeb_nolock in C. now apply (nolock_not_kw k (negb k) n Q) in C.
    + intros Q HQ C. apply HL. eapply free_own_play; eauto.
    + intros ->. split.
      * intros H. destruct (Z.ltb_spec 0 n).
        { left. split; auto. destruct H as (s & q & Hs & Hq & H).
          exists s, q. rewrite eqb_refl' in H. rewrite eqb_negb'. repeat split; auto. lia. }
        right. apply kw_own_ex; auto.
      * intros [[Hn (s & q & Hs & Hq & H)]|(Q & HQ & H)].
        { exists s, q. rewrite eqb_refl'. rewrite eqb_negb' in H. repeat split; auto. lia. }
        eapply not_kw_own_all; eauto.
    + intros ->. split.
      * intros H. split.
        { intros Hn. destruct H as (s & q & Hs & Hq & H). exists s, q.
          rewrite eqb_refl'. rewrite eqb_negb' in H. repeat split; auto. lia. }
        intros Q HQ. eapply kw_opp_all; eauto.
      * intros [A B]. destruct (Z.ltb_spec n 0) as [C|C].
        { destruct (A C) as (s & q & Hs & Hq & H). exists s, q.
          rewrite eqb_refl' in H. rewrite eqb_negb'. repeat split; auto. lia. }
        destruct (kw_dec k (negb k) n P) as [H|H]; auto. exfalso.
        destruct (not_kw_opp_ex k n P) as (Q & HQ & H'); auto.
        intros D. apply HL. now apply free_nolock.
Qed.

(** Race theorem, third part: the winner is that of last-mover-wins play in
    which the keeper may not make the race winner free. *)
Theorem race_restricted m P :
  0 < hand true P -> 0 < hand false P ->
  game m P = if np (keeps_lock (keeper m P)) (size P) (keeper m P) m 0 P
             then keeper m P else race m P.
Proof.
  intros H1 H2. remember (keeper m P) as k eqn:Ek.
  assert (Ew : race m P = negb k) by (subst k; unfold keeper; now rewrite negb_involutive).
  assert (HR : rw k m P) by (apply keeper_rw; auto).
  rewrite Ew.
  assert (E : np (keeps_lock k) (size P) k m 0 P = true <-> kw k m 0 P).
  { destruct (freeb (negb k) P) eqn:F.
    - assert (HL := F). apply freeb_nolock in HL.
      split; [|intros C; now apply (nolock_not_kw k m 0 P) in HL].
      intros C. exfalso.
      assert (Own : forall f n Q, nolock k Q -> (n <= 0)%Z ->
                 np (keeps_lock k) f k k n Q = false).
      { intros f n Q HQ Hn. destruct f; simpl; rewrite eqb_refl'; auto.
        destruct (Z.ltb_spec 0 n); [lia|]. simpl.
        apply not_true_is_false. intros D. apply existsb_exists in D.
        destruct D as (Q' & HQ' & D). apply andb_true_iff in D. destruct D as [D _].
        unfold keeps_lock in D. apply negb_true_iff in D.
        assert (N := nolock_play _ _ _ _ HQ HQ'). apply freeb_nolock in N. congruence. }
      destruct (own_or_opp k m) as [->| ->].
      + rewrite Own in C; auto; [discriminate|lia].
      + destruct (nolock_move k P HL) as (Q & HQ); [destruct k; auto|].
        pose proof (move_size _ _ _ HQ) as Z. rewrite Z in C. simpl in C.
        rewrite eqb_negb' in C. simpl in C.
        rewrite forallb_forall in C. specialize (C Q HQ).
        rewrite negb_involutive in C. rewrite Own in C; [discriminate| |lia].
        eapply nolock_play; eauto.
    - apply restricted_value; [|lia].
      intros C. apply freeb_spec in C. congruence. }
  assert (G : game m P = k <-> kw k m 0 P)
    by (apply keeper_wins; auto; destruct k; auto).
  destruct (np _ _ _ _ _ _).
  - apply G, E. reflexivity.
  - apply not_eq_negb. intros C. apply G, E in C. discriminate.
Qed.
