(** * The equations of the levels have one solution

    Theorem 2 of docs/PROOF.md: if sets satisfy both equations at every level, level k holds the
    boards that Left wins with at most k backward turns. So a table is correct if its sets satisfy
    the equations. A stone on the goal line does not change the number of backward turns
    (Lemma 1). *)

From Coq Require Import Arith Lia.
From Phutball Require Import Rules Play Stone.

(** [within k q b]: with [q] to move on the board [b], Left can force a win and makes at most [k]
    backward turns. *)
Inductive within : nat -> player -> board -> Prop :=
| within_now k b x : forward b x -> won Left x -> within k Left b
| within_forward k b c : forward b (On c) -> playing c -> within k Right c -> within k Left b
| within_backward k b c : turn b (On c) -> playing c -> within k Right c -> within (S k) Left b
| within_always k b :
    (forall x, turn b x -> ~ won Right x) ->
    (forall c, turn b (On c) -> playing c -> within k Left c) ->
    within k Right b.

Lemma within_wins k q b : within k q b -> wins Left q b.
Proof.
  induction 1 as [k b x F W | k b c F P _ IH | k b c T P _ IH | k b N _ IH].
  - apply wins_now with x; [apply F | assumption].
  - apply wins_later with c; [apply F | assumption | assumption].
  - now apply wins_later with c.
  - now apply (wins_always Left).
Qed.

Lemma within_more k q b : within k q b -> within (S k) q b.
Proof.
  induction 1 as [k b x F W | k b c F P _ IH | k b c T P _ IH | k b N _ IH].
  - now apply within_now with x.
  - now apply within_forward with c.
  - now apply within_backward with c.
  - now apply within_always.
Qed.

(** A turn that wins for one player does not win for the other. *)
Lemma won_by_one b x : playing b -> turn b x -> won Left x -> ~ won Right x.
Proof.
  intros P T W W'. destruct x as [c | p]; simpl in *; [| congruence].
  pose proof (turn_size b c T) as E. unfold size in E at 1. rewrite W, W' in E. simpl in E.
  destruct b as [[|] [|]]; destruct P; simpl in *; try congruence. unfold size in E. simpl in E. lia.
Qed.

Section Solution.

(** The boards of level [k], with Left to move and with Right to move, for strips of [n] squares. *)
Variables A R : nat -> board -> Prop.
Variable n : nat.

(** Left has a forward turn that wins or leads into the level, or any turn into the level below
    (docs/RULES.md, section 6). *)
Definition left_equation : Prop := forall k b, playing b -> size b = n ->
  A k b <->
  ((exists x, forward b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ R k c))
   \/ (exists j c, k = S j /\ turn b (On c) /\ playing c /\ R j c)).

(** Every turn of Right leads into the level or wins for Left. *)
Definition right_equation : Prop := forall k b, playing b -> size b = n ->
  R k b <-> (forall x, turn b x -> won Left x \/ exists c, x = On c /\ playing c /\ A k c).

Hypothesis left : left_equation.
Hypothesis right : right_equation.

Lemma solution_is_within k q b :
  playing b -> size b = n -> match q with Left => A k b | Right => R k b end -> within k q b.
