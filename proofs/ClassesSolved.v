(** * One-dimensional Phutball is solved at every length

    There is no draw, and an explicit rule says who wins every board. *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Proper LawN Conditions Zones Cells Automaton Classes StonePairs JumpsHome
  JumpPairs TurnsBack TurnsForth Stones.

Theorem wins_board_rule : conditions wins_board.
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

(** Who wins. *)
Theorem phutball_solved b : playing b ->
  (wins Left Left b <-> wins_board (before b) (rev (beyond b)) = true)
  /\ (wins Right Left b <-> wins_board (before b) (rev (beyond b)) = false)
  /\ (wins Left Right b <-> wins_board (rev (beyond b)) (before b) = false)
  /\ (wins Right Right b <-> wins_board (rev (beyond b)) (before b) = true).
Proof. exact (conditions_solve wins_board wins_board_rule b). Qed.

(** No position is a draw. *)
Theorem no_draw q b : playing b -> wins Left q b \/ wins Right q b.
Proof. intros P. exact (conditions_decided wins_board wins_board_rule (size b) b q P eq_refl). Qed.

Corollary never_draw q b : playing b -> ~ draw q b.
Proof. intros P [L R]. destruct (no_draw q b P); contradiction. Qed.

(** Law N: every board that Left wins he wins by proper turns. *)
Theorem law_N_holds n : law_N n.
Proof. exact (conditions_law_N wins_board wins_board_rule n). Qed.
