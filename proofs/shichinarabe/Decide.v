(** * The decision procedure for suits, all winning moves, O(1) updates *)

From Coq Require Import List Arith ZArith Lia Bool.
From Shichinarabe Require Import Game Value Race.
Import ListNotations.
Local Open Scope Z_scope.

(** ** One record per suffix, computed from the next one *)

Record rcd := mk { rA : Z; rKL : option Z; rKR : option Z; rL : bool; rR : bool }.

Definition empty_rcd : rcd := mk 0 None None false false.

Definition step (c : player) (r : rcd) : rcd :=
  if c then (* L + X *)
    let A' := Z.max 0 (rA r + 1) in
    mk A'
       (if rR r then Some (if 0 <? A' then omin A' (rKL r) else 0) else None)
       (match rKR r with None => None
                       | Some q => Some (Z.max 0 (q - Z.max 0 (- rA r - 1))) end)
       true (rR r)
  else (* R + X *)
    let A' := Z.min 0 (rA r - 1) in
    mk A'
       (match rKL r with None => None
                       | Some q => Some (Z.max 0 (q - Z.max 0 (rA r - 1))) end)
       (if rL r then Some (if A' <? 0 then omin (- A') (rKR r) else 0) else None)
       (rL r) true.

Definition eval (s : suit) : rcd := fold_right step empty_rcd s.

Lemma eval_spec s :
  eval s = mk (val true s) (price true s) (price false s) (has true s) (has false s).
Proof.
  induction s as [|c X IH]; auto.
  change (eval (c :: X)) with (step c (eval X)). rewrite IH.
  pose proof (val_opp_view true X) as V. simpl negb in V.
  destruct c; unfold step; cbn [rA rKL rKR rL rR].
  - simpl. rewrite V. reflexivity.
  - simpl. rewrite V. f_equal.
    destruct (has true X); auto. f_equal.
    replace (Z.max 0 (- val true X + 1)) with (- Z.min 0 (val true X - 1)) by lia.
    destruct (Z.ltb_spec (Z.min 0 (val true X - 1)) 0);
    destruct (Z.ltb_spec 0 (- Z.min 0 (val true X - 1))); auto; lia.
Qed.

(** The records of all suffixes in one pass from right to left. *)
Fixpoint scan (s : suit) : list rcd :=
  match s with
  | [] => [empty_rcd]
  | c :: X => step c (hd empty_rcd (scan X)) :: scan X
  end.

Theorem scan_correct s i :
  (i <= length s)%nat -> nth_error (scan s) i = Some (eval (skipn i s)).
Proof.
  revert i. induction s as [|c X IH]; intros i H; simpl in H.
  - assert (i = 0%nat) by lia. subst. reflexivity.
  - destruct i as [|i].
    + simpl. f_equal. f_equal. specialize (IH 0%nat ltac:(lia)).
      destruct (scan X); simpl in *; [discriminate|]. congruence.
    + simpl. apply IH. lia.
Qed.

(** ** The decision *)

Definition rprice (k : player) (r : rcd) : option Z := if k then rKL r else rKR r.
Definition sgn (k : player) : Z := if k then 1 else -1.

Lemma rprice_eval k s : rprice k (eval s) = price k s.
Proof. rewrite eval_spec. destruct k; reflexivity. Qed.

Definition ominopt (a b : option Z) : option Z :=
  match a with None => b | Some x => Some (omin x b) end.

(** Price of a list = minimum over the suits. *)
Definition list_price (k : player) (rs : list rcd) : option Z :=
  fold_right (fun r o => ominopt (rprice k r) o) None rs.

Definition total (rs : list rcd) : Z := fold_right (fun r z => rA r + z) 0 rs.

Definition decide (m : player) (P : pos) : player :=
  if (hand true P =? 0)%nat then true
  else if (hand false P =? 0)%nat then false
  else
    let rs := map eval P in
    let w := race m P in
    let k := negb w in
    if freeb w P then w else
    let a := sgn k * total rs in
    if (a <? 0) || ((a =? 0) && eqb m k) then w else
    match list_price k rs with
    | None => w
    | Some p =>
        let t := a - p in
        if (0 <? t) || ((t =? 0) && eqb m w) then k else w
    end.

Lemma total_sumval P : total (map eval P) = sumval true P.
Proof.
  induction P as [|s P IH]; auto.
  change (total (map eval (s :: P))) with (rA (eval s) + total (map eval P)).
  rewrite IH, eval_spec. reflexivity.
