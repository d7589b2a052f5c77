(** * The automaton meets the conditions, so it says who wins *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Proper LawN Conditions Zones Cells Automaton Classes StonePairs JumpsHome
  JumpPairs TurnsBack TurnsForth Stones.

Theorem wins_board_conditions : conditions wins_board.
Proof.
  split.
  - intros g h _. apply home_wins.
  - intros l m h _. apply stone_left.
  - intros g l m _. apply stone_right.
  - intros w u m h _ _. apply jump_left_wins.
  - intros g w u m _ _. apply jump_right_wins.
  - intros g h Ng Nh W. destruct (Pos.eq_dec (cell_of (run h)) (cell_of start)) as [C | C].
    + destruct (no_defence_turns_forth g h Nh C) as [H | H]; [now left | right; right; now right].
    + destruct (stone_or_hot g h C W) as [H | H]; [right; now left | right; right; left; now apply hot_turns_back].
Qed.
