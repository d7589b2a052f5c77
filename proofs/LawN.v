(** * Law N: every board that Left wins he wins by proper turns

    RuleSolved.v proves it for every length. A length that has it settles every shorter one, so that
    a table of winners proves it without the rule. *)

From Coq Require Import Arith Lia.
From Phutball Require Import Rules Play Stone Levels Proper.

Definition law_N (n : nat) : Prop := forall q b, playing b -> size b = n -> wins Left q b -> properly q b.

(** Every board of [n] squares is won by proper turns, by Left, or by Right after Left's turn. *)
Definition won_properly (n : nat) : Prop :=
  forall b, playing b -> size b = n -> properly Left b \/ properly Right (mirror b).

Lemma mirror_proper q b : properly q (mirror b) -> wins Right (other q) b.
Proof. intros H. rewrite <- (mirror_mirror b). now apply (mirror_wins Left), properly_wins. Qed.

Theorem won_properly_decided n : won_properly n -> decided n.
Proof.
  intros H b q P N. destruct q.
  - destruct (H b P N) as [W | W]; [left; now apply properly_wins | right; now apply (mirror_proper Right)].
  - destruct (H (mirror b)) as [W | W]; [now apply mirror_playing | now rewrite mirror_size | |].
    + right. now apply (mirror_proper Left).
    + left. rewrite mirror_mirror in W. now apply properly_wins.
Qed.

Theorem won_properly_law_N n : won_properly n -> law_N n.
Proof.
  intros H q b P N W. destruct q.
  - destruct (H b P N) as [V | V]; [assumption |]. now destruct (not_both Left Left b W (mirror_proper Right b V)).
  - destruct (H (mirror b)) as [V | V]; [now apply mirror_playing | now rewrite mirror_size | |].
    + now destruct (not_both Left Right b W (mirror_proper Left b V)).
    + now rewrite mirror_mirror in V.
Qed.

(** ** A stone on the goal line *)

Lemma proper_extend b c s : playing c -> proper b (On c) -> proper (extend b s) (On (extend c s)).
Proof.
  intros [_ P] [T [W | M]]; [contradiction |]. split; [now apply turn_extend | now right].
Qed.

Lemma proper_now b : playing b -> (exists x, turn b x /\ won Left x) -> properly Left b.
Proof. intros P (x & T & W). apply properly_now with x; [split; [assumption | now left] | assumption]. Qed.

Lemma properly_behind q b : playing b -> properly q b -> properly q (extend b stone).
Proof.
  intros P H. revert P. induction H as [b x F W | b c F Pc _ IH | b N _ IH]; intros P.
  - apply proper_now; [now apply playing_extend |]. apply left_goes_home, way_home_stone; [apply P |].
    apply (left_comes_home b x); [assumption | apply F | assumption].
  - apply properly_later with (extend c stone); [now apply proper_extend | now apply playing_extend | now apply IH].
  - apply properly_always.
    + intros x T W. destruct (right_goes_home (extend b stone) b x) as (y & T' & W'); auto; [now apply playing_extend | now apply (N y)].
    + intros c T Pc. apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
      * now apply IH.
      * apply proper_now; [assumption |]. exists (Past Left). split; [| reflexivity].
        unfold extend. rewrite E. apply jump_turn, jumps_last. apply (jump_off_right _ 0).
Qed.

Lemma properly_cut q b : playing b -> properly q (extend b stone) -> properly q b.
Proof.
  intros P H. remember (extend b stone) as e eqn:E. revert b P E.
  induction H as [e x F W | e c F Pc _ IH | e N _ IH]; intros b P ->.
  - destruct F as [T _]. apply left_comes_home in T; [| now apply playing_extend | assumption].
    apply way_home_extended in T; [| apply P]. now apply proper_now, left_goes_home.
  - destruct F as [T [W | M]]; [now destruct Pc |].
    apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
    + apply properly_later with d; auto. split; [assumption | now right].
    + apply proper_now; [assumption |]. exists (On d). auto.
  - apply properly_always.
    + intros x T W. destruct (right_goes_home b (extend b stone) x) as (y & T' & W'); auto. now apply (N y).
    + intros c T Pc. apply (IH (extend c stone)); [now apply turn_extend | now apply playing_extend | assumption | reflexivity].
Qed.

Theorem stone_keeps_proper q b : playing b -> properly q (extend b stone) <-> properly q b.
Proof. intros P. split; [now apply properly_cut | now apply properly_behind]. Qed.

Corollary law_N_shorter n m : law_N n -> m <= n -> law_N m.
Proof.
  intros H L. induction L as [| n L IH]; [assumption |]. apply IH. intros q b P N W.
  apply stone_keeps_proper; [assumption |]. apply H; [now apply playing_extend | rewrite size_extend; congruence |].
  now apply stone_on_goal_line.
Qed.
