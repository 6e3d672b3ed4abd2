(* Theorems A, B and C for three seats, all sizes; and the rule that finishes. *)
From Coq Require Import Arith ZArith Lia Bool.
From Babanuki Require Import Game Forms.

(* ---- the rule of play ---- *)

(* Side v follows the rule: among the draws that keep the closed form take one that
   pairs if there is one, otherwise any of them. The other side draws as it likes. *)
Definition allowed (v : bool) (k : nat) (c : kind) (p p' : pos) : Prop :=
  draw c p p' /\
  (qmoves p = v ->
     goodv v k p' /\ (c = Pair \/ ~ exists p'', draw Pair p p'' /\ goodv v k p'')).

(* every play of this kind ends, after at most d draws, with the aim of side v reached *)
Inductive sure (v : bool) (k : nat) : nat -> pos -> Prop :=
| s_done d r : wants v k r -> sure v k d (Out r)
| s_step d p : ~ final p -> (exists c p', allowed v k c p p') ->
    (forall c p', allowed v k c p p' -> sure v k d p') -> sure v k (S d) p.

Lemma sure_mono : forall v k d p, sure v k d p -> forall d', d <= d' -> sure v k d' p.
Proof.
  intros v k d p H; induction H as [d r Hr|d p F E _ IH]; intros d' L.
  - apply s_done; exact Hr.
  - destruct d' as [|d']; [lia|]. apply s_step; auto.
    intros c p' A; apply (IH c p' A); lia.
Qed.

