(** Extraction of the decision functions to OCaml (nat becomes int). *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Tanhinmin Require Import Decide CutGame CutMoves.

Extraction "tanhinmin_decide.ml"
  decide winning_discards winning_pass best_move
  decide_cut winning_ordinary winning_cuts winning_cut_pass.
