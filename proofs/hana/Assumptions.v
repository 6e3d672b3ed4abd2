(* What the main theorems rest on. Every answer has to be "Closed under the global context":
   no axioms, nothing admitted. scripts/proofs counts the answers. *)
From Hana Require Round Whole.

Print Assumptions Round.every_flower_taken.
Print Assumptions Round.lemma_48.
Print Assumptions Round.round_empty.
Print Assumptions Round.biki_theorem.
Print Assumptions Round.biki_48.

Print Assumptions Whole.all_48_taken.
Print Assumptions Whole.round_exists.
