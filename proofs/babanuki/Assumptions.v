(* What the main theorems rest on. Every answer has to be "Closed under the global context":
   no axioms, nothing admitted. scripts/proofs counts the answers. *)
From Babanuki Require Three Ranks Cards Final.

Print Assumptions Three.theorem_A.
Print Assumptions Three.theorem_B.
Print Assumptions Three.theorem_C.
Print Assumptions Three.rule_finishes.
Print Assumptions Three.two_seats.
Print Assumptions Three.two_seats_length.
Print Assumptions Three.two_seats_holder.
Print Assumptions Three.two_seats_no_joker.

Print Assumptions Ranks.guaranteed_rank.
Print Assumptions Ranks.one_first.
Print Assumptions Ranks.someone_can_be_last.
Print Assumptions Ranks.joker_not_needed.

Print Assumptions Cards.same_winner.

Print Assumptions Final.cards_A.
Print Assumptions Final.cards_B.
Print Assumptions Final.cards_C.
Print Assumptions Final.cards_two.
