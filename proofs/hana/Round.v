(* One round of HANA: 21 turns (here 3h turns, h cards a hand), any play, any order of the
   YAMA. Sweep rule, "table first" windows. Two theorems: every flower is taken, and BIKI. *)
From Coq Require Import Arith Lia Bool List Permutation.
Import ListNotations.

Definition card := nat.
Definition month (c : card) : nat := c / 4.
Arguments month c : simpl never.

(* how many cards of month m are in a list *)
Fixpoint cnt (m : nat) (l : list card) : nat :=
  match l with
  | [] => 0
  | c :: l' => (if month c =? m then 1 else 0) + cnt m l'
  end.

Inductive player := oya | naka | biki.

Definition player_eqb (a b : player) : bool :=
  match a, b with oya, oya | naka, naka | biki, biki => true | _, _ => false end.

Record state := St {
  table : list card;
  yama : list card;                 (* top card first *)
  hand : player -> list card;       (* Hand and Window together *)
  basket : player -> list card
}.

Definition upd (f : player -> list card) (p : player) (l : list card) : player -> list card :=
  fun q => if player_eqb p q then l else f q.

Definition add (f : player -> list card) (p : player) (l : list card) : player -> list card :=
  upd f p (l ++ f p).

Section Windows.
(* the cards lying face up in a Window; with the window option off there are none *)
Variable shown : card -> Prop.

(* Player p lays card c (already taken from his hand or from the YAMA) on the table.
   thrown: it comes from the hand and may take from a Window. Having found no mate on the table
   a thrown card may stay even if a Window has a mate: the rule says it must take; so we allow
   more plays than the rules, and the theorems hold for all of them. *)
Inductive lay (thrown : bool) (p : player) (c : card) : state -> state -> Prop :=
| lay_stay T Y H B : cnt (month c) T = 0 ->
    lay thrown p c (St T Y H B) (St (c :: T) Y H B)
| lay_pair T1 b T2 Y H B : month b = month c ->
    cnt (month c) (T1 ++ b :: T2) <= 2 ->
    lay thrown p c (St (T1 ++ b :: T2) Y H B) (St (T1 ++ T2) Y H (add B p [c; b]))
| lay_sweep T Y H B : cnt (month c) T = 3 ->
    lay thrown p c (St T Y H B)
      (St (filter (fun b => negb (month b =? month c)) T) Y H
          (add B p (c :: filter (fun b => month b =? month c) T)))
| lay_window o L1 b L2 T Y H B : thrown = true -> cnt (month c) T = 0 ->
    o <> p -> H o = L1 ++ b :: L2 -> shown b -> month b = month c ->
    lay thrown p c (St T Y H B) (St T Y (upd H o (L1 ++ L2)) (add B p [c; b])).

(* The throw. ok c h: the thrower is willing to throw c from the hand h. *)
Inductive throw (ok : card -> list card -> Prop) (p : player) : state -> state -> Prop :=
| throw_none s : hand s p = [] -> throw ok p s s
| throw_card T Y H B L1 c L2 s' : H p = L1 ++ c :: L2 -> ok c (H p) ->
    lay true p c (St T Y (upd H p (L1 ++ L2)) B) s' -> throw ok p (St T Y H B) s'.

Inductive turn (ok : card -> list card -> Prop) (p : player) : state -> state -> Prop :=
| turn_ T Y H B d s s' : throw ok p s (St T (d :: Y) H B) ->
    lay false p d (St T Y H B) s' -> turn ok p s s'.

Definition any (c : card) (h : list card) : Prop := True.

(* h times around: oya, naka, biki; biki throws only what ok permits *)
Inductive round (ok : card -> list card -> Prop) : nat -> state -> state -> Prop :=
| round_0 s : round ok 0 s s
| round_S h s a b c s' : turn any oya s a -> turn any naka a b -> turn ok biki b c ->
    round ok h c s' -> round ok (S h) s s'.

