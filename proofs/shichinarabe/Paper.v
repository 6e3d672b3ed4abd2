(** * The six-case algorithm of the paper *)

From Coq Require Import List Arith ZArith Lia Bool.
From Shichinarabe Require Import Game Value Race Decide Table.
Import ListNotations.
Local Open Scope Z_scope.

(** Classes: 0; LL, RR; L, R; N (the paper's NL and NR, never told apart by the
    algorithm). *)
Inductive cls := C0 | LL | RR | CL | CR | CN.

(** f_I and f_S as the table gives them: row number, first letter, first run. *)
Definition fI_row (i : nat) (p : player) (x : nat) : Z := sgn p * row_val i x.
Definition fS_row (i : nat) (p : player) : cls :=
  match i with
  | 1%nat => C0
  | 2%nat => if p then LL else RR
  | 3%nat => if p then CR else CL
  | 4%nat => if p then CL else CR
  | _ => CN
  end.

(** [classed s v c]: the table gives f_I = v and f_S = c. *)
Definition classed (s : suit) (v : Z) (c : cls) : Prop :=
  (s = [] /\ v = 0 /\ c = C0) \/
  exists i p x, row i p x s /\ v = fI_row i p x /\ c = fS_row i p.

Definition KL_of (c : cls) : option Z :=
  match c with C0 | RR => None | LL | CL | CN => Some 0 | CR => Some 1 end.
Definition KR_of (c : cls) : option Z :=
  match c with C0 | LL => None | RR | CR | CN => Some 0 | CL => Some 1 end.

Lemma classed_spec s v c :
  classed s v c -> val true s = v /\ price true s = KL_of c /\ price false s = KR_of c.
Proof.
  intros [(-> & -> & ->)|(i & p & x & H & -> & ->)]; auto.
  pose proof (row_range _ _ _ _ H) as R.
  destruct (table_correct _ _ _ _ H) as (E1 & E2 & E3).
  assert (D : (i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6)%nat) by lia.
  unfold fI_row, fS_row, sgn. destruct p; simpl negb in E3.
  - destruct D as [->|[->|[->|[->|[->| ->]]]]];
      cbn [row_val row_own row_opp KL_of KR_of] in *; repeat split; auto; lia.
  - pose proof (val_opp_view true s) as V. simpl negb in V.
    destruct D as [->|[->|[->|[->|[->| ->]]]]];
      cbn [row_val row_own row_opp KL_of KR_of] in *; repeat split; auto; lia.
Qed.

Lemma classed_ex s : exists v c, classed s v c.
Proof.
  destruct s as [|a s]; [exists 0, C0; left; auto|].
  destruct (table_exists (a :: s)) as (i & p & x & H); [discriminate|].
  exists (fI_row i p x), (fS_row i p). right. exists i, p, x. auto.
Qed.

(** Computable versions. *)
Definition fI (s : suit) : Z := rA (eval s).
Definition fS (s : suit) : cls :=
  match rKL (eval s), rKR (eval s) with
  | None, None => C0
  | Some 0, None => LL
  | None, Some 0 => RR
  | Some 0, Some 1 => CL
  | Some 1, Some 0 => CR
  | _, _ => CN
  end.

