(* Cards are never lost, so "none left on the table" means "all 48 in the baskets"; and a round
   can always be played to the end, also with hold(x). *)
From Coq Require Import Arith Lia Bool List Permutation.
From Hana Require Import Round.
Import ListNotations.

Fixpoint occ (y : card) (l : list card) : nat :=
  match l with [] => 0 | c :: l' => (if c =? y then 1 else 0) + occ y l' end.

Lemma occ_app : forall y a b, occ y (a ++ b) = occ y a + occ y b.
Proof. induction a; intros b; cbn; [reflexivity|rewrite IHa; lia]. Qed.

Lemma occ_perm : forall y a b, Permutation a b -> occ y a = occ y b.
Proof. intros y a b P; induction P; cbn; lia. Qed.

Lemma occ_filter : forall y f l,
  occ y (filter f l) + occ y (filter (fun b => negb (f b)) l) = occ y l.
Proof. induction l as [|b l IH]; cbn; [reflexivity|]. destruct (f b); cbn; lia. Qed.

Lemma occ_in : forall y l, 1 <= occ y l -> In y l.
Proof.
  induction l as [|b l IH]; cbn; [lia|]. destruct (Nat.eqb_spec b y); [auto|].
  intros H; right; apply IH; lia.
Qed.

Lemma in_occ : forall y l, In y l -> 1 <= occ y l.
Proof.
  induction l as [|b l IH]; cbn; [tauto|]. intros [->|H]; [rewrite Nat.eqb_refl; lia|].
  specialize (IH H); lia.
Qed.

(* copies of y anywhere *)
Definition total (y : card) (s : state) : nat :=
  occ y (table s) + occ y (yama s) +
  (occ y (hand s oya) + occ y (hand s naka) + occ y (hand s biki)) +
  (occ y (basket s oya) + occ y (basket s naka) + occ y (basket s biki)).

Section W.
Variable shown : card -> Prop.

Lemma lay_total : forall th p c s s' y, lay shown th p c s s' ->
  total y s' = total y s + (if c =? y then 1 else 0).
Proof.
  intros th p c s s' y L;
    destruct L as [T Y H B E|T1 b T2 Y H B M E|T Y H B E|o L1 b L2 T Y H B W E O HO SB M];
    unfold total; cbn.
  - lia.
  - destruct p; unfold add, upd; cbn; rewrite !occ_app; cbn; lia.
  - pose proof (occ_filter y (fun b => month b =? month c) T) as F.
    destruct p; unfold add, upd; cbn; rewrite ?occ_app; cbn; lia.
  - assert (F : occ y (H o) = occ y (L1 ++ L2) + (if b =? y then 1 else 0)).
    { rewrite HO, !occ_app; cbn; lia. }
    destruct o, p; unfold add, upd; cbn; lia.
Qed.

Lemma throw_total : forall ok p s s' y, throw shown ok p s s' -> total y s' = total y s.
Proof.
  intros ok p s s' y T; destruct T as [s E|T Y H B L1 c L2 s' E O L]; [reflexivity|].
  rewrite (lay_total _ _ _ _ _ y L).
  assert (F : occ y (H p) = occ y (L1 ++ L2) + (if c =? y then 1 else 0)).
  { rewrite E, !occ_app; cbn; lia. }
  destruct p; unfold total, upd; cbn; lia.
Qed.

Lemma turn_total : forall ok p s s' y, turn shown ok p s s' -> total y s' = total y s.
Proof.
  intros ok p s s' y [T Y H B d s0 s1 Th L].
  rewrite (lay_total _ _ _ _ _ y L), <- (throw_total _ _ _ _ y Th).
  unfold total; cbn; lia.
Qed.

Lemma round_total : forall ok h s s' y, round shown ok h s s' -> total y s' = total y s.
Proof.
  intros ok h s s' y R; induction R as [|h s a b c s' Ta Tb Tc R IH]; [reflexivity|].
  rewrite IH, (turn_total _ _ _ _ y Tc), (turn_total _ _ _ _ y Tb), (turn_total _ _ _ _ y Ta).
  reflexivity.
Qed.

Lemma cnt_in : forall c l, In c l -> 1 <= cnt (month c) l.
Proof.
  induction l as [|b l IH]; cbn; [tauto|]. intros [->|H]; [rewrite Nat.eqb_refl; lia|].
  specialize (IH H); lia.
Qed.