(* the strategy hold(x): never throw x while another card is left *)
Definition hold (x : card) (c : card) (h : list card) : Prop := c = x -> length h <= 1.

(* ---- counting one month ---- *)

(* cards of month m on the table; still to come *)
Definition lying (m : nat) (s : state) : nat := cnt m (table s).
Definition coming (m : nat) (s : state) : nat :=
  cnt m (hand s oya) + cnt m (hand s naka) + cnt m (hand s biki) + cnt m (yama s).

(* what may happen to the two numbers *)
Definition event (t r t' r' : nat) : Prop :=
  (t' = t /\ r' = r)
  \/ (t = 0 /\ t' = 1 /\ r = r' + 1)
  \/ (1 <= t <= 2 /\ t' + 1 = t /\ r = r' + 1)
  \/ (t = 3 /\ t' = 0 /\ r = r' + 1)
  \/ (t = 0 /\ t' = 0 /\ r = r' + 2).

Lemma cnt_app : forall m a b, cnt m (a ++ b) = cnt m a + cnt m b.
Proof. induction a; intros b; cbn; [reflexivity|rewrite IHa; lia]. Qed.

Lemma cnt_perm : forall m a b, Permutation a b -> cnt m a = cnt m b.
Proof. intros m a b P; induction P; cbn; lia. Qed.

Lemma cnt_mid : forall m a c b,
  cnt m (a ++ c :: b) = cnt m (a ++ b) + (if month c =? m then 1 else 0).
Proof. intros m a c b; rewrite !cnt_app; cbn; lia. Qed.

Lemma cnt_filter_out : forall m c l,
  cnt m (filter (fun b => negb (month b =? c)) l) = if m =? c then 0 else cnt m l.
Proof.
  induction l as [|b l IH]; cbn; [destruct (m =? c); reflexivity|].
  destruct (Nat.eqb_spec (month b) c) as [E|E]; cbn; rewrite IH;
    destruct (Nat.eqb_spec m c); destruct (Nat.eqb_spec (month b) m); lia.
Qed.

Lemma coming_upd : forall m T Y H B p l n,
  cnt m (H p) = cnt m l + n ->
  coming m (St T Y H B) = coming m (St T Y (upd H p l) B) + n.
Proof. intros m T Y H B [] l n E; cbn in *; lia. Qed.

(* laying a card that came from among the coming ones *)
Lemma lay_event : forall th p c s s' m, lay th p c s s' ->
  event (lying m s) (coming m s + (if month c =? m then 1 else 0)) (lying m s') (coming m s').
