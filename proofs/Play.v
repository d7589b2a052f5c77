(** * Consequences of the rules

    The shape of a jump turn; at most one player wins; the meaning of a win; mirror images; forward
    play ends. *)

From Coq Require Import Arith Lia Wellfounded.
From Phutball Require Import Rules.

(** ** Jump turns *)

(** The squares that a jump turn crosses: runs of stones separated by single empty squares. *)
Inductive runs : list square -> Prop :=
| runs_one k : runs (repeat stone (S k))
| runs_more a b : runs a -> runs b -> runs (a ++ empty :: b).

(** The effect of a jump turn. *)
Inductive flight : board -> landing -> Prop :=
| flight_right l a r : runs a ->
    flight (Board l (a ++ empty :: r)) (On (Board (l ++ empty :: repeat empty (length a)) r))
| flight_left l a r : runs a ->
    flight (Board (l ++ empty :: a) r) (On (Board l (repeat empty (length a) ++ empty :: r)))
| flight_off_right l a : runs a -> flight (Board l a) (Past Left)
| flight_off_left a r : runs a -> flight (Board a r) (Past Right).

Lemma snoc_repeat {A} (x : A) k : repeat x k ++ [x] = x :: repeat x k.
Proof. symmetry. apply (repeat_cons k x). Qed.

Lemma repeat_snoc {A} (x : A) k l : l ++ x :: repeat x k = (l ++ repeat x k) ++ [x].
Proof. now rewrite <- app_assoc, snoc_repeat. Qed.