Qed.

Lemma sgn_sumval k P : sgn k * sumval true P = sumval k P.
Proof.
  pose proof (sumval_opp_view true P) as V. simpl negb in V.
  destruct k; unfold sgn; lia.
Qed.

Lemma list_price_None k P : list_price k (map eval P) = None <-> nolock k P.
Proof.
  unfold nolock. induction P as [|s P IH]; simpl.
  - split; auto. intros _ s [].
  - rewrite rprice_eval. destruct (price k s) as [q|] eqn:E; simpl.
    + split; [discriminate|]. intros H. specialize (H s (or_introl eq_refl)). congruence.
    + rewrite IH. split.
      * intros H s' [<-|Hs]; auto.
      * intros H s' Hs. auto.
Qed.

Lemma list_price_Some k P p :
  list_price k (map eval P) = Some p ->
  (exists s, In s P /\ price k s = Some p) /\
  (forall s q, In s P -> price k s = Some q -> p <= q).
Proof.
  revert p. induction P as [|s P IH]; simpl; [discriminate|]. intros p.
  rewrite rprice_eval. destruct (price k s) as [q|] eqn:E; simpl.
  - destruct (list_price k (map eval P)) as [p'|] eqn:EP; simpl; intros H; injection H as <-.
    + destruct (IH p' eq_refl) as [(s' & Hs' & Hp) HM]. split.
      * destruct (Z.min_spec q p') as [[_ ->]|[_ ->]]; [exists s|exists s']; auto.
      * intros s0 q0 [<-|H0] Hq; [rewrite E in Hq; injection Hq as <-; lia|].
        specialize (HM _ _ H0 Hq). lia.
    + apply list_price_None in EP. split; [exists s; auto|].
      intros s0 q0 [<-|H0] Hq; [rewrite E in Hq; injection Hq as <-; lia|].
      rewrite (EP _ H0) in Hq. discriminate.
  - intros H. destruct (IH p H) as [(s' & Hs' & Hp) HM]. split; [exists s'; auto|].
    intros s0 q0 [<-|H0] Hq; [congruence|]. eauto.
Qed.

(** The keeper's condition in terms of the minimum. *)
Lemma kw_price k m n P :
  kw k m n P <->
  match list_price k (map eval P) with
  | None => False
  | Some p => (if eqb m k then 1 else 0) <= sumval k P + n - p
  end.
Proof.
  destruct (list_price k (map eval P)) as [p|] eqn:E.
  - destruct (list_price_Some k P p E) as [(s & Hs & Hp) HM]. split.
    + intros (s' & q & Hs' & Hq & H). specialize (HM _ _ Hs' Hq). lia.
    + intros H. exists s, p. auto.
  - apply list_price_None in E. split; [|tauto].
    intros H. now apply (nolock_not_kw k m n P) in E.
Qed.

(** The restricted value is an integer: value minus price, and the price
    of a list is the minimum over the suits. *)
Theorem restricted_value_price k f m n P p :
  list_price k (map eval P) = Some p -> (size P + Z.abs_nat n <= f)%nat ->
  (np (keeps_lock k) f k m n P = true <->
   (if eqb m k then 1 else 0) <= (sumval k P - p) + n).
Proof.
  intros E Hf. rewrite restricted_value; auto.
  - rewrite kw_price, E. split; lia.
  - intros C. apply free_nolock in C. apply list_price_None in C. congruence.
Qed.

(** ** Correctness *)

Theorem decide_correct m P : (0 < size P)%nat -> decide m P = game m P.
Proof.
  intros H0. unfold decide. unfold size in H0.
  destruct (Nat.eqb_spec (hand true P) 0) as [E1|E1].
  { symmetry. apply game_empty; simpl; lia. }
  destruct (Nat.eqb_spec (hand false P) 0) as [E2|E2].
  { symmetry. apply game_empty; simpl; lia. }
  set (w := race m P). remember (negb w) as k eqn:Ek.
  assert (Ew : w = negb k) by (subst k; now rewrite negb_involutive).
  assert (Kk : keeper m P = k) by (subst k; reflexivity).
  assert (HR : rw k m P) by now apply keeper_rw.
  assert (G : game m P = k <-> kw k m 0 P)
    by (apply keeper_wins; auto; destruct k; lia).
  rewrite kw_price in G.
  assert (GW : game m P <> k -> w = game m P)
    by (intros C; apply not_eq_negb in C; congruence).
  rewrite total_sumval, sgn_sumval. clearbody w. subst w.
  destruct (freeb (negb k) P) eqn:F.
  { apply freeb_nolock, list_price_None in F. rewrite F in G. tauto. }
  destruct (list_price k (map eval P)) as [p|] eqn:E.
  2:{ apply list_price_None, freeb_nolock in E. congruence. }
  assert (Hp : 0 <= p).
  { destruct (list_price_Some k P p E) as [(s & _ & Hs) _].
    apply price_range in Hs. lia. }
  destruct (own_or_opp k m) as [->| ->].
  - rewrite eqb_refl' in *. rewrite eqb_negb, andb_true_r, andb_false_r, orb_false_r.
    destruct (Z.ltb_spec (sumval k P) 0); simpl.
    { apply GW. intros C. apply G in C. lia. }
    destruct (Z.eqb_spec (sumval k P) 0); simpl.
    { apply GW. intros C. apply G in C. lia. }
    destruct (Z.ltb_spec 0 (sumval k P - p)).
    { symmetry. apply G. lia. }
    { apply GW. intros C. apply G in C. lia. }
  - rewrite eqb_refl', eqb_negb' in *. rewrite andb_true_r, andb_false_r, orb_false_r.
    destruct (Z.ltb_spec (sumval k P) 0).
    { apply GW. intros C. apply G in C. lia. }
    destruct (Z.ltb_spec 0 (sumval k P - p)); simpl.
    { symmetry. apply G. lia. }
    destruct (Z.eqb_spec (sumval k P - p) 0); simpl.
    { symmetry. apply G. lia. }
    { apply GW. intros C. apply G in C. lia. }
Qed.

(** A play wins iff [decide] says so afterwards. *)
Theorem move_wins_iff m P Q :
  (0 < hand true P)%nat -> (0 < hand false P)%nat -> In Q (moves m P) ->
  (game (negb m) Q = m <-> decide (negb m) Q = m).
Proof.
  intros H1 H2 HQ. rewrite decide_correct; [tauto|].
  pose proof (move_hand_other _ _ _ HQ). rewrite (size_any m).
  destruct m; simpl in *; lia.
Qed.

(** ** Totals, O(1) update and O(1) decision *)

(** Hands, sum of values, numbers of suits with KL = 0, KL = 1, KR = 0, KR = 1. *)
Record tot := mkt { nL : nat; nR : nat; tS : Z;
                    l0 : nat; l1 : nat; r0 : nat; r1 : nat }.

Definition is0 (o : option Z) : nat := match o with Some 0 => 1 | _ => 0 end.
Definition is1 (o : option Z) : nat := match o with Some 1 => 1 | _ => 0 end.

Definition empty_tot := mkt 0 0 0 0 0 0 0.

Definition add_suit (s : suit) (t : tot) : tot :=
  let r := eval s in
  mkt (cnt true s + nL t) (cnt false s + nR t) (rA r + tS t)
      (is0 (rKL r) + l0 t) (is1 (rKL r) + l1 t)
      (is0 (rKR r) + r0 t) (is1 (rKR r) + r1 t).

Definition totals (P : pos) : tot := fold_right add_suit empty_tot P.

(** Replace the record [old] of one suit by that of its next suffix, [new],
    after a play of player [p]: a fixed number of operations. *)
Definition update (p : player) (old new : rcd) (t : tot) : tot :=
  mkt (if p then nL t - 1 else nL t) (if p then nR t else nR t - 1)
      (tS t - rA old + rA new)
      (l0 t - is0 (rKL old) + is0 (rKL new)) (l1 t - is1 (rKL old) + is1 (rKL new))
      (r0 t - is0 (rKR old) + is0 (rKR new)) (r1 t - is1 (rKR old) + is1 (rKR new)).

Theorem update_correct p a X b :
  totals (a ++ X :: b) = update p (eval (p :: X)) (eval X) (totals (a ++ (p :: X) :: b)).
Proof.
  assert (E : forall s, totals (a ++ s :: b) =
     let t := totals (a ++ b) in let r := eval s in
     mkt (cnt true s + nL t) (cnt false s + nR t) (rA r + tS t)
      (is0 (rKL r) + l0 t) (is1 (rKL r) + l1 t)
      (is0 (rKR r) + r0 t) (is1 (rKR r) + r1 t)).
  { intros s. induction a as [|s' a IH]; auto.
    change (totals ((s' :: a) ++ s :: b)) with (add_suit s' (totals (a ++ s :: b))).
    change (totals ((s' :: a) ++ b)) with (add_suit s' (totals (a ++ b))).
    rewrite IH. unfold add_suit. cbn -[eval cnt]. f_equal; lia. }
  rewrite !E. unfold update. cbn -[eval cnt].
  f_equal; try lia; destruct p; simpl; lia.
Qed.

Definition decide_tot (m : player) (t : tot) : player :=
  if (nL t =? 0)%nat then true
  else if (nR t =? 0)%nat then false
  else
    let w := if (nL t <? nR t)%nat then true else if (nR t <? nL t)%nat then false else m in
    let k := negb w in
    let a := sgn k * tS t in
    let c0 := if k then l0 t else r0 t in
    let c1 := if k then l1 t else r1 t in
    let wins p := (0 <? a - p) || ((a - p =? 0) && eqb m w) in
    if (0 <? c0)%nat then (if wins 0 then k else w)
    else if (0 <? c1)%nat then (if wins 1 then k else w)
    else w.

Lemma totals_spec P :
  nL (totals P) = hand true P /\ nR (totals P) = hand false P /\
  tS (totals P) = sumval true P.
Proof.
  induction P as [|s P (E1 & E2 & E3)]; auto.
  change (totals (s :: P)) with (add_suit s (totals P)).
  unfold add_suit. cbn -[eval cnt val]. rewrite E1, E2, E3, eval_spec. auto.
Qed.

Definition c0 (k : player) (t : tot) := if k then l0 t else r0 t.
Definition c1 (k : player) (t : tot) := if k then l1 t else r1 t.

Lemma totals_counts k P :
  list_price k (map eval P) =
  if (0 <? c0 k (totals P))%nat then Some 0
  else if (0 <? c1 k (totals P))%nat then Some 1 else None.
Proof.
  induction P as [|s P IH]; [destruct k; reflexivity|].
  change (list_price k (map eval (s :: P)))
    with (ominopt (rprice k (eval s)) (list_price k (map eval P))).
  assert (E0 : c0 k (totals (s :: P)) = (is0 (price k s) + c0 k (totals P))%nat).
  { change (totals (s :: P)) with (add_suit s (totals P)). rewrite <- rprice_eval.
    destruct k; reflexivity. }
  assert (E1 : c1 k (totals (s :: P)) = (is1 (price k s) + c1 k (totals P))%nat).
  { change (totals (s :: P)) with (add_suit s (totals P)). rewrite <- rprice_eval.
    destruct k; reflexivity. }
  rewrite E0, E1, IH, rprice_eval. clear.
  generalize (c0 k (totals P)), (c1 k (totals P)). intros u v.
  destruct (price k s) as [q|] eqn:E; simpl.
  - apply price_range in E. assert (q = 0 \/ q = 1) as [-> | ->] by lia; simpl.
    + destruct (Nat.ltb_spec 0 u); simpl; auto.
      destruct (Nat.ltb_spec 0 v); simpl; auto.
    + destruct (Nat.ltb_spec 0 u); simpl; auto.
      destruct (Nat.ltb_spec 0 v); simpl; auto.
  - reflexivity.
Qed.

Theorem decide_tot_correct m P :
  (0 < size P)%nat -> decide_tot m (totals P) = game m P.
Proof.
  intros H0. rewrite <- decide_correct by auto. unfold decide, decide_tot, race.
  destruct (totals_spec P) as (E1 & E2 & E3). rewrite E1, E2, E3, total_sumval.
  destruct (Nat.eqb_spec (hand true P) 0); auto.
  destruct (Nat.eqb_spec (hand false P) 0); auto.
  set (w := if (hand true P <? hand false P)%nat then true
            else if (hand false P <? hand true P)%nat then false else m).
  clearbody w. remember (negb w) as k eqn:Ek.
  assert (Ew : w = negb k) by (subst k; now rewrite negb_involutive). subst w. clear Ek.
  pose proof (totals_counts k P) as C. unfold c0, c1 in C.
  rewrite sgn_sumval. set (a := sumval k P). clearbody a.
  destruct (freeb (negb k) P) eqn:F.
  { apply freeb_nolock, list_price_None in F. rewrite F in C.
    destruct (0 <? _)%nat; [discriminate|]. destruct (0 <? _)%nat; [discriminate|]. auto. }
  rewrite C. 
  assert (D : forall p, 0 <= p ->
     (if (0 <? a - p) || ((a - p =? 0) && eqb m (negb k)) then k else negb k) =
     (if (a <? 0) || ((a =? 0) && eqb m k) then negb k
      else if (0 <? a - p) || ((a - p =? 0) && eqb m (negb k)) then k else negb k)).
  { intros p Hp. destruct (Z.ltb_spec a 0); simpl.
    - destruct (Z.ltb_spec 0 (a - p)); [lia|]. destruct (Z.eqb_spec (a - p) 0); [lia|]. auto.
    - destruct (Z.eqb_spec a 0); simpl; auto.
      destruct (own_or_opp k m) as [->| ->]; rewrite ?eqb_refl', ?eqb_negb, ?eqb_negb'; auto.
      rewrite andb_false_r, orb_false_r. destruct (Z.ltb_spec 0 (a - p)); [lia|auto]. }
  destruct (0 <? _)%nat; [apply D; lia|]. destruct (0 <? _)%nat; [apply D; lia|].
  destruct ((a <? 0) || _); auto.
Qed.

(** ** All winning moves *)

(** The position after a play in suit number [i]. *)
Fixpoint after (i : nat) (P : pos) : pos :=
  match P, i with
  | [], _ => []
  | s :: P', O => tl s :: P'
  | s :: P', S i' => s :: after i' P'
  end.

Definition legal (m : player) (P : pos) (i : nat) : Prop :=
  exists X, nth_error P i = Some (m :: X).

Lemma legal_moves m P Q :
  In Q (moves m P) <-> exists i, legal m P i /\ Q = after i P.
Proof.
  rewrite moves_spec. split.
  - intros (a & X & b & -> & ->). exists (length a). unfold legal. split.
    + exists X. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity.
    + induction a; simpl; congruence.
  - intros (i & (X & HX) & ->). revert i HX.
    induction P as [|s P IH]; intros i HX; [destruct i; discriminate|].
    destruct i as [|i]; simpl in HX.
    + injection HX as ->. exists [], X, P. auto.
    + destruct (IH i HX) as (a & Y & b & E1 & E2). exists (s :: a), Y, b.
      simpl. rewrite E2. split; congruence.
Qed.

Definition hand_tot (m : player) (t : tot) : nat := if m then nL t else nR t.

(** Does playing suit [s] win? Uses the totals and two records only. *)
Definition suit_wins (m : player) (t : tot) (s : suit) : bool :=
  match s with
  | [] => false
  | c :: X =>
      eqb c m &&
      ((hand_tot m t =? 1)%nat ||
       eqb (decide_tot (negb m) (update m (eval s) (eval X) t)) m)
  end.

Fixpoint indices (f : suit -> bool) (i : nat) (P : pos) : list nat :=
  match P with
  | [] => []
  | s :: P' => (if f s then [i] else []) ++ indices f (S i) P'
  end.

Definition winning_moves (m : player) (P : pos) : list nat :=
  let t := totals P in
  if (nL t =? 0)%nat || (nR t =? 0)%nat then [] else indices (suit_wins m t) 0 P.

Lemma indices_spec f : forall P i j,
  In j (indices f i P) <-> exists s, (i <= j)%nat /\ nth_error P (j - i) = Some s /\ f s = true.
Proof.
  induction P as [|s P IH]; intros i j; simpl.
  - split; [tauto|]. intros (s & _ & H & _). destruct (j - i)%nat; discriminate.
  - rewrite in_app_iff, IH. split.
    + intros [H|(s' & H1 & H2 & H3)].
      * destruct (f s) eqn:E; [|destruct H]. destruct H as [<-|[]].
        exists s. rewrite Nat.sub_diag. auto.
      * exists s'. split; [lia|]. replace (j - i)%nat with (S (j - S i)) by lia. auto.
    + intros (s' & H1 & H2 & H3). destruct (Nat.eq_dec i j) as [->|E].
      * rewrite Nat.sub_diag in H2. injection H2 as ->. rewrite H3. left. simpl. auto.
      * right. exists s'. replace (j - i)%nat with (S (j - S i)) in H2 by lia.
        split; [lia|]. auto.
Qed.

Lemma after_split a X p b : after (length a) (a ++ (p :: X) :: b) = a ++ X :: b.
Proof. induction a; simpl; congruence. Qed.

Theorem winning_moves_correct m P i :
  (0 < hand true P)%nat -> (0 < hand false P)%nat ->
  (In i (winning_moves m P) <-> legal m P i /\ game (negb m) (after i P) = m).
Proof.
  intros H1 H2. unfold winning_moves. destruct (totals_spec P) as (E1 & E2 & _).
  rewrite E1, E2.
  destruct (Nat.eqb_spec (hand true P) 0); [lia|].
  destruct (Nat.eqb_spec (hand false P) 0); [lia|]. simpl.
  rewrite indices_spec, Nat.sub_0_r. unfold legal.
  assert (K : forall X, nth_error P i = Some (m :: X) ->
      (suit_wins m (totals P) (m :: X) = true <-> game (negb m) (after i P) = m)).
  { intros X HX. destruct (nth_error_split P i HX) as (a & b & EP & EL).
    assert (EA : after i P = a ++ X :: b) by (rewrite EP, <- EL; apply after_split).
    assert (HQ : In (a ++ X :: b) (moves m P))
      by (apply moves_spec; exists a, X, b; auto).
    pose proof (move_hand_own _ _ _ HQ) as M1. pose proof (move_hand_other _ _ _ HQ) as M2.
    assert (HO : (0 < hand (negb m) P)%nat) by (destruct m; simpl; lia).
    rewrite EA. unfold suit_wins. rewrite eqb_refl', andb_true_l.
    pose proof (update_correct m a X b) as U. rewrite <- EP in U. rewrite <- U.
    rewrite decide_tot_correct by (rewrite (size_any m); lia).
    replace (hand_tot m (totals P)) with (hand m P)
      by (destruct m; simpl; auto).
    destruct (Nat.eqb_spec (hand m P) 1); simpl.
    - split; auto. intros _. apply game_empty; lia.
    - split; [apply eqb_prop|]. intros ->. apply eqb_refl'. }
  split.
  - intros (s & _ & HX & HW). destruct s as [|c X]; [discriminate|].
    assert (c = m).
    { simpl in HW. apply andb_true_iff in HW. now apply eqb_prop. }
    subst c. split; [eauto|]. now apply (K X).
  - intros [(X & HX) HG]. exists (m :: X). split; [lia|]. split; auto. now apply K.
Qed.

(** A finished game has no winning moves. *)
Lemma winning_moves_over m P :
  hand true P = 0%nat \/ hand false P = 0%nat -> winning_moves m P = [].
Proof.
  intros H. unfold winning_moves. destruct (totals_spec P) as (E1 & E2 & _).
  rewrite E1, E2. destruct H as [-> | ->]; simpl; auto. now rewrite orb_true_r.
Qed.

(** The mover wins iff he has a winning move. *)
Corollary winner_has_winning_move m P :
  (0 < hand true P)%nat -> (0 < hand false P)%nat ->
  (game m P = m <-> winning_moves m P <> []).
Proof.
  intros H1 H2. rewrite game_mover; [|destruct m; auto|destruct m; auto]. split.
  - intros (Q & HQ & G). apply legal_moves in HQ. destruct HQ as (i & HL & ->).
    assert (I : In i (winning_moves m P)) by (apply winning_moves_correct; auto).
    intros C. rewrite C in I. destruct I.
  - intros H. destruct (winning_moves m P) as [|i l] eqn:E; [congruence|].
    assert (I : In i (winning_moves m P)) by (rewrite E; simpl; auto).
    apply winning_moves_correct in I; auto. destruct I as [HL HG].
    exists (after i P). split; auto. apply legal_moves. eauto.
Qed.

(** The whole answer: winner and all winning moves; [None] if both hands are
    empty, which is not a position. *)
Definition answer (m : player) (P : pos) : option (player * list nat) :=
  if (size P =? 0)%nat then None
  else Some (decide_tot m (totals P), winning_moves m P).

Theorem answer_correct m P :
  match answer m P with
  | None => hand true P = 0%nat /\ hand false P = 0%nat
  | Some (winner, ms) =>
      winner = game m P /\
      forall i, In i ms <->
        (0 < hand true P)%nat /\ (0 < hand false P)%nat /\
        legal m P i /\ game (negb m) (after i P) = m
  end.
Proof.
  unfold answer. destruct (Nat.eqb_spec (size P) 0) as [E|E].
  - unfold size in E. lia.
  - split; [apply decide_tot_correct; lia|]. intros i.
    destruct (Nat.eq_dec (hand true P) 0); [rewrite winning_moves_over by auto; simpl; lia|].
    destruct (Nat.eq_dec (hand false P) 0); [rewrite winning_moves_over by auto; simpl; lia|].
    rewrite winning_moves_correct by lia. intuition lia.
Qed.
