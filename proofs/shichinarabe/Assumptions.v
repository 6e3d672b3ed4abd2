(* What the main theorems rest on. Every answer has to be "Closed under the global context":
   no axioms, nothing admitted. scripts/proofs counts the answers. *)
From Shichinarabe Require Game Value Race Decide Suits Table Paper Integer Graph.

Print Assumptions Game.game_eq.
Print Assumptions Game.game_forces.

Print Assumptions Value.price_range.
Print Assumptions Value.own_play.
Print Assumptions Value.val_pos.

Print Assumptions Race.race_end.
Print Assumptions Race.race_free.
Print Assumptions Race.race_restricted.
Print Assumptions Race.free_iff_unblocked.
Print Assumptions Race.free_own_play.
Print Assumptions Race.free_stays.
Print Assumptions Race.normal_value.
Print Assumptions Race.restricted_value.

Print Assumptions Decide.eval_spec.
Print Assumptions Decide.scan_correct.
Print Assumptions Decide.restricted_value_price.
Print Assumptions Decide.decide_correct.
Print Assumptions Decide.decide_tot_correct.
Print Assumptions Decide.update_correct.
Print Assumptions Decide.move_wins_iff.
Print Assumptions Decide.winning_moves_correct.
Print Assumptions Decide.answer_correct.
Print Assumptions Decide.winner_has_winning_move.

Print Assumptions Suits.suit_value.
Print Assumptions Suits.suit_restricted_value.

Print Assumptions Table.table_exists.
Print Assumptions Table.table_unique.
Print Assumptions Table.table_correct.

Print Assumptions Paper.classed_iff.
Print Assumptions Paper.paper_correct.

Print Assumptions Integer.value_spec.
Print Assumptions Integer.value_outcome.

Print Assumptions Graph.A_outcome.
Print Assumptions Graph.h_outcome.
Print Assumptions Graph.price_nonneg.
Print Assumptions Graph.keeper_wins.
Print Assumptions Graph.race_free.
Print Assumptions Graph.race_restricted.
Print Assumptions Graph.decide_correct.
Print Assumptions Graph.graph_decide_correct.
Print Assumptions Graph.safe_A_own.
Print Assumptions Graph.safe_A_opp.
Print Assumptions Graph.safe_h_own.
Print Assumptions Graph.safe_h_opp.
Print Assumptions Graph.av_graph_mono.
Print Assumptions Graph.av_graph_local.