(* every flower is taken: all 48 cards end in a basket *)
Theorem all_48_taken : forall ok s s', dealt s -> round shown ok 7 s s' ->
  (forall m, m < 12 -> lying m s <= 3) ->
  forall c, c < 48 -> exists p, In c (basket s' p).
Proof.
  intros ok s s' D R K c C.
  assert (M : month c < 12) by (unfold month; apply Nat.div_lt_upper_bound; lia).
  pose proof (proj2 (lemma_48 shown ok s s' (month c) D R M) (K _ M)) as L0.
  pose proof (round_total _ _ _ _ c R) as T.
  destruct D as (P & HL & YL & BE).
  assert (T1 : 1 <= total c s).
  { apply (occ_perm c) in P. rewrite !occ_app in P.
    assert (I : 1 <= occ c (seq 0 48)) by (apply in_occ, in_seq; lia).
    unfold total; rewrite !BE; cbn; lia. }
  destruct (round_empty shown ok 7 s s' R) as [Y0 H0]; [intros p; rewrite HL; lia|lia|].
  assert (Tb : occ c (table s') = 0).
  { destruct (occ c (table s')) eqn:E; [reflexivity|].
    assert (I : In c (table s')) by (apply occ_in; lia).
    apply cnt_in in I. unfold lying in L0; lia. }
  rewrite <- T in T1. unfold total in T1. rewrite Tb, Y0, !H0 in T1; cbn in T1.
  assert (X : 1 <= occ c (basket s' oya) \/ 1 <= occ c (basket s' naka) \/ 1 <= occ c (basket s' biki)) by lia.
  destruct X as [X|[X|X]]; [exists oya|exists naka|exists biki]; apply occ_in; exact X.
Qed.

(* ---- a round can always be played ---- *)

Lemma cnt_split : forall m l, 1 <= cnt m l -> exists a b c, l = a ++ b :: c /\ month b = m.
Proof.
  induction l as [|b l IH]; cbn; [lia|]. destruct (Nat.eqb_spec (month b) m) as [E|E].
  - intros _; exists [], b, l; auto.
  - intros H; destruct IH as (a & b' & c & -> & M); [lia|]. exists (b :: a), b', c; auto.
Qed.

Lemma lay_exists : forall th p c T Y H B, cnt (month c) T <= 3 ->
  exists T' B', lay shown th p c (St T Y H B) (St T' Y H B').
Proof.
  intros th p c T Y H B L.
  destruct (Nat.eq_dec (cnt (month c) T) 0) as [Z|Z]; [do 2 eexists; apply lay_stay; exact Z|].
  destruct (Nat.eq_dec (cnt (month c) T) 3) as [E|E]; [do 2 eexists; apply lay_sweep; exact E|].
  destruct (cnt_split (month c) T) as (a & b & d & -> & M); [lia|].
  do 2 eexists; apply lay_pair; [exact M|lia].
Qed.

(* at most four cards of each month outside the baskets *)
Definition few (t r : nat) : Prop := t + r <= 4.
Lemma few_event : forall t r t' r', event t r t' r' -> few t r -> few t' r'.
Proof. unfold event, few; lia. Qed.

(* a chooser: what p throws from a non-empty hand *)
Lemma turn_exists : forall (ok : card -> list card -> Prop) p s,
  (forall m, few (lying m s) (coming m s)) -> yama s <> [] ->
  (hand s p = [] \/ exists L1 c L2, hand s p = L1 ++ c :: L2 /\ ok c (hand s p)) ->
  exists s', turn shown ok p s s' /\
    (forall q, q <> p -> hand s' q = hand s q) /\
    (hand s p = [] /\ hand s' p = [] \/
     exists L1 c L2, hand s p = L1 ++ c :: L2 /\ ok c (hand s p) /\ hand s' p = L1 ++ L2).
Proof.
  intros ok p [T Y H B] F YN [E|(L1 & c & L2 & E & O)]; cbn [hand yama] in *.
  - destruct Y as [|d Y]; [tauto|].
    destruct (lay_exists false p d T Y H B) as (T' & B' & L).
    { specialize (F (month d)); unfold few, lying, coming in F; cbn in F.
      rewrite Nat.eqb_refl in F; lia. }
    eexists; split; [eapply turn_; [apply throw_none; exact E|exact L]|]. cbn; auto.
  - destruct Y as [|d Y]; [tauto|].
    assert (CU : forall m, coming m (St T (d :: Y) H B) =
       coming m (St T (d :: Y) (upd H p (L1 ++ L2)) B) + (if month c =? m then 1 else 0)).
    { intros m; apply coming_upd; rewrite E; apply cnt_mid. }
    destruct (lay_exists true p c T (d :: Y) (upd H p (L1 ++ L2)) B) as (T1 & B1 & La).
    { specialize (F (month c)); unfold few in F; rewrite CU, Nat.eqb_refl in F; unfold lying in F; cbn in F; lia. }
    assert (Th : throw shown ok p (St T (d :: Y) H B) (St T1 (d :: Y) (upd H p (L1 ++ L2)) B1)).
    { eapply throw_card; [exact E|exact O|exact La]. }
    destruct (lay_exists false p d T1 Y (upd H p (L1 ++ L2)) B1) as (T' & B' & L).
    { pose proof (few_event _ _ _ _ (throw_event shown _ _ _ _ (month d) Th) (F (month d))) as F1.
      unfold few, lying, coming in F1; cbn in F1. rewrite Nat.eqb_refl in F1; lia. }
    eexists; split; [eapply turn_; [exact Th|exact L]|]. cbn. split.
    + intros q N; unfold upd; destruct p, q; cbn; congruence.
    + right; exists L1, c, L2; split; [exact E|split; [exact O|]].
      unfold upd; destruct p; reflexivity.
Qed.

Lemma hold_choice : forall x l, NoDup l ->
  l = [] \/ exists L1 c L2, l = L1 ++ c :: L2 /\ hold x c l.
Proof.
  intros x [|a [|b l]] N; [auto|right; exists [], a, []; split; [reflexivity|intros _; cbn; lia]|].
  right. destruct (Nat.eq_dec a x) as [->|E].
  - exists [x], b, l; split; [reflexivity|]. intros ->.
    inversion N as [|? ? NI _]; cbn in NI; tauto.
  - exists [], a, (b :: l); split; [reflexivity|]. intros Ex; congruence.
Qed.

Theorem round_exists : forall x h s, (forall m, few (lying m s) (coming m s)) ->
  length (yama s) = 3 * h -> NoDup (hand s biki) -> exists s', round shown (hold x) h s s'.
Proof.
  induction h as [|h IH]; intros s F YL N; [exists s; constructor|].
  assert (YN : forall s n, length (yama s) = S n -> yama s <> []) by (intros s0 n E E0; rewrite E0 in E; discriminate).
  assert (A : forall l : list card, l = [] \/ exists L1 c L2, l = L1 ++ c :: L2 /\ any c l).
  { intros [|c l]; [auto|right; exists [], c, l; split; [reflexivity|exact I]]. }
  destruct (turn_exists any oya s F) as (a & Ta & Ka & _); [apply (YN s (3 * h + 2)); lia|apply A|].
  destruct (turn_sizes _ _ _ _ _ Ta) as (A1 & _ & _).
  assert (Fa : forall m, few (lying m a) (coming m a))
    by (intros m; exact (turn_invariant shown few few_event _ _ _ _ m Ta (F m))).
  destruct (turn_exists any naka a Fa) as (b & Tb & Kb & _); [apply (YN a (3 * h + 1)); lia|apply A|].
  destruct (turn_sizes _ _ _ _ _ Tb) as (B1 & _ & _).
  assert (Fb : forall m, few (lying m b) (coming m b))
    by (intros m; exact (turn_invariant shown few few_event _ _ _ _ m Tb (Fa m))).
  assert (Nb : NoDup (hand b biki)) by (rewrite Kb, Ka by discriminate; exact N).
  destruct (turn_exists (hold x) biki b Fb) as (c & Tc & _ & Kc);
    [apply (YN b (3 * h)); lia|apply hold_choice; exact Nb|].
  destruct (turn_sizes _ _ _ _ _ Tc) as (C1 & _ & _).
  assert (Fc : forall m, few (lying m c) (coming m c))
    by (intros m; exact (turn_invariant shown few few_event _ _ _ _ m Tc (Fb m))).
  assert (Nc : NoDup (hand c biki)).
  { destruct Kc as [[_ K]|(L1 & y & L2 & K1 & _ & K2)]; [rewrite K; constructor|].
    rewrite K2. rewrite K1 in Nb. exact (NoDup_remove_1 _ _ _ Nb). }
  destruct (IH c Fc) as (s' & R); [lia|exact Nc|].
  exists s'; econstructor; eauto.
Qed.
End W.
