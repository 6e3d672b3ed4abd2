(** * Winning moves with cut cards: their shape, and programs that list them *)

From Coq Require Import List Arith Lia Bool.
From Tanhinmin Require Import Cards Game MuCalc CutGame CutLose CutWin CutMain.
Import ListNotations.

(** ** Shape *)

(** If the mover wins and has a legal card, one of three discards wins: the weakest
    legal ordinary card, the weakest legal ordinary card other than the weakest
    ordinary card, the weakest legal cut card.  So pass is needed only when nothing
    is legal. *)
Corollary three_candidates X U Z V r :
  faces X -> faces U -> faces Z -> faces V ->
  0 < length X + length U -> 0 < length Z + length V ->
  cwins X U Z V (Face r) -> 0 < cgt r (X ++ U) ->
  (exists v, cand_ord X r v /\
     (length (del v X) + length U = 0 \/ closes Z V (del v X) U (Face v))) \/
  (exists y, weakest_legal U r y /\
     (length X + length (del y U) = 0 \/ closes Z V X (del y U) Cut)).
Proof.
  intros FX FU FZ FV LX LZ W L.
  apply (proj1 (tanhinmin_cut X U Z V r FX FU FZ FV LX LZ)) in W.
  destruct (win_side X U Z V r FX FU FV W) as [(v & Cd & D)|[(y & Cd & D)|(N & _)]]; [| |lia].
  - left. exists v. split; auto.
    destruct (le_lt_dec (length (del v X) + length U) 0); [left; lia|].
    destruct D as [D|D]; [now left|right].
    apply tanhinmin_cut; auto. now apply del_Forall.
  - right. exists y. split; auto.
    destruct (le_lt_dec (length X + length (del y U)) 0); [left; lia|].
    destruct D as [D|D]; [now left|right]. apply closes_cut.
    apply tanhinmin_cut; auto. now apply del_Forall.
Qed.

(** Pass is never needed when a card is legal. *)
Corollary cut_pass_not_needed X U Z V r :
  faces X -> faces U -> faces Z -> faces V ->
  0 < length X + length U -> 0 < length Z + length V ->
  cwins X U Z V (Face r) -> (exists v, In v (X ++ U) /\ r < v) ->
  (exists v, In v X /\ r < v /\
     (length (del v X) + length U = 0 \/ closes Z V (del v X) U (Face v))) \/
  (exists y, In y U /\ r < y /\
     (length X + length (del y U) = 0 \/ closes Z V X (del y U) Cut)).
Proof.
  intros FX FU FZ FV LX LZ W (u & Iu & Lu).
  pose proof (cgt_In r u (X ++ U) Iu Lu) as L.
  destruct (three_candidates X U Z V r FX FU FZ FV LX LZ W L)
    as [(v & Cd & H)|(y & (Iy & Ly & _) & H)].
  - left. exists v. destruct (cand_ord_legal _ _ _ Cd). auto.
  - right. exists y. auto.
Qed.

