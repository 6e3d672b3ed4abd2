(** * Small calculus for the matching number mu

    Everything is stated through the counting functions [clt] and [cgt], so a
    hand "A = a + A'" is written [takes A a A'] below: no list order matters. *)

From Coq Require Import List Arith Lia Bool.
From Tanhinmin Require Import Cards Game.
Import ListNotations.

(** As a multiset of beaters, [A] is [A'] with the card [a] added. *)
Definition takes (A : list nat) (a : nat) (A' : list nat) : Prop :=
  forall t, cgt t A = Nat.b2n (t <? a) + cgt t A'.

Lemma mu_le_A A B : mu A B <= length A.
Proof. pose proof (mu_bound A B 0). rewrite clt_0 in H. pose proof (cgt_le_length 0 A). lia. Qed.

Lemma mu_le_B A B : mu A B <= length B.
Proof.
  pose proof (mu_bound A B (Nat.max (top A) (top B))).
  rewrite clt_top, cgt_top in H by lia. lia.
Qed.

Lemma mu_mono_cnt A B A' B' :
  (forall t, clt t B + cgt t A <= clt t B' + cgt t A') -> mu A B <= mu A' B'.
Proof.
  intros H. apply mu_ge. intros t. pose proof (mu_bound A B t). specialize (H t). lia.
Qed.

Lemma mu_same_sums A B A' B' :
  (forall t, clt t B + cgt t A = clt t B' + cgt t A') -> mu A B = mu A' B'.
Proof.
  intros H. apply Nat.le_antisymm; apply mu_mono_cnt; intros t; rewrite H; lia.
Qed.

Lemma mu_cons_ge A B r : mu A B <= mu A (r :: B).
Proof. apply mu_mono_cnt. intros t. simpl. lia. Qed.

Lemma mu_cons_le A B r : mu A (r :: B) <= S (mu A B).
Proof.
  destruct (mu_witness A B) as [t E]. pose proof (mu_bound A (r :: B) t). simpl in H.
  bcase; lia.
Qed.

(** A card of face 0 is beaten by any card that is left over. *)
Lemma mu_zero A B : faces A -> mu A (0 :: B) = Nat.min (length A) (S (mu A B)).
Proof.
  intros F. apply Nat.le_antisymm.
  - pose proof (mu_le_A A (0 :: B)). pose proof (mu_cons_le A B 0). lia.
  - apply mu_ge. intros t. destruct t.
    + rewrite (faces_cgt0 A F). lia.
    + pose proof (mu_bound A B (S t)). simpl. lia.
Qed.

(** Beating r with the weakest card that beats it costs nothing. *)
Lemma mu_strip A a A' B r :
  takes A a A' -> r < a -> (forall t, r <= t -> t < a -> cgt t A = cgt r A) ->
  mu A (r :: B) <= S (mu A' B).
Proof.
  intros T Ha G. destruct (mu_witness A' B) as [t E].
  pose proof (T t) as Tt. pose proof (mu_bound A (r :: B) t) as Bt.
  pose proof (mu_bound A (r :: B) r) as Br. simpl in Bt, Br.
  destruct (le_lt_dec a t); [bcase; lia|].
  destruct (le_lt_dec t r); [bcase; lia|].
  pose proof (G t). pose proof (clt_mono r t B). bcase; lia.
Qed.

Lemma mu_pair A a A' B r :
  takes A a A' -> r < a -> S (mu A' B) <= mu A (r :: B).
Proof.
  intros T Ha. apply mu_ge. intros t. pose proof (mu_bound A' B t).
  rewrite (T t). simpl. bcase; lia.
Qed.

Lemma mu_del A a A' B : takes A a A' -> mu A B <= S (mu A' B).
Proof.
  intros T. destruct (mu_witness A' B) as [t E]. pose proof (mu_bound A B t).
  rewrite (T t) in H. bcase; lia.
Qed.

Lemma mu_less A a A' B : takes A a A' -> mu A' B <= mu A B.
Proof. intros T. apply mu_mono_cnt. intros t. rewrite (T t). lia. Qed.

(** [A] beats all of [B]. *)
Lemma mu_full A B : mu A B = length B <-> forall t, length B <= clt t B + cgt t A.
Proof.
  rewrite <- mu_ge. pose proof (mu_le_B A B). lia.
Qed.

Lemma mu_full_drop A B : mu A B = length B -> mu A (drop 1 B) = length B - 1.
Proof.
  intros H. apply Nat.le_antisymm.
  - pose proof (mu_le_B A (drop 1 B)). now rewrite drop_length in H0.
  - apply mu_ge. intros t. rewrite drop_clt. rewrite mu_full in H. specialize (H t). lia.
Qed.

(** Dropping the weakest card after or before a card is set apart. *)
Lemma mu_apart_ge A X v : In v X -> mu A (drop 1 X) <= mu A (v :: drop 1 (del v X)).
Proof.
  intros Hv. apply mu_mono_cnt. intros t. simpl. rewrite !drop_clt.
  rewrite (del_clt t v X Hv). bcase; lia.
Qed.

Lemma mu_apart_eq A X v w :
  In v X -> In w (del v X) -> w <= v -> mu A (v :: drop 1 (del v X)) = mu A (drop 1 X).
Proof.
  intros Hv Hw L. apply mu_same_sums. intros t. simpl. rewrite !drop_clt.
  rewrite (del_clt t v X Hv). rewrite (del_clt t w _ Hw). bcase; lia.
Qed.

Lemma mu_apart_all A X v : In v X -> mu A (v :: del v X) = mu A X.
Proof.
  intros Hv. apply mu_same_sums. intros t. simpl. rewrite (del_clt t v X Hv). lia.
Qed.

(** ** Extreme cards *)

Lemma list_max_In l : l <> [] -> In (list_max l) l.
Proof.
  induction l as [|x l IH]; [congruence|]. intros _. simpl.
  destruct l as [|y l]; [simpl; left; lia|].
  destruct (Nat.max_dec x (list_max (y :: l))) as [E|E]; rewrite E; [now left|].
  right. apply IH. congruence.
Qed.

Lemma list_max_ge l x : In x l -> x <= list_max l.
Proof.
  intros H. pose proof (proj1 (list_max_le l (list_max l)) (Nat.le_refl _)) as F.
  rewrite Forall_forall in F. auto.
Qed.

Lemma cgt_max t l : list_max l <= t -> cgt t l = 0.
Proof.
  intros H. apply cgt_none. apply Forall_forall. intros x Hx.
  pose proof (list_max_ge l x Hx). lia.
Qed.

Lemma clt_above t l : (forall x, In x l -> x < t) -> clt t l = length l.
Proof. intros H. apply clt_all. now apply Forall_forall. Qed.

Lemma clt_not_all t v l : In v l -> t <= v -> clt t l < length l.
Proof.
  intros H L. rewrite (del_clt t v l H). pose proof (clt_le_length t (del v l)).
  rewrite (del_length v l H). bcase; lia.
Qed.

Lemma ex_min l : l <> [] -> exists m, In m l /\ forall w, In w l -> m <= w.
Proof.
  induction l as [|x l IH]; [congruence|]. intros _.
  destruct l as [|y l].
  - exists x. simpl. split; [auto|]. intros w [->|[]]; lia.
  - destruct IH as (m & Hm & Hw); [congruence|].
    destruct (le_lt_dec x m).
    + exists x. split; [now left|]. intros w [->|H]; [lia|]. specialize (Hw w H). lia.
    + exists m. split; [now right|]. intros w [->|H]; [lia|]. auto.
Qed.

Lemma cgt_same r t l : (forall w, In w l -> (r < w <-> t < w)) -> cgt r l = cgt t l.
Proof.
  induction l as [|x l IH]; intros H; simpl; auto.
  rewrite IH by (intros; apply H; now right).
  pose proof (H x (or_introl eq_refl)). bcase; lia.
Qed.

(** The weakest legal card, if there is a legal one. *)
Lemma weakest_gap r l :
  cgt r l = 0 \/
  exists v, In v l /\ r < v /\ forall t, r <= t -> t < v -> cgt t l = cgt r l.
Proof.
  destruct (le_lt_dec 1 (cgt r l)) as [H|H]; [right|lia].
  destruct (ex_min (filter (fun x => r <? x) l)) as (m & Hm & Hw).
  - destruct (cgt_ex r l H) as (v & Hv & L). intros E.
    assert (In v (filter (fun x => r <? x) l)).
    { apply filter_In. split; auto. now apply Nat.ltb_lt. }
    rewrite E in H0. destruct H0.
  - apply filter_In in Hm. destruct Hm as [Hm L]. apply Nat.ltb_lt in L.
    exists m. repeat split; auto. intros t H1 H2. symmetry. apply cgt_same.
    intros w Iw. split; [|lia]. intros Lw.
    assert (m <= w); [|lia]. apply Hw. apply filter_In. split; auto. now apply Nat.ltb_lt.
Qed.

(** ** Two-part hands *)

Lemma takes_left X U v : In v X -> takes (X ++ U) v (del v X ++ U).
Proof. intros H t. rewrite !cgt_app, (del_cgt t v X H). lia. Qed.

Lemma takes_right X U y : In y U -> takes (X ++ U) y (X ++ del y U).
Proof. intros H t. rewrite !cgt_app, (del_cgt t y U H). lia. Qed.

Lemma faces_app X U : faces X -> faces U -> faces (X ++ U).
Proof. intros. now apply Forall_app. Qed.

Lemma faces_max U : faces U -> U <> [] -> 1 <= list_max U.
Proof.
  intros F N. pose proof (list_max_In U N) as I.
  unfold faces in F. rewrite Forall_forall in F. auto.
Qed.

Lemma del_In v w l : In w (del v l) -> In w l.
Proof.
  induction l as [|x l IH]; simpl; [tauto|].
  destruct (x =? v); simpl; intuition.
Qed.

Lemma del_other v w l : In w l -> w <> v -> In w (del v l).
Proof.
  induction l as [|x l IH]; simpl; [tauto|].
  destruct (Nat.eqb_spec x v) as [->|N]; simpl; intuition congruence.
Qed.
