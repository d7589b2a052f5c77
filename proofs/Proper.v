(** * Play with proper turns ends

    Theorem N of docs/PROOF.md: play with finitely many turns of Left's that are not proper is
    finite. So boards that satisfy the two equations are won, and the equations have one solution
    (Corollary G1). *)

From Coq Require Import Arith Lia Bool.
From Phutball Require Import Rules Play Levels.

(** A turn of Left's is proper if it wins, if it is a stone to the right of the ball (no other turn
    leaves the squares before the ball as they are), or if it moves the ball by at least three
    squares. *)
Definition proper (b : board) (x : landing) : Prop :=
  turn b x /\
  (won Left x \/
   match x with
   | On c => before c = before b \/ length (before b) + 3 <= length (before c) \/ length (before c) + 3 <= length (before b)
   | Past _ => False
   end).

(** ** A termination measure

    The squares to the left of the ball have no weight. The ball has more weight than an empty square
    beyond it if it may still be moved to the left before anything changes to the right of it. *)

Definition is_stone (s : square) : bool := match s with stone => true | empty => false end.

(** The [i]-th square to the left of the ball holds a stone. *)
Definition stone_at (l : list square) (i : nat) : bool := is_stone (nth i (rev l) empty).

Definition digit_ball (q : player) (l : list square) : nat :=
  match q with
  | Left => if stone_at l 0 && (stone_at l 1 || stone_at l 2) then 3 else 0
  | Right => if stone_at l 0 || stone_at l 1 || stone_at l 2 then 4 else 1
  end.

Definition measure (q : player) (b : board) : nat :=
  value 5 (repeat 0 (length (before b)) ++ digit_ball q (before b) :: map digit_beyond (beyond b)).

Lemma zeros_small m : Forall (fun d => d < 5) (repeat 0 m).
Proof. induction m; constructor; auto with arith. Qed.

Lemma beyond_small l : Forall (fun d => d < 5) (map digit_beyond l).
Proof. induction l as [| [|] l IH]; constructor; simpl; auto with arith. Qed.

Lemma ball_small q l : digit_ball q l < 5.
Proof. destruct q; simpl; destruct (_ : bool); lia. Qed.

Lemma measure_small q b : measure q b < 5 ^ size b.
Proof.
  unfold measure, size. replace (length (before b) + 1 + length (beyond b))
    with (length (repeat 0 (length (before b)) ++ digit_ball q (before b) :: map digit_beyond (beyond b))).
  - apply value_small, Forall_app. split; [apply zeros_small |]. constructor; [apply ball_small | apply beyond_small].
  - rewrite app_length, repeat_length. simpl. rewrite map_length. lia.
Qed.

(** Squares to the left of a change are irrelevant. *)
Lemma measure_beyond q l m r :
  measure (other q) (Board l (m ++ stone :: r)) < measure q (Board l (m ++ empty :: r)).
Proof.
  unfold measure. simpl before. simpl beyond. rewrite !map_app, !app_comm_cons, !app_assoc. apply value_less.
  - apply Forall_app. split; [apply zeros_small |]. constructor; [apply ball_small | apply beyond_small].
  - rewrite !app_length. reflexivity.
  - simpl. lia.
Qed.