(** Winning cut cards are a prefix: if y wins, every weaker cut card (if legal) wins. *)
Corollary cut_prefix X U Z V y y' :
  faces X -> faces U -> faces Z -> faces V -> 0 < length Z + length V ->
  In y U -> In y' U -> y' <= y -> 0 < length X + length (del y U) ->
  closes Z V X (del y U) Cut -> closes Z V X (del y' U) Cut.
Proof.
  intros FX FU FZ FV LZ I I' L LX W. inversion W as [|? ? ? ? W']; subst. apply closes_cut.
  pose proof (del_length y U I) as E1. pose proof (del_length y' U I') as E2.
  assert (FU1 : faces (del y U)) by now apply del_Forall.
  assert (FU2 : faces (del y' U)) by now apply del_Forall.
  apply tanhinmin_cut in W'; auto. apply tanhinmin_cut; auto; [lia|].
  assert (M : forall B, mu (X ++ del y U) B <= mu (X ++ del y' U) B).
  { intros B. apply mu_mono_cnt. intros t. rewrite !cgt_app.
    pose proof (del_cgt t y U I). pose proof (del_cgt t y' U I'). bcase; lia. }
  destruct W' as [_ H]. split; [now apply not_C1_empty|].
  destruct H as [(A & B & C)|H]; [left|right].
  - repeat split; auto. specialize (M (0 :: Z)).
    pose proof (mu_le_B (X ++ del y' U) (0 :: Z)) as K. simpl in K. lia.
  - unfold C3 in *. specialize (M (0 :: drop 1 Z)). lia.
Qed.

(** Winning ordinary cards, apart from the weakest card of the hand, are a prefix:
    if v wins, and w <= v is not the only weakest card, then w (if legal) wins. *)
Corollary ord_prefix X U Z V v w x1 :
  faces X -> faces U -> faces Z -> faces V -> 0 < length Z + length V ->
  In v X -> In w X -> w <= v -> In x1 (del w X) -> x1 <= w ->
  closes Z V (del v X) U (Face v) -> closes Z V (del w X) U (Face w).
Proof.
  intros FX FU FZ FV LZ Iv Iw L I1 L1 W.
  pose proof (del_length v X Iv) as E1. pose proof (del_length w X Iw) as E2.
  pose proof (del_length x1 _ I1) as E3.
  assert (FX1 : faces (del v X)) by now apply del_Forall.
  assert (FX2 : faces (del w X)) by now apply del_Forall.
  apply tanhinmin_cut in W; auto; [|lia]. apply tanhinmin_cut; auto; [lia|].
  assert (M : forall B, mu (del v X ++ U) B <= mu (del w X ++ U) B).
  { intros B. apply mu_mono_cnt. intros t. rewrite !cgt_app.
    pose proof (del_cgt t v X Iv). pose proof (del_cgt t w X Iw). bcase; lia. }
  intros K.
  destruct (C1_dec Z V (del v X) U v) as [(NV & MV & CV & G)|N1].
  - destruct K as [K _]. apply K.
    assert (CW : clt (list_max V) (del w X) <= 1 /\ list_max V <= w).
    { pose proof (del_clt (list_max V) v X Iv). pose proof (del_clt (list_max V) w X Iw).
      pose proof (del_clt (list_max V) x1 _ I1). bcase; lia. }
    destruct CW. repeat split; auto.
    specialize (M Z). pose proof (mu_le_B (del w X ++ U) Z). lia.
  - apply W. split; auto. destruct K as [_ [(A & B & C)|K]]; [left|right].
    + repeat split; auto. rewrite mu_apart_all in * by auto. lia.
    + unfold C3 in *. specialize (M (drop 1 Z)).
      rewrite (mu_apart_eq _ X w x1) in K by auto.
      pose proof (mu_apart_ge (Z ++ V) X v Iv). lia.
Qed.

(** ** Programs *)

(** A discard that leaves no card wins at once; otherwise the successor is decided. *)
Definition winning_ordinary (X U Z V : list nat) (r : nat) : list nat :=
  filter (fun v => (r <? v) &&
            (empty (del v X ++ U) || negb (decide_cut Z V (del v X) U v)))
         (nodup Nat.eq_dec X).

Definition winning_cuts (X U Z V : list nat) (r : nat) : list nat :=
  filter (fun y => (r <? y) &&
            (empty (X ++ del y U) || decide_cut X (del y U) Z V 0))
         (nodup Nat.eq_dec U).

Definition winning_cut_pass (X U Z V : list nat) : bool :=
  negb (decide_cut Z V X U 0).

Lemma empty_app l m : empty (l ++ m) = true <-> length l + length m = 0.
Proof.
  rewrite <- app_length. destruct (l ++ m); simpl; split; intros; congruence || lia.
Qed.

Section Winning_moves.
  Variables X U Z V : list nat.
  Variable r : nat.
  Hypothesis FX : faces X.
  Hypothesis FU : faces U.
  Hypothesis FZ : faces Z.
  Hypothesis FV : faces V.
  Hypothesis LZ : 0 < length Z + length V.

  Theorem winning_ordinary_correct v :
    In v (winning_ordinary X U Z V r) <->
    In v X /\ r < v /\
    (length (del v X) + length U = 0 \/ closes Z V (del v X) U (Face v)).
  Proof.
    unfold winning_ordinary.
    rewrite filter_In, nodup_In, andb_true_iff, orb_true_iff, Nat.ltb_lt, empty_app,
      negb_true_iff.
    assert (FD : faces (del v X)) by now apply del_Forall.
    destruct (le_lt_dec (length (del v X) + length U) 0) as [L|L]; [intuition lia|].
    destruct (decide_cut_correct Z V (del v X) U v) as [_ E]; auto.
    rewrite E. tauto.
  Qed.

  Theorem winning_cuts_correct y :
    In y (winning_cuts X U Z V r) <->
    In y U /\ r < y /\
    (length X + length (del y U) = 0 \/ closes Z V X (del y U) Cut).
  Proof.
    unfold winning_cuts.
    rewrite filter_In, nodup_In, andb_true_iff, orb_true_iff, Nat.ltb_lt, empty_app.
    assert (FD : faces (del y U)) by now apply del_Forall.
    rewrite (proj2 (cut_on_table Z V X (del y U))).
    destruct (le_lt_dec (length X + length (del y U)) 0) as [L|L]; [intuition lia|].
    destruct (decide_cut_correct X (del y U) Z V 0) as [E _]; auto.
    rewrite E. tauto.
  Qed.

  Theorem winning_cut_pass_correct :
    0 < length X + length U ->
    (winning_cut_pass X U Z V = true <-> closes Z V X U (Face 0)).
  Proof.
    intros LX. unfold winning_cut_pass. rewrite negb_true_iff.
    apply decide_cut_correct; auto.
  Qed.
End Winning_moves.
