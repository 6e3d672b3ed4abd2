(** * The paper's table of suit classes *)

From Coq Require Import List Arith ZArith Lia Bool.
From Shichinarabe Require Import Game Value Race Decide.
Import ListNotations.
Local Open Scope Z_scope.

Notation rep := (@repeat bool) (only parsing).

(** y blocks: other player's card, own card. *)
Fixpoint alt (p : player) (y : nat) : suit :=
  match y with O => [] | S y => negb p :: p :: alt p y end.

(** [row i p x s]: string s has the shape of row i of the table, p being the
    owner of the first card and x >= 1 the length of the first run. (Numbers that
    are at least 1 are written S y, S z.) *)
Inductive row : nat -> player -> nat -> suit -> Prop :=
| row1 p x : row 1 p (S x) (rep p (S x))
| row2 p x y : row 2 p (S x) (rep p (S x) ++ rep (negb p) (S y))
| row3 p x y z : row 3 p (S x) (rep p (S x) ++ alt p (S y) ++ rep p z)
| row4 p x y z : row 4 p (S x) (rep p (S x) ++ alt p (S y) ++ rep (negb p) (S z))
| row5 p x y z T : row 5 p (S x) (rep p (S x) ++ alt p (S y) ++ rep p (S z) ++ negb p :: T)
| row6 p x y z T : row 6 p (S x) (rep p (S x) ++ alt p y ++ rep (negb p) (S (S z)) ++ p :: T).

(** Value and the two prices for the first player's side, as in the table. *)
Definition row_val (i x : nat) : Z :=
  match i with 1%nat | 3%nat | 5%nat => Z.of_nat x | _ => Z.of_nat x - 1 end.
Definition row_own (i : nat) : option Z :=
  match i with 1%nat => None | 3%nat => Some 1 | _ => Some 0 end.
Definition row_opp (i : nat) : option Z :=
  match i with 1%nat | 2%nat => None | 4%nat => Some 1 | _ => Some 0 end.

(** ** The first run *)

Lemma run_val p x t : val p (rep p (S x) ++ t) = Z.max 0 (val p t + 1) + Z.of_nat x.
Proof.
  induction x as [|x IH].
  - simpl app. rewrite val_own. lia.
  - change (rep p (S (S x)) ++ t) with (p :: (rep p (S x) ++ t)).
    rewrite val_own, IH. lia.
Qed.

Lemma has_app q a b : has q (a ++ b) = has q a || has q b.
Proof. induction a as [|c a IH]; simpl; auto. rewrite IH. now rewrite orb_assoc. Qed.

Lemma run_own p x t :
  has (negb p) t = true -> val p t <= 0 ->
  price p (rep p (S x) ++ t) =
  Some (if val p t =? 0 then omin 1 (price p t) else 0).
Proof.
  intros HH HV. induction x as [|x IH].
  - simpl app. rewrite price_own, HH, val_own.
    destruct (Z.eqb_spec (val p t) 0) as [E|E].
    + rewrite E. simpl. reflexivity.
    + destruct (Z.ltb_spec 0 (Z.max 0 (val p t + 1))); [lia|auto].
  - change (rep p (S (S x)) ++ t) with (p :: (rep p (S x) ++ t)).
    rewrite price_own, has_app, HH, orb_true_r, IH, val_own, run_val.
    destruct (Z.ltb_spec 0 (Z.max 0 (Z.max 0 (val p t + 1) + Z.of_nat x + 1))); [|lia].
    f_equal. destruct (val p t =? 0); simpl; [|lia].
    destruct (price p t); simpl; lia.
Qed.

Lemma price_opp' p X :
  price (negb p) (p :: X) =
  match price (negb p) X with
  | None => None
  | Some q => Some (Z.max 0 (q - Z.max 0 (- val p X - 1)))
  end.
Proof.
  pose proof (price_opp (negb p) X) as H. rewrite negb_involutive in H. rewrite H.
  rewrite val_opp_view. reflexivity.
Qed.

Lemma price_own' p X :
  price (negb p) (negb p :: X) =
  if has p X then
    Some (if val p (negb p :: X) <? 0
          then omin (- val p (negb p :: X)) (price (negb p) X) else 0)
  else None.
Proof.
  rewrite price_own, negb_involutive, val_opp_view. destruct (has p X); auto. f_equal.
  destruct (Z.ltb_spec 0 (- val p (negb p :: X)));
  destruct (Z.ltb_spec (val p (negb p :: X)) 0); auto; lia.
Qed.

Lemma run_opp p x t :
  price (negb p) (rep p (S x) ++ t) =
  match price (negb p) t with
  | None => None
  | Some q => Some (Z.max 0 (q - Z.max 0 (- val p t - 1)))
  end.
Proof.
  induction x as [|x IH].
  - simpl app. apply price_opp'.
  - change (rep p (S (S x)) ++ t) with (p :: (rep p (S x) ++ t)).
    rewrite price_opp', IH, run_val. destruct (price (negb p) t); auto. f_equal. lia.
Qed.

Lemma rep_facts p x :
  val p (rep p x) = Z.of_nat x /\ price p (rep p x) = None /\ price (negb p) (rep p x) = None.
Proof.
  induction x as [|x (E1 & E2 & E3)]; auto.
  change (rep p (S x)) with (p :: rep p x). split; [|split].
  - rewrite val_own, E1. lia.
  - rewrite price_own. replace (has (negb p) (rep p x)) with false; auto.
    clear. induction x; simpl; auto. now rewrite eqb_negb, <- IHx.
  - rewrite price_opp', E3. reflexivity.
Qed.

Lemma rep_facts' p x :
  val p (rep (negb p) x) = - Z.of_nat x /\
  price p (rep (negb p) x) = None /\ price (negb p) (rep (negb p) x) = None.
Proof.
  destruct (rep_facts (negb p) x) as (E1 & E2 & E3).
  rewrite val_opp_view in E1. rewrite negb_involutive in E3. repeat split; auto; lia.
Qed.

(** ** The part after the first run *)

Ltac own_hd p := rewrite (price_own' p); simpl has; rewrite ?eqb_refl'; simpl orb.

Lemma tail3 p y z :
  let t := alt p (S y) ++ rep p z in
  val p t = 0 /\ (price p t = None \/ price p t = Some 1) /\ price (negb p) t = Some 0.
Proof.
  induction y as [|y IH]; intros t.
  - destruct (rep_facts p (S z)) as (E1 & E2 & E3).
    assert (V : val p t = 0).
    { unfold t. change (val p (negb p :: rep p (S z)) = 0). rewrite val_opp, E1. lia. }
    split; auto. split.
    + left. unfold t. change (price p (negb p :: rep p (S z)) = None).
      now rewrite price_opp, E2.
    + unfold t in *. change (alt p 1 ++ rep p z) with (negb p :: rep p (S z)) in *.
      rewrite price_own', V. simpl has. now rewrite eqb_refl'.
  - destruct IH as (E1 & E2 & E3). unfold t. clear t.
    change (alt p (S (S y)) ++ rep p z) with (negb p :: (rep p 1 ++ (alt p (S y) ++ rep p z))).
    set (u := alt p (S y) ++ rep p z) in *.
    assert (HU : has (negb p) u = true) by (unfold u; simpl; now rewrite eqb_refl').
    pose proof (run_val p 0 u) as V. pose proof (run_own p 0 u HU ltac:(lia)) as O1.
    rewrite E1 in *. simpl Z.eqb in O1. cbv iota in O1.
    assert (V' : val p (negb p :: (rep p 1 ++ u)) = 0) by (rewrite val_opp, V; lia).
    split; auto. split.
    + right. rewrite price_opp, O1, V. destruct E2 as [-> | ->]; reflexivity.
    + rewrite price_own', V'. simpl has. now rewrite eqb_refl'.
Qed.

Lemma tail4 p y z :
  let t := alt p (S y) ++ rep (negb p) (S z) in
  val p t = -1 /\ price (negb p) t = Some 1.
Proof.
  induction y as [|y IH]; intros t; unfold t; clear t.
  - destruct (rep_facts' p (S z)) as (E1 & E2 & E3).
    change (alt p 1 ++ rep (negb p) (S z)) with (negb p :: (rep p 1 ++ rep (negb p) (S z))).
    set (u := rep (negb p) (S z)) in *.
    pose proof (run_val p 0 u) as V. pose proof (run_opp p 0 u) as O2.
    rewrite E1, E3 in *.
    assert (V' : val p (negb p :: (rep p 1 ++ u)) = -1) by (rewrite val_opp, V; lia).
    split; auto. rewrite price_own', V', O2. simpl has. now rewrite eqb_refl'.
  - destruct IH as (E1 & E3).
    change (alt p (S (S y)) ++ rep (negb p) (S z))
      with (negb p :: (rep p 1 ++ (alt p (S y) ++ rep (negb p) (S z)))).
    set (u := alt p (S y) ++ rep (negb p) (S z)) in *.
    pose proof (run_val p 0 u) as V. pose proof (run_opp p 0 u) as O2.
    rewrite E1, E3 in *.
    assert (V' : val p (negb p :: (rep p 1 ++ u)) = -1) by (rewrite val_opp, V; lia).
    split; auto. rewrite price_own', V', O2. simpl has. now rewrite eqb_refl'.
Qed.

Lemma tail5 p y z T :
  let t := alt p (S y) ++ rep p (S z) ++ negb p :: T in
  val p t = 0 /\ price p t = Some 0 /\ price (negb p) t = Some 0.
Proof.
  induction y as [|y IH]; intros t; unfold t; clear t.
  - change (alt p 1 ++ rep p (S z) ++ negb p :: T)
      with (negb p :: (rep p (S (S z)) ++ negb p :: T)).
    set (u := negb p :: T).
    assert (HU : has (negb p) u = true) by (unfold u; simpl; now rewrite eqb_refl').
    assert (VU : val p u <= 0) by (unfold u; rewrite val_opp; lia).
    pose proof (run_val p (S z) u) as V. pose proof (run_own p (S z) u HU VU) as O1.
    assert (V' : val p (negb p :: (rep p (S (S z)) ++ u)) = 0) by (rewrite val_opp, V; lia).
    split; auto. split.
    + rewrite price_opp, O1, V. f_equal. destruct (Z.eqb_spec (val p u) 0) as [->|]; [|lia].
      destruct (price p u); unfold omin; lia.
    + rewrite price_own', V'. simpl has. now rewrite eqb_refl'.
  - destruct IH as (E1 & E2 & E3).
    change (alt p (S (S y)) ++ rep p (S z) ++ negb p :: T)
      with (negb p :: (rep p 1 ++ (alt p (S y) ++ rep p (S z) ++ negb p :: T))).
    set (u := alt p (S y) ++ rep p (S z) ++ negb p :: T) in *.
    assert (HU : has (negb p) u = true) by (unfold u; simpl; now rewrite eqb_refl').
    pose proof (run_val p 0 u) as V. pose proof (run_own p 0 u HU ltac:(lia)) as O1.
    rewrite E1, E2 in *. simpl Z.eqb in O1. cbv iota in O1.
    assert (V' : val p (negb p :: (rep p 1 ++ u)) = 0) by (rewrite val_opp, V; lia).
    split; auto. split.
    + rewrite price_opp, O1, V. reflexivity.
    + rewrite price_own', V'. simpl has. now rewrite eqb_refl'.
Qed.

Lemma tail6 p y z T :
  let t := alt p y ++ rep (negb p) (S (S z)) ++ p :: T in
  val p t <= -1 /\ has (negb p) t = true /\
  exists q, price (negb p) t = Some q /\ q <= Z.max 0 (- val p t - 1).
Proof.
  induction y as [|y IH]; intros t; unfold t; clear t.
  - set (u := p :: T).
    assert (HU : has p u = true) by (unfold u; simpl; now rewrite eqb_refl').
    assert (VU : val (negb p) u <= 0)
      by (rewrite val_opp_view; unfold u; rewrite val_own; lia).
    pose proof (run_val (negb p) (S z) u) as V.
    pose proof (run_own (negb p) (S z) u) as O1. rewrite negb_involutive in O1.
    specialize (O1 HU VU). rewrite val_opp_view in V.
    change (alt p 0 ++ rep (negb p) (S (S z)) ++ u) with (rep (negb p) (S (S z)) ++ u).
    split; [lia|]. split; [simpl; now rewrite eqb_refl'|].
    eexists. split; [exact O1|].
    destruct (Z.eqb_spec (val (negb p) u) 0) as [E|]; [|lia]. rewrite E in V.
    destruct (price (negb p) u); unfold omin; lia.
  - destruct IH as (E1 & E2 & q & E3 & E4).
    change (alt p (S y) ++ rep (negb p) (S (S z)) ++ p :: T)
      with (negb p :: (rep p 1 ++ (alt p y ++ rep (negb p) (S (S z)) ++ p :: T))).
    set (u := alt p y ++ rep (negb p) (S (S z)) ++ p :: T) in *.
    pose proof (run_val p 0 u) as V. pose proof (run_opp p 0 u) as O2. rewrite E3 in O2.
    assert (V' : val p (negb p :: (rep p 1 ++ u)) = -1) by (rewrite val_opp, V; lia).
    split; [lia|]. split; [simpl; now rewrite eqb_refl'|]. exists 0. split; [|lia].
    rewrite price_own', V', O2. simpl has. rewrite eqb_refl'. simpl orb. cbv iota.
    f_equal. destruct (Z.ltb_spec (-1) 0); [|lia]. unfold omin. lia.
Qed.

(** ** The table is correct *)

Theorem table_correct i p x s :
  row i p x s ->
  val p s = row_val i x /\ price p s = row_own i /\ price (negb p) s = row_opp i.
Proof.
  destruct 1 as [p x|p x y|p x y z|p x y z|p x y z T|p x y z T];
    unfold row_val, row_own, row_opp.
  - apply rep_facts.
  - destruct (rep_facts' p (S y)) as (E1 & E2 & E3).
    rewrite run_val, run_opp, E3. rewrite run_own by (try lia; simpl; now rewrite eqb_refl').
    rewrite E1. repeat split. lia.
  - destruct (tail3 p y z) as (E1 & E2 & E3).
    rewrite run_val, run_opp, E3. rewrite run_own by (try lia; simpl; now rewrite eqb_refl').
    rewrite E1. repeat split; [lia|]. destruct E2 as [-> | ->]; reflexivity.
  - destruct (tail4 p y z) as (E1 & E3).
    rewrite run_val, run_opp, E3. rewrite run_own by (try lia; simpl; now rewrite eqb_refl').
    rewrite E1. repeat split. lia.
  - destruct (tail5 p y z T) as (E1 & E2 & E3).
    rewrite run_val, run_opp, E3. rewrite run_own by (try lia; simpl; now rewrite eqb_refl').
    rewrite E1, E2. repeat split. lia.
  - destruct (tail6 p y z T) as (E1 & E2 & q & E3 & E4).
    rewrite run_val, run_opp, E3. rewrite run_own by (try lia; auto).
    repeat split; [lia| |f_equal; lia].
    destruct (Z.eqb_spec (val p (alt p y ++ rep (negb p) (S (S z)) ++ p :: T)) 0);
      [lia|auto].
Qed.

(** ** Every nonempty string fits exactly one row *)

Lemma row_own_card i p x s : row i p x s -> row i p (S x) (p :: s).
Proof.
  destruct 1.
  - apply (row1 p (S x)).
  - apply (row2 p (S x) y).
  - apply (row3 p (S x) y z).
  - apply (row4 p (S x) y z).
  - apply (row5 p (S x) y z T).
  - apply (row6 p (S x) y z T).
Qed.

Lemma alt_shift p y t : p :: negb p :: alt (negb p) y ++ t = p :: alt p y ++ negb p :: t.
Proof.
  f_equal. revert t. induction y as [|y IH]; intros t; auto.
  simpl. rewrite negb_involutive. f_equal. f_equal. apply IH.
Qed.

Lemma row_opp_card i p x s : row i (negb p) x s -> exists i', row i' p 1 (p :: s).
Proof.
  intros H. remember (negb p) as o eqn:Eo.
  assert (Ep : negb o = p) by (subst o; apply negb_involutive).
  destruct H as [o x|o x y|o x y z|o x y z|o x y z T|o x y z T];
    rewrite ?Ep; subst o.
  - exists 2%nat. apply (row2 p 0 x).
  - destruct x as [|x].
    + exists 3%nat. exact (row3 p 0 0 y).
    + exists 6%nat. exact (row6 p 0 0 x (rep p y)).
  - destruct x as [|x].
    + exists 4%nat.
      change (rep (negb p) 1 ++ alt (negb p) (S y) ++ rep (negb p) z)
        with (negb p :: alt (negb p) (S y) ++ rep (negb p) z).
      rewrite alt_shift. exact (row4 p 0 y z).
    + exists 6%nat.
      pose proof (row6 p 0 0 x (negb p :: alt (negb p) y ++ rep (negb p) z)) as R.
      simpl in *. rewrite negb_involutive. exact R.
  - destruct x as [|x].
    + exists 3%nat.
      change (rep (negb p) 1 ++ alt (negb p) (S y) ++ rep p (S z))
        with (negb p :: alt (negb p) (S y) ++ rep p (S z)).
      rewrite alt_shift.
      pose proof (row3 p 0 (S y) z) as R.
      replace (alt p (S y) ++ negb p :: rep p (S z)) with (alt p (S (S y)) ++ rep p z); auto.
      clear. induction y as [|y IH]; auto.
      change (alt p (S (S y)) ++ negb p :: rep p (S z))
        with (negb p :: p :: (alt p (S y) ++ negb p :: rep p (S z))).
      rewrite <- IH. reflexivity.
    + exists 6%nat.
      pose proof (row6 p 0 0 x (negb p :: alt (negb p) y ++ rep p (S z))) as R.
      simpl in *. rewrite negb_involutive. exact R.
  - destruct x as [|x].
    + exists 6%nat.
      change (rep (negb p) 1 ++ alt (negb p) (S y) ++ rep (negb p) (S z) ++ p :: T)
        with (negb p :: alt (negb p) (S y) ++ rep (negb p) (S z) ++ p :: T).
      rewrite alt_shift. exact (row6 p 0 (S y) z T).
    + exists 6%nat.
      pose proof (row6 p 0 0 x (negb p :: alt (negb p) y ++ rep (negb p) (S z) ++ p :: T)) as R.
      simpl in *. rewrite negb_involutive. exact R.
  - destruct x as [|x].
    + exists 5%nat.
      change (rep (negb p) 1 ++ alt (negb p) y ++ rep p (S (S z)) ++ negb p :: T)
        with (negb p :: alt (negb p) y ++ rep p (S (S z)) ++ negb p :: T).
      rewrite alt_shift.
      pose proof (row5 p 0 y z T) as R.
      replace (alt p y ++ negb p :: rep p (S (S z)) ++ negb p :: T)
        with (alt p (S y) ++ rep p (S z) ++ negb p :: T); auto.
      clear. induction y as [|y IH]; auto.
      change (alt p (S y) ++ negb p :: rep p (S (S z)) ++ negb p :: T)
        with (negb p :: p :: (alt p y ++ negb p :: rep p (S (S z)) ++ negb p :: T)).
      rewrite <- IH. reflexivity.
    + exists 6%nat. destruct y as [|y].
      * exact (row6 p 0 0 x (rep p (S z) ++ negb p :: T)).
      * pose proof (row6 p 0 0 x (negb p :: alt (negb p) y ++ rep p (S (S z)) ++ negb p :: T)) as R.
        simpl in *. rewrite negb_involutive. exact R.
Qed.

Theorem table_exists s : s <> [] -> exists i p x, row i p x s.
Proof.
  induction s as [|c X IH]; [congruence|]. intros _.
  destruct X as [|d X].
  - exists 1%nat, c, 1%nat. apply (row1 c 0).
  - destruct IH as (i & p & x & H); [discriminate|].
    destruct (own_or_opp p c) as [->| ->].
    + exists i, p, (S x). now apply row_own_card.
    + rewrite <- (negb_involutive p) in H. apply row_opp_card in H.
      destruct H as (i' & H). eauto.
Qed.

(** The first run is what it says. *)
Fixpoint lead (p : player) (s : suit) : nat :=
  match s with [] => 0 | c :: X => if eqb c p then S (lead p X) else 0 end.

Lemma lead_rep p x t : lead p (rep p x ++ t) = (x + lead p t)%nat.
Proof. induction x; simpl; auto. rewrite eqb_refl'. lia. Qed.

Lemma row_lead i p x s : row i p x s -> hd_error s = Some p /\ x = lead p s.
Proof.
  destruct 1; (split; [reflexivity|]).
  - rewrite <- (app_nil_r (rep p (S x))), lead_rep. simpl. lia.
  - rewrite lead_rep. simpl. rewrite eqb_negb'. lia.
  - rewrite lead_rep. simpl. rewrite eqb_negb'. lia.
  - rewrite lead_rep. simpl. rewrite eqb_negb'. lia.
  - rewrite lead_rep. simpl. rewrite eqb_negb'. lia.
  - rewrite lead_rep. destruct y; simpl; rewrite eqb_negb'; lia.
Qed.

Lemma row_range i p x s : row i p x s -> (1 <= i <= 6)%nat.
Proof. destruct 1; lia. Qed.

Theorem table_unique i p x i' p' x' s :
  row i p x s -> row i' p' x' s -> i = i' /\ p = p' /\ x = x'.
Proof.
  intros H H'. destruct (row_lead _ _ _ _ H) as [A B].
  destruct (row_lead _ _ _ _ H') as [A' B'].
  assert (p = p') by congruence. subst p'. subst x x'. split; auto.
  apply table_correct in H as T. apply table_correct in H' as T'.
  apply row_range in H, H'. destruct T as (T1 & T2 & T3), T' as (T1' & T2' & T3').
  rewrite T1 in T1'. rewrite T2 in T2'. rewrite T3 in T3'. clear - H H' T1' T2' T3'.
  assert (D : (i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6)%nat) by lia.
  assert (D' : (i' = 1 \/ i' = 2 \/ i' = 3 \/ i' = 4 \/ i' = 5 \/ i' = 6)%nat) by lia.
  destruct D as [->|[->|[->|[->|[->| ->]]]]];
  destruct D' as [->|[->|[->|[->|[->| ->]]]]];
  simpl in T1', T2', T3'; try reflexivity; try discriminate; exfalso; lia.
Qed.