Lemma measure_ball q l l' r : length l = length l' -> digit_ball (other q) l' < digit_ball q l ->
  measure (other q) (Board l' r) < measure q (Board l r).
Proof.
  intros E D. unfold measure. simpl before. simpl beyond. rewrite E. apply value_less; [apply zeros_small | reflexivity |].
  simpl. lia.
Qed.

(** The ball comes to an empty square from the left. *)
Lemma measure_right q l l' a r : S (length l + length a) = length l' -> digit_ball (other q) l' < 2 ->
  measure (other q) (Board l' r) < measure q (Board l (a ++ empty :: r)).
Proof.
  intros E D. unfold measure. simpl before. simpl beyond. rewrite map_app, app_comm_cons, app_assoc.
  apply value_less; [apply zeros_small | | simpl; lia].
  rewrite app_length, !repeat_length. simpl length. rewrite map_length. lia.
Qed.

(** The ball leaves an empty square to the left. *)
Lemma measure_left q l a r : 2 < digit_ball q (l ++ empty :: a) ->
  measure (other q) (Board l (repeat empty (length a) ++ empty :: r)) < measure q (Board (l ++ empty :: a) r).
Proof.
  intros D. unfold measure. simpl before. simpl beyond. rewrite map_app, app_comm_cons, app_assoc. apply value_less.
  - apply Forall_app. split; [apply zeros_small |]. constructor; [apply ball_small | apply beyond_small].
  - rewrite !app_length. simpl. rewrite map_length, !repeat_length. simpl. lia.
  - simpl. lia.
Qed.

(** Behind a jump turn to the right two squares are empty at least. *)
Lemma behind_jump l m i : i <= m -> stone_at (l ++ empty :: repeat empty m) i = false.
Proof.
  intros L. unfold stone_at. rewrite rev_app_distr. change (empty :: repeat empty m) with (repeat empty (S m)).
  rewrite rev_repeat, app_nth1 by (rewrite repeat_length; lia). now rewrite nth_repeat.
Qed.

Lemma stone_last a l : stone_at (l ++ a ++ [stone]) 0 = true.
Proof. unfold stone_at. now rewrite app_assoc, rev_app_distr. Qed.

(** A jump turn crosses no two adjacent empty squares. *)
Lemma no_gap a : runs a -> forall l, a <> l ++ [empty; empty; stone].
Proof.
  induction 1 as [k | a b Ha _ Hb IH]; intros l E.
  - assert (I : In empty (repeat stone (S k))) by (rewrite E; apply in_or_app; simpl; auto).
    apply repeat_spec in I. discriminate.
  - destruct (runs_end b Hb) as [b' ->]. destruct b' as [| s b' _] using rev_ind; [| destruct b' as [| s' b' _] using rev_ind].
    + change (a ++ [empty] ++ [stone] = l ++ [empty; empty] ++ [stone]) in E. rewrite !app_assoc in E.
      apply app_inj_tail in E as [E _]. change [empty; empty] with ([empty] ++ [empty]) in E. rewrite app_assoc in E.
      apply app_inj_tail in E as [-> _]. destruct (runs_end _ Ha) as [a' E]. symmetry in E. now apply last_differs in E.
    + destruct (runs_begin _ Hb) as [b'' E']. injection E' as ->.
      change (a ++ [empty; stone] ++ [stone] = l ++ [empty; empty] ++ [stone]) in E. rewrite !app_assoc in E.
      apply app_inj_tail in E as [E _]. change [empty; empty] with ([empty] ++ [empty]) in E.
      change [empty; stone] with ([empty] ++ [stone]) in E. rewrite !app_assoc in E. now apply last_differs in E.
    + rewrite app_comm_cons, app_assoc in E. change [empty; empty; stone] with ([empty; empty] ++ [stone]) in E.
      rewrite (app_assoc l) in E. apply app_inj_tail in E as [E _]. change [empty; empty] with ([empty] ++ [empty]) in E.
      rewrite app_comm_cons, !app_assoc in E. apply app_inj_tail in E as [E ->].
      rewrite app_comm_cons, !app_assoc in E. apply app_inj_tail in E as [E ->].
      apply (IH b'). now rewrite <- !app_assoc.
Qed.

(** A jump turn to the left over two squares or more crosses a second stone close to the ball. *)
Lemma runs_two a : runs a -> 2 <= length a -> forall l, stone_at (l ++ a) 1 || stone_at (l ++ a) 2 = true.
Proof.
  intros H N l. destruct (runs_end a H) as [a' ->]. destruct a' as [| s a' _] using rev_ind; [simpl in N; lia |].
  unfold stone_at. rewrite !rev_app_distr. simpl. destruct s; [| reflexivity].
  destruct a' as [| s a' _] using rev_ind.
  - destruct (runs_begin _ H) as [a' E]. discriminate.
  - rewrite rev_app_distr. simpl. destruct s; [| reflexivity]. exfalso.
    apply (no_gap _ H a'). now rewrite <- !app_assoc.
Qed.

(** Right's stone to the left of the ball. *)
Lemma digit_falls l m : digit_ball Left (l ++ stone :: m) < digit_ball Right (l ++ empty :: m).
Proof.
  unfold digit_ball, stone_at. rewrite !rev_app_distr. simpl. rewrite <- !app_assoc. simpl.
  destruct (rev m) as [| [|] [| [|] [| [|] k]]], (rev l) as [| [|] [| [|] k']]; simpl; lia.
Qed.

Lemma measure_of_right b c : turn b (On c) -> measure Left c < measure Right b.
Proof.
  intros H. inversion H as [| | ? ? J]; subst.
  - apply (measure_ball Right); [rewrite !app_length; reflexivity | apply digit_falls].
  - apply (measure_beyond Right).
  - apply jumps_flight in J. inversion J as [? a ? Ha | ? a ? Ha | |]; subst.
    + apply (measure_right Right).
      * rewrite app_length. simpl. rewrite repeat_length. lia.
      * simpl. rewrite behind_jump by lia. simpl. lia.
    + apply (measure_left Right). destruct (runs_end a Ha) as [a' ->]. unfold digit_ball.
      rewrite app_comm_cons, stone_last. simpl. lia.
Qed.

Lemma measure_of_left b c : proper b (On c) -> playing c -> measure Right c < measure Left b.
Proof.
  intros [H M] [_ P]. destruct M as [W | M]; [contradiction |]. inversion H as [| | ? ? J]; subst; simpl in M.
  - exfalso. rewrite !app_length in M. simpl in M. destruct M as [M | M]; [| lia]. apply app_inv_head in M. discriminate.
  - apply (measure_beyond Left).
  - apply jumps_flight in J. inversion J as [? a ? Ha | ? a ? Ha | |]; subst; simpl in M;
      rewrite !app_length in M; simpl in M; rewrite ?repeat_length in M.
    + assert (N : 2 <= length a).
      { destruct M as [M | M]; [| lia]. apply (f_equal (@length square)) in M. rewrite app_length in M. simpl in M. lia. }
      apply (measure_right Left).
      * rewrite app_length. simpl. rewrite repeat_length. lia.
      * simpl. rewrite !behind_jump by lia. simpl. lia.
    + assert (N : 2 <= length a).
      { destruct M as [M | M]; [| lia]. apply (f_equal (@length square)) in M. rewrite app_length in M. simpl in M. lia. }
      apply (measure_left Left). pose proof (runs_two a Ha N (l ++ [empty])) as T. rewrite <- app_assoc in T. simpl in T.
      unfold digit_ball. rewrite T. destruct (runs_end a Ha) as [a' ->]. rewrite app_comm_cons, stone_last. simpl. lia.
Qed.

(** Theorem N. *)
Theorem proper_play_ends : well_founded (fun t s => step proper s t).
Proof.
  apply (play_ends proper measure (fun n => 5 ^ n)).
  - now intros b x [T _].
  - apply measure_small.
  - apply measure_of_right.
  - apply measure_of_left.
Qed.

(** ** Boards that satisfy the equations are won *)

(** [properly q b]: with [q] to move on the board [b], Left can force a win by proper turns. *)
Inductive properly : player -> board -> Prop :=
| properly_now b x : proper b x -> won Left x -> properly Left b
| properly_later b c : proper b (On c) -> playing c -> properly Right c -> properly Left b
| properly_always b :
    (forall x, turn b x -> ~ won Right x) ->
    (forall c, turn b (On c) -> playing c -> properly Left c) ->
    properly Right b.

Lemma properly_wins q b : properly q b -> wins Left q b.
Proof.
  induction 1 as [b x F W | b c F P _ IH | b N _ IH].
  - apply wins_now with x; [apply F | assumption].
  - apply wins_later with c; [apply F | assumption | assumption].
  - now apply (wins_always Left).
Qed.

(** The right sides of the two equations. *)
Definition has_turn (R : board -> Prop) (b : board) : Prop :=
  exists x, proper b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ R c).

Definition all_turns (A : board -> Prop) (b : board) : Prop :=
  forall x, turn b x -> won Left x \/ exists c, x = On c /\ playing c /\ A c.

Section Solution.

(** Boards with Left to move and with Right to move, and the number of squares. *)
Variables A R : board -> Prop.
Variable n : nat.

Theorem proper_won :
  (forall b, playing b -> size b = n -> A b -> has_turn R b) ->
  (forall b, playing b -> size b = n -> R b -> all_turns A b) ->
  forall q b, playing b -> size b = n -> match q with Left => A b | Right => R b end -> properly q b.
Proof.
  intros left right q b.
  enough (H : forall s, let '(k, q, b) := s in
      playing b -> size b = n -> match q with Left => A b | Right => R b end -> properly q b)
    by exact (H (0, q, b)).
  intros s. induction s as [s IH] using (well_founded_ind proper_play_ends).
  destruct s as [[k q'] b']. clear q b. rename q' into q, b' into b. intros P N H. destruct q.
  - apply left in H as (x & F & [W | (c & -> & Pc & Rc)]); try assumption.
    + now apply properly_now with x.
    + apply properly_later with c; try assumption.
      apply (IH (k, Right, c)); [now constructor | assumption | | assumption].
      now rewrite (turn_size b c (proj1 F)).
  - pose proof (right b P N H) as H'. apply properly_always.
    + intros x T. destruct (H' x T) as [W | (c & -> & [Pc _] & _)]; [now apply (won_by_one b) | assumption].
    + intros c T Pc. destruct (H' (On c) T) as [W | (d & E & _ & Ad)]; [now destruct Pc |].
      injection E as <-. apply (IH (k, Left, c)); [now constructor | assumption | | assumption].
      now rewrite (turn_size b c T).
Qed.

(** Corollary G1: sets that satisfy both equations hold the boards that Left wins by proper turns. *)
Theorem proper_unique :
  (forall b, playing b -> size b = n -> A b <-> has_turn R b) ->
  (forall b, playing b -> size b = n -> R b <-> all_turns A b) ->
  forall b, playing b -> size b = n -> (A b <-> properly Left b) /\ (R b <-> properly Right b).
Proof.
  intros left right.
  assert (B : forall q b, properly q b -> playing b -> size b = n -> match q with Left => A b | Right => R b end).
  { induction 1 as [b x F W | b c F Pc _ IH | b M _ IH]; intros P N.
    - apply left; try assumption. exists x. auto.
    - apply left; try assumption. exists (On c). split; [assumption |]. right. exists c. repeat split; try apply Pc.
      apply IH; [assumption |]. now rewrite (turn_size b c (proj1 F)).
    - apply right; try assumption. intros x T.
      destruct (landing_cases x) as [W | [W | (c & -> & Pc)]]; [now left | now destruct (M x T) |].
      right. exists c. repeat split; try apply Pc. apply IH; try assumption. now rewrite (turn_size b c T). }
  assert (F : forall q b, playing b -> size b = n -> match q with Left => A b | Right => R b end -> properly q b).
  { apply proper_won; intros b P N; [apply left | apply right]; assumption. }
  intros b P N. split; split; intros H; [now apply (F Left) | now apply (B Left) | now apply (F Right) | now apply (B Right)].
Qed.

End Solution.

(** These boards are a solution. *)
Theorem proper_exists b : playing b ->
  (properly Left b <-> has_turn (properly Right) b) /\ (properly Right b <-> all_turns (properly Left) b).
Proof.
  intros P. split; split.
  - intros H. inversion H as [? x F W | ? c F Pc I |]; subst; [exists x; auto |].
    exists (On c). split; [assumption |]. right. eauto.
  - intros (x & F & [W | (c & -> & Pc & I)]); [now apply properly_now with x | now apply properly_later with c].
  - intros H x T. inversion H as [| | ? M I]; subst.
    destruct (landing_cases x) as [W | [W | (c & -> & Pc)]]; [now left | now destruct (M x T) | right; eauto].
  - intros H. apply properly_always.
    + intros x T. destruct (H x T) as [W | (c & -> & [Pc _] & _)]; [now apply (won_by_one b) | assumption].
    + intros c T Pc. destruct (H (On c) T) as [W | (d & E & _ & I)]; [now destruct Pc | now injection E as <-].
Qed.
