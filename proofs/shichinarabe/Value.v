(** * Value and price of a suit, and how one play changes them

    Everything is written from the side of a player [k] (the keeper): a card is
    own if its letter is [k]. [val true] is the value A (positive: good for
    L), [val false] is -A; [price true] is KL and [price false] is KR, with [None]
    for INF (no lock). *)

From Coq Require Import List Arith ZArith Lia Bool.
From Shichinarabe Require Import Game.
Import ListNotations.
Local Open Scope Z_scope.

Fixpoint has (p : player) (s : suit) : bool :=
  match s with
  | [] => false
  | c :: X => eqb c p || has p X
  end.

Fixpoint val (k : player) (s : suit) : Z :=
  match s with
  | [] => 0
  | c :: X => if eqb c k then Z.max 0 (val k X + 1) else Z.min 0 (val k X - 1)
  end.

Definition omin (a : Z) (o : option Z) : Z :=
  match o with None => a | Some b => Z.min a b end.

Fixpoint price (k : player) (s : suit) : option Z :=
  match s with
  | [] => None
  | c :: X =>
      if eqb c k then
        if has (negb k) X then
          Some (if 0 <? Z.max 0 (val k X + 1)
                then omin (Z.max 0 (val k X + 1)) (price k X) else 0)
        else None
      else
        match price k X with
        | None => None
        | Some q => Some (Z.max 0 (q - Z.max 0 (val k X - 1)))
        end
  end.

(** Sum of the values. *)
Fixpoint sumval (k : player) (P : pos) : Z :=
  match P with
  | [] => 0
  | s :: P' => val k s + sumval k P'
  end.

(** ** One suit *)

Lemma val_own k X : val k (k :: X) = Z.max 0 (val k X + 1).
Proof. simpl. now rewrite eqb_refl'. Qed.

Lemma val_opp k X : val k (negb k :: X) = Z.min 0 (val k X - 1).
Proof. simpl. now rewrite eqb_negb'. Qed.

Lemma price_own k X :
  price k (k :: X) =
  if has (negb k) X then
    Some (if 0 <? val k (k :: X) then omin (val k (k :: X)) (price k X) else 0)
  else None.
Proof. simpl. now rewrite eqb_refl'. Qed.

Lemma price_opp k X :
  price k (negb k :: X) =
  match price k X with
  | None => None
  | Some q => Some (Z.max 0 (q - Z.max 0 (val k X - 1)))
  end.
Proof. simpl. now rewrite eqb_negb'. Qed.

Lemma own_or_opp (k c : player) : c = k \/ c = negb k.
Proof. destruct k, c; auto. Qed.

Lemma val_opp_view k s : val (negb k) s = - val k s.
Proof.
  induction s as [|c X IH]; auto.
  destruct (own_or_opp k c) as [->| ->].
  - rewrite val_own. replace k with (negb (negb k)) at 2 by apply negb_involutive.
    rewrite val_opp, IH. lia.
  - rewrite val_own, val_opp, IH. lia.
Qed.

Lemma has_cnt p s : has p s = true <-> (0 < cnt p s)%nat.
Proof.
  induction s as [|c X IH]; simpl.
  - split; [discriminate|lia].
  - destruct (eqb c p); simpl; [split; auto; lia|]. rewrite IH. lia.
Qed.

Lemma price_own_None_inv k X : price k (k :: X) = None -> has (negb k) X = false.
Proof. rewrite price_own. destruct (has _ _); [discriminate|auto]. Qed.

Lemma price_has k s q : price k s = Some q -> has (negb k) s = true.
Proof.
  revert q. induction s as [|c X IH]; intros q; [discriminate|].
  destruct (own_or_opp k c) as [->| ->].
  - rewrite price_own. simpl. destruct (has (negb k) X); [|discriminate].
    intros _. apply orb_true_r.
  - intros _. simpl. rewrite eqb_refl'. reflexivity.
Qed.

Lemma no_opp_no_price k s : has (negb k) s = false -> price k s = None.
Proof.
  intros H. destruct (price k s) eqn:E; auto.
  apply price_has in E. congruence.
Qed.

