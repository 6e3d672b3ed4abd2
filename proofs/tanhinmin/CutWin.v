(** * A position accepted by the criterion: some move leads to a rejected one *)

From Coq Require Import List Arith Lia Bool.
From Tanhinmin Require Import Cards Game MuCalc CutGame CutLose.
Import ListNotations.

(** The mover's surplus, apart from the table card: clause 1 is [surplus] together
    with "max U <= r", and clause 2 for the other player after an ordinary
    discard is exactly [surplus]. *)
Definition surplus (X U Z V : list nat) : Prop :=
  U <> [] /\ clt (list_max U) Z <= 1 /\ mu (Z ++ V) X = length X.

Lemma surplus_dec X U Z V : surplus X U Z V \/ ~ surplus X U Z V.
Proof.
  unfold surplus. destruct U as [|u U]; [right; intuition congruence|].
  destruct (le_lt_dec (clt (list_max (u :: U)) Z) 1); [|right; lia].
  destruct (Nat.eq_dec (mu (Z ++ V) X) (length X)); [|right; tauto].
  left. repeat split; auto. congruence.
Qed.

(** The weakest legal card [v] of a list of cards. *)
Definition weakest_legal (X : list nat) (r v : nat) : Prop :=
  In v X /\ r < v /\ forall w, In w X -> r < w -> v <= w.

(** The three candidate moves: weakest legal ordinary card; weakest legal
    ordinary card other than the weakest ordinary card x1; weakest legal cut card. *)
Definition cand_ord (X : list nat) (r v : nat) : Prop :=
  weakest_legal X r v \/
  exists x1, In x1 X /\ (forall w, In w X -> x1 <= w) /\ weakest_legal (del x1 X) r v.

(** A winning ordinary discard, a winning cut discard, among the candidates. *)
Definition ord_move X U Z V r : Prop :=
  exists v, cand_ord X r v /\
    (length (del v X) + length U = 0 \/ ~ T3 Z V (del v X) U v).

Definition cut_move X U Z V r : Prop :=
  exists y, weakest_legal U r y /\
    (length X + length (del y U) = 0 \/ T3 X (del y U) Z V 0).

Lemma cand_ord_legal X r v : cand_ord X r v -> In v X /\ r < v.
Proof.
  intros [(I & L & _)|(x1 & _ & _ & I & L & _)]; [auto|].
  split; auto. now apply del_In with x1.
Qed.

Lemma ex_weakest_legal U r y : In y U -> r < y -> exists y', weakest_legal U r y'.
Proof.
  intros I L. destruct (ex_min (filter (fun x => r <? x) U)) as (m & Hm & Hw).
  - intros E. assert (K : In y (filter (fun x => r <? x) U)).
    { apply filter_In. split; auto. now apply Nat.ltb_lt. }
    rewrite E in K. destruct K.
  - apply filter_In in Hm. destruct Hm as [Hm Lm]. apply Nat.ltb_lt in Lm.
    exists m. repeat split; auto. intros w Iw Lw. apply Hw. apply filter_In.
    split; auto. now apply Nat.ltb_lt.
Qed.

(** The card found by [weakest_gap] in X + U is the weakest legal one of its kind. *)
Lemma gap_weakest A a X r :
  (forall x, In x X -> In x A) ->
  (forall t, r <= t -> t < a -> cgt t A = cgt r A) ->
  In a X -> r < a -> weakest_legal X r a.
Proof.
  intros S G I L. repeat split; auto. intros w Iw Lw.
  destruct (le_lt_dec a w) as [|K]; auto. exfalso.
  pose proof (G w) as Gw. pose proof (del_cgt w w A (S w Iw)) as D1.
  pose proof (del_cgt r w A (S w Iw)) as D2. pose proof (cgt_anti r w (del w A)). bcase; lia.
Qed.

Section Win.

Variables X U Z V : list nat.
Variable r : nat.
Hypothesis FX : faces X.
Hypothesis FU : faces U.

Lemma second_cand v x2 :
  In v X -> In x2 (del v X) -> (forall w, In w (del v X) -> x2 <= w) -> v < x2 -> r < x2 ->
  cand_ord X r x2.
