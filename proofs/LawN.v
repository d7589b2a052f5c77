(** * Law N: every board that Left wins he wins by proper turns

    RuleSolved.v proves it for every length. A length that has it settles every shorter one. At a length without draws it says: Left need not leave proper turns to
    avoid a loss. That statement at every length implies that no position is a draw
    (Corollary G2 of docs/PROOF.md). *)

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

(** ** Law N and draws *)

(** Left can avoid a loss: he has a set of positions in which he can continue forever. *)
Definition avoids (q : player) (b : board) : Prop := exists D, holds_out Right D /\ D q b.

Lemma avoids_not_lost q b : avoids q b -> ~ wins Right q b.
Proof. intros (D & H & I) W. now apply (no_holding_out Right D H q b W). Qed.

Lemma wins_avoids q b : wins Left q b -> avoids q b.
Proof.
  intros W. exists (wins Left). split; [| assumption]. clear q b W. split.
  - intros b x W T. inversion W as [| | ? N A]; subst. split; [now apply N |].
    intros c -> P. now apply A.
  - intros b W. inversion W as [? x T V | ? c T P V |]; subst.
    + exists x. auto.
    + exists (On c). split; [assumption |]. right. eauto.
Qed.

(** Left has a turn, or a proper turn, after which he does not lose. *)
Definition escapes (good : board -> landing -> Prop) (b : board) : Prop :=
  exists x, good b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ avoids Right c).

(** Proper turns are enough not to lose. *)
Definition proper_enough (n : nat) : Prop := forall b, playing b -> size b = n -> escapes turn b -> escapes proper b.

Theorem avoids_wins n : proper_enough n -> forall q b, playing b -> size b = n -> avoids q b -> properly q b.
Proof.
  intros H q b.
  enough (G : forall s, let '(k, q, b) := s in playing b -> size b = n -> avoids q b -> properly q b) by exact (G (0, q, b)).
  intros s. induction s as [s IH] using (well_founded_ind proper_play_ends).
  destruct s as [[k q'] b']. clear q b. rename q' into q, b' into b. intros P N (D & O & I). pose proof O as [Hers Mine]. destruct q.
  - destruct (H b P N) as (x & F & [W | (c & -> & Pc & Ac)]).
    + destruct (Mine b I) as (x & T & [W | (c & -> & Pc & Dc)]); exists x || exists (On c); (split; [assumption |]); [now left |].
      right. exists c. repeat split; try apply Pc. now exists D.
    + now apply properly_now with x.
    + apply properly_later with c; try assumption.
      apply (IH (k, Right, c)); [now constructor | assumption | | assumption]. now rewrite (turn_size b c (proj1 F)).
  - apply properly_always.
    + intros x T. apply (Hers b x I T).
    + intros c T Pc. apply (IH (k, Left, c)); [now constructor | assumption | now rewrite (turn_size b c T) |].
      exists D. split; [assumption |]. now apply (Hers b (On c) I T).
Qed.

(** So no position is one that both can avoid to lose, and Law N holds. *)
Corollary proper_enough_law_N n : proper_enough n -> law_N n.
Proof. intros H q b P N W. apply (avoids_wins n H); try assumption. now apply wins_avoids. Qed.

(** At a length without draws it is Law N. *)
Theorem law_N_proper_enough n : decided n -> law_N n -> proper_enough n.
Proof.
  intros D L b P N (x & T & E).
  assert (W : wins Left Left b).
  { destruct E as [W | (c & -> & Pc & Ac)]; [now apply wins_now with x |].
    apply wins_later with c; [assumption | assumption |]. simpl.
    destruct (D c Right Pc) as [W | W]; [rewrite (turn_size b c T); assumption | assumption |].
    now destruct (avoids_not_lost Right c Ac). }
  apply (L Left b P N) in W. inversion W as [? y F V | ? c F Pc V |]; subst.
  - exists y. auto.
  - exists (On c). split; [assumption |]. right. exists c. repeat split; try apply Pc. now apply wins_avoids, properly_wins.
Qed.

(** *** With the law of excluded middle, a draw is a position that both players can avoid to lose *)

Section Classical.

Hypothesis excluded_middle : forall P : Prop, P \/ ~ P.

Lemma not_lost_avoids q b : playing b -> ~ wins Right q b -> avoids q b.
Proof.
  intros P W. exists (fun q b => playing b /\ ~ wins Right q b). split; [| auto]. clear q b P W. split.
  - intros b x [P W] T. split.
    + intros V. apply W. now apply wins_now with x.
    + intros c -> Pc. split; [assumption |]. intros V. apply W. now apply wins_later with c.
  - intros b [P W]. destruct (excluded_middle (exists x, turn b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ playing c /\ ~ wins Right Right c))) as [E | E];
      [exact E |]. exfalso. apply W. apply (wins_always Right).
    + intros x T V. apply E. eauto.
    + intros c T Pc. destruct (excluded_middle (wins Right Right c)) as [V | V]; [assumption |].
      exfalso. apply E. exists (On c). split; [assumption |]. right. eauto.
Qed.

(** Corollary G2. *)
Theorem proper_enough_no_draw n : proper_enough n -> decided n.
Proof.
  intros H b q P N. destruct (excluded_middle (wins Right q b)) as [W | W]; [now right | left].
  apply properly_wins, (avoids_wins n H); try assumption. now apply not_lost_avoids.
Qed.

(** Conjecture 1 together with Law N. *)
Theorem proper_enough_iff n : proper_enough n <-> decided n /\ law_N n.
Proof.
  split; [| intros [D L]; now apply law_N_proper_enough].
  intros H. split; [now apply proper_enough_no_draw | now apply proper_enough_law_N].
Qed.

End Classical.
