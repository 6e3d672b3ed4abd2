(* The closed forms of Theorems A and B, and what one draw does to them. *)
From Coq Require Import Arith ZArith Lia Bool.
From Babanuki Require Import Game.
Notation int := BinNums.Z.
Open Scope Z_scope.

(* Around the watched seat q: s is the seat q draws from, t the seat that draws
   from q. Where is the joker? *)
Inductive where_ := Hq | Hs | Ht.

Definition where_joker (j q : seat) : where_ :=
  match j, q with
  | s0, s0 | s1, s1 | s2, s2 => Hq
  | s2, s0 | s0, s1 | s1, s2 => Hs
  | s1, s0 | s2, s1 | s0, s2 => Ht
  end.

(* labels q shares with t, labels q shares with s, labels s and t share *)
Definition ee (X Y Z : nat) (q : seat) : nat := match q with s0 => X | s1 => Z | s2 => Y end.
Definition ff (X Y Z : nat) (q : seat) : nat := match q with s0 => Y | s1 => X | s2 => Z end.
Definition gg (X Y Z : nat) (q : seat) : nat := match q with s0 => Z | s1 => Y | s2 => X end.

(* corrections for whose turn it is *)
Definition aa (X Y Z : nat) (q : seat) : int :=
  Z.of_nat (ff X Y Z q) + match q with s2 => 1 | _ => 0 end.
Definition bb (X Y Z : nat) (q : seat) : int :=
  Z.of_nat (gg X Y Z q) - match q with s1 => 1 | _ => 0 end.

Definition odd (u : int) : Prop := if Z.odd u then True else False.
Definition even (u : int) : Prop := if Z.odd u then False else True.
Definition same (u v : int) : Prop := if xorb (Z.odd u) (Z.odd v) then False else True.

(* Theorem A: q can force leaving first *)
Definition formA (X Y Z : nat) (j q : seat) : Prop :=
  let e := Z.of_nat (ee X Y Z q) in
  let a := aa X Y Z q in
  let b := bb X Y Z q in
  match where_joker j q with
  | Hq => e = 0 /\ odd a /\ b >= 1
  | Hs => (e = 0 /\ b >= 1)
          \/ (e = 1 /\ odd a /\ (b >= 2 \/ (a = 1 /\ b >= 0)))
          \/ (same a e /\ ~ same e b /\ (a <= b + 1 \/ e < b))
  | Ht => (e = 0 /\ (b >= 1 \/ (b = 0 /\ even a)))
          \/ (e = 1 /\ odd a /\ b >= 1)
          \/ match q with s1 => (Z = 1 /\ X = 1 /\ Y = 0)%nat | _ => False end
  end.

(* Theorem B: q can force not being last *)
Definition formB (X Y Z : nat) (j q : seat) : Prop :=
  let e := Z.of_nat (ee X Y Z q) in
  let a := aa X Y Z q in
  let b := bb X Y Z q in
  match where_joker j q with
  | Hq => formA X Y Z j q
  | Hs => e = 0 \/ (e = 1 /\ odd a) \/ odd (a + b)
  | Ht => e = 0 \/ (e = 1 /\ odd a) \/ even (a + b)
          \/ match q with s0 => (Y + Z = 1)%nat | _ => False end
  end.

Close Scope Z_scope.

Definition good (k : nat) (p : pos) : Prop :=
  match p with
  | P3 X Y Z j q => match k with 1 => formA X Y Z j q | _ => formB X Y Z j q end
  | P2 n jm qm => if Bool.eqb jm qm then False else 2 <= k
  | Out r => r <= k
  end.

Definition goodv (v : bool) (k : nat) (p : pos) : Prop :=
  if v then good k p else ~ good k p.

(* left the layer of N labels and three seats *)
Definition past (N : nat) (p : pos) : Prop :=
  match p with
  | P3 X Y Z _ _ => X + Y + Z < N
  | P2 n _ _ => n <= N
  | Out _ => True
  end.

(* ---- settle, in a form fit for arithmetic ---- *)

Definition cases (G : pos -> Prop) (X Y Z : nat) (j q : seat) : Prop :=
  let h2 := hand X Y Z j s2 in let h0 := hand X Y Z j s0 in
  (h2 = 0 -> h0 = 0 -> G (match q with s2 => Out 1 | s0 => Out 2 | s1 => Out 3 end)) /\
  (h2 = 0 -> h0 <> 0 -> G (match q with s2 => Out 1
                           | _ => P2 X (seat_eqb j s1) (seat_eqb q s1) end)) /\
  (h2 <> 0 -> h0 = 0 -> G (match q with s0 => Out 1
                           | _ => P2 Z (seat_eqb j s1) (seat_eqb q s1) end)) /\
  (h2 <> 0 -> h0 <> 0 -> G (P3 Z X Y (pass j) (pass q))).

Lemma settle_cases : forall (G : pos -> Prop) X Y Z j q,
  G (settle X Y Z j q) <-> cases G X Y Z j q.
Proof.
  intros G X Y Z j q; unfold cases, settle.
  destruct (Nat.eqb_spec (hand X Y Z j s2) 0) as [H2|H2];
    destruct (Nat.eqb_spec (hand X Y Z j s0) 0) as [H0|H0]; tauto.
Qed.

(* ---- parities ---- *)

Fixpoint par (n : nat) : bool := match n with 0 => false | S m => negb (par m) end.

Lemma odd_par : forall n, Z.odd (Z.of_nat n) = par n.
Proof.
  induction n; [reflexivity|].
  rewrite Nat2Z.inj_succ, Z.odd_succ, <- Z.negb_odd, IHn; reflexivity.