Theorem classed_iff s v c : classed s v c <-> v = fI s /\ c = fS s.
Proof.
  assert (H : forall v c, classed s v c -> v = fI s /\ c = fS s).
  { intros v0 c0' Hc. apply classed_spec in Hc. destruct Hc as (E1 & E2 & E3).
    unfold fI, fS. rewrite eval_spec. cbn [rA rKL rKR]. rewrite E1, E2, E3.
    split; auto. destruct c0'; reflexivity. }
  split; auto. intros [-> ->]. destruct (classed_ex s) as (v' & c' & H').
  destruct (H _ _ H') as [<- <-]. exact H'.
Qed.

Lemma fS_prices s : price true s = KL_of (fS s) /\ price false s = KR_of (fS s).
Proof.
  destruct (classed_spec s (fI s) (fS s)) as (_ & A & B); auto.
  now apply classed_iff.
Qed.

Definition all_in (l : list cls) (P : pos) : bool :=
  forallb (fun s => existsb (fun c => match c, fS s with
      | C0, C0 | LL, LL | RR, RR | CL, CL | CR, CR | CN, CN => true
      | _, _ => false end) l) P.

Definition paper (m : player) (P : pos) : player :=
  let S := fold_right (fun s z => fI s + z) 0 P in
  if all_in [C0] P then (if S <? 0 then true else if 0 <? S then false else m)
  else if all_in [C0; LL] P then true
  else if all_in [C0; RR] P then false
  else if all_in [C0; LL; CL] P then
    (if -1 <? S then true else if S <? -1 then false else negb m)
  else if all_in [C0; RR; CR] P then
    (if S <? 1 then false else if 1 <? S then true else negb m)
  else (if 0 <? S then true else if S <? 0 then false else negb m).

(** ** The paper's cases in terms of prices *)

(** A suit without a free lock for [k] is worth at most the difference of the
    card counts to him. *)
Lemma val_le_diff k s :
  price k s <> Some 0 -> val k s <= Z.of_nat (cnt k s) - Z.of_nat (cnt (negb k) s).
Proof.
  induction s as [|c X IH]; [simpl; lia|].
  destruct (own_or_opp k c) as [->| ->].
  - simpl cnt. rewrite eqb_refl', eqb_negb. rewrite price_own.
    destruct (has (negb k) X) eqn:E.
    + pose proof (val_own k X) as V. revert V. generalize (val k (k :: X)). intros v V H.
      destruct (Z.ltb_spec 0 v); [|congruence].
      destruct (price k X) as [q|] eqn:EP.
      * simpl in H. assert (q <> 0) by (intros ->; apply H; f_equal; lia).
        assert (Some q <> Some 0) by congruence. specialize (IH H2). lia.
      * assert (None <> Some 0) by congruence. specialize (IH H1). lia.
    + intros _. rewrite (no_opp_no_price k X E) in IH.
      specialize (IH ltac:(congruence)). rewrite val_own.
      assert (cnt (negb k) X = 0%nat).
      { destruct (cnt (negb k) X) eqn:C; auto.
        assert (has (negb k) X = true) by (apply has_cnt; lia). congruence. }
      lia.
  - simpl cnt. rewrite eqb_refl', eqb_negb'. rewrite price_opp, val_opp. intros H.
    destruct (price k X) as [q|] eqn:EP.
    + assert (Some q <> Some 0).
      { intros C. injection C as ->. apply H. f_equal. lia. }
      specialize (IH H0). lia.
    + specialize (IH ltac:(congruence)). lia.
Qed.

Lemma sumval_le_diff k P :
  list_price k (map eval P) <> Some 0 ->
  sumval k P <= Z.of_nat (hand k P) - Z.of_nat (hand (negb k) P).
Proof.
  intros H.
  assert (A : forall s, In s P -> price k s <> Some 0).
  { intros s Hs Hq. destruct (list_price k (map eval P)) as [p|] eqn:E.
    - destruct (list_price_Some k P p E) as [(s' & _ & Hp) HM].
      apply price_range in Hp. specialize (HM _ _ Hs Hq).
      apply H. f_equal. lia.
    - apply list_price_None in E. rewrite (E s Hs) in Hq. discriminate. }
  clear H. induction P as [|s P IH]; simpl; [lia|].
  pose proof (val_le_diff k s (A s (or_introl eq_refl))).
  assert (forall s, In s P -> price k s <> Some 0) by (intros; apply A; simpl; auto).
  specialize (IH H0). lia.
Qed.

Lemma all_in_None P :
  (all_in [C0] P = true <-> list_price true (map eval P) = None /\
                            list_price false (map eval P) = None) /\
  (all_in [C0; LL] P = true <-> list_price false (map eval P) = None) /\
  (all_in [C0; RR] P = true <-> list_price true (map eval P) = None).
Proof.
  rewrite !list_price_None. unfold all_in, nolock. rewrite !forallb_forall.
  assert (F : forall s, price true s = KL_of (fS s) /\ price false s = KR_of (fS s))
    by apply fS_prices.
  split; [|split].
  - split.
    + intros H. split; intros s Hs; specialize (H s Hs); destruct (F s) as [A B];
        rewrite ?A, ?B; destruct (fS s); simpl in *; congruence.
    + intros [H1 H2] s Hs. specialize (H1 s Hs). specialize (H2 s Hs).
      destruct (F s) as [A B]. rewrite A in H1. rewrite B in H2.
      destruct (fS s); simpl in *; congruence.
  - split; intros H s Hs; specialize (H s Hs); destruct (F s) as [A B];
      try rewrite B in *; destruct (fS s); simpl in *; congruence.
  - split; intros H s Hs; specialize (H s Hs); destruct (F s) as [A B];
      try rewrite A in *; destruct (fS s); simpl in *; congruence.
Qed.

Lemma list_price_not0 k P :
  list_price k (map eval P) <> Some 0 <-> forall s, In s P -> price k s <> Some 0.
Proof.
  destruct (list_price k (map eval P)) as [p|] eqn:E.
  - destruct (list_price_Some k P p E) as [(s' & Hs' & Hp) HM]. split.
    + intros H s Hs Hq. specialize (HM _ _ Hs Hq). apply price_range in Hp.
      apply H. f_equal. lia.
    + intros H C. injection C as ->. now apply (H s').
  - apply list_price_None in E. split; [|congruence].
    intros _ s Hs. rewrite (E s Hs). congruence.
Qed.

Lemma all_in_not0 P :
  (all_in [C0; LL; CL] P = true <-> list_price false (map eval P) <> Some 0) /\
  (all_in [C0; RR; CR] P = true <-> list_price true (map eval P) <> Some 0).
Proof.
  rewrite !list_price_not0. unfold all_in. rewrite !forallb_forall.
  assert (F : forall s, price true s = KL_of (fS s) /\ price false s = KR_of (fS s))
    by apply fS_prices.
  split; (split; intros H s Hs; specialize (H s Hs); destruct (F s) as [A B];
    [rewrite ?A, ?B|rewrite ?A in H; rewrite ?B in H];
    destruct (fS s); simpl in *; congruence).
Qed.

(** A lock of price 1 for one player is a lock of price 0 for the other. *)
Lemma price1_other k P :
  list_price k (map eval P) = Some 1 -> list_price (negb k) (map eval P) = Some 0.
Proof.
  intros E. destruct (list_price_Some k P 1 E) as [(s & Hs & Hp) _].
  assert (H0 : price (negb k) s = Some 0).
  { destruct (fS_prices s) as [A B]. destruct k; simpl.
    - rewrite B. rewrite A in Hp. destruct (fS s); simpl in *; congruence.
    - rewrite A. rewrite B in Hp. destruct (fS s); simpl in *; congruence. }
  destruct (list_price (negb k) (map eval P)) as [q|] eqn:E'.
  - destruct (list_price_Some (negb k) P q E') as [(s' & _ & Hp') HM].
    apply price_range in Hp'. specialize (HM _ _ Hs H0). f_equal. lia.
  - apply list_price_None in E'. rewrite (E' s Hs) in H0. discriminate.
Qed.

(** A free lock for one player and no lock at all for the other, or the like:
    a finite price of one player with none of the other is 0. *)
Lemma list_price_range k P p : list_price k (map eval P) = Some p -> p = 0 \/ p = 1.
Proof.
  intros E. destruct (list_price_Some k P p E) as [(s & _ & Hp) _].
  apply price_range in Hp. lia.
Qed.

Ltac finish_case R GT GF :=
  let G := fresh "G" in
  first [ assert (G := GT eq_refl) | assert (G := GF eq_refl) ];
  let Rm := fresh "Rm" in
  destruct R as [R|[R Rm]]; try discriminate Rm;
  let G1 := fresh "G1" in let G2 := fresh "G2" in
  destruct G as [G1 G2];
  first [ lia
        | discriminate (G2 ltac:(lia))
        | (specialize (G1 eq_refl); lia)
        | (specialize (G1 eq_refl); tauto) ].

Theorem paper_correct m P :
  (0 < hand true P)%nat -> (0 < hand false P)%nat -> paper m P = game m P.
Proof.
  intros H1 H2.
  assert (G : game m P = keeper m P <-> kw (keeper m P) m 0 P).
  { apply keeper_wins; [now apply keeper_rw|destruct (keeper m P); auto]. }
  rewrite kw_price in G.
  assert (R : rw (keeper m P) m P) by now apply keeper_rw.
  revert G R. generalize (keeper m P). intros k G R. unfold rw in R.
  assert (GT : k = true -> (game m P = true <->
     match list_price true (map eval P) with
     | None => False
     | Some p => (if eqb m true then 1 else 0) <= sumval true P + 0 - p
     end)) by (intros ->; exact G).
  assert (GF : k = false -> (game m P = false <->
     match list_price false (map eval P) with
     | None => False
     | Some p => (if eqb m false then 1 else 0) <= sumval false P + 0 - p
     end)) by (intros ->; exact G).
  clear G.
  destruct (all_in_None P) as (A1 & A2 & A3). destruct (all_in_not0 P) as (A4 & A5).
  pose proof (sumval_le_diff true P) as D1. pose proof (sumval_le_diff false P) as D2.
  pose proof (price1_other true P) as O1. pose proof (price1_other false P) as O2.
  simpl negb in D1, D2, O1, O2.
  pose proof (sumval_opp_view true P) as V. simpl negb in V.
  unfold paper.
  replace (fold_right (fun s z => fI s + z) 0 P) with (sumval true P).
  2:{ rewrite <- total_sumval. unfold total, fI. clear. induction P; simpl; auto.
      rewrite IHP. reflexivity. }
  rewrite V in *. set (S := sumval true P) in *. clearbody S.
  assert (B : forall b (Q : Prop), (b = true <-> Q) -> (b = true /\ Q) \/ (b = false /\ ~ Q)).
  { intros b Q HQ. destruct b; [left|right]; split; auto; [tauto|].
    intros C. apply HQ in C. discriminate. }
  apply B in A1, A2, A3, A4, A5.
  pose proof (list_price_range true P) as RL. pose proof (list_price_range false P) as RR0.
  destruct (list_price true (map eval P)) as [pL|] eqn:EL;
  destruct (list_price false (map eval P)) as [pR|] eqn:ER.
  - (* both have locks *)
    destruct A1 as [[-> [A _]]|[-> _]]; [discriminate|].
    destruct A2 as [[-> A]|[-> _]]; [discriminate|].
    destruct A3 as [[-> A]|[-> _]]; [discriminate|].
    destruct (RL _ eq_refl) as [-> | ->]; destruct (RR0 _ eq_refl) as [-> | ->].
    + destruct A4 as [[_ C]|[-> _]]; [congruence|].
      destruct A5 as [[_ C]|[-> _]]; [congruence|].
      destruct k, m; cbn [negb eqb] in *;
        destruct (Z.ltb_spec 0 S); destruct (Z.ltb_spec S 0);
        destruct (game _ _); try reflexivity; exfalso; finish_case R GT GF.
    + destruct A4 as [[-> _]|[_ C]]; [|exfalso; apply C; congruence].
      specialize (D2 ltac:(congruence)).
      destruct k, m; cbn [negb eqb] in *;
        destruct (Z.ltb_spec (-1) S); destruct (Z.ltb_spec S (-1));
        destruct (game _ _); try reflexivity; exfalso; finish_case R GT GF.
    + destruct A4 as [[_ C]|[-> _]]; [congruence|].
      destruct A5 as [[-> _]|[_ C]]; [|exfalso; apply C; congruence].
      specialize (D1 ltac:(congruence)).
      destruct k, m; cbn [negb eqb] in *;
        destruct (Z.ltb_spec S 1); destruct (Z.ltb_spec 1 S);
        destruct (game _ _); try reflexivity; exfalso; finish_case R GT GF.
    + specialize (O1 eq_refl). discriminate.
  - (* only L has a lock *)
    destruct A1 as [[-> [A _]]|[-> _]]; [discriminate|].
    destruct A2 as [[-> _]|[_ C]]; [|exfalso; apply C; reflexivity].
    specialize (D2 ltac:(congruence)).
    destruct (RL _ eq_refl) as [-> | ->]; [|specialize (O1 eq_refl); discriminate].
    destruct (game _ _) eqn:EG; auto. exfalso.
    destruct k, m; cbn [negb eqb] in *; finish_case R GT GF.
  - (* only R has a lock *)
    destruct A1 as [[-> [_ A]]|[-> _]]; [discriminate|].
    destruct A2 as [[-> A]|[-> _]]; [discriminate|].
    destruct A3 as [[-> _]|[_ C]]; [|exfalso; apply C; reflexivity].
    specialize (D1 ltac:(congruence)).
    destruct (RR0 _ eq_refl) as [-> | ->]; [|specialize (O2 eq_refl); discriminate].
    destruct (game _ _) eqn:EG; auto. exfalso.
    destruct k, m; cbn [negb eqb] in *; finish_case R GT GF.
  - (* no lock *)
    destruct A1 as [[-> _]|[_ C]]; [|exfalso; apply C; auto].
    specialize (D1 ltac:(congruence)). specialize (D2 ltac:(congruence)).
    destruct (Z.ltb_spec S 0); destruct (Z.ltb_spec 0 S);
    destruct (game _ _) eqn:EG; destruct k, m; cbn [negb eqb] in *; try reflexivity; exfalso;
      finish_case R GT GF.
Qed.