Lemma runs_begin a : runs a -> exists a', a = stone :: a'.
Proof.
  induction 1 as [k | a b _ [a' ->] _ _].
  - now exists (repeat stone k).
  - now exists (a' ++ empty :: b).
Qed.

Lemma runs_end a : runs a -> exists a', a = a' ++ [stone].
Proof.
  induction 1 as [k | a b _ _ _ [b' ->]].
  - exists (repeat stone k). now rewrite snoc_repeat.
  - exists (a ++ empty :: b'). now rewrite <- app_assoc.
Qed.

Lemma runs_stone a : runs a -> runs (stone :: a).
Proof.
  induction 1 as [k | a b _ IH Hb _].
  - apply (runs_one (S k)).
  - apply (runs_more (stone :: a) b IH Hb).
Qed.

Lemma last_differs (l m : list square) : l ++ [stone] <> m ++ [empty].
Proof. intros H. apply app_inj_tail in H. destruct H. discriminate. Qed.

Lemma first_differs (l m : list square) : stone :: l <> empty :: m.
Proof. discriminate. Qed.

(** After a jump the squares behind the ball are empty: a jump turn never reverses its direction. *)
Lemma flight_from_right l k r x :
  flight (Board (l ++ empty :: repeat empty (S k)) r) x ->
  (exists a s, runs a /\ r = a ++ empty :: s /\ x = On (Board ((l ++ empty :: repeat empty (S k)) ++ empty :: repeat empty (length a)) s))
  \/ (runs r /\ x = Past Left).
Proof.
  rewrite repeat_snoc. remember ((l ++ repeat empty (S k)) ++ [empty]) as m eqn:Hm. intros H.
  inversion H; subst.
  - left. eauto.
  - exfalso. match goal with R : runs a |- _ => destruct (runs_end a R) as [a' ->] end.
    apply (last_differs (l0 ++ empty :: a') (l ++ repeat empty (S k))). now rewrite <- app_assoc.
  - now right.
  - exfalso. match goal with R : runs _ |- _ => destruct (runs_end _ R) as [a' E] end.
    now apply (last_differs a' (l ++ repeat empty (S k))).
Qed.

Lemma flight_from_left l k r x :
  flight (Board l (repeat empty (S k) ++ empty :: r)) x ->
  (exists a s, runs a /\ l = s ++ empty :: a /\ x = On (Board s (repeat empty (length a) ++ empty :: repeat empty (S k) ++ empty :: r)))
  \/ (runs l /\ x = Past Right).
Proof.
  simpl. intros H. inversion H; subst.
  - match goal with R : runs a |- _ => destruct (runs_begin a R) as [a' ->] end. discriminate.
  - left. eauto.
  - match goal with R : runs _ |- _ => destruct (runs_begin _ R) as [a' E] end. discriminate.
  - now right.
Qed.

Lemma jump_flight b x : jump b x -> flight b x.
Proof.
  destruct 1.
  - replace (repeat empty (S k)) with (repeat empty (length (repeat stone (S k)))) by now rewrite repeat_length.
    apply flight_right, runs_one.
  - replace (repeat empty (S k)) with (repeat empty (length (repeat stone (S k)))) by now rewrite repeat_length.
    apply flight_left, runs_one.
  - apply flight_off_right, runs_one.
  - apply flight_off_left, runs_one.
Qed.

Lemma jumps_flight b x : jumps b x -> flight b x.
Proof.
  induction 1 as [b x H | b c x H _ IH]; [now apply jump_flight |].
  inversion H; subst.
  - apply flight_from_right in IH. destruct IH as [(a & s & Ha & -> & ->) | (Ha & ->)].
    + replace (repeat stone (S k) ++ empty :: a ++ empty :: s) with ((repeat stone (S k) ++ empty :: a) ++ empty :: s)
        by (rewrite <- app_assoc; reflexivity).
      replace ((l ++ empty :: repeat empty (S k)) ++ empty :: repeat empty (length a))
        with (l ++ empty :: repeat empty (length (repeat stone (S k) ++ empty :: a))).
      * apply flight_right, runs_more; [apply runs_one | assumption].
      * rewrite app_length, repeat_length, repeat_app, <- app_assoc. reflexivity.
    + apply flight_off_right, runs_more; [apply runs_one | assumption].
  - apply flight_from_left in IH. destruct IH as [(a & s & Ha & -> & ->) | (Ha & ->)].
    + replace ((s ++ empty :: a) ++ empty :: repeat stone (S k)) with (s ++ empty :: (a ++ empty :: repeat stone (S k)))
        by (rewrite <- app_assoc; reflexivity).
      replace (repeat empty (length a) ++ empty :: repeat empty (S k) ++ empty :: r)
        with (repeat empty (length (a ++ empty :: repeat stone (S k))) ++ empty :: r).
      * apply flight_left, runs_more; [assumption | apply runs_one].
      * rewrite app_length, repeat_app, <- app_assoc. simpl. now rewrite repeat_length.
    + apply flight_off_left, runs_more; [assumption | apply runs_one].
Qed.

Lemma jumps_then b c x : jumps b (On c) -> jumps c x -> jumps b x.
Proof.
  intros H. remember (On c) as y eqn:E. revert E.
  induction H as [b y H | b d y H _ IH]; intros E Hx; subst.
  - now apply jumps_on with c.
  - apply jumps_on with d; auto.
Qed.

Lemma runs_jump_right a : runs a ->
  (forall l r, jumps (Board l (a ++ empty :: r)) (On (Board (l ++ empty :: repeat empty (length a)) r)))
  /\ (forall l, jumps (Board l a) (Past Left)).
Proof.
  induction 1 as [k | a b _ [Ha _] _ [Hb Hb']].
  - rewrite repeat_length. split; intros; apply jumps_last; constructor.
  - split; intros.
    + rewrite <- app_assoc. eapply jumps_then; [apply Ha |].
      rewrite app_length, repeat_app, app_comm_cons, app_assoc. apply Hb.
    + eapply jumps_then; [apply Ha | apply Hb'].
Qed.

Lemma runs_jump_left a : runs a ->
  (forall l r, jumps (Board (l ++ empty :: a) r) (On (Board l (repeat empty (length a) ++ empty :: r))))
  /\ (forall r, jumps (Board a r) (Past Right)).
Proof.
  induction 1 as [k | a b _ [Ha Ha'] _ [Hb _]].
  - rewrite repeat_length. split; intros; apply jumps_last; constructor.
  - split; intros.
    + rewrite app_comm_cons, app_assoc. eapply jumps_then; [apply Hb |].
      rewrite app_length, repeat_app, <- app_assoc. apply Ha.
    + eapply jumps_then; [apply Hb | apply Ha'].
Qed.

Lemma flight_jumps b x : flight b x -> jumps b x.
Proof.
  destruct 1 as [l a r H | l a r H | l a H | a r H]; try apply (runs_jump_right a H); apply (runs_jump_left a H).
Qed.

(** ** There is always a turn; it keeps the length, and it wins or play continues *)

Lemma turn_exists b : playing b -> exists x, turn b x.
Proof.
  destruct b as [l r]. intros [_ H]. simpl in H.
  assert (C : (exists m s, r = m ++ empty :: s) \/ r = repeat stone (length r)).
  { clear H. induction r as [| [|] r IH]; [now right | left; now exists [], r |].
    destruct IH as [(m & s & ->) | ->]; [left; now exists (stone :: m), s | right].
    simpl. now rewrite repeat_length. }
  destruct C as [(m & s & ->) | E].
  - eexists. apply place_beyond.
  - exists (Past Left). rewrite E. destruct r; [contradiction |]. apply jump_turn, jumps_last. apply jump_off_right.
Qed.

Lemma turn_size b c : turn b (On c) -> size c = size b.
Proof.
  intros H. inversion H as [| | ? ? J]; subst; unfold size; simpl.
  - rewrite !app_length. reflexivity.
  - rewrite !app_length. reflexivity.
  - apply jumps_flight in J. inversion J; subst; simpl; rewrite !app_length; simpl; rewrite repeat_length; lia.
Qed.

Lemma landing_cases x : won Left x \/ won Right x \/ exists c, x = On c /\ playing c.
Proof.
  destruct x as [[[|] [|]] | [|]]; simpl; auto.
  right. right. eexists. split; [reflexivity |]. split; discriminate.
Qed.

(** ** At most one player wins *)

Lemma other_other p : other (other p) = p.
Proof. now destruct p. Qed.

Lemma other_differs p : p <> other p.
Proof. now destruct p. Qed.

Theorem not_both p q b : wins p q b -> wins (other p) q b -> False.
Proof.
  induction 1 as [b x T W | b c T P _ IH | b N _ IH]; intros H;
    inversion H as [? y T' W' E | ? d T' P' H' E | ? N' H' E]; subst;
    try (now destruct p); rewrite ?other_other in *.
  - now apply (N' x).
  - apply IH. now apply H'.
  - now apply (N y).
  - now apply (IH d).
Qed.

(** ** The meaning of a win

    [holds_out p D]: in the set [D] the other player can continue forever. No turn of [p] wins or
    leaves the set, and she always has a turn that wins or stays in it. No position won by [p] is in
    such a set, so he wins against every defence. *)

Definition holds_out (p : player) (D : player -> board -> Prop) : Prop :=
  (forall b x, D p b -> turn b x -> ~ won p x /\ forall c, x = On c -> playing c -> D (other p) c)
  /\ (forall b, D (other p) b ->
        exists x, turn b x /\ (won (other p) x \/ exists c, x = On c /\ playing c /\ D p c)).

Theorem no_holding_out p D : holds_out p D -> forall q b, wins p q b -> ~ D q b.
Proof.
  intros [Mine Hers] q b. induction 1 as [b x T W | b c T P _ IH | b N _ IH]; intros I.
  - now apply (Mine b x I T).
  - apply IH. now apply (Mine b (On c) I T).
  - destruct (Hers b I) as (x & T & [W | (c & -> & P & I')]); [now apply (N x) | now apply (IH c)].
Qed.

(** ** Mirror images *)

Definition mirror_landing (x : landing) : landing :=
  match x with On b => On (mirror b) | Past p => Past (other p) end.

Lemma mirror_mirror b : mirror (mirror b) = b.
Proof. destruct b. unfold mirror. simpl. now rewrite !rev_involutive. Qed.

Lemma mirror_mirror_landing x : mirror_landing (mirror_landing x) = x.
Proof. destruct x; simpl; [now rewrite mirror_mirror | now rewrite other_other]. Qed.

Lemma rev_empty b : rev b = [] -> b = ([] : list square).
Proof. intros H. apply (f_equal (@rev square)) in H. now rewrite rev_involutive in H. Qed.

Lemma mirror_playing b : playing b -> playing (mirror b).
Proof. intros [H H']. split; simpl; intros E; apply rev_empty in E; contradiction. Qed.

Lemma mirror_size b : size (mirror b) = size b.
Proof. unfold size. simpl. rewrite !rev_length. lia. Qed.

Lemma mirror_won p x : won p x -> won (other p) (mirror_landing x).
Proof. destruct x as [b | q]; simpl; [destruct p; simpl; intros -> | intros ->]; reflexivity. Qed.

Lemma rev_repeat {A} (x : A) k : rev (repeat x k) = repeat x k.
Proof. induction k as [| k IH]; [reflexivity |]. simpl. now rewrite IH, snoc_repeat. Qed.

Lemma rev_middle {A} (l : list A) x m : rev (l ++ x :: m) = rev m ++ x :: rev l.
Proof. rewrite rev_app_distr. simpl. now rewrite <- app_assoc. Qed.

Lemma mirror_jump b x : jump b x -> jump (mirror b) (mirror_landing x).
Proof.
  destruct 1; cbn [mirror_landing mirror other before beyond]; unfold mirror; cbn [before beyond];
    rewrite ?rev_middle, ?rev_repeat; constructor.
Qed.

Lemma mirror_jumps b x : jumps b x -> jumps (mirror b) (mirror_landing x).
Proof.
  induction 1 as [b x H | b c x H _ IH].
  - now apply jumps_last, mirror_jump.
  - apply mirror_jump in H. now apply jumps_on with (mirror c).
Qed.

Lemma mirror_turn b x : turn b x -> turn (mirror b) (mirror_landing x).
Proof.
  destruct 1; [| | now apply jump_turn, mirror_jumps];
    unfold mirror_landing, mirror; simpl; rewrite !rev_middle; constructor.
Qed.

Theorem mirror_wins p q b : wins p q b -> wins (other p) (other q) (mirror b).
Proof.
  induction 1 as [b x T W | b c T P _ IH | b N _ IH].
  - apply wins_now with (mirror_landing x); [now apply mirror_turn | now apply mirror_won].
  - apply wins_later with (mirror c); [now apply (mirror_turn b (On c)) | now apply mirror_playing | assumption].
  - apply wins_always.
    + intros x T W. apply mirror_turn in T. rewrite mirror_mirror in T. apply (N _ T).
      apply mirror_won in W. now rewrite other_other in W.
    + intros c T P. apply (mirror_turn _ (On c)) in T. rewrite mirror_mirror in T. simpl in T.
      rewrite <- (mirror_mirror c). apply IH; [assumption | now apply mirror_playing].
Qed.

(** ** Numbers that bound a play

    Every square has a digit; squares further to the right have more weight. *)

Fixpoint value (base : nat) (digits : list nat) : nat :=
  match digits with [] => 0 | d :: rest => d + base * value base rest end.

Lemma value_app k a b : value k (a ++ b) = value k a + k ^ length a * value k b.
Proof. induction a as [| d a IH]; simpl; [lia |]. rewrite IH. lia. Qed.

Lemma value_small k a : Forall (fun d => d < k) a -> value k a < k ^ length a.
Proof. induction 1; simpl; nia. Qed.

(** Digits further to the right decide. *)
Lemma value_less k a a' s s' :
  Forall (fun d => d < k) a' -> length a = length a' -> value k s' < value k s -> value k (a' ++ s') < value k (a ++ s).
Proof. intros H E L. apply value_small in H. rewrite !value_app, E. nia. Qed.

(** Play in which Left makes [good] turns and a bounded number of others. A position is the number
    of others still allowed, the player to move, and the board. *)
Inductive step (good : board -> landing -> Prop) : nat * player * board -> nat * player * board -> Prop :=
| step_right k b c : turn b (On c) -> playing c -> step good (k, Right, b) (k, Left, c)
| step_good k b c : good b (On c) -> playing c -> step good (k, Left, b) (k, Right, c)
| step_other k b c : turn b (On c) -> playing c -> step good (S k, Left, b) (k, Right, c)
| step_lower k q b : step good (S k, q, b) (k, q, b). (* Left gives up one of them *)

Section Ends.

Variable good : board -> landing -> Prop.
Variable measure : player -> board -> nat.
Variable bound : nat -> nat.

Hypothesis good_turn : forall b x, good b x -> turn b x.
Hypothesis small : forall q b, measure q b < bound (size b).
Hypothesis falls_right : forall b c, turn b (On c) -> measure Left c < measure Right b.
Hypothesis falls_good : forall b c, good b (On c) -> playing c -> measure Right c < measure Left b.

Theorem play_ends : well_founded (fun t s => step good s t).
Proof.
  apply (well_founded_lt_compat _ (fun s => let '(k, q, b) := s in k * bound (size b) + measure q b)).
  intros t s. destruct 1 as [k b c T P | k b c F P | k b c T P | k q b].
  - rewrite (turn_size b c T). apply falls_right in T. lia.
  - rewrite (turn_size b c (good_turn _ _ F)). apply falls_good in F; [lia | assumption].
  - rewrite (turn_size b c T). pose proof (small Right c) as M. rewrite (turn_size b c T) in M. simpl. lia.
  - pose proof (small q b). simpl. lia.
Qed.

End Ends.

(** ** Forward play ends *)

(** A turn of Left is forward if it only touches squares to the right of the ball. *)
Definition forward (b : board) (x : landing) : Prop :=
  turn b x /\ match x with On c => exists m, before c = before b ++ m | Past p => p = Left end.

(** A termination measure: it decreases with every forward turn of Left and every turn of Right.
    Every square has a digit in base 4. *)
Definition digit_before (s : square) : nat := match s with empty => 1 | stone => 0 end.
Definition digit_beyond (s : square) : nat := match s with empty => 2 | stone => 0 end.
Definition digit_ball (q : player) (b : board) : nat :=
  match q with
  | Left => 0
  | Right => match last (before b) empty with stone => 3 | empty => 1 end
  end.

Definition measure (q : player) (b : board) : nat :=
  value 4 (map digit_before (before b) ++ digit_ball q b :: map digit_beyond (beyond b)).

Lemma digits_before_small l : Forall (fun d => d < 4) (map digit_before l).
Proof. induction l as [| [|] l IH]; constructor; simpl; auto with arith. Qed.

Lemma digits_beyond_small l : Forall (fun d => d < 4) (map digit_beyond l).
Proof. induction l as [| [|] l IH]; constructor; simpl; auto with arith. Qed.

Lemma digit_ball_small q b : digit_ball q b < 4.
Proof. destruct q; simpl; [| destruct (last _ _)]; lia. Qed.

Lemma measure_small q b : measure q b < 4 ^ size b.
Proof.
  unfold measure, size. replace (length (before b) + 1 + length (beyond b))
    with (length (map digit_before (before b) ++ digit_ball q b :: map digit_beyond (beyond b))).
  - apply value_small, Forall_app. split; [apply digits_before_small |].
    constructor; [apply digit_ball_small | apply digits_beyond_small].
  - rewrite app_length. simpl. rewrite !map_length. lia.
Qed.

(** A stone placed by either player to the right of the ball. *)
Lemma measure_place_beyond q l m r :
  measure (other q) (Board l (m ++ stone :: r)) < measure q (Board l (m ++ empty :: r)).
Proof.
  unfold measure. simpl before. simpl beyond. rewrite !map_app, !app_comm_cons, !app_assoc.
  apply value_less.
  - apply Forall_app. split; [apply digits_before_small |].
    constructor; [apply digit_ball_small | apply digits_beyond_small].
  - rewrite !app_length. reflexivity.
  - simpl. lia.
Qed.

(** A stone placed by Right to the left of the ball. *)
Lemma measure_place_before l m r :
  measure Left (Board (l ++ stone :: m) r) < measure Right (Board (l ++ empty :: m) r).
Proof.
  unfold measure. simpl before. simpl beyond. rewrite !map_app, <- !app_assoc.
  apply value_less; [apply digits_before_small | reflexivity |].
  simpl. rewrite !value_app. simpl. nia.
Qed.

(** A jump turn of either player to the right: the ball's digit is 0 or 1, the empty square's was 2.
    *)
Lemma measure_right q l a r :
  measure (other q) (Board (l ++ empty :: repeat empty (length a)) r) < measure q (Board l (a ++ empty :: r)).
Proof.
  unfold measure. simpl before. simpl beyond. rewrite (map_app digit_beyond), !app_comm_cons, !app_assoc.
  apply value_less; [apply digits_before_small | |].
  - rewrite app_length, !map_length, !app_length. simpl. rewrite map_length, repeat_length. lia.
  - unfold digit_ball. simpl before. rewrite repeat_snoc, last_last. destruct q; simpl; lia.
Qed.

(** A jump turn of Right to the left leaves an empty square where the ball was. *)
Lemma measure_left l a r : runs a ->
  measure Left (Board l (repeat empty (length a) ++ empty :: r)) < measure Right (Board (l ++ empty :: a) r).
Proof.
  intros H. destruct (runs_end a H) as [a' ->]. unfold measure. simpl before. simpl beyond.
  rewrite (map_app digit_beyond), app_comm_cons, app_assoc.
  apply value_less.
  - apply Forall_app. split; [apply digits_before_small |]. constructor; [simpl; lia | apply digits_beyond_small].
  - rewrite !app_length. simpl. rewrite !map_length, !app_length. simpl. rewrite repeat_length, app_length. simpl. lia.
  - unfold digit_ball. simpl before. rewrite app_comm_cons, app_assoc, last_last. simpl. lia.
Qed.

Lemma measure_of_right b c : turn b (On c) -> measure Left c < measure Right b.
Proof.
  intros H. inversion H as [| | ? ? J]; subst.
  - apply measure_place_before.
  - apply (measure_place_beyond Right).
  - apply jumps_flight in J. inversion J; subst; [apply (measure_right Right) | now apply measure_left].
Qed.

Lemma measure_of_left b c : forward b (On c) -> measure Right c < measure Left b.
Proof.
  intros [H [m E]]. inversion H as [| | ? ? J]; subst; simpl in E.
  - exfalso. rewrite <- app_assoc in E. apply app_inv_head in E. discriminate.
  - apply (measure_place_beyond Left).
  - apply jumps_flight in J. inversion J; subst; [apply (measure_right Left) |]. exfalso. simpl in E.
    apply (f_equal (@length square)) in E. rewrite !app_length in E. simpl in E. lia.
Qed.

(** Forward play ends: play with finitely many backward turns of Left is finite. *)
Theorem forward_play_ends : well_founded (fun t s => step forward s t).
Proof.
  apply (play_ends forward measure (fun n => 4 ^ n)).
  - now intros b x [T _].
  - apply measure_small.
  - apply measure_of_right.
  - intros b c F _. now apply measure_of_left.
Qed.