Proof.
  intros th p c s s' m L; destruct L as [T Y H B E|T1 b T2 Y H B M E|T Y H B E|o L1 b L2 T Y H B W E O HO SB M].
  - unfold event, lying; cbn [table cnt]. change (coming m (St (c :: T) Y H B)) with (coming m (St T Y H B)).
    destruct (Nat.eqb_spec (month c) m) as [F|N]; [rewrite F in E|]; lia.
  - unfold event, lying; cbn [table].
    change (coming m (St (T1 ++ T2) Y H (add B p [c; b]))) with (coming m (St (T1 ++ b :: T2) Y H B)).
    rewrite cnt_mid, M, Nat.eqb_refl in E. rewrite (cnt_mid m), M.
    destruct (Nat.eqb_spec (month c) m) as [F|N]; [rewrite F in E|]; lia.
  - unfold event, lying; cbn [table]. rewrite cnt_filter_out.
    match goal with |- context [coming m (St (filter ?f T) Y H ?B')] =>
      change (coming m (St (filter f T) Y H B')) with (coming m (St T Y H B)) end.
    destruct (Nat.eqb_spec (month c) m) as [F|N]; destruct (Nat.eqb_spec m (month c)); try lia.
    rewrite F in E; lia.
  - unfold event, lying; cbn [table].
    rewrite (coming_upd m T Y H B o (L1 ++ L2) (if month b =? m then 1 else 0))
      by (rewrite HO; apply cnt_mid).
    change (coming m (St T Y (upd H o (L1 ++ L2)) (add B p [c; b])))
      with (coming m (St T Y (upd H o (L1 ++ L2)) B)).
    rewrite M. destruct (Nat.eqb_spec (month c) m) as [F|N]; [rewrite F in E|]; lia.
Qed.

Lemma throw_event : forall ok p s s' m, throw ok p s s' ->
  event (lying m s) (coming m s) (lying m s') (coming m s').
Proof.
  intros ok p s s' m T; destruct T as [s E|T Y H B L1 c L2 s' E O L].
  - left; split; reflexivity.
  - rewrite (coming_upd m T Y H B p (L1 ++ L2) (if month c =? m then 1 else 0))
      by (rewrite E; apply cnt_mid).
    exact (lay_event true p c _ s' m L).
Qed.

Lemma draw_event : forall p T Y H B d s' m, lay false p d (St T Y H B) s' ->
  event (lying m (St T (d :: Y) H B)) (coming m (St T (d :: Y) H B)) (lying m s') (coming m s').
Proof.
  intros p T Y H B d s' m L. pose proof (lay_event false p d _ s' m L) as E.
  replace (coming m (St T (d :: Y) H B))
    with (coming m (St T Y H B) + (if month d =? m then 1 else 0)); [exact E|].
  unfold coming; cbn; lia.
Qed.

(* ---- invariants of one month ---- *)

Section Invariant.
Variable I : nat -> nat -> Prop.
Hypothesis I_event : forall t r t' r', event t r t' r' -> I t r -> I t' r'.

Lemma turn_invariant : forall ok p s s' m, turn ok p s s' ->
  I (lying m s) (coming m s) -> I (lying m s') (coming m s').
Proof.
  intros ok p s s' m [T Y H B d s0 s1 Th L] J.
  eapply I_event; [exact (draw_event _ _ _ _ _ _ _ m L)|].
  eapply I_event; [exact (throw_event _ _ _ _ m Th)|exact J].
Qed.

Lemma round_invariant : forall ok h s s' m, round ok h s s' ->
  I (lying m s) (coming m s) -> I (lying m s') (coming m s').
Proof.
  intros ok h s s' m R; induction R; intros J; [exact J|].
  eauto using turn_invariant.
Qed.
End Invariant.

(* an even number of cards of the month is outside the baskets *)
Definition evenly (t r : nat) : Prop := Nat.Even (t + r).

Lemma evenly_event : forall t r t' r', event t r t' r' -> evenly t r -> evenly t' r'.
Proof.
  intros t r t' r' E [u U]; unfold event in E.
  assert (X : t' + r' = t + r \/ t' + r' + 2 = t + r \/ t' + r' + 4 = t + r) by lia.
  destruct X as [X|[X|X]]; [exists u|exists (u - 1)|exists (u - 2)]; lia.
Qed.

(* no month is stranded on the table *)
Definition safe (t r : nat) : Prop :=
  (exists u, t + r = 2 * u) /\ t + r <= 4 /\ (t <= r \/ (t = 3 /\ r = 1)).

Lemma safe_event : forall t r t' r', event t r t' r' -> safe t r -> safe t' r'.
Proof.
  intros t r t' r' E [[u U] [L S]]; unfold event in E; unfold safe.
  assert (X : t' + r' = t + r \/ t' + r' + 2 = t + r \/ t' + r' + 4 = t + r) by lia.
  split; [destruct X as [X|[X|X]]; [exists u|exists (u - 1)|exists (u - 2)]; lia|lia].
Qed.

Definition stuck (t r : nat) : Prop := t = 4 /\ r = 0.

Lemma stuck_event : forall t r t' r', event t r t' r' -> stuck t r -> stuck t' r'.
Proof. unfold event, stuck; lia. Qed.

(* ---- sizes of hands and YAMA ---- *)

Lemma lay_sizes : forall th p c s s', lay th p c s s' ->
  length (yama s') = length (yama s) /\ (forall q, length (hand s' q) <= length (hand s q)) /\
  hand s' p = hand s p.
Proof.
  intros th p c s s' L; destruct L; cbn; repeat split; auto.
  - intros q; unfold upd. destruct o, q; cbn; auto; rewrite H3, !app_length; cbn; lia.
  - unfold upd; destruct o, p; cbn; congruence.
Qed.

Lemma throw_sizes : forall ok p s s', throw ok p s s' ->
  yama s' = yama s /\
  (forall q, length (hand s' q) <= length (hand s q)) /\
  length (hand s' p) <= length (hand s p) - 1.
Proof.
  intros ok p s s' T; destruct T as [s E|T Y H B L1 c L2 s' E O L].
  - rewrite E; cbn; repeat split; auto.
  - assert (yama s' = Y) by (inversion L; reflexivity).
    destruct (lay_sizes _ _ _ _ _ L) as (_ & L' & EP). cbn in *.
    assert (U : forall q, length (upd H p (L1 ++ L2) q) <= length (H q)).
    { intros q; unfold upd; destruct p, q; cbn; auto; rewrite E, !app_length; cbn; lia. }
    repeat split; [assumption|intros q; specialize (L' q); specialize (U q); lia|].
    rewrite EP, E; unfold upd; destruct p; cbn; rewrite !app_length; cbn; lia.
Qed.

Lemma turn_sizes : forall ok p s s', turn ok p s s' ->
  length (yama s) = S (length (yama s')) /\
  (forall q, length (hand s' q) <= length (hand s q)) /\
  length (hand s' p) <= length (hand s p) - 1.
Proof.
  intros ok p s s' [T Y H B d s0 s1 Th L].
  destruct (throw_sizes _ _ _ _ Th) as (A1 & A2 & A3).
  destruct (lay_sizes _ _ _ _ _ L) as (B1 & B2 & B3).
  cbn in *. rewrite <- A1, B1; cbn. repeat split; auto.
  - intros q; specialize (A2 q); specialize (B2 q); lia.
  - rewrite B3; exact A3.
Qed.

(* at the end nothing is left to come *)
Lemma round_empty : forall ok h s s', round ok h s s' ->
  (forall p, length (hand s p) <= h) -> length (yama s) = 3 * h ->
  yama s' = [] /\ forall p, hand s' p = [].
Proof.
  intros ok h s s' R; induction R as [s|h s a b c s' Ta Tb Tc R IH]; intros HL YL.
  - split; [apply length_zero_iff_nil; lia|].
    intros p; apply length_zero_iff_nil; specialize (HL p); lia.
  - destruct (turn_sizes _ _ _ _ Ta) as (A1 & A2 & A3).
    destruct (turn_sizes _ _ _ _ Tb) as (B1 & B2 & B3).
    destruct (turn_sizes _ _ _ _ Tc) as (C1 & C2 & C3).
    apply IH; [|lia].
    intros p; specialize (HL p); specialize (A2 p); specialize (B2 p); specialize (C2 p).
    destruct p; lia.
Qed.

(* ---- Lemma: every flower is taken ---- *)

Theorem every_flower_taken : forall ok h s s' m, round ok h s s' ->
  (forall p, length (hand s p) <= h) -> length (yama s) = 3 * h ->
  lying m s + coming m s = 4 ->
  (lying m s' = 0 <-> lying m s <= 3).
Proof.
  intros ok h s s' m R HL YL F.
  destruct (round_empty _ _ _ _ R HL YL) as [Y0 H0].
  assert (C0 : coming m s' = 0) by (unfold coming; rewrite Y0, !H0; reflexivity).
  split; intros H.
  - destruct (le_lt_dec (lying m s) 3) as [L|L]; [exact L|].
    assert (S : stuck (lying m s) (coming m s)) by (unfold stuck; lia).
    pose proof (round_invariant stuck stuck_event _ _ _ _ _ R S) as [S1 S2]. lia.
  - assert (S : safe (lying m s) (coming m s)).
    { unfold safe. split; [exists 2; lia|]. lia. }
    destruct (round_invariant safe safe_event _ _ _ _ _ R S) as [_ [_ S3]]. lia.
Qed.

(* ---- BIKI ---- *)

Section Biki.
Variable x : card.

(* nothing can be taken from biki's own Window *)
Definition hidden (s : state) : Prop := forall b, In b (hand s biki) -> ~ shown b.

Lemma lay_biki_hand : forall th p c s s', lay th p c s s' -> hidden s ->
  hand s' biki = hand s biki.
Proof.
  intros th p c s s' L Hid; destruct L as [| | |o L1 b L2 T Y H B W E O HO SB M]; try reflexivity.
  cbn; unfold upd; destruct o; cbn; try reflexivity.
  destruct (Hid b); [cbn; rewrite HO; apply in_elt|exact SB].
Qed.

Lemma turn_other_hand : forall ok p s s', turn ok p s s' -> p <> biki -> hidden s ->
  hand s' biki = hand s biki.
Proof.
  intros ok p s s' [T Y H B d s0 s1 Th L] N Hid.
  assert (E1 : hand (St T (d :: Y) H B) biki = hand s0 biki).
  { remember (St T (d :: Y) H B) as s2 eqn:E2; clear E2 L.
    destruct Th as [sx E|T' Y' H' B' L1 c L2 sy E O L]; [reflexivity|].
    assert (U : upd H' p (L1 ++ L2) biki = H' biki) by (unfold upd; destruct p; cbn; congruence).
    rewrite (lay_biki_hand _ _ _ _ _ L); cbn; [exact U|].
    unfold hidden; cbn; rewrite U; exact Hid. }
  rewrite (lay_biki_hand _ _ _ _ _ L); [exact E1|].
  unfold hidden; cbn in *; rewrite E1; exact Hid.
Qed.

Lemma turn_biki_hand : forall s s' h, turn (hold x) biki s s' -> hidden s ->
  length (hand s biki) = S (S h) -> In x (hand s biki) ->
  hidden s' /\ length (hand s' biki) = S h /\ In x (hand s' biki).
Proof.
  intros s s' h [T Y H B d s0 s1 Th L] Hid Len In_x.
  assert (E1 : hidden (St T (d :: Y) H B) /\ length (H biki) = S h /\ In x (H biki)).
  { change (H biki) with (hand (St T (d :: Y) H B) biki).
    remember (St T (d :: Y) H B) as s2 eqn:E2; clear E2 L.
    destruct Th as [sx E|T' Y' H' B' L1 c L2 sy E O L]; [rewrite E in Len; discriminate|].
    cbn in Len, In_x. unfold hidden in Hid; cbn in Hid.
    assert (Hid1 : hidden (St T' Y' (upd H' biki (L1 ++ L2)) B')).
    { intros b; cbn; intros Hb; apply Hid; rewrite E; apply in_app_iff in Hb.
      apply in_app_iff; cbn; tauto. }
    pose proof (lay_biki_hand _ _ _ _ _ L Hid1) as EH; cbn in EH.
    unfold hidden; rewrite EH; cbn in Hid1. repeat split.
    - exact Hid1.
    - rewrite E, app_length in Len; cbn in Len; rewrite app_length; lia.
    - rewrite E in In_x; apply in_app_iff in In_x; apply in_app_iff; cbn in In_x.
      destruct In_x as [K|[K|K]]; auto. specialize (O K). rewrite Len in O; lia. }
  destruct E1 as (E1 & E2 & E3).
  assert (EH : hand s1 biki = H biki) by (rewrite (lay_biki_hand _ _ _ _ _ L); [reflexivity|exact E1]).
  unfold hidden in *; rewrite EH; auto.
Qed.

Lemma lay_basket : forall th p c s s' q y, lay th p c s s' ->
  In y (basket s q) -> In y (basket s' q).
Proof.
  intros th p c s s' q y L; destruct L; cbn; auto; unfold add, upd;
    destruct p, q; cbn; auto; intros K; rewrite ?in_app_iff; auto.
Qed.

(* the last turn *)
Lemma last_turn : forall s s', turn (hold x) biki s s' ->
  hand s oya = [] -> hand s naka = [] -> hand s biki = [x] -> length (yama s) = 1 ->
  evenly (lying (month x) s) (coming (month x) s) -> In x (basket s' biki).
Proof.
  intros s s' [T Y H B d s0 s1 Th L] H1 H2 H3 YL P.
  remember (St T (d :: Y) H B) as s2 eqn:E2.
  destruct Th as [sx E|T' Y' H' B' L1 c L2 sy E O Lx]; [congruence|].
  cbn in *. rewrite H3 in E.
  assert (Ec : c = x /\ L1 = [] /\ L2 = []).
  { destruct L1 as [|y L1]; cbn in E; [inversion E; auto|].
    inversion E as [[E3 E4]]; destruct L1; discriminate. }
  destruct Ec as (-> & -> & ->). cbn in Lx.
  unfold evenly, lying, coming in P; cbn in P. rewrite H1, H2, H3 in P; cbn in P.
  rewrite Nat.eqb_refl in P.
  inversion Lx as [T0 Y0 H0 B0 C|T1 b T2 Y0 H0 B0 M C|T0 Y0 H0 B0 C|o L1 b L2 T0 Y0 H0 B0 W C N HO SB M];
    subst.
  - (* x lies down: the last card of the YAMA is its mate *)
    match goal with K : _ = St T (d :: Y) H B |- _ => inversion K; subst end.
    destruct Y as [|d' Y]; [|discriminate]. cbn in P. rewrite C in P.
    destruct (Nat.eqb_spec (month d) (month x)) as [Md|Md]; [|destruct P as [u P]; lia].
    inversion L as [T0 Y0 H0 B0 C1|T1 b T2 Y0 H0 B0 M C1|T0 Y0 H0 B0 C1|o L1 b L2 T0 Y0 H0 B0 W]; subst.
    + cbn in C1; rewrite Md, Nat.eqb_refl in C1; discriminate.
    + assert (Eb : b = x).
      { destruct T1 as [|y T1]; cbn in *; [congruence|].
        match goal with K : _ :: _ = _ :: _ |- _ => inversion K; subst end.
        rewrite cnt_mid, M, Md, Nat.eqb_refl in C; lia. }
      subst b. cbn; auto.
    + cbn in C1; rewrite Md, Nat.eqb_refl, C in C1; discriminate.
    + discriminate.
  - eapply lay_basket; [exact L|].
    match goal with K : _ = St T (d :: Y) H B |- _ => inversion K; subst end. cbn; auto.
  - eapply lay_basket; [exact L|].
    match goal with K : _ = St T (d :: Y) H B |- _ => inversion K; subst end. cbn; auto.
  - exfalso. destruct o; cbn in HO; try congruence.
    + rewrite H1 in HO; destruct L1; discriminate.
    + rewrite H2 in HO; destruct L1; discriminate.
Qed.

Theorem biki_theorem : forall h s s', round (hold x) (S h) s s' ->
  length (hand s oya) <= S h -> length (hand s naka) <= S h -> length (hand s biki) = S h ->
  length (yama s) = 3 * S h -> In x (hand s biki) -> hidden s ->
  evenly (lying (month x) s) (coming (month x) s) ->
  In x (basket s' biki).
Proof.
  induction h as [|h IH]; intros s s' R H1 H2 H3 YL In_x Hid P.
  all: inversion R as [|h0 s1 a b c s2 Ta Tb Tc R']; subst.
  all: destruct (turn_sizes _ _ _ _ Ta) as (A1 & A2 & A3).
  all: destruct (turn_sizes _ _ _ _ Tb) as (B1 & B2 & B3).
  all: destruct (turn_sizes _ _ _ _ Tc) as (C1 & C2 & C3).
  all: assert (Ea : hand a biki = hand s biki)
         by (apply (turn_other_hand _ _ _ _ Ta); [discriminate|exact Hid]).
  all: assert (Ha : hidden a) by (unfold hidden; rewrite Ea; exact Hid).
  all: assert (Eb : hand b biki = hand a biki)
         by (apply (turn_other_hand _ _ _ _ Tb); [discriminate|exact Ha]).
  all: assert (Hb : hidden b) by (unfold hidden; rewrite Eb; exact Ha).
  all: assert (Pb : evenly (lying (month x) b) (coming (month x) b))
         by exact (turn_invariant evenly evenly_event _ _ _ _ _ Tb
                    (turn_invariant evenly evenly_event _ _ _ _ _ Ta P)).
  - inversion R'; subst.
    eapply last_turn; [exact Tc| | | |lia|exact Pb].
    + apply length_zero_iff_nil; specialize (B2 oya); lia.
    + apply length_zero_iff_nil; specialize (A2 naka); lia.
    + rewrite Eb, Ea. destruct (hand s biki) as [|y [|]]; cbn in H3; try discriminate.
      cbn in In_x; destruct In_x as [->|[]]; reflexivity.
  - assert (Lb : length (hand b biki) = S (S h)) by (rewrite Eb, Ea; exact H3).
    assert (Ib : In x (hand b biki)) by (rewrite Eb, Ea; exact In_x).
    destruct (turn_biki_hand _ _ _ Tc Hb Lb Ib) as (Hc & Lc & Ic).
    eapply IH; [exact R'| | |exact Lc|lia|exact Ic|exact Hc|].
    + specialize (B2 oya); specialize (C2 oya); lia.
    + specialize (A2 naka); specialize (C2 naka); lia.
    + exact (turn_invariant evenly evenly_event _ _ _ _ _ Tc Pb).
Qed.

End Biki.
End Windows.

(* ---- the real deck: 48 flowers, 7 cards a hand, 6 on the table, 21 in the YAMA ---- *)

Definition dealt (s : state) : Prop :=
  Permutation (table s ++ hand s oya ++ hand s naka ++ hand s biki ++ yama s) (seq 0 48) /\
  (forall p, length (hand s p) = 7) /\ length (yama s) = 21 /\ (forall p, basket s p = []).

Lemma dealt_month : forall s m, dealt s ->
  lying m s + coming m s = if m <? 12 then 4 else 0.
Proof.
  intros s m [P _]. apply (cnt_perm m) in P. rewrite !cnt_app in P.
  unfold lying, coming.
  assert (E : cnt m (seq 0 48) = if m <? 12 then 4 else 0).
  { do 12 (destruct m as [|m]; [reflexivity|]). reflexivity. }
  lia.
Qed.

(* the round runs to turn 21; the table at the deal shows at most three of month m *)
Theorem lemma_48 : forall shown ok s s' m, dealt s -> round shown ok 7 s s' -> m < 12 ->
  (lying m s' = 0 <-> lying m s <= 3).
Proof.
  intros shown ok s s' m D R M. pose proof (dealt_month s m D) as E.
  apply Nat.ltb_lt in M; rewrite M in E. destruct D as (_ & HL & YL & _).
  eapply every_flower_taken; eauto; intros p; rewrite HL; lia.
Qed.

Theorem biki_48 : forall shown s s' x, dealt s -> In x (hand s biki) ->
  (forall b, In b (hand s biki) -> ~ shown b) ->
  round shown (hold x) 7 s s' -> In x (basket s' biki).
Proof.
  intros shown s s' x D In_x Hid R.
  pose proof (dealt_month s (month x) D) as E. destruct D as (_ & HL & YL & _).
  apply (biki_theorem shown x 6 s s' R); auto; try (rewrite HL; lia).
  unfold evenly; rewrite E; destruct (month x <? 12); [exists 2|exists 0]; reflexivity.
Qed.
