(* The theorems for hands of named cards. *)
From Coq Require Import Arith ZArith Lia Bool.
From Babanuki Require Import Game Forms Three Ranks Cards.

Section Final.
Variable N : nat.

CoInductive censure (k : nat) : cpos -> Prop :=
| ce_done r : r <= k -> censure k (COut r)
| ce_mine p p' : cqmoves p = true -> cdraw N p p' -> censure k p' -> censure k p
| ce_other p : ~ cfinal p -> cqmoves p = false ->
    (forall p', cdraw N p p' -> censure k p') -> censure k p.

Lemma cforce_ensure : forall k p, cwins N true k p -> censure k p.
Proof.
  cofix CIH.
  intros k p H; destruct H as [r Hr|p p' M D H|p F M H].
  - apply ce_done; exact Hr.
  - eapply ce_mine; eauto.
  - apply ce_other; auto.
Qed.

Lemma ensure_counts : forall k cp p, R N cp p -> censure k cp -> can_ensure k p.
Proof.
  cofix CIH.
  intros k cp p H E; destruct E as [r Hr|cp cp' M D E|cp F M E].
  - destruct p as [| |r']; cbn in H; try tauto. subst r'; apply e_done; exact Hr.
  - destruct (forth N cp p cp' H D) as (c & p' & D' & H').
    eapply e_mine; [rewrite <- (R_qmoves N cp p H); exact M|exact D'|exact (CIH k cp' p' H' E)].
  - apply e_other; [rewrite <- (R_final N cp p H); exact F|rewrite <- (R_qmoves N cp p H); exact M|].
    intros c p' D'. destruct (back N cp p c p' H D') as (cp' & D & H').
    exact (CIH k cp' p' H' (E cp' D)).
Qed.

(* three hands, none empty, every label in none or in two of them; s0 draws from s2 *)
Definition position (A B C : hnd) (j : seat) : Prop :=
  fair N A B C /\ 1 <= size N A + at_ j s0 /\ 1 <= size N B + at_ j s1 /\ 1 <= size N C + at_ j s2.

Definition counts (A B C : hnd) (j q : seat) : pos :=
  P3 (size N (both A B)) (size N (both A C)) (size N (both B C)) j q.

Lemma position_counts : forall A B C j q, position A B C j ->
  R N (C3 A B C j q) (counts A B C j q) /\ wf (counts A B C j q).
Proof.
  intros A B C j q (F & H0 & H1 & H2). destruct (fair_sizes N A B C F) as (SA & SB & SC).
  split; [cbn; auto 10|]. intros []; cbn [hand]; lia.
Qed.

Theorem cards_A : forall A B C j q, position A B C j ->
  (cwins N true 1 (C3 A B C j q) <->
   formA (size N (both A B)) (size N (both A C)) (size N (both B C)) j q).
Proof.
  intros A B C j q P. destruct (position_counts A B C j q P) as [H W].
  rewrite (same_winner N true 1 _ _ H). apply theorem_A; exact W.
Qed.

Theorem cards_B : forall A B C j q, position A B C j ->
  (cwins N true 2 (C3 A B C j q) <->
   formB (size N (both A B)) (size N (both A C)) (size N (both B C)) j q).
Proof.
  intros A B C j q P. destruct (position_counts A B C j q P) as [H W].
  rewrite (same_winner N true 2 _ _ H). apply theorem_B; exact W.
Qed.

Theorem cards_C : forall k A B C j q, k = 1 \/ k = 2 -> position A B C j ->
  (cwins N true k (C3 A B C j q) <-> censure k (C3 A B C j q)) /\
  (~ cwins N true k (C3 A B C j q) <-> cwins N false k (C3 A B C j q)).
Proof.
  intros k A B C j q K P. destruct (position_counts A B C j q P) as [H W].
  destruct (theorem_C k _ K W) as [T1 T2]. split.
  - split; [apply cforce_ensure|]. intros E. apply (same_winner N true k _ _ H).
    apply T1. eapply ensure_counts; eauto.
  - rewrite (same_winner N true k _ _ H), (same_winner N false k _ _ H). exact T2.
Qed.

Theorem cards_two : forall A B jm qm, (forall c, c < N -> A c = B c) -> 1 <= size N A ->
  (cwins N true 2 (C2 A B jm qm) <-> jm <> qm) /\
  (cwins N false 2 (C2 A B jm qm) <-> jm = qm).
Proof.
  intros A B jm qm E L.
  assert (H : R N (C2 A B jm qm) (P2 (size N A) jm qm)) by (cbn; auto).
  rewrite (same_winner N true 2 _ _ H), (same_winner N false 2 _ _ H).
  destruct (two_seats (size N A) jm qm L) as (T1 & _ & T2). split; assumption.
Qed.
End Final.