(** A suit with opponent cards but no lock begins with one of them. *)
Lemma nolock_val k s : price k s = None -> has (negb k) s = true -> val k s <= 0.
Proof.
  destruct s as [|c X]; [discriminate|].
  destruct (own_or_opp k c) as [->| ->]; intros H1 H2.
  - apply price_own_None_inv in H1. simpl in H2. rewrite H1, eqb_negb in H2.
    discriminate.
  - rewrite val_opp. lia.
Qed.

(** The price is 0, 1 or infinite. *)
Lemma price_range k s q : price k s = Some q -> 0 <= q <= 1.
Proof.
  revert q. induction s as [|c X IH]; intros q; [discriminate|].
  destruct (own_or_opp k c) as [->| ->].
  - rewrite price_own. destruct (has (negb k) X) eqn:E; [|discriminate].
    pose proof (val_own k X) as V. revert V.
    generalize (val k (k :: X)). intros v V H; injection H as <-.
    destruct (Z.ltb_spec 0 v); [|lia].
    destruct (price k X) as [q'|] eqn:EP; simpl.
    + specialize (IH _ eq_refl). lia.
    + pose proof (nolock_val k X EP E). lia.
  - rewrite price_opp. destruct (price k X) as [q'|]; [|discriminate].
    intros H; injection H as <-. specialize (IH _ eq_refl). lia.
Qed.

(** Effect of an opponent's play: the price falls at most by what he overpays. *)
Lemma opp_play k X :
  val k X - val k (negb k :: X) = 1 + Z.max 0 (val k X - 1).
Proof. rewrite val_opp. lia. Qed.

Lemma opp_play_price k X q :
  price k (negb k :: X) = Some q ->
  exists q', price k X = Some q' /\ q' <= q + Z.max 0 (val k X - 1).
Proof.
  rewrite price_opp. destruct (price k X) as [q'|]; [|discriminate].
  intros H; injection H as <-. exists q'. split; auto. lia.
Qed.

Lemma opp_play_None k X : price k (negb k :: X) = None -> price k X = None.
Proof. rewrite price_opp. destruct (price k X); [discriminate|auto]. Qed.

Lemma own_play_None k X : price k (k :: X) = None -> price k X = None.
Proof. intros H. apply price_own_None_inv in H. now apply no_opp_no_price. Qed.

(** A suit of positive (negative) value begins with an own (opponent's) card,
    and playing it costs exactly 1. *)
Lemma val_pos k s : 0 < val k s -> exists X, s = k :: X /\ val k X = val k s - 1.
Proof.
  destruct s as [|c X]; [simpl; lia|].
  destruct (own_or_opp k c) as [->| ->].
  - rewrite val_own. exists X. split; auto. lia.
  - rewrite val_opp. lia.
Qed.

Lemma val_neg k s :
  val k s < 0 -> exists X, s = negb k :: X /\ val k X = val k s + 1.
Proof.
  destruct s as [|c X]; [simpl; lia|].
  destruct (own_or_opp k c) as [->| ->].
  - rewrite val_own. lia.
  - rewrite val_opp. exists X. split; auto. lia.
Qed.

(** Playing an opponent suit of negative value leaves the price as it is. *)
Lemma opp_play_neg_price k X :
  val k (negb k :: X) < 0 -> price k X = price k (negb k :: X).
Proof.
  rewrite val_opp, price_opp. intros H.
  destruct (price k X) as [q|] eqn:E; auto.
  apply price_range in E. f_equal. lia.
Qed.

(** A suit of value 0 and price 1 begins with an opponent's card; playing it
    costs him 1 and leaves price 1. *)
Lemma zero_price1 k s :
  price k s = Some 1 -> val k s = 0 ->
  exists X, s = negb k :: X /\ val k X = 1 /\ price k X = Some 1.
Proof.
  destruct s as [|c X]; [discriminate|].
  destruct (own_or_opp k c) as [->| ->]; intros HP HV.
  - rewrite price_own in HP. destruct (has (negb k) X); [|discriminate].
    rewrite HV in HP. simpl in HP. discriminate.
  - exists X. split; auto. rewrite price_opp in HP. rewrite val_opp in HV.
    destruct (price k X) as [q|] eqn:E; [|discriminate].
    apply price_range in E. injection HP as HP.
    assert (val k X = 1 /\ q = 1) as [-> ->] by lia. auto.
Qed.

(** An own play costs at least 1; if the value was positive the price does not
    fall below what it was, otherwise the price was 0. *)
Lemma own_play k X : val k X <= val k (k :: X) - 1.
Proof. rewrite val_own. lia. Qed.

Lemma own_play_price k X q :
  price k X = Some q ->
  exists q', price k (k :: X) = Some q' /\ q' <= q.
Proof.
  intros H. rewrite price_own. rewrite (price_has _ _ _ H), H.
  eexists; split; eauto. apply price_range in H.
  destruct (Z.ltb_spec 0 (val k (k :: X))); simpl; lia.
Qed.

(** Where the price of an own suit comes from. *)
Lemma own_play_keep k X q :
  price k (k :: X) = Some q -> q < val k (k :: X) -> price k X = Some q.
Proof.
  rewrite price_own. destruct (has (negb k) X); [|discriminate].
  generalize (val k (k :: X)). intros v H; injection H as <-.
  destruct (Z.ltb_spec 0 v); [|lia].
  destruct (price k X) as [q|]; simpl; [|lia]. intros. f_equal. lia.
Qed.

(** ** A list of suits *)

Lemma sumval_app k P Q : sumval k (P ++ Q) = sumval k P + sumval k Q.
Proof. induction P; simpl; lia. Qed.

Lemma sumval_opp_view k P : sumval (negb k) P = - sumval k P.
Proof. induction P as [|s P IH]; simpl; auto. rewrite val_opp_view. lia. Qed.

Lemma sumval_pos k P :
  0 < sumval k P -> exists l1 s l2, P = l1 ++ s :: l2 /\ 0 < val k s.
Proof.
  induction P as [|s P IH]; simpl; [lia|]. intros H.
  destruct (Z.ltb_spec 0 (val k s)).
  - exists [], s, P. auto.
  - destruct IH as (l1 & s' & l2 & -> & H'); [lia|]. exists (s :: l1), s', l2. auto.
Qed.

Lemma sumval_neg k P :
  sumval k P < 0 -> exists l1 s l2, P = l1 ++ s :: l2 /\ val k s < 0.
Proof.
  induction P as [|s P IH]; simpl; [lia|]. intros H.
  destruct (Z.ltb_spec (val k s) 0).
  - exists [], s, P. auto.
  - destruct IH as (l1 & s' & l2 & -> & H'); [lia|]. exists (s :: l1), s', l2. auto.
Qed.

(** [nolock k P]: the opponent of [k] is free (see Race). *)
Definition nolock (k : player) (P : pos) : Prop :=
  forall s, In s P -> price k s = None.

(** [kw k m n P]: the keeper's winning condition in P plus n spare plays
    (n < 0: spare plays of the opponent): some lock is affordable. *)
Definition kw (k m : player) (n : Z) (P : pos) : Prop :=
  exists s q, In s P /\ price k s = Some q /\
              (if eqb m k then 1 else 0) <= sumval k P + n - q.

Lemma nolock_not_kw k m n P : nolock k P -> ~ kw k m n P.
Proof. intros H (s & q & Hs & Hq & _). rewrite (H s Hs) in Hq. discriminate. Qed.

Lemma in_mid (s x : suit) l1 l2 : In s (l1 ++ x :: l2) -> s = x \/ In s (l1 ++ l2).
Proof. rewrite !in_app_iff. simpl. intuition auto. Qed.

Lemma mid_in (s x : suit) l1 l2 : In s (l1 ++ l2) -> In s (l1 ++ x :: l2).
Proof. rewrite !in_app_iff. simpl. tauto. Qed.

Lemma in_mid_eq (x : suit) l1 l2 : In x (l1 ++ x :: l2).
Proof. rewrite in_app_iff. simpl. tauto. Qed.

Lemma sumval_mid k l1 (s : suit) l2 :
  sumval k (l1 ++ s :: l2) = val k s + sumval k (l1 ++ l2).
Proof. rewrite !sumval_app. simpl. lia. Qed.

(** (b) The opponent to move in a keeper's win: every play keeps it so. *)
Lemma kw_opp_all k n P Q :
  kw k (negb k) n P -> In Q (moves (negb k) P) -> kw k k n Q.
Proof.
  intros (s & q & Hs & Hq & Hle) HQ. rewrite eqb_negb' in Hle.
  apply moves_spec in HQ. destruct HQ as (l1 & X & l2 & -> & ->).
  pose proof (opp_play k X) as D. rewrite sumval_mid in Hle.
  apply in_mid in Hs. destruct Hs as [-> | Hs].
  - destruct (opp_play_price k X q Hq) as (q' & Hq' & Hle').
    exists X, q'. split; [apply in_mid_eq|]. split; auto.
    rewrite eqb_refl', sumval_mid. lia.
  - exists s, q. split; [now apply mid_in|]. split; auto.
    rewrite eqb_refl', sumval_mid. lia.
Qed.

(** (a) The keeper to move in his win, no spare play of his own: he has a play
    that keeps it. *)
Lemma kw_own_ex k n P :
  n <= 0 -> kw k k n P -> exists Q, In Q (moves k P) /\ kw k (negb k) n Q.
Proof.
  intros Hn (s & q & Hs & Hq & Hle). rewrite eqb_refl' in Hle.
  pose proof (price_range _ _ _ Hq).
  apply in_split in Hs. destruct Hs as (l1 & l2 & ->).
  rewrite sumval_mid in Hle.
  destruct (Z.ltb_spec 0 (sumval k (l1 ++ l2))) as [Hpos|Hneg].
  - (* another suit of positive value *)
    assert (E : exists m1 X m2, In (m1 ++ X :: m2) (moves k (l1 ++ s :: l2)) /\
                In s (m1 ++ X :: m2) /\
                sumval k (m1 ++ X :: m2) = sumval k (l1 ++ s :: l2) - 1).
    { rewrite sumval_app in Hpos.
      destruct (Z.ltb_spec 0 (sumval k l1)) as [H1|H1].
      - apply sumval_pos in H1. destruct H1 as (a & s' & b & -> & Hv).
        destruct (val_pos k s' Hv) as (X & -> & HX).
        exists a, X, (b ++ s :: l2). split; [|split].
        + apply moves_spec. exists a, X, (b ++ s :: l2). split; auto.
          rewrite <- app_assoc. reflexivity.
        + rewrite !in_app_iff. simpl. rewrite in_app_iff. simpl. tauto.
        + rewrite <- app_assoc. simpl app. rewrite !sumval_mid. lia.
      - assert (H2 : 0 < sumval k l2) by lia.
        apply sumval_pos in H2. destruct H2 as (a & s' & b & -> & Hv).
        destruct (val_pos k s' Hv) as (X & -> & HX).
        exists (l1 ++ s :: a), X, b. split; [|split].
        + apply moves_spec. exists (l1 ++ s :: a), X, b. split; auto.
          rewrite <- app_assoc. reflexivity.
        + rewrite !in_app_iff. simpl. tauto.
        + replace (l1 ++ s :: a ++ (k :: X) :: b)
            with ((l1 ++ s :: a) ++ (k :: X) :: b)
            by (rewrite <- app_assoc; reflexivity).
          rewrite !sumval_mid. lia. }
    destruct E as (m1 & X & m2 & HQ & Hs & HS).
    exists (m1 ++ X :: m2). split; auto. exists s, q. split; auto. split; auto.
    rewrite eqb_negb', HS, sumval_mid. lia.
  - (* the lock itself has a value above its price *)
    destruct (val_pos k s) as (X & -> & HX); [lia|].
    exists (l1 ++ X :: l2). split; [apply moves_spec; eauto|].
    exists X, q. split; [apply in_mid_eq|]. split.
    + apply own_play_keep; auto. lia.
    + rewrite eqb_negb', sumval_mid. lia.
Qed.

(** (d) The keeper to move, not his win: no play of his makes it one. *)
Lemma not_kw_own_all k n P Q :
  In Q (moves k P) -> kw k (negb k) n Q -> kw k k n P.
Proof.
  intros HQ (s & q & Hs & Hq & Hle).
  apply moves_spec in HQ. destruct HQ as (l1 & X & l2 & -> & ->).
  rewrite eqb_negb', sumval_mid in Hle. pose proof (own_play k X).
  apply in_mid in Hs. destruct Hs as [-> | Hs].
  - destruct (own_play_price k X q Hq) as (q' & Hq' & Hle').
    exists (k :: X), q'. split; [apply in_mid_eq|]. split; auto.
    rewrite eqb_refl', sumval_mid. lia.
  - exists s, q. split; [now apply mid_in|]. split; auto.
    rewrite eqb_refl', sumval_mid. lia.
Qed.

Lemma nolock_dec k P :
  nolock k P \/ exists s q, In s P /\ price k s = Some q.
Proof.
  induction P as [|s P [IH|(s' & q & Hs & Hq)]].
  - left. intros s [].
  - destruct (price k s) as [q|] eqn:E.
    + right. exists s, q. simpl. auto.
    + left. intros s' [<-|H]; auto.
  - right. exists s', q. simpl. auto.
Qed.

(** (c) The opponent to move, there is a lock, not a keeper's win, no spare play
    of the opponent: he has a play after which it is still not. *)
Lemma not_kw_opp_ex k n P :
  0 <= n -> ~ nolock k P -> ~ kw k (negb k) n P ->
  exists Q, In Q (moves (negb k) P) /\ ~ kw k k n Q.
Proof.
  intros Hn HL HN.
  assert (HA : forall s q, In s P -> price k s = Some q -> sumval k P + n < q).
  { intros s q Hs Hq. destruct (Z.ltb_spec (sumval k P + n) q); auto.
    exfalso. apply HN. exists s, q. rewrite eqb_negb'. auto with zarith. }
  destruct (nolock_dec k P) as [C|(s0 & q0 & Hs0 & Hq0)]; [contradiction|].
  pose proof (HA _ _ Hs0 Hq0) as H0. pose proof (price_range _ _ _ Hq0) as R0.
  destruct (Z.ltb_spec (sumval k P) 0) as [Hneg|Hpos].
  - (* a suit of negative value *)
    apply sumval_neg in Hneg. destruct Hneg as (l1 & s & l2 & -> & Hv).
    destruct (val_neg k s Hv) as (X & -> & HX).
    exists (l1 ++ X :: l2). split; [apply moves_spec; eauto|].
    intros (s & q & Hs & Hq & Hle). rewrite eqb_refl', sumval_mid in Hle.
    rewrite sumval_mid in HA. apply in_mid in Hs. destruct Hs as [-> | Hs].
    + rewrite (opp_play_neg_price k X Hv) in Hq.
      specialize (HA _ _ (in_mid_eq _ _ _) Hq). lia.
    + specialize (HA _ _ (mid_in _ _ _ _ Hs) Hq). lia.
  - (* sum 0, every lock has price 1 *)
    assert (HS : sumval k P = 0) by lia. assert (n = 0) by lia. subst n.
    assert (q0 = 1) by lia. subst q0.
    assert (E : exists l1 X l2, P = l1 ++ (negb k :: X) :: l2 /\
              val k X = val k (negb k :: X) + 1 /\
              (price k X = price k (negb k :: X) \/ price k X = Some 1)).
    { destruct (Z.eq_dec (val k s0) 0) as [Z0|Z0].
      - destruct (zero_price1 k s0 Hq0 Z0) as (X & -> & HX & HP).
        apply in_split in Hs0. destruct Hs0 as (l1 & l2 & ->).
        exists l1, X, l2. rewrite Z0. auto.
      - assert (exists l1 s l2, P = l1 ++ s :: l2 /\ val k s < 0)
          as (l1 & s & l2 & -> & Hv).
        { destruct (Z.ltb_spec (val k s0) 0).
          - apply in_split in Hs0. destruct Hs0 as (l1 & l2 & ->).
            exists l1, s0, l2. auto.
          - apply in_split in Hs0. destruct Hs0 as (l1 & l2 & ->).
            rewrite sumval_mid, sumval_app in HS.
            destruct (Z.ltb_spec (sumval k l1) 0) as [H1|H1].
            + apply sumval_neg in H1. destruct H1 as (a & s & b & -> & Hv).
              exists a, s, (b ++ s0 :: l2). rewrite <- app_assoc. auto.
            + assert (H2 : sumval k l2 < 0) by lia.
              apply sumval_neg in H2. destruct H2 as (a & s & b & -> & Hv).
              exists (l1 ++ s0 :: a), s, b. rewrite <- app_assoc. auto. }
        destruct (val_neg k s Hv) as (X & -> & HX).
        exists l1, X, l2. split; auto. split; auto. left.
        now apply opp_play_neg_price. }
    destruct E as (l1 & X & l2 & -> & HX & HP).
    exists (l1 ++ X :: l2). split; [apply moves_spec; eauto|].
    intros (s & q & Hs & Hq & Hle).
    rewrite eqb_refl', sumval_mid in Hle. rewrite sumval_mid in HS, HA.
    apply in_mid in Hs. destruct Hs as [-> | Hs].
    + destruct HP as [HP|HP]; rewrite Hq in HP.
      * specialize (HA _ _ (in_mid_eq _ _ _) (eq_sym HP)). lia.
      * injection HP as ->. lia.
    + specialize (HA _ _ (mid_in _ _ _ _ Hs) Hq). lia.
Qed.

(** Without a lock the opponent can go on, and there is never a lock again. *)
Lemma nolock_play k p P Q : nolock k P -> In Q (moves p P) -> nolock k Q.
Proof.
  intros HL HQ. apply moves_spec in HQ. destruct HQ as (l1 & X & l2 & -> & ->).
  intros s Hs. apply in_mid in Hs. destruct Hs as [-> | Hs].
  - pose proof (HL _ (in_mid_eq _ _ _)) as H.
    destruct (own_or_opp k p) as [->| ->]; [now apply own_play_None|now apply opp_play_None].
  - apply HL. now apply mid_in.
Qed.

Lemma nolock_move k P :
  nolock k P -> (0 < hand (negb k) P)%nat -> exists Q, In Q (moves (negb k) P).
Proof.
  induction P as [|s P IH]; simpl; intros HL H; [lia|].
  destruct (Nat.eq_dec (cnt (negb k) s) 0) as [E|E].
  - destruct IH as (Q & HQ); [intros s' Hs'; apply HL; simpl; auto|lia|].
    exists (s :: Q). apply in_app_iff. right. now apply in_map.
  - assert (HP : price k s = None) by (apply HL; simpl; auto).
    assert (HH : has (negb k) s = true) by (apply has_cnt; lia).
    destruct s as [|c X]; [discriminate|].
    destruct (own_or_opp k c) as [->| ->].
    + apply price_own_None_inv in HP. simpl in HH. rewrite HP, eqb_negb in HH.
      discriminate.
    + exists (X :: P). rewrite eqb_refl'. apply in_app_iff. left. simpl. auto.
Qed.

(** A lock means that the opponent still holds cards. *)
Lemma lock_hand k s q P : In s P -> price k s = Some q -> (0 < hand (negb k) P)%nat.
Proof.
  intros Hs Hq. apply price_has in Hq. apply has_cnt in Hq.
  apply in_split in Hs. destruct Hs as (l1 & l2 & ->).
  rewrite hand_app. simpl. lia.
Qed.

Lemma kw_hand k m n P : kw k m n P -> (0 < hand (negb k) P)%nat.
Proof. intros (s & q & Hs & Hq & _). eapply lock_hand; eauto. Qed.

(** The condition is decidable. *)
Definition kwb (k m : player) (n : Z) (P : pos) : bool :=
  existsb (fun s => match price k s with
                    | Some q => (if eqb m k then 1 else 0) <=? sumval k P + n - q
                    | None => false
                    end) P.

Lemma kwb_spec k m n P : kwb k m n P = true <-> kw k m n P.
Proof.
  unfold kwb. rewrite existsb_exists. split.
  - intros (s & Hs & H). destruct (price k s) as [q|] eqn:E; [|discriminate].
    apply Z.leb_le in H. exists s, q. auto.
  - intros (s & q & Hs & Hq & H). exists s. split; auto. rewrite Hq.
    now apply Z.leb_le.
Qed.

Lemma kw_dec k m n P : kw k m n P \/ ~ kw k m n P.
Proof.
  destruct (kwb k m n P) eqn:E; [left|right].
  - now apply kwb_spec.
  - intros H. apply kwb_spec in H. congruence.
Qed.
