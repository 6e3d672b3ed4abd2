(** * The suit game of two-player SHICHINARABE

    A card is represented by its owner: [true] = player L, [false] = player R.
    A suit is the list of the owners of its unplayed cards from the centre
    outwards; a position is a list of suits (equal and empty suits allowed). *)

From Coq Require Import List Arith Lia Bool.
Import ListNotations.

Notation player := bool (only parsing).
Notation suit := (list bool) (only parsing).
Notation pos := (list (list bool)) (only parsing).

(** Number of cards of player [p] in a suit / in a position (his hand). *)
Fixpoint cnt (p : player) (s : suit) : nat :=
  match s with
  | [] => 0
  | c :: X => (if eqb c p then 1 else 0) + cnt p X
  end.

Fixpoint hand (p : player) (P : pos) : nat :=
  match P with
  | [] => 0
  | s :: P' => cnt p s + hand p P'
  end.

Definition size (P : pos) : nat := hand true P + hand false P.

(** All positions that [p] can reach with one play. *)
Fixpoint moves (p : player) (P : pos) : list pos :=
  match P with
  | [] => []
  | s :: P' =>
      match s with
      | c :: X => if eqb c p then [X :: P'] else []
      | [] => []
      end ++ map (cons s) (moves p P')
  end.

Lemma eqb_refl' b : eqb b b = true.
Proof. destruct b; reflexivity. Qed.

Lemma eqb_negb b : eqb b (negb b) = false.
Proof. destruct b; reflexivity. Qed.

Lemma eqb_negb' b : eqb (negb b) b = false.
Proof. destruct b; reflexivity. Qed.

(** A play removes the first card of a suit whose first letter is the mover's. *)
Lemma moves_spec p P Q :
  In Q (moves p P) <->
  exists l1 X l2, P = l1 ++ (p :: X) :: l2 /\ Q = l1 ++ X :: l2.
Proof.
  revert Q. induction P as [|s P IH]; intros Q; simpl.
  - split; [tauto|]. intros (l1 & X & l2 & E & _). destruct l1; discriminate.
  - rewrite in_app_iff. split.
    + intros [H|H].
      * destruct s as [|c X]; [destruct H|].
        destruct (eqb c p) eqn:E; [|destruct H].
        apply eqb_prop in E. subst c. destruct H as [H|[]].
        exists [], X, P. simpl. auto.
      * apply in_map_iff in H. destruct H as (Q' & E & H).
        apply IH in H. destruct H as (l1 & X & l2 & -> & ->).
        exists (s :: l1), X, l2. simpl. auto.
    + intros (l1 & X & l2 & E & ->). destruct l1 as [|s' l1]; simpl in E.
      * injection E as -> ->. left. rewrite eqb_refl'. simpl. auto.
      * injection E as <- E. right. simpl. apply in_map. apply IH. eauto.
Qed.

Lemma hand_app p P Q : hand p (P ++ Q) = hand p P + hand p Q.
Proof. induction P; simpl; lia. Qed.

Lemma move_hand_own p P Q : In Q (moves p P) -> hand p P = S (hand p Q).
Proof.
  rewrite moves_spec. intros (l1 & X & l2 & -> & ->).
  rewrite !hand_app. simpl. rewrite eqb_refl'. lia.
Qed.

Lemma move_hand_other p P Q :
  In Q (moves p P) -> hand (negb p) P = hand (negb p) Q.
Proof.
  rewrite moves_spec. intros (l1 & X & l2 & -> & ->).
  rewrite !hand_app. simpl. rewrite eqb_negb. lia.
Qed.

Lemma size_any p P : size P = hand p P + hand (negb p) P.
Proof. unfold size. destruct p; simpl; lia. Qed.

Lemma move_size p P Q : In Q (moves p P) -> size P = S (size Q).
Proof.
  intros H. rewrite !(size_any p).
  pose proof (move_hand_own p P Q H). pose proof (move_hand_other p P Q H). lia.
Qed.

(** ** The winner, by plain recursion on the number of cards

    [winner n m P] is the winner when [m] is to move; [n] bounds the number of
    cards. A player whose hand is empty has won; a mover who holds cards and
    cannot play loses; otherwise the mover wins iff some play leads to a
    position that he wins with the opponent to move. *)
Fixpoint winner (n : nat) (m : player) (P : pos) : player :=
  if hand m P =? 0 then m
  else if hand (negb m) P =? 0 then negb m
  else match n with
       | 0 => negb m
       | S n' =>
           if existsb (fun Q => eqb (winner n' (negb m) Q) m) (moves m P)
           then m else negb m
       end.

Definition game (m : player) (P : pos) : player := winner (size P) m P.

Lemma existsb_ext_in {T} (f g : T -> bool) l :
  (forall x, In x l -> f x = g x) -> existsb f l = existsb g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; auto.
  rewrite H by auto. rewrite IH; auto.
Qed.

Lemma winner_enough n : forall m P, size P <= n -> winner n m P = game m P.
Proof.
  induction n as [n IH] using lt_wf_ind. intros m P H. unfold game.
  destruct n as [|n].
  - replace (size P) with 0 by lia. reflexivity.
  - pose proof (size_any m P) as E.
    destruct (size P) as [|z] eqn:Z.
    + simpl. destruct (hand m P); simpl; auto. lia.
    + simpl. destruct (hand m P =? 0); auto. destruct (hand (negb m) P =? 0); auto.
      rewrite (existsb_ext_in _ (fun Q => eqb (winner z (negb m) Q) m)); auto.
      intros Q HQ. pose proof (move_size _ _ _ HQ).
      rewrite (IH n) by lia. rewrite (IH z) by lia. reflexivity.
Qed.

(** The recursion without the bound. *)
Theorem game_eq m P :
  game m P =
  if hand m P =? 0 then m
  else if hand (negb m) P =? 0 then negb m
  else if existsb (fun Q => eqb (game (negb m) Q) m) (moves m P)
       then m else negb m.
Proof.
  unfold game at 1. pose proof (size_any m P) as E.
  destruct (size P) as [|z] eqn:Z; simpl.
  - destruct (hand m P); simpl; auto. lia.
  - destruct (hand m P =? 0); auto. destruct (hand (negb m) P =? 0); auto.
    rewrite (existsb_ext_in _ (fun Q => eqb (game (negb m) Q) m)); auto.
    intros Q HQ. pose proof (move_size _ _ _ HQ).
    rewrite winner_enough by lia. reflexivity.
Qed.

(** The same in terms of plays. *)
Lemma game_mover m P :
  0 < hand m P -> 0 < hand (negb m) P ->
  (game m P = m <-> exists Q, In Q (moves m P) /\ game (negb m) Q = m).
Proof.
  intros H1 H2. rewrite game_eq.
  destruct (Nat.eqb_spec (hand m P) 0); [lia|].
  destruct (Nat.eqb_spec (hand (negb m) P) 0); [lia|].
  destruct (existsb _ _) eqn:E.
  - split; auto. intros _. apply existsb_exists in E.
    destruct E as (Q & HQ & E). exists Q. split; auto. now apply eqb_prop.
  - split.
    + intros C. destruct m; discriminate.
    + intros (Q & HQ & EQ). exfalso.
      assert (existsb (fun Q => eqb (game (negb m) Q) m) (moves m P) = true).
      { apply existsb_exists. exists Q. split; auto. rewrite EQ. apply eqb_refl'. }
      congruence.
Qed.

Lemma not_eq_negb (a b : bool) : a <> b <-> a = negb b.
Proof. destruct a, b; simpl; split; intros; congruence. Qed.

Lemma game_other m P :
  0 < hand m P -> 0 < hand (negb m) P ->
  (game m P = negb m <-> forall Q, In Q (moves m P) -> game (negb m) Q = negb m).
Proof.
  intros H1 H2. rewrite <- not_eq_negb, (game_mover m P H1 H2). split.
  - intros H Q HQ. apply not_eq_negb. intros E. apply H. eauto.
  - intros H (Q & HQ & E). apply H in HQ. rewrite E in HQ. destruct m; discriminate.
Qed.

Lemma game_empty m p P : hand p P = 0 -> 0 < hand (negb p) P -> game m P = p.
Proof.
  intros H0 H1. rewrite game_eq. destruct (eqb m p) eqn:E.
  - apply eqb_prop in E. subst. rewrite H0. reflexivity.
  - assert (p = negb m) by (destruct m, p; simpl in *; congruence). subst p.
    rewrite negb_involutive in H1. rewrite H0.
    destruct (Nat.eqb_spec (hand m P) 0); [lia|]. reflexivity.
Qed.

(** ** Forced wins, as an inductive definition: the same game *)

(** [forces p m P]: player [p] can force a win when [m] is to move. *)
Inductive forces (p : player) : player -> pos -> Prop :=
| forces_done m P :
    hand p P = 0 -> forces p m P
| forces_own P Q :
    0 < hand p P -> 0 < hand (negb p) P ->
    In Q (moves p P) -> forces p (negb p) Q -> forces p p P
| forces_opp P :
    0 < hand p P -> 0 < hand (negb p) P ->
    (forall Q, In Q (moves (negb p) P) -> forces p p Q) ->
    forces p (negb p) P.

Theorem game_forces p m P :
  0 < size P -> (game m P = p <-> forces p m P).
Proof.
  assert (A : forall n m P p, size P <= n -> 0 < size P ->
                game m P = p -> forces p m P).
  { intros n. induction n as [|n IH]; intros m0 P0 p0 Hn H0 E; [lia|].
    pose proof (size_any p0 P0) as Z.
    destruct (Nat.eq_dec (hand p0 P0) 0) as [Z0|Z0]; [now constructor|].
    destruct (Nat.eq_dec (hand (negb p0) P0) 0) as [Z1|Z1].
    { rewrite (game_empty m0 (negb p0) P0) in E; auto.
      - destruct p0; discriminate.
      - rewrite negb_involutive. lia. }
    destruct (eqb m0 p0) eqn:M.
    - apply eqb_prop in M. subst m0.
      apply game_mover in E; try lia. destruct E as (Q & HQ & EQ).
      pose proof (move_size _ _ _ HQ). pose proof (move_hand_other _ _ _ HQ).
      pose proof (size_any p0 Q).
      apply forces_own with Q; try lia; auto. apply IH; auto; lia.
    - assert (m0 = negb p0) by (destruct m0, p0; simpl in *; congruence). subst m0.
      apply forces_opp; try lia. intros Q HQ.
      pose proof (move_size _ _ _ HQ). pose proof (move_hand_other _ _ _ HQ) as HO.
      rewrite negb_involutive in HO. pose proof (size_any p0 Q).
      apply IH; try lia.
      rewrite <- (negb_involutive p0) in E at 2.
      assert (G := proj1 (game_other (negb p0) P0 ltac:(lia)
                            ltac:(rewrite negb_involutive; lia)) E Q HQ).
      rewrite negb_involutive in G. exact G. }
  intros H0. split.
  - intros E. eapply A; eauto.
  - intros F. induction F as [m P E|P Q H1 H2 HQ F IH|P H1 H2 HF IH].
    + apply game_empty; auto. rewrite (size_any p) in H0. lia.
    + apply game_mover; auto. exists Q. split; auto. apply IH.
      pose proof (move_hand_other _ _ _ HQ). rewrite (size_any p). lia.
    + rewrite <- (negb_involutive p) at 2.
      apply game_other; auto; [rewrite negb_involutive; auto|].
      intros Q HQ. rewrite negb_involutive. apply IH; auto.
      pose proof (move_hand_other _ _ _ HQ) as HO.
      rewrite negb_involutive in HO. rewrite (size_any p). lia.
Qed.