Proof.
  enough (H : forall s, let '(k, q, b) := s in
      playing b -> size b = n -> match q with Left => A k b | Right => R k b end -> within k q b)
    by exact (H (k, q, b)).
  intros s. induction s as [s IH] using (well_founded_ind forward_play_ends).
  destruct s as [[k' q'] b']. clear k q b. rename k' into k, q' into q, b' into b. intros P N H. destruct q.
  - apply left in H as [(x & F & [W | (c & -> & Pc & Rc)]) | (j & c & -> & T & Pc & Rc)]; try assumption.
    + now apply within_now with x.
    + apply within_forward with c; try assumption.
      apply (IH (k, Right, c)); [now constructor | assumption | | assumption].
      now rewrite (turn_size b c (proj1 F)).
    + apply within_backward with c; try assumption.
      apply (IH (j, Right, c)); [now constructor | assumption | | assumption].
      now rewrite (turn_size b c T).
  - pose proof (proj1 (right k b P N) H) as H'. apply within_always.
    + intros x T. destruct (H' x T) as [W | (c & -> & [Pc _] & _)]; [now apply (won_by_one b) | assumption].
    + intros c T Pc. destruct (H' (On c) T) as [W | (d & E & _ & Ad)]; [now destruct Pc |].
      injection E as <-. apply (IH (k, Left, c)); [now constructor | assumption | | assumption].
      now rewrite (turn_size b c T).
Qed.

Lemma solution_has k q b :
  within k q b -> playing b -> size b = n -> match q with Left => A k b | Right => R k b end.
Proof.
  induction 1 as [k b x F W | k b c F Pc _ IH | k b c T Pc _ IH | k b N _ IH]; intros P E.
  - apply left; eauto.
  - apply left; try assumption. left. exists (On c). split; [assumption |]. right. exists c. repeat split; try apply Pc.
    apply IH; [assumption |]. now rewrite (turn_size b c (proj1 F)).
  - apply left; try assumption. right. exists k, c. repeat split; try assumption; try apply Pc.
    apply IH; [assumption |]. now rewrite (turn_size b c T).
  - apply (proj2 (right k b P E)). intros x T. destruct (landing_cases x) as [W | [W | (c & -> & Pc)]]; [now left | now destruct (N x T) |].
    right. exists c. repeat split; try apply Pc. apply IH; try assumption. now rewrite (turn_size b c T).
Qed.

(** Theorem 2. *)
Theorem levels_unique k b : playing b -> size b = n -> (A k b <-> within k Left b) /\ (R k b <-> within k Right b).
Proof.
  intros P N. split; split; intros H.
  - now apply (solution_is_within k Left).
  - now apply (solution_has k Left).
  - now apply (solution_is_within k Right).
  - now apply (solution_has k Right).
Qed.

End Solution.

(** The boards that Left wins within each number of backward turns are a solution. *)
Theorem levels_exist n : left_equation (fun k => within k Left) (fun k => within k Right) n
  /\ right_equation (fun k => within k Left) (fun k => within k Right) n.
Proof.
  split; intros k b P N; split.
  - intros H. inversion H as [? ? x F W | ? ? c F Pc I | j ? c T Pc I |]; subst; [left | left | right].
    + eauto.
    + exists (On c). split; [assumption |]. right. eauto.
    + exists j, c. auto.
  - intros [(x & F & [W | (c & -> & Pc & I)]) | (j & c & -> & T & Pc & I)].
    + now apply within_now with x.
    + now apply within_forward with c.
    + now apply within_backward with c.
  - intros H x T. inversion H as [| | | ? ? M I]; subst.
    destruct (landing_cases x) as [W | [W | (c & -> & Pc)]]; [now left | now destruct (M x T) | right; eauto].
  - intros H. apply within_always.
    + intros x T. destruct (H x T) as [W | (c & -> & [Pc _] & _)]; [now apply (won_by_one b) | assumption].
    + intros c T Pc. destruct (H (On c) T) as [W | (d & E & _ & I)]; [now destruct Pc | now injection E as <-].
Qed.

(** ** Lemma 1, level by level *)

(** A winning turn of Left is forward. *)
Lemma winning_forward b x : playing b -> turn b x -> won Left x -> forward b x.
Proof.
  destruct b as [l r]. intros [_ P] T W. split; [assumption |]. destruct x as [c | p]; [| exact W]. simpl in *.
  inversion T as [| | ? ? J]; subst; simpl in *.
  - contradiction.
  - now destruct m.
  - apply jumps_flight in J. inversion J; subst; simpl in *; [eauto | destruct a; discriminate].
Qed.

Lemma forward_extend b c s : forward b (On c) -> forward (extend b s) (On (extend c s)).
Proof. intros [T M]. split; [now apply turn_extend | exact M]. Qed.

Lemma within_behind k q b : playing b -> within k q b -> within k q (extend b stone).
Proof.
  intros P H. revert P. induction H as [k b x F W | k b c F Pc _ IH | k b c T Pc _ IH | k b N _ IH]; intros P.
  - destruct (left_goes_home (extend b stone)) as (y & T & W').
    { apply way_home_stone; [apply P |]. apply (left_comes_home b x); [assumption | apply F | assumption]. }
    apply within_now with y; [| assumption]. apply winning_forward; [now apply playing_extend | assumption | assumption].
  - apply within_forward with (extend c stone); [now apply forward_extend | now apply playing_extend | now apply IH].
  - apply within_backward with (extend c stone); [now apply turn_extend | now apply playing_extend | now apply IH].
  - apply within_always.
    + intros x T W. destruct (right_goes_home (extend b stone) b x) as (y & T' & W'); auto; [now apply playing_extend | now apply (N y)].
    + intros c T Pc. apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
      * now apply IH.
      * apply within_now with (Past Left); [| reflexivity]. split; [| reflexivity].
        unfold extend. rewrite E. apply jump_turn, jumps_last. apply (jump_off_right _ 0).
Qed.

Lemma within_cut k q b : playing b -> within k q (extend b stone) -> within k q b.
Proof.
  assert (G : forall k d c, playing d -> turn d (On c) -> beyond c = [] -> within k Left d).
  { intros j d c P T E. apply within_now with (On c); [now apply winning_forward | assumption]. }
  intros P H. remember (extend b stone) as e eqn:E. revert b P E.
  induction H as [k e x F W | k e c F Pc _ IH | k e c T Pc _ IH | k e N _ IH]; intros b P ->.
  - destruct F as [T _]. apply left_comes_home in T; [| now apply playing_extend | assumption].
    apply way_home_extended in T; [| apply P]. apply left_goes_home in T as (y & T & W').
    apply within_now with y; [now apply winning_forward | assumption].
  - destruct F as [T M].
    apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
    + apply within_forward with d; auto. now split.
    + now apply (G k b d).
  - apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
    + apply within_backward with d; auto.
    + now apply (G (S k) b d).
  - apply within_always.
    + intros x T W. destruct (right_goes_home b (extend b stone) x) as (y & T' & W'); auto. now apply (N y).
    + intros c T Pc. apply (IH (extend c stone)); [now apply turn_extend | now apply playing_extend | assumption | reflexivity].
Qed.

Theorem stone_keeps_level k q b : playing b -> within k q (extend b stone) <-> within k q b.
Proof. intros P. split; [now apply within_cut | now apply within_behind]. Qed.

(** If a win on [n] squares needs [k + 1] backward turns, so does a win on [n + 1] squares. *)
Corollary backward_turns_longer k n :
  (exists q b, playing b /\ size b = n /\ within (S k) q b /\ ~ within k q b) ->
  exists q b, playing b /\ size b = S n /\ within (S k) q b /\ ~ within k q b.
Proof.
  intros (q & b & P & N & W & M). exists q, (extend b stone).
  split; [now apply playing_extend |]. split; [rewrite size_extend; congruence |].
  split; [now apply within_behind |]. intros H. apply M. now apply within_cut.
Qed.