Proof.
  intros Hv I2 M2 L2 Hr. right. exists v. repeat split; auto.
  intros w Iw. destruct (Nat.eq_dec w v) as [->|N]; [lia|].
  specialize (M2 w (del_other v w X Iw N)). lia.
Qed.

(** ** Sufficient conditions for a discard to win *)

Lemma ord_by_C1 v :
  cand_ord X r v -> V <> [] -> list_max V <= v -> clt (list_max V) (del v X) <= 1 ->
  mu (del v X ++ U) Z = length Z -> ord_move X U Z V r.
Proof.
  intros Cd NV MV CV F. exists v. split; auto. right.
  intros [N _]. apply N. repeat split; auto.
Qed.

Lemma ord_by_C3 v :
  cand_ord X r v -> ~ surplus X U Z V ->
  mu (Z ++ V) (v :: drop 1 (del v X)) <= mu (del v X ++ U) (drop 1 Z) ->
  ord_move X U Z V r.
Proof.
  intros Cd NS H. destruct (cand_ord_legal _ _ _ Cd) as [Hv Hr].
  exists v. split; auto. right.
  intros [_ [(NU & CU & G)|G]].
  - apply NS. repeat split; auto.
    rewrite mu_apart_all in G by auto. rewrite G. symmetry. now apply del_length.
  - unfold C3 in G. lia.
Qed.

Lemma cut_by_C3 y :
  weakest_legal U r y ->
  mu (Z ++ V) (drop 1 X) <= mu (X ++ del y U) (drop 1 Z) ->
  cut_move X U Z V r.