Qed.

Lemma par_double : forall u, par (u + u) = false.
Proof.
  induction u; [reflexivity|]. rewrite <- plus_n_Sm; cbn. rewrite IHu; reflexivity.
Qed.

Lemma split3 : forall n, n = 0 \/ (exists u, n = S (u + u)) \/ (exists u, n = S (S (u + u))).
Proof.
  induction n as [|n [->|[[u ->]|[u ->]]]]; [auto|right; left; exists 0; reflexivity| |].
  - right; right; exists u; reflexivity.
  - right; left; exists (S u). rewrite <- plus_n_Sm; reflexivity.
Qed.

Ltac split_counts X Y Z :=
  destruct (split3 X) as [->|[[?x ->]|[?x ->]]];
  destruct (split3 Y) as [->|[[?y ->]|[?y ->]]];
  destruct (split3 Z) as [->|[[?z ->]|[?z ->]]].

Ltac parity :=
  rewrite ?Z.odd_add, ?Z.odd_sub, ?odd_par; cbn [par Z.odd]; rewrite ?par_double; reflexivity.

Ltac open_forms :=
  repeat match goal with H : _ |- _ => match type of H with nat => fail 1 | _ => revert H end end;
  cbv [cases good goodv past formA formB where_joker aa bb ee ff gg hand at_ seat_eqb pass Bool.eqb
       odd even same negb qmoves];
  repeat match goal with |- context [Z.odd ?t] =>
    let E := fresh in
    first [assert (E : Z.odd t = false) by parity | assert (E : Z.odd t = true) by parity];
    rewrite E; clear E
  end;
  cbv [negb xorb].

(* the draws of a three-seat position, as a disjunction and as a conjunction *)
Definition some_draw (G : pos -> Prop) (X Y Z : nat) (j q : seat) : Prop :=
  match Y with 0 => False | S Y' => cases G X Y' Z j q end
  \/ match Z with 0 => False | S Z' => cases G (S X) Y Z' j q end
  \/ match j with s2 => cases G X Y Z s0 q | _ => False end.

Definition all_draws (G : pos -> Prop) (X Y Z : nat) (j q : seat) : Prop :=
  match Y with 0 => True | S Y' => cases G X Y' Z j q end
  /\ match Z with 0 => True | S Z' => cases G (S X) Y Z' j q end
  /\ match j with s2 => cases G X Y Z s0 q | _ => True end.

(* all draws that the rule "keep the form; pair if a pairing draw keeps it" leaves to side v *)
Definition rule_draws (v : bool) (k : nat) (G : pos -> Prop) (X Y Z : nat) (j q : seat) : Prop :=
  let K := cases (goodv v k) in
  let nopair := match Y with 0 => True | S Y' => ~ K X Y' Z j q end in
  if Bool.eqb (qmoves (P3 X Y Z j q)) v then
    match Y with 0 => True | S Y' => K X Y' Z j q -> cases G X Y' Z j q end
    /\ match Z with 0 => True | S Z' => nopair -> K (S X) Y Z' j q -> cases G (S X) Y Z' j q end
    /\ match j with s2 => nopair -> K X Y Z s0 q -> cases G X Y Z s0 q | _ => True end
  else all_draws G X Y Z j q.

(* the mover of the winning side keeps the form by some draw *)
Lemma keep3 : forall v k X Y Z j q, k = 1 \/ k = 2 ->
  wf (P3 X Y Z j q) -> qmoves (P3 X Y Z j q) = v -> goodv v k (P3 X Y Z j q) ->
  some_draw (goodv v k) X Y Z j q.
Proof.
  intros v k X Y Z j q K W M G.
  pose proof (W s0) as W0; pose proof (W s1) as W1; pose proof (W s2) as W2; clear W.
  destruct K as [-> | ->]; destruct q; cbn in M; subst v; destruct j.
  all: split_counts X Y Z.
  all: cbv [some_draw]; open_forms.
  all: lia.
Qed.

(* the other side cannot destroy it *)
Lemma stay3 : forall v k X Y Z j q, k = 1 \/ k = 2 ->
  wf (P3 X Y Z j q) -> qmoves (P3 X Y Z j q) = negb v -> goodv v k (P3 X Y Z j q) ->
  all_draws (goodv v k) X Y Z j q.
Proof.
  intros v k X Y Z j q K W M G.
  pose proof (W s0) as W0; pose proof (W s1) as W1; pose proof (W s2) as W2; clear W.
  destruct K as [-> | ->]; destruct q, v; cbn in M; try discriminate M; clear M; destruct j.
  all: split_counts X Y Z.
  all: cbv [all_draws]; open_forms.
  all: lia.
Qed.

(* when q moves, this draw or the next one makes progress *)
Definition past_or_next (v : bool) (k N : nat) (p : pos) : Prop :=
  match p with
  | P3 X Y Z j q => X + Y + Z < N \/ rule_draws v k (past N) X Y Z j q
  | _ => past N p
  end.

Lemma quick3 : forall v k X Y Z j, k = 1 \/ k = 2 ->
  wf (P3 X Y Z j s0) -> goodv v k (P3 X Y Z j s0) ->
  rule_draws v k (past_or_next v k (X + Y + Z)) X Y Z j s0.
Proof.
  intros v k X Y Z j K W G.
  pose proof (W s0) as W0; pose proof (W s1) as W1; pose proof (W s2) as W2; clear W.
  destruct K as [-> | ->]; destruct v; destruct j.
  all: split_counts X Y Z.
  all: cbv [past_or_next rule_draws all_draws]; open_forms.
  all: lia.
Qed.