Lemma sure_wins : forall v k d p, sure v k d p -> wins v k p.
Proof.
  intros v k d p H; induction H as [d r Hr|d p F [c [p' A]] _ IH].
  - apply w_done; exact Hr.
  - destruct (Bool.bool_dec (qmoves p) v) as [M|M].
    + eapply w_mine; [exact M|apply A|exact (IH c p' A)].
    + apply w_other; [exact F|destruct (qmoves p), v; cbn; congruence|].
      intros c1 p1 D; apply (IH c1 p1); split; [exact D|congruence].
Qed.

(* ---- the closed form is decidable ---- *)

Lemma good_dec : forall k p, good k p \/ ~ good k p.
Proof.
  intros k [X Y Z j q|n jm qm|r].
  - cbv [good]. assert (A : formA X Y Z j q \/ ~ formA X Y Z j q).
    { cbv [formA odd even same]; destruct q, j; cbv [where_joker];
        repeat match goal with |- context [Z.odd ?t] => destruct (Z.odd t) end; cbn [xorb]; lia. }
    assert (B : formB X Y Z j q \/ ~ formB X Y Z j q).
    { cbv [formB odd even same]; destruct q, j; cbv [where_joker]; try exact A;
        repeat match goal with |- context [Z.odd ?t] => destruct (Z.odd t) end; cbn [xorb]; lia. }
    destruct k as [|[|k]]; assumption.
  - cbn; destruct (Bool.eqb jm qm); [tauto|lia].
  - cbn; lia.
Qed.

Lemma goodv_dec : forall v k p, goodv v k p \/ ~ goodv v k p.
Proof. intros [] k p; cbn; destruct (good_dec k p); tauto. Qed.

Lemma goodv_out : forall v k r, goodv v k (Out r) -> wants v k r.
Proof. intros [] k r; cbn; lia. Qed.

(* ---- from the arithmetic of Forms.v to draws ---- *)

Lemma some_draw_spec : forall G X Y Z j q, some_draw G X Y Z j q ->
  exists c p', draw c (P3 X Y Z j q) p' /\ G p'.
Proof.
  intros G X Y Z j q [H|[H|H]].
  - destruct Y as [|Y]; [tauto|]. exists Pair, (settle X Y Z j q); split; [constructor|].
    apply settle_cases; exact H.
  - destruct Z as [|Z]; [tauto|]. exists Shift, (settle (S X) Y Z j q); split; [constructor|].
    apply settle_cases; exact H.
  - destruct j; try tauto. exists Joker, (settle X Y Z s0 q); split; [constructor|].
    apply settle_cases; exact H.
Qed.

Lemma all_draws_spec : forall G X Y Z j q, all_draws G X Y Z j q ->
  forall c p', draw c (P3 X Y Z j q) p' -> G p'.
Proof.
  intros G X Y Z j q (H1 & H2 & H3) c p' D; inversion D; subst; apply settle_cases; assumption.
Qed.

Lemma rule_draws_spec : forall v k G X Y Z j q, rule_draws v k G X Y Z j q ->
  forall c p', allowed v k c (P3 X Y Z j q) p' -> G p'.
Proof.
  intros v k G X Y Z j q H c p' [D R]; unfold rule_draws in H.
  destruct (Bool.eqb (qmoves (P3 X Y Z j q)) v) eqn:E.
  - apply Bool.eqb_prop in E. destruct (R E) as [K P]. destruct H as (H1 & H2 & H3).
    assert (NP : c <> Pair -> match Y with 0 => True | S Y' => ~ cases (goodv v k) X Y' Z j q end).
    { intros N; destruct Y as [|Y]; [exact I|]. intros C. destruct P as [P|P]; [tauto|].
      apply P; exists (settle X Y Z j q); split; [constructor|apply settle_cases; exact C]. }
    inversion D; subst; apply settle_cases.
    + apply H1; apply settle_cases; exact K.
    + apply H2; [apply NP; discriminate|apply settle_cases; exact K].
    + apply H3; [apply NP; discriminate|apply settle_cases; exact K].
  - eapply all_draws_spec; eauto.
Qed.

(* ---- one draw, two seats or three ---- *)

Section Side.
Variables (v : bool) (k : nat).
Hypothesis K : k = 1 \/ k = 2.

Lemma pair2_keeps : forall n jm qm, goodv v k (P2 (S n) jm qm) -> goodv v k (settle2 n jm qm).
Proof.
  intros [|n] jm qm; destruct v, K as [-> | ->], jm, qm; cbn; lia.
Qed.

Lemma keep : forall p, wf p -> ~ final p -> qmoves p = v -> goodv v k p ->
  exists c p', draw c p p' /\ goodv v k p'.
Proof.
  intros [X Y Z j q|n jm qm|r] W F M G.
  - apply some_draw_spec; apply keep3; assumption.
  - destruct n as [|n]; [cbn in W; lia|].
    exists Pair, (settle2 n jm qm); split; [constructor|apply pair2_keeps; exact G].
  - cbn in F; tauto.
Qed.

Lemma stay : forall p, wf p -> qmoves p = negb v -> goodv v k p ->
  forall c p', draw c p p' -> goodv v k p'.
Proof.
  intros [X Y Z j q|n jm qm|r] W M G c p' D.
  - eapply all_draws_spec; [apply stay3|]; eassumption.
  - inversion D; subst.
    + apply pair2_keeps; exact G.
    + cbn in W, M. destruct n as [|n]; [lia|]. revert G.
      subst qm; destruct v, K as [-> | ->]; cbn; lia.
  - inversion D.
Qed.

Lemma allowed_keeps : forall p, wf p -> goodv v k p ->
  forall c p', allowed v k c p p' -> goodv v k p'.
Proof.
  intros p W G c p' [D R]; destruct (Bool.bool_dec (qmoves p) v) as [M|M].
  - apply R; exact M.
  - eapply stay; eauto. destruct (qmoves p), v; cbn; congruence.
Qed.

Lemma pair_dec : forall p, (exists p'', draw Pair p p'' /\ goodv v k p'')
                        \/ ~ (exists p'', draw Pair p p'' /\ goodv v k p'').
Proof.
  intros [X [|Y] Z j q|[|n] jm qm|r];
    try (right; intros (p'' & D & _); inversion D; fail).
  - destruct (goodv_dec v k (settle X Y Z j q)) as [G|G].
    + left; eexists; split; [constructor|exact G].
    + right; intros (p'' & D & G'); inversion D; subst; tauto.
  - destruct (goodv_dec v k (settle2 n jm qm)) as [G|G].
    + left; eexists; split; [constructor|exact G].
    + right; intros (p'' & D & G'); inversion D; subst; tauto.
Qed.

Lemma allowed_exists : forall p, wf p -> ~ final p -> goodv v k p ->
  exists c p', allowed v k c p p'.
Proof.
  intros p W F G; destruct (Bool.bool_dec (qmoves p) v) as [M|M].
  - destruct (pair_dec p) as [(p'' & D & G')|N].
    + exists Pair, p''; split; auto.
    + destruct (keep p W F M G) as (c & p' & D & G'). exists c, p'; split; auto.
  - destruct (draw_exists p W F) as (c & p' & D). exists c, p'; split; [exact D|tauto].
Qed.

Lemma sure_step : forall d p, wf p -> ~ final p -> goodv v k p ->
  (forall c p', allowed v k c p p' -> wf p' -> goodv v k p' -> sure v k d p') ->
  sure v k (S d) p.
Proof.
  intros d p W F G H; apply s_step; [exact F|apply allowed_exists; assumption|].
  intros c p' A; apply (H c p' A).
  - eapply wf_draw; [apply A|exact W].
  - eapply allowed_keeps; eauto.
Qed.

(* ---- termination ---- *)

Lemma sure2 : forall n jm qm, goodv v k (P2 (S n) jm qm) ->
  sure v k (2 * n + 2) (P2 (S n) jm qm) /\
  (qm = v -> sure v k (2 * n + 1) (P2 (S n) jm qm)).
Proof.
  induction n as [n IH] using (well_founded_induction lt_wf).
  assert (P : forall jm qm, goodv v k (settle2 n jm qm) -> sure v k (2 * n) (settle2 n jm qm)).
  { intros jm qm G; destruct n as [|n]; cbn [settle2] in *.
    - apply s_done; apply goodv_out; exact G.
    - eapply sure_mono; [exact (proj1 (IH n (Nat.lt_succ_diag_r n) _ _ G))|lia]. }
  assert (M : forall jm qm, goodv v k (P2 (S n) jm qm) -> qm = v ->
                sure v k (2 * n + 1) (P2 (S n) jm qm)).
  { intros jm qm G E. replace (2 * n + 1) with (S (2 * n)) by lia.
    apply sure_step; [cbn; lia|cbn; tauto|exact G|].
    intros c p' [D R] _ G'. inversion D; subst.
    - apply P; exact G'.
    - destruct (R eq_refl) as [_ R']; destruct R' as [R'|R']; [discriminate R'|].
      exfalso; apply R'; exists (settle2 n false v); split; [constructor|apply pair2_keeps; exact G]. }
  intros jm qm G; split; [|apply M; exact G].
  destruct (Bool.bool_dec qm v) as [E|E].
  { eapply sure_mono; [apply M; assumption|lia]. }
  replace (2 * n + 2) with (S (2 * n + 1)) by lia.
  apply sure_step; [cbn; lia|cbn; tauto|exact G|].
  intros c p' [D R] _ G'. inversion D; subst.
  - eapply sure_mono; [apply P; exact G'|lia].
  - cbn [settle2] in *. apply M; [exact G'|destruct qm, v; cbn; congruence].
Qed.

Lemma draw3_size : forall c X Y Z j q p', draw c (P3 X Y Z j q) p' ->
  past (X + Y + Z) p' \/
  exists X' Y' Z' j', p' = P3 X' Y' Z' j' (pass q) /\ X' + Y' + Z' = X + Y + Z.
Proof.
  intros c X Y Z j q p' D; inversion D; subst; unfold settle;
    repeat match goal with |- context [if ?b then _ else _] => destruct b end;
    try (left; destruct q; cbn; lia);
    right; do 4 eexists; (split; [reflexivity|lia]).
Qed.

Lemma sure3 : forall N X Y Z j q, X + Y + Z = N ->
  wf (P3 X Y Z j q) -> goodv v k (P3 X Y Z j q) ->
  sure v k (4 * N + 4) (P3 X Y Z j q).
Proof.
  induction N as [N IH] using (well_founded_induction lt_wf).
  assert (Q : forall p, past N p -> wf p -> goodv v k p -> sure v k (4 * N) p).
  { intros [X Y Z j q|n jm qm|r] P W G.
    - cbn [past] in P. eapply sure_mono; [exact (IH (X + Y + Z) P X Y Z j q eq_refl W G)|lia].
    - cbn in P, W. destruct n as [|n]; [lia|].
      eapply sure_mono; [exact (proj1 (sure2 n jm qm G))|lia].
    - apply s_done; apply goodv_out; exact G. }
  assert (S0 : forall X Y Z j, X + Y + Z = N -> wf (P3 X Y Z j s0) ->
            goodv v k (P3 X Y Z j s0) -> sure v k (S (S (4 * N))) (P3 X Y Z j s0)).
  { intros X Y Z j E W G. apply sure_step; [exact W|cbn; tauto|exact G|].
    intros c p' A W' G'.
    pose proof (rule_draws_spec _ _ _ _ _ _ _ _ (quick3 v k X Y Z j K W G) c p' A) as H.
    rewrite E in H. destruct p' as [X' Y' Z' j' q'|n jm qm|r].
    - destruct H as [H|H].
      + eapply sure_mono; [apply Q; [exact H|assumption..]|lia].
      + apply sure_step; [exact W'|cbn; tauto|exact G'|].
        intros c2 p2 A2 W2 G2. apply Q; [|assumption..].
        exact (rule_draws_spec _ _ _ _ _ _ _ _ H c2 p2 A2).
    - eapply sure_mono; [apply Q; assumption|lia].
    - eapply sure_mono; [apply Q; assumption|lia]. }
  assert (S1 : forall X Y Z j, X + Y + Z = N -> wf (P3 X Y Z j s1) ->
            goodv v k (P3 X Y Z j s1) -> sure v k (S (S (S (4 * N)))) (P3 X Y Z j s1)).
  { intros X Y Z j E W G. apply sure_step; [exact W|cbn; tauto|exact G|].
    intros c p' A W' G'.
    destruct (draw3_size _ _ _ _ _ _ _ (proj1 A)) as [H|(X' & Y' & Z' & j' & -> & E')].
    - rewrite E in H. eapply sure_mono; [apply Q; assumption|lia].
    - apply S0; [lia|assumption..]. }
  intros X Y Z j q E W G. replace (4 * N + 4) with (S (S (S (S (4 * N))))) by lia.
  destruct q.
  - eapply sure_mono; [apply S0; assumption|lia].
  - eapply sure_mono; [apply S1; assumption|lia].
  - apply sure_step; [exact W|cbn; tauto|exact G|].
    intros c p' A W' G'.
    destruct (draw3_size _ _ _ _ _ _ _ (proj1 A)) as [H|(X' & Y' & Z' & j' & -> & E')].
    + rewrite E in H. eapply sure_mono; [apply Q; assumption|lia].
    + apply S1; [lia|assumption..].
Qed.

(* how many draws the rule needs at most *)
Definition limit (p : pos) : nat :=
  match p with P3 X Y Z _ _ => 4 * (X + Y + Z) + 4 | P2 n _ _ => 2 * n | Out _ => 0 end.

Theorem rule_finishes : forall p, wf p -> goodv v k p -> sure v k (limit p) p.
Proof.
  intros [X Y Z j q|n jm qm|r] W G; cbn [limit].
  - apply sure3; auto.
  - cbn in W; destruct n as [|n]; [lia|].
    replace (2 * S n) with (2 * n + 2) by lia. apply sure2; exact G.
  - apply s_done; apply goodv_out; exact G.
Qed.

End Side.

(* ---- the theorems ---- *)

Lemma good_force : forall k p, k = 1 \/ k = 2 -> wf p -> good k p -> can_force k p.
Proof.
  intros k p K W G. eapply sure_wins; exact (rule_finishes true k K p W G).
Qed.

Lemma bad_spoil : forall k p, k = 1 \/ k = 2 -> wf p -> ~ good k p -> wins false k p.
Proof.
  intros k p K W G. eapply sure_wins; exact (rule_finishes false k K p W G).
Qed.

Lemma force_iff : forall k p, k = 1 \/ k = 2 -> wf p -> (can_force k p <-> good k p).
Proof.
  intros k p K W; split; [|apply good_force; assumption].
  intros F. destruct (good_dec k p) as [G|G]; [exact G|].
  destruct (wins_exclusive k p F W (bad_spoil k p K W G)).
Qed.

Theorem theorem_A : forall X Y Z j q, wf (P3 X Y Z j q) ->
  (can_force 1 (P3 X Y Z j q) <-> formA X Y Z j q).
Proof. intros X Y Z j q W. apply (force_iff 1); auto. Qed.

Theorem theorem_B : forall X Y Z j q, wf (P3 X Y Z j q) ->
  (can_force 2 (P3 X Y Z j q) <-> formB X Y Z j q).
Proof. intros X Y Z j q W. apply (force_iff 2); auto. Qed.

(* strict = lenient; and if q cannot force rank <= k, the others can force the opposite
   in finitely many draws. Also for positions with two seats left. *)
Theorem theorem_C : forall k p, k = 1 \/ k = 2 -> wf p ->
  (can_force k p <-> can_ensure k p) /\ (~ can_force k p <-> wins false k p).
Proof.
  intros k p K W. destruct (good_dec k p) as [G|G].
  - pose proof (good_force k p K W G) as F. split; split; intros H.
    + apply force_ensure; exact H.
    + exact F.
    + destruct (H F).
    + destruct (wins_exclusive k p F W H).
  - pose proof (bad_spoil k p K W G) as S. split; split; intros H.
    + apply force_ensure; exact H.
    + destruct (spoil_not_ensure k p S W H).
    + exact S.
    + intros F; exact (wins_exclusive k p F W S).
Qed.

(* ---- two seats ---- *)

(* The seat without the joker can force leaving; the holder is then last. *)
Theorem two_seats : forall n jm qm, 1 <= n ->
  (can_force 2 (P2 n jm qm) <-> jm <> qm) /\
  (can_ensure 2 (P2 n jm qm) <-> jm <> qm) /\
  (wins false 2 (P2 n jm qm) <-> jm = qm).
Proof.
  intros n jm qm W.
  assert (G : good 2 (P2 n jm qm) <-> jm <> qm).
  { cbn; destruct jm, qm; cbn; split; intros; try lia; congruence. }
  pose proof (force_iff 2 (P2 n jm qm) (or_intror eq_refl) W) as F.
  destruct (theorem_C 2 (P2 n jm qm) (or_intror eq_refl) W) as [C1 C2].
  rewrite <- C1, <- C2, F, G. split; [tauto|split; [tauto|]].
  destruct (Bool.bool_dec jm qm); tauto.
Qed.

(* a play without joker draws *)
Inductive play : nat -> pos -> pos -> Prop :=
| pl_nil p : play 0 p p
| pl_cons d c p p' p'' : c <> Joker -> draw c p p' -> play d p' p'' -> play (S d) p p''.

(* If the seat without the joker never takes it, the game ends after exactly n draws and that
   seat is out: there is such a play, and every such play that ends has this length. *)
Theorem two_seats_length : forall n jm qm, 1 <= n ->
  play n (P2 n jm qm) (Out (if Bool.eqb jm qm then 3 else 2)) /\
  forall d r, play d (P2 n jm qm) (Out r) -> d = n /\ r = if Bool.eqb jm qm then 3 else 2.
Proof.
  assert (E : forall jm qm, Bool.eqb (negb jm) (negb qm) = Bool.eqb jm qm)
    by (intros [] []; reflexivity).
  induction n as [|n IH]; intros jm qm W; [lia|].
  destruct n as [|n].
  - split.
    + eapply pl_cons with (c := Pair); [discriminate|constructor|apply pl_nil].
    + intros d r H; inversion H as [|d' c p p' p'' N D P]; subst.
      inversion D; subst; [|congruence]. cbn [settle2] in P.
      inversion P as [|d2 c2 q q' q'' N2 D2 P2]; subst; [split; reflexivity|inversion D2].
  - destruct (IH (negb jm) (negb qm)) as [I1 I2]; [lia|]. rewrite E in I1, I2. split.
    + eapply pl_cons with (c := Pair); [discriminate|constructor|exact I1].
    + intros d r H; inversion H as [|d' c p p' p'' N D P]; subst.
      inversion D; subst; [|congruence]. cbn [settle2] in P.
      destruct (I2 d' r P) as [-> ->]; split; reflexivity.
Qed.

(* the holder has one kind of draw only; taking the joker loses a won game *)
Theorem two_seats_holder : forall n qm c p', draw c (P2 n true qm) p' -> c = Pair.
Proof. intros n qm c p' D; inversion D; reflexivity. Qed.

Theorem two_seats_no_joker : forall n p', 1 <= n -> draw Joker (P2 n false true) p' ->
  can_force 2 (P2 n false true) /\ wins false 2 p'.
Proof.
  intros n p' W D; split; [apply two_seats; [exact W|discriminate]|].
  inversion D; subst. destruct n as [|n]; [lia|]. cbn. apply two_seats; [lia|reflexivity].
Qed.
