(* What the main theorems rest on. Every answer has to be "Closed under the global context":
   no axioms, nothing admitted. scripts/proofs counts the answers. *)
From Tanhinmin Require Cards Basic Game Play Moves Consequences Decide CutGame CutMain CutMoves.

Print Assumptions Cards.mu_is_maximum_matching.
Print Assumptions Cards.mu_bound.
Print Assumptions Cards.mu_witness.
Print Assumptions Cards.drop_spec.

Print Assumptions Basic.tanhinmin_theorem_1.
Print Assumptions Basic.tanhinmin_determined.
Print Assumptions Basic.set_aside.

Print Assumptions Game.tanhinmin_goals.
Print Assumptions Game.no_draws.
Print Assumptions Game.wins_not_loses.

Print Assumptions Play.counter_strategy_mover.
Print Assumptions Play.counter_strategy_other.
Print Assumptions Play.tanhinmin_strategies.

Print Assumptions Moves.theorem_2_high.
Print Assumptions Moves.theorem_2_low.
Print Assumptions Moves.theorem_2_pass.
Print Assumptions Moves.theorem_2_high_gamma.
Print Assumptions Moves.sk_wins.
Print Assumptions Moves.pass_not_needed.
Print Assumptions Moves.margin_two.

Print Assumptions Consequences.goals_monotone.
Print Assumptions Consequences.table_monotone.
Print Assumptions Consequences.two_candidates.

Print Assumptions Decide.decide_correct.
Print Assumptions Decide.winning_discards_correct.
Print Assumptions Decide.winning_discards_NoDup.
Print Assumptions Decide.winning_pass_correct.
Print Assumptions Decide.best_move_correct.

Print Assumptions CutGame.cwins_not_closes.

Print Assumptions CutMain.tanhinmin_cut.
Print Assumptions CutMain.tanhinmin_theorem_3.
Print Assumptions CutMain.decide_cut_correct.
Print Assumptions CutMain.cut_determined.
Print Assumptions CutMain.cut_no_draws.
Print Assumptions CutMain.cut_on_table.
Print Assumptions CutMain.tanhinmin_cut_on_table.
Print Assumptions CutMain.no_cut_cards.

Print Assumptions CutMoves.three_candidates.
Print Assumptions CutMoves.cut_pass_not_needed.
Print Assumptions CutMoves.cut_prefix.
Print Assumptions CutMoves.ord_prefix.
Print Assumptions CutMoves.winning_ordinary_correct.
Print Assumptions CutMoves.winning_cuts_correct.
Print Assumptions CutMoves.winning_cut_pass_correct.
