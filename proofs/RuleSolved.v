(** * One-dimensional Phutball is solved: the rule of Rule.v says who wins at every length

    Rules.v has the game, Rule.v the rule. With the statements of this file they are all that is to
    be trusted; [proper] (Proper.v) only matters to the last two. *)

From Coq Require Import Bool Setoid.
From Phutball Require Import Rules Play Proper LawN Conditions ClassesSolved Rule Simulation.

Lemma rule_meets_conditions : conditions wins_rule.
Proof.
  destruct wins_board_conditions as [H0 H1 H2 H3 H4 E].
  split; intros *; rewrite !wins_rule_right; [apply H0 | apply H1 | apply H2 | apply H3 | apply H4 |].
  setoid_rewrite wins_rule_right. apply E.
Qed.

(** Who wins, with Left and with Right to move. A half strip is read from its goal line to the ball:
    [before b] from left to right, [beyond b] from right to left. *)
Theorem phutball_rule b : playing b ->
  (wins Left Left b <-> wins_rule (before b) (rev (beyond b)) = true)
  /\ (wins Right Left b <-> wins_rule (before b) (rev (beyond b)) = false)
  /\ (wins Left Right b <-> wins_rule (rev (beyond b)) (before b) = false)
  /\ (wins Right Right b <-> wins_rule (rev (beyond b)) (before b) = true).
Proof. exact (conditions_solve wins_rule rule_meets_conditions b). Qed.

(** One of the players wins every position. *)
Theorem no_draw q b : playing b -> wins Left q b \/ wins Right q b.
Proof. intros P. exact (conditions_decided wins_rule rule_meets_conditions (size b) b q P eq_refl). Qed.

(** Sarkar's question: can a position be a draw? *)
Corollary sarkars_question : ~ exists q b, playing b /\ draw q b.
Proof. intros (q & b & P & L & R). destruct (no_draw q b P); contradiction. Qed.

(** Conjecture 1: no position on a strip is a draw, at any length. *)
Corollary conjecture_1 n : decided n.
Proof. exact (conditions_decided wins_rule rule_meets_conditions n). Qed.

(** Law N: Left wins by proper turns every position that he wins. *)
Theorem law_N_holds n : law_N n.
Proof. exact (conditions_law_N wins_rule rule_meets_conditions n). Qed.

(** Left to move has a proper turn that wins at once or leads to a position that the rule gives to
    him, on every board that he wins. Proper play ends ([proper_play_ends]), so such turns win. *)
Theorem winning_turn b : playing b -> wins Left Left b ->
  exists x, proper b x
  /\ (won Left x \/ exists c, x = On c /\ playing c /\ wins_rule (rev (beyond c)) (before c) = false).
Proof.
  intros P W. apply (accepted_has_turn wins_rule rule_meets_conditions b P). now apply (phutball_rule b P).
Qed.