Proof.
  intros Cd H. exists y. split; auto.
  destruct (le_lt_dec (length X + length (del y U)) 0) as [L|L]; [left; lia|right].
  assert (FU' : faces (del y U)) by now apply del_Forall.
  split; [now apply not_C1_empty|]. right. unfold C3.
  rewrite mu_zero by now apply faces_app. rewrite app_length.
  pose proof (mu_le_B (Z ++ V) (drop 1 X)) as E. rewrite drop_length in E. lia.
Qed.

Lemma cut_by_C2 y :
  weakest_legal U r y -> V <> [] -> clt (list_max V) X <= 1 ->
  mu (X ++ del y U) Z = length Z -> cut_move X U Z V r.
Proof.
  intros Cd NV CV F. assert (Hy : In y U) by apply Cd.
  assert (FU' : faces (del y U)) by now apply del_Forall.
  pose proof (mu_le_A (X ++ del y U) Z) as B. rewrite app_length in B.
  pose proof (del_length y U Hy) as LU.
  destruct (le_lt_dec (length X + length (del y U)) (length Z)) as [L|L].
  - apply (cut_by_C3 y); auto. rewrite (mu_full_drop _ _ F).
    pose proof (mu_le_B (Z ++ V) (drop 1 X)) as E. rewrite drop_length in E. lia.
  - exists y. split; auto. right.
    split; [now apply not_C1_empty|]. left. repeat split; auto.
    rewrite mu_zero by now apply faces_app. rewrite app_length. lia.
Qed.

(** ** No legal card: pass *)

Lemma win_pass : faces V ->
  cgt r (X ++ U) = 0 -> T3 X U Z V r -> ~ T3 Z V X U 0.
Proof.
  intros FV L [N1 H].
  assert (N2 : ~ C2 X U Z V r).
  { intros (_ & _ & F). pose proof (mu_bound (X ++ U) (r :: Z) r) as B. simpl in B.
    pose proof (clt_le_length r Z). bcase; lia. }
  destruct H as [H|H]; [tauto|]. unfold C3 in H.
  assert (E : mu (X ++ U) (r :: drop 1 Z) <= mu (X ++ U) (drop 1 Z)).
  { destruct (mu_witness (X ++ U) (drop 1 Z)) as [t Et].
    pose proof (mu_bound (X ++ U) (r :: drop 1 Z) t) as Bt.
    pose proof (mu_bound (X ++ U) (r :: drop 1 Z) r) as Br. simpl in Bt, Br.
    pose proof (clt_mono r t (drop 1 Z)). bcase; lia. }
  intros [_ [(NU & CU & G)|G]].
  - apply N1. repeat split; auto.
    + destruct (le_lt_dec (list_max U) r); auto. exfalso.
      pose proof (cgt_In r _ (X ++ U) (in_or_app _ _ _ (or_intror (list_max_In U NU)))). lia.
    + pose proof (mu_cons_le (Z ++ V) X 0). pose proof (mu_le_B (Z ++ V) X). lia.
  - unfold C3 in G. pose proof (mu_cons_le (Z ++ V) (drop 1 X) 0). lia.
Qed.

(** ** Clause 3 *)

(** With the surplus any legal cut card wins. *)
Lemma win3_surplus :
  C3 X U Z V r -> surplus X U Z V -> r < list_max U -> cut_move X U Z V r.
Proof.
  intros H (NU & CU & F) Hr. unfold C3 in H.
  destruct (ex_weakest_legal U r _ (list_max_In U NU) Hr) as [y Cd].
  assert (I : In y U) by apply Cd.
  pose proof (list_max_ge U y I) as Ly.
  pose proof (takes_right X U y I) as T.
  apply (cut_by_C3 y); auto.
  pose proof (mu_cons_le (X ++ U) (drop 1 Z) r) as E.
  assert (mu (X ++ U) (drop 1 Z) <= mu (X ++ del y U) (drop 1 Z)); [|lia].
  destruct (mu_witness (X ++ del y U) (drop 1 Z)) as [t Et].
  pose proof (mu_bound (X ++ U) (drop 1 Z) t) as Bt.
  pose proof (mu_bound (X ++ U) (drop 1 Z) y) as By.
  rewrite (T t) in Bt. rewrite (T y), drop_clt in By.
  pose proof (clt_mono y (list_max U) Z Ly).
  pose proof (cgt_anti t y (X ++ del y U)). bcase; lia.
Qed.

(** The weakest legal card is a cut card. *)
Lemma win3_cut y :
  C3 X U Z V r -> In y U -> r < y ->
  (forall t, r <= t -> t < y -> cgt t (X ++ U) = cgt r (X ++ U)) ->
  cut_move X U Z V r.
Proof.
  intros H Hy Hr G. unfold C3 in H. apply (cut_by_C3 y).
  { apply (gap_weakest (X ++ U)); auto. intros; apply in_or_app; auto. }
  pose proof (mu_strip _ _ _ (drop 1 Z) r (takes_right X U y Hy) Hr G). lia.
Qed.

(** The weakest legal card is an ordinary card, and there is no surplus. *)
Lemma win3_ord v :
  C3 X U Z V r -> ~ surplus X U Z V -> In v X -> r < v ->
  (forall t, r <= t -> t < v -> cgt t (X ++ U) = cgt r (X ++ U)) ->
  ord_move X U Z V r.
Proof.
  intros H NS Hv Hr G. unfold C3 in H.
  assert (Cv : cand_ord X r v).
  { left. apply (gap_weakest (X ++ U)); auto. intros; apply in_or_app; auto. }
  pose proof (mu_strip _ _ _ (drop 1 Z) r (takes_left X U v Hv) Hr G) as St.
  pose proof (del_length v X Hv) as LX.
  destruct (le_lt_dec (mu (Z ++ V) (v :: drop 1 (del v X))) (mu (del v X ++ U) (drop 1 Z)))
    as [K|K]; [now apply (ord_by_C3 v)|].
  destruct (list_eq_dec Nat.eq_dec (del v X) []) as [ED|ND].
  - (* v is the only ordinary card *)
    destruct (list_eq_dec Nat.eq_dec U []) as [EU|NU].
    + exists v. rewrite ED, EU. split; auto.
    + exfalso. apply NS.
      pose proof (mu_apart_all (Z ++ V) X v Hv) as EA.
      rewrite ED in *. simpl length in LX.
      pose proof (mu_le_B (Z ++ V) (v :: drop 1 [])) as B1.
      simpl app in K. change (drop 1 []) with (@nil nat) in K, B1. simpl length in B1.
      repeat split; auto; [|lia].
      destruct (mu_witness U (drop 1 Z)) as [t Et]. rewrite drop_clt in Et.
      pose proof (clt_mono (list_max U) t Z) as M.
      destruct (le_lt_dec (list_max U) t); [lia|].
      pose proof (cgt_In t (list_max U) U (list_max_In U NU)). lia.
  - (* x2 = the weakest other ordinary card *)
    destruct (ex_min (del v X) ND) as (x2 & I2 & M2).
    destruct (le_lt_dec x2 v) as [L2|L2].
    { (* v is not the weakest card of X *)
      rewrite (mu_apart_eq _ X v x2) in K by auto. lia. }
    pose proof (del_In _ _ _ I2) as I2X.
    assert (Iv : In v (del x2 X)) by (apply del_other; auto; lia).
    assert (C2d : cand_ord X r x2) by (apply (second_cand v); auto; lia).
    apply (ord_by_C3 x2); auto.
    rewrite (mu_apart_eq _ X x2 v) by (auto; lia).
    destruct (le_lt_dec (mu (Z ++ V) (drop 1 X)) (mu (del x2 X ++ U) (drop 1 Z))) as [|C];
      [auto|exfalso].
    destruct (mu_witness (del x2 X ++ U) (drop 1 Z)) as [t Et].
    pose proof (takes_left X U x2 I2X t) as Tt.
    pose proof (mu_bound (X ++ U) (r :: drop 1 Z) t) as Bt.
    pose proof (mu_bound (X ++ U) (r :: drop 1 Z) r) as Br.
    simpl in Bt, Br. 
    assert (Ht : t < x2 /\ r < t) by (bcase; lia).
    pose proof (clt_mono r t (drop 1 Z)).
    assert (Hvt : v <= t).
    { destruct (le_lt_dec v t); auto. pose proof (G t). bcase; lia. }
    assert (E1 : cgt t (del v X) = length (del v X)).
    { apply cgt_pos_all. apply Forall_forall. intros w Hw. specialize (M2 w Hw). lia. }
    pose proof (del_cgt t v X Hv) as D. rewrite cgt_app in Tt.
    pose proof (mu_le_B (Z ++ V) (v :: drop 1 (del v X))) as B1.
    simpl length in B1. rewrite drop_length in B1.
    assert (1 <= length (del v X)) by (destruct (del v X); [congruence|simpl; lia]).
    bcase; lia.
Qed.

(** ** Clause 2 *)

(** The weakest legal card is a cut card. *)
Lemma win2_cut y :
  C2 X U Z V r -> In y U -> r < y ->
  (forall t, r <= t -> t < y -> cgt t (X ++ U) = cgt r (X ++ U)) ->
  cut_move X U Z V r.
Proof.
  intros (NV & CV & F) Hy Hr G. apply (cut_by_C2 y); auto.
  { apply (gap_weakest (X ++ U)); auto. intros; apply in_or_app; auto. }
  pose proof (mu_strip _ _ _ Z r (takes_right X U y Hy) Hr G).
  pose proof (mu_le_B (X ++ del y U) Z). lia.
Qed.

(** The weakest legal card is an ordinary card. *)
Lemma win2_ord v :
  C2 X U Z V r -> ~ C1 X U Z V r -> In v X -> r < v ->
  (forall t, r <= t -> t < v -> cgt t (X ++ U) = cgt r (X ++ U)) ->
  ord_move X U Z V r \/ cut_move X U Z V r.
Proof.
  intros (NV & CV & F) N1 Hv Hr G.
  assert (Cv : cand_ord X r v).
  { left. apply (gap_weakest (X ++ U)); auto. intros; apply in_or_app; auto. }
  pose proof (mu_strip _ _ _ Z r (takes_left X U v Hv) Hr G) as St.
  assert (FZ : mu (del v X ++ U) Z = length Z).
  { pose proof (mu_le_B (del v X ++ U) Z). lia. }
  pose proof (del_length v X Hv) as LX.
  pose proof (del_clt (list_max V) v X Hv) as DV.
  destruct (le_lt_dec (list_max V) v) as [LV|LV].
  { left. apply (ord_by_C1 v); auto. bcase; lia. }
  pose proof (list_max_In V NV) as IV.
  set (m := list_max V) in *.
  assert (CV0 : clt m (del v X) = 0) by (bcase; lia).
  destruct (list_eq_dec Nat.eq_dec (del v X) []) as [ED|ND].
  - (* v is the only ordinary card *)
    destruct (list_eq_dec Nat.eq_dec U []) as [EU|NU].
    { left. exists v. rewrite ED, EU. split; auto. }
    pose proof (list_max_In U NU) as IU. set (y := list_max U) in *.
    assert (EX : drop 1 X = []).
    { apply length_zero_iff_nil. rewrite drop_length, LX, ED. reflexivity. }
    destruct (le_lt_dec (length Z) 1) as [LZ|LZ].
    + destruct (le_lt_dec y r) as [Ly|Ly].
      * exfalso. apply N1. repeat split; auto.
        -- pose proof (clt_le_length y Z). fold y. lia.
        -- apply mu_full. intros t. rewrite LX, ED, (del_clt t v X Hv), cgt_app. simpl length.
           destruct (le_lt_dec t v) as [Lt|Lt].
           ++ pose proof (cgt_In t m V IV). lia.
           ++ bcase; lia.
      * right. destruct (ex_weakest_legal U r y IU Ly) as [y' Cd].
        apply (cut_by_C3 y'); auto. rewrite EX.
        pose proof (mu_le_B (Z ++ V) []) as B. simpl in B. lia.
    + left. apply (ord_by_C3 v); auto.
      * intros (_ & CU & _). fold y in CU. rewrite ED in FZ. simpl app in FZ.
        pose proof (mu_bound U Z y) as B. rewrite (cgt_max y U) in B by (unfold y; lia). lia.
      * rewrite (mu_full_drop _ _ FZ).
        pose proof (mu_le_B (Z ++ V) (v :: drop 1 (del v X))) as B.
        simpl length in B. rewrite drop_length, ED in B. simpl in B. rewrite ED. lia.
  - (* x2 = the weakest other ordinary card *)
    left.
    destruct (ex_min (del v X) ND) as (x2 & I2 & M2).
    assert (L2 : m <= x2).
    { destruct (le_lt_dec m x2); auto. pose proof (clt_In m x2 _ I2). lia. }
    pose proof (del_In _ _ _ I2) as I2X.
    assert (Iv : In v (del x2 X)) by (apply del_other; auto; lia).
    assert (C2d : cand_ord X r x2) by (apply (second_cand v); auto; lia).
    pose proof (mu_le_B (del x2 X ++ U) Z) as B2.
    destruct (le_lt_dec (length Z) (mu (del x2 X ++ U) Z)) as [F2|F2].
    { apply (ord_by_C1 x2); auto; try (fold m; lia).
      fold m. pose proof (del_clt m x2 X I2X). lia. }
    destruct (mu_witness (del x2 X ++ U) Z) as [t Et].
    pose proof (takes_left X U x2 I2X t) as Tt.
    pose proof (mu_bound (X ++ U) (r :: Z) t) as Bt.
    pose proof (mu_bound (X ++ U) (r :: Z) r) as Br.
    simpl in Bt, Br.
    assert (Ht : t < x2 /\ r < t) by (bcase; lia).
    pose proof (clt_mono r t Z) as Mrt.
    assert (Hvt : v <= t).
    { destruct (le_lt_dec v t); auto. pose proof (G t). bcase; lia. }
    assert (E1 : cgt t (del v X) = length (del v X)).
    { apply cgt_pos_all. apply Forall_forall. intros w Hw. specialize (M2 w Hw). lia. }
    pose proof (del_cgt t v X Hv) as D. rewrite cgt_app in Tt.
    assert (P1 : 1 <= length (del v X)) by (destruct (del v X); [congruence|simpl; lia]).
    rewrite cgt_app in Bt.
    assert (EZ : length Z = clt t Z + length (del v X) + cgt t U) by (bcase; lia).
    clear Tt Bt Br Mrt D Et B2 F2 E1.
    (* strongest cards *)
    assert (NX : X <> []) by (intros E; rewrite E in Hv; destruct Hv).
    assert (NZ : Z <> []) by (intros E; rewrite E in EZ; simpl in EZ; lia).
    pose proof (list_max_In X NX) as IM. set (M := list_max X) in *.
    pose proof (list_max_In Z NZ) as Iz. set (z := list_max Z) in *.
    assert (LM : x2 <= M) by (apply list_max_ge; auto).
    assert (IM' : In M (del v X)) by (apply del_other; auto; lia).
    pose proof (clt_not_all z z Z Iz (Nat.le_refl _)) as Cz.
    pose proof (proj1 (mu_full _ _) FZ z) as Fz. rewrite cgt_app in Fz.
    pose proof (del_cgt z v X Hv) as Dz.
    assert (NS : ~ surplus X U Z V).
    { intros (NU & CU & FA).
      pose proof (list_max_In U NU) as IU. set (y := list_max U) in *.
      pose proof (proj1 (mu_full _ _) FA M) as FM. rewrite cgt_app in FM.
      rewrite (cgt_max M V) in FM by (fold m; lia).
      pose proof (clt_not_all M M X IM (Nat.le_refl _)) as CM.
      destruct (cgt_ex M Z) as (z1 & Iz1 & Lz1); [lia|].
      assert (Lz : z1 <= z) by (apply list_max_ge; auto).
      rewrite (cgt_max z X) in Dz by (fold M; lia).
      destruct (le_lt_dec y z) as [Lyz|Lyz].
      - rewrite (cgt_max z U) in Fz by (fold y; lia). lia.
      - assert (AZ : clt y Z = length Z).
        { apply clt_above. intros w Hw. pose proof (list_max_ge Z w Hw). fold z in H. lia. }
        assert (t <= z).
        { destruct (le_lt_dec t z); auto. pose proof (clt_In t z Z Iz). lia. }
        pose proof (cgt_In t y U IU). lia. }
    destruct (le_lt_dec 1 (clt t Z + cgt t U)) as [Q|Q].
    + apply (ord_by_C3 v); auto. rewrite (mu_full_drop _ _ FZ).
      pose proof (mu_le_B (Z ++ V) (v :: drop 1 (del v X))) as B.
      simpl length in B. rewrite drop_length in B. lia.
    + assert (Lzt : t <= z).
      { destruct (le_lt_dec t z); auto. pose proof (clt_In t z Z Iz). lia. }
      pose proof (cgt_anti t z U Lzt).
      assert (LzM : z < M).
      { destruct (cgt_ex z (del v X)) as (w & Iw & Lw); [lia|].
        pose proof (list_max_ge X w (del_In _ _ _ Iw)). fold M in H0. lia. }
      destruct (le_lt_dec (length (del v X)) 1) as [LX2|LX2].
      * (* two ordinary cards *)
        apply (ord_by_C3 x2); auto.
        pose proof (del_length x2 X I2X) as LX'.
        pose proof (mu_bound (Z ++ V) (x2 :: drop 1 (del x2 X)) M) as B.
        simpl in B. rewrite cgt_app, drop_clt in B.
        rewrite (cgt_max M Z), (cgt_max M V) in B by (fold m; fold z; lia).
        pose proof (clt_le_length M (del x2 X)).
        assert (EM : M = x2).
        { destruct (del v X) as [|w [|]]; simpl in *; try lia. }
        rewrite EM in *. bcase; lia.
      * apply (ord_by_C3 v); auto. rewrite (mu_full_drop _ _ FZ).
        pose proof (mu_bound (Z ++ V) (v :: drop 1 (del v X)) M) as B.
        simpl in B. rewrite cgt_app, drop_clt in B.
        rewrite (cgt_max M Z), (cgt_max M V) in B by (fold m; fold z; lia).
        pose proof (clt_not_all M M _ IM' (Nat.le_refl _)).
        bcase; lia.
Qed.

(** ** Summary *)

Theorem win_side : faces V -> T3 X U Z V r ->
  ord_move X U Z V r \/ cut_move X U Z V r \/
  (cgt r (X ++ U) = 0 /\ ~ T3 Z V X U 0).
Proof.
  intros FV H. destruct (weakest_gap r (X ++ U)) as [L|(a & Ia & La & G)].
  - right; right. split; auto. now apply win_pass.
  - destruct H as [N1 H]. apply in_app_or in Ia.
    destruct H as [H|H]; destruct Ia as [Ia|Ia].
    + destruct (win2_ord a H N1 Ia La G); auto.
    + right; left. now apply (win2_cut a).
    + destruct (surplus_dec X U Z V) as [S|NS].
      * right; left. apply win3_surplus; auto.
        destruct (le_lt_dec (list_max U) r); auto. exfalso. apply N1.
        destruct S as (? & ? & ?). repeat split; auto.
      * left. now apply (win3_ord a).
    + right; left. now apply (win3_cut a).
Qed.

End Win.
