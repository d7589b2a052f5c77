(** * An automaton that reads two boards side by side

    A finite automaton reads two boards from left to right, square by square, and accepts if a turn
    leads from the first to the second. This file defines its transitions, and proves that it accepts
    every turn of the rules from some initial states, and only proper turns from some others. *)

From Coq Require Import Arith Lia.
From Phutball Require Import Rules Play Proper.

(** A board as a word of cells. *)
Inductive cell := Square (s : square) | Ball.

Definition squares (l : list square) : list cell := map Square l.

Definition word (b : board) : list cell := squares (before b) ++ Ball :: squares (beyond b).

Inductive state :=
| StoneBefore  (** a stone will be placed to the left of the ball *)
| StoneBeyond  (** a stone will be placed to the right of the ball, which has not been read *)
| StonePast    (** the same, after the ball *)
| RightSoon    (** jump to the right: the ball has not been read *)
| RightLeaves  (** the ball left the previous cell; this cell must have a stone *)
| RightFlies   (** the ball crossed a stone on the previous cell *)
| LeftFirst    (** jump to the left, at the first cell *)
| LeftSoon     (** jump to the left: no change so far *)
| LeftLanded   (** the ball landed or ended on the previous cell and crossed a stone here *)
| LeftFlew     (** the ball crossed a stone on the previous cell *)
| FarRightSoon    (** jump to the right that is proper: the ball has not been read *)
| FarRightLeaves  (** the ball left the previous cell; this cell must have a stone *)
| FarRightOne     (** the ball crossed a stone on the previous cell, its first *)
| FarLeftFirst    (** jump to the left by three squares at least, at the first cell *)
| FarLeftSoon     (** no change so far *)
| FarLeftLanded   (** the ball ended on the previous cell and crossed a stone here *)
| FarLeftOne      (** the ball crossed a stone on the previous cell, its last *)
| Done.        (** the turn is complete *)

(** The cell of the second word and the next state, or a turn that has won. *)
Inductive move :=
| To (c : cell) (s : state)
| Home                (** for Left; the second word is irrelevant *)
| Away (s : state).   (** for Right, if the turn can be completed *)

(** The transitions for a cell of the first word; [last] is [true] for its last cell. *)
Definition moves (last : bool) (s : state) (c : cell) : list move :=
  match s, c with
  | Done, _ => [To c Done]
  | StoneBefore, Square empty => [To c StoneBefore; To (Square stone) Done]
  | StoneBefore, Square stone => [To c StoneBefore]
  | StoneBeyond, Square _ => [To c StoneBeyond]
  | StoneBeyond, Ball => [To c StonePast]
  | StonePast, Square empty => [To c StonePast; To (Square stone) Done]
  | StonePast, Square stone => [To c StonePast]
  | RightSoon, Square _ => [To c RightSoon]
  | RightSoon, Ball => [To (Square empty) RightLeaves]
  | RightLeaves, Square stone => [To (Square empty) RightFlies]
  | RightFlies, Square stone => [To (Square empty) RightFlies]
  | RightFlies, Square empty => if last then [Home] else [To Ball Done; To (Square empty) RightLeaves]
  | LeftFirst, Square empty => [To c LeftSoon; Away LeftLanded]
  | LeftFirst, Square stone => [To c LeftSoon; Away LeftFlew]
  | LeftSoon, Square empty => [To c LeftSoon; To Ball LeftLanded]
  | LeftSoon, Square stone => [To c LeftSoon]
  | LeftLanded, Square stone => [To (Square empty) LeftFlew]
  | LeftFlew, Square stone => [To (Square empty) LeftFlew]
  | LeftFlew, Square empty => [To (Square empty) LeftLanded]
  | LeftFlew, Ball => [To (Square empty) Done]
  | FarRightSoon, Square _ => [To c FarRightSoon]
  | FarRightSoon, Ball => [To (Square empty) FarRightLeaves]
  | FarRightLeaves, Square stone => [To (Square empty) FarRightOne]
  | FarRightOne, Square stone => [To (Square empty) RightFlies]
  | FarRightOne, Square empty => if last then [Home] else [To (Square empty) RightLeaves]
  | FarLeftFirst, Square _ => [To c FarLeftSoon]
  | FarLeftSoon, Square empty => [To c FarLeftSoon; To Ball FarLeftLanded]
  | FarLeftSoon, Square stone => [To c FarLeftSoon]
  | FarLeftLanded, Square stone => [To (Square empty) FarLeftOne]
  | FarLeftOne, Square stone => [To (Square empty) LeftFlew]
  | FarLeftOne, Square empty => [To (Square empty) LeftLanded]
  | _, _ => []
  end.

Definition none {A} (l : list A) : bool := match l with [] => true | _ => false end.

(** The result of a turn: the second word, or a win. *)
Inductive result := Word (w : list cell) | LeftHome | RightHome.

(** The automaton reads a word, starting in a state. *)
Inductive reads : state -> list cell -> result -> Prop :=
| reads_done : reads Done [] (Word [])
| reads_off s : s = RightFlies \/ s = FarRightOne -> reads s [] LeftHome
| reads_home s c w : In Home (moves (none w) s c) -> reads s (c :: w) LeftHome
| reads_away s c w t v : In (Away t) (moves (none w) s c) -> reads t w (Word v) -> reads s (c :: w) RightHome
| reads_on s c w d t v : In (To d t) (moves (none w) s c) -> reads t w (Word v) -> reads s (c :: w) (Word (d :: v))
| reads_on_home s c w d t : In (To d t) (moves (none w) s c) -> reads t w LeftHome -> reads s (c :: w) LeftHome.

(** The result for the place where a turn leaves the ball. *)
Definition stands_for (x : landing) (r : result) : Prop :=
  match r with
  | Word v => exists c, x = On c /\ playing c /\ v = word c
  | LeftHome => won Left x
  | RightHome => won Right x
  end.

Lemma squares_app l m : squares (l ++ m) = squares l ++ squares m.
Proof. apply map_app. Qed.

Lemma squares_repeat s k : squares (repeat s k) = repeat (Square s) k.
Proof. induction k as [| k IH]; [reflexivity |]. simpl. now rewrite <- IH. Qed.

Lemma word_before l s m r : word (Board (l ++ s :: m) r) = squares l ++ Square s :: squares m ++ Ball :: squares r.
Proof. unfold word. simpl. now rewrite squares_app, <- app_assoc. Qed.

Lemma none_app {A} (l m : list A) x : none (l ++ x :: m) = false.
Proof. now destruct l. Qed.

(** ** The automaton accepts every turn *)

Lemma reads_rest w : reads Done w (Word w).
Proof. induction w as [| c w IH]; [constructor |]. apply reads_on with Done; simpl; auto. Qed.

Lemma reads_squares s l w v :
  (forall last q, In (To (Square q) s) (moves last s (Square q))) ->
  reads s w (Word v) -> reads s (squares l ++ w) (Word (squares l ++ v)).
Proof. intros H Hw. induction l as [| q l IH]; [exact Hw |]. simpl. apply reads_on with s; auto. Qed.

Lemma reads_squares_home s l w :
  (forall last q, In (To (Square q) s) (moves last s (Square q))) ->
  reads s w LeftHome -> reads s (squares l ++ w) LeftHome.
Proof. intros H Hw. induction l as [| q l IH]; [exact Hw |]. simpl. apply reads_on_home with (Square q) s; auto. Qed.

(** The squares crossed to the right. *)
Lemma reads_right_stones s k w r :
  s = RightLeaves \/ s = RightFlies ->
  (forall v, r = Word v -> reads RightFlies w (Word v) -> reads s (repeat (Square stone) (S k) ++ w) (Word (repeat (Square empty) (S k) ++ v)))
  /\ (reads RightFlies w LeftHome -> reads s (repeat (Square stone) (S k) ++ w) LeftHome).
Proof.
  revert s. induction k as [| k IH]; intros s Hs.
  - split; intros; simpl.
    + apply reads_on with RightFlies; [destruct Hs; subst; simpl; auto | assumption].
    + apply reads_on_home with (Square empty) RightFlies; [destruct Hs; subst; simpl; auto | assumption].
  - destruct (IH RightFlies (or_intror eq_refl)) as [IH1 IH2]. split; intros.
    + apply reads_on with RightFlies; [destruct Hs; subst; simpl; auto |]. now apply IH1.
    + apply reads_on_home with (Square empty) RightFlies; [destruct Hs; subst; simpl; auto |]. now apply IH2.
Qed.

Lemma reads_right_runs a : runs a ->
  (forall w v, reads RightFlies w (Word v) -> reads RightLeaves (squares a ++ w) (Word (repeat (Square empty) (length a) ++ v)))
  /\ (forall w, reads RightFlies w LeftHome -> reads RightLeaves (squares a ++ w) LeftHome).
Proof.
  induction 1 as [k | a b _ [Ha Ha'] Hb0 [Hb Hb']].
  - rewrite squares_repeat, repeat_length. split; intros.
    + now apply (proj1 (reads_right_stones RightLeaves k w (Word v) (or_introl eq_refl))).
    + now apply (proj2 (reads_right_stones RightLeaves k w LeftHome (or_introl eq_refl))).
  - destruct (runs_begin b Hb0) as [b' Eb].
    split; intros; rewrite squares_app, <- app_assoc.
    + rewrite app_length, repeat_app, <- app_assoc. apply Ha. simpl.
      apply reads_on with RightLeaves; [subst b; simpl; auto | now apply Hb].
    + apply Ha'. simpl. apply reads_on_home with (Square empty) RightLeaves; [subst b; simpl; auto | now apply Hb'].
Qed.

(** The squares crossed to the left; the word ends where the ball started. *)
Lemma reads_left_stones s k w v :
  s = LeftLanded \/ s = LeftFlew ->
  reads LeftFlew w (Word v) -> reads s (repeat (Square stone) (S k) ++ w) (Word (repeat (Square empty) (S k) ++ v)).
Proof.
  revert s. induction k as [| k IH]; intros s Hs H.
  - apply reads_on with LeftFlew; [destruct Hs; subst; simpl; auto | assumption].
  - apply reads_on with LeftFlew; [destruct Hs; subst; simpl; auto |]. now apply IH; [right |].
Qed.

Lemma reads_left_runs a : runs a -> forall s w v,
  s = LeftLanded \/ s = LeftFlew ->
  reads LeftFlew w (Word v) -> reads s (squares a ++ w) (Word (repeat (Square empty) (length a) ++ v)).
Proof.
  induction 1 as [k | a b _ Ha _ Hb]; intros s w v Hs H.
  - rewrite squares_repeat, repeat_length. now apply reads_left_stones.
  - rewrite squares_app, <- app_assoc, app_length, repeat_app, <- app_assoc. apply Ha; [assumption |]. simpl.
    apply reads_on with LeftLanded; [simpl; auto |]. apply Hb; auto.
Qed.

(** The initial states for every turn. *)
Definition starts : list state := [StoneBeyond; RightSoon; StoneBefore; LeftFirst].

Lemma reads_flight b x : playing b -> flight b x ->
  exists s r, In s starts /\ reads s (word b) r /\ stands_for x r.
Proof.
  intros P H. destruct H as [l a r H | l a r H | l a H | a r H].
  - (* to the right, on the strip *)
    exists RightSoon. destruct (reads_right_runs a H) as [Ha Ha'].
    unfold word. simpl before. simpl beyond. rewrite squares_app. simpl.
    destruct r as [| q r].
    + exists LeftHome. split; [simpl; auto |]. split; [| reflexivity].
      apply reads_squares_home; [simpl; auto |]. apply reads_on_home with (Square empty) RightLeaves; [simpl; auto |].
      apply Ha'. apply reads_home. simpl. auto.
    + exists (Word (word (Board (l ++ empty :: repeat empty (length a)) (q :: r)))). split; [simpl; auto |]. split.
      * rewrite word_before, squares_repeat. apply reads_squares; [simpl; auto |].
        apply reads_on with RightLeaves; [simpl; auto |]. apply Ha.
        apply reads_on with Done; [simpl; auto | apply reads_rest].
      * eexists. split; [reflexivity |]. split; [| reflexivity]. split; simpl; [now destruct l | discriminate].
  - (* to the left, on the strip *)
    exists LeftFirst. rewrite word_before.
    assert (F : reads LeftFlew (Ball :: squares r) (Word (Square empty :: squares r)))
      by (apply reads_on with Done; [simpl; auto | apply reads_rest]).
    destruct l as [| q l].
    + exists RightHome. split; [simpl; auto |]. split; [| reflexivity].
      simpl. eapply reads_away with (t := LeftLanded); [simpl; auto |]. apply (reads_left_runs a H); eauto.
    + exists (Word (word (Board (q :: l) (repeat empty (length a) ++ empty :: r)))). split; [simpl; auto |]. split.
      * unfold word. simpl before. simpl beyond. rewrite squares_app, squares_repeat. simpl.
        apply reads_on with LeftSoon; [destruct q; simpl; auto |].
        apply reads_squares; [intros ? []; simpl; auto |].
        apply reads_on with LeftLanded; [simpl; auto |]. apply (reads_left_runs a H); auto.
      * eexists. split; [reflexivity |]. split; [| reflexivity]. split; simpl; [discriminate | now destruct (length a)].
  - (* off to the right *)
    exists RightSoon, LeftHome. split; [simpl; auto |]. split; [| reflexivity].
    apply reads_squares_home; [simpl; auto |]. apply reads_on_home with (Square empty) RightLeaves; [simpl; auto |].
    simpl beyond. rewrite <- (app_nil_r (squares a)). apply (reads_right_runs a H). constructor. now left.
  - (* off to the left *)
    exists LeftFirst, RightHome. split; [simpl; auto |]. split; [| reflexivity].
    assert (F : reads LeftFlew (Ball :: squares r) (Word (Square empty :: squares r)))
      by (apply reads_on with Done; [simpl; auto | apply reads_rest]).
    pose proof (reads_left_runs a H LeftFlew (Ball :: squares r) _ (or_intror eq_refl) F) as G.
    destruct (runs_begin a H) as [a' ->]. unfold word. simpl in *.
    inversion G; subst. simpl in *.
    match goal with I : _ \/ False |- _ => destruct I as [I | []]; injection I as <- end.
    eapply reads_away with (t := LeftFlew); [simpl; auto |]. eassumption.
Qed.

Theorem turns_are_read b x : playing b -> turn b x ->
  exists s r, In s starts /\ reads s (word b) r /\ stands_for x r.
Proof.
  intros P H. destruct H as [l m r | l m r | b x J].
  - exists StoneBefore, (Word (word (Board (l ++ stone :: m) r))). split; [simpl; auto |]. split.
    + rewrite !word_before. apply reads_squares; [intros ? []; simpl; auto |].
      apply reads_on with Done; [simpl; auto | apply reads_rest].
    + eexists. split; [reflexivity |]. split; [| reflexivity]. destruct P. split; simpl in *; [now destruct l | assumption].
  - exists StoneBeyond, (Word (word (Board l (m ++ stone :: r)))). split; [simpl; auto |]. split.
    + unfold word. simpl before. simpl beyond. rewrite !squares_app. simpl.
      apply reads_squares; [simpl; auto |]. apply reads_on with StonePast; [simpl; auto |].
      apply reads_squares; [intros ? []; simpl; auto |]. apply reads_on with Done; [simpl; auto | apply reads_rest].
    + eexists. split; [reflexivity |]. split; [| reflexivity]. destruct P. split; simpl in *; [assumption | now destruct m].
  - now apply reads_flight, jumps_flight.
Qed.

(** ** From other initial states it accepts proper turns only *)

Lemma split_word l w l' w' : squares l ++ Ball :: w = squares l' ++ Ball :: w' -> l = l' /\ w = w'.
Proof.
  revert l'. induction l as [| q l IH]; intros [| q' l'] E; simpl in E; try discriminate; injection E as E.
  - auto.
  - subst. destruct (IH l' H) as [-> ->]. auto.
Qed.

Lemma squares_injective l l' : squares l = squares l' -> l = l'.
Proof.
  revert l'. induction l as [| q l IH]; intros [| q' l'] E; simpl in E; try discriminate; [reflexivity |].
  injection E as -> E. now rewrite (IH l').
Qed.

(** One case per transition. *)
Ltac reading H :=
  inversion H; subst; clear H; simpl in *;
  repeat match goal with
    | I : _ \/ _ |- _ => destruct I
    | I : False |- _ => contradiction I
    | I : To _ _ = To _ _ |- _ => injection I as I; subst
    | I : _ = _ |- _ => discriminate I
    end.

Lemma read_rest w v : reads Done w (Word v) -> v = w.
Proof.
  revert v. induction w as [| c w IH]; intros v H; reading H; [reflexivity |].
  f_equal. auto.
Qed.

Lemma read_stone_past r v : reads StonePast (squares r) (Word v) ->
  exists m r', r = m ++ empty :: r' /\ v = squares (m ++ stone :: r').
Proof.
  revert v. induction r as [| q r IH]; intros v H; [reading H |].
  destruct q; reading H.
  - match goal with T : reads StonePast _ _ |- _ => apply IH in T as (m & r' & -> & ->) end.
    now exists (empty :: m), r'.
  - match goal with T : reads Done _ _ |- _ => apply read_rest in T as -> end. now exists [], r.
  - match goal with T : reads StonePast _ _ |- _ => apply IH in T as (m & r' & -> & ->) end.
    now exists (stone :: m), r'.
Qed.

Lemma read_stone_beyond l r v : reads StoneBeyond (squares l ++ Ball :: squares r) (Word v) ->
  exists m r', r = m ++ empty :: r' /\ v = word (Board l (m ++ stone :: r')).
Proof.
  revert v. induction l as [| q l IH]; intros v H.
  - reading H. match goal with T : reads StonePast _ _ |- _ => apply read_stone_past in T as (m & r' & -> & ->) end.
    now exists m, r'.
  - reading H. match goal with T : reads StoneBeyond _ _ |- _ => apply IH in T as (m & r' & -> & ->) end.
    now exists m, r'.
Qed.

(** The squares [a] were crossed to the right, up to the end of the strip, the last square, or an
    interior square. *)
Definition ends (a r : list square) (x : result) : Prop :=
  r = a /\ x = LeftHome
  \/ r = a ++ [empty] /\ x = LeftHome
  \/ exists r', r' <> [] /\ r = a ++ empty :: r' /\ x = Word (repeat (Square empty) (length a) ++ Ball :: squares r').

Lemma ends_home q a r : ends a r LeftHome -> ends (q :: a) (q :: r) LeftHome.
Proof.
  intros [[-> _] | [[-> _] | (r' & _ & _ & E)]]; [left | right; left | discriminate]; auto.
Qed.

Lemma ends_word q a r v : ends a r (Word v) -> ends (q :: a) (q :: r) (Word (Square empty :: v)).
Proof.
  intros [[_ E] | [[_ E] | (r' & N & -> & E)]]; try discriminate. injection E as ->. right. right. now exists r'.
Qed.

(** Only a jump to the right brings the ball to the right end. *)
Lemma read_home s w : reads s w LeftHome -> In s [RightSoon; RightLeaves; RightFlies; FarRightSoon; FarRightLeaves; FarRightOne].
Proof.
  remember LeftHome as x eqn:E. induction 1; try discriminate; simpl; auto.
  - intuition congruence.
  - destruct s; simpl; auto 9; destruct c as [[|] |]; simpl in *; intuition congruence.
  - specialize (IHreads E). destruct s; simpl; auto 9; destruct c as [[|] |]; simpl in *; intuition congruence.
Qed.

Lemma read_right r :
  (forall x, reads RightLeaves (squares r) x -> exists a, runs a /\ ends a r x)
  /\ (forall x, reads RightFlies (squares r) x -> exists a, runs (stone :: a) /\ ends a r x).
Proof.
  induction r as [| q r [IHl IHf]].
  - split; intros x H; reading H. exists []. split; [apply (runs_one 0) |]. now left.
  - split; intros x H; (destruct q; [destruct r as [| q r] |]; reading H);
      match goal with
      | T : reads RightFlies _ _ |- _ =>
          apply IHf in T as (a & Ha & E); exists (stone :: a);
          split; [auto using runs_stone | auto using ends_home, ends_word]
      | T : reads RightLeaves _ _ |- _ =>
          apply IHl in T as (a & Ha & E); exists (empty :: a);
          split; [apply (runs_more [stone] a (runs_one 0) Ha) | auto using ends_home, ends_word]
      | T : reads Done _ (Word _) |- _ =>
          apply read_rest in T as ->; exists []; split; [apply (runs_one 0) |];
          right; right; exists (q :: r); split; [discriminate | split; reflexivity]
      | T : reads Done _ LeftHome |- _ => apply read_home in T; simpl in T; intuition discriminate
      | _ => exists []; split; [apply (runs_one 0) | right; left; auto]
      end.
Qed.

Lemma read_far_right_one r x : reads FarRightOne (squares r) x ->
  exists a, runs (stone :: a) /\ ends a r x /\ (1 <= length a \/ x = LeftHome).
Proof.
  intros H. destruct r as [| [|] r].
  - reading H. exists []. split; [apply (runs_one 0) |]. split; [now left | now right].
  - destruct r as [| q r]; reading H.
    + exists []. split; [apply (runs_one 0) |]. split; [right; left; auto | now right].
    + match goal with T : reads RightLeaves _ _ |- _ => apply (proj1 (read_right (q :: r))) in T as (a & Ha & E) end.
      exists (empty :: a). split; [apply (runs_more [stone] a (runs_one 0) Ha) |]. split; [now apply ends_word | left; simpl; lia].
    + match goal with T : reads RightLeaves _ _ |- _ => apply (proj1 (read_right (q :: r))) in T as (a & Ha & E) end.
      exists (empty :: a). split; [apply (runs_more [stone] a (runs_one 0) Ha) |]. split; [now apply ends_home | now right].
  - reading H; match goal with T : reads RightFlies _ _ |- _ => apply (proj2 (read_right r)) in T as (a & Ha & E) end;
      exists (stone :: a); (split; [now apply runs_stone |]); (split; [auto using ends_home, ends_word | left; simpl; lia]).
Qed.

Lemma read_far_right r x : reads FarRightLeaves (squares r) x ->
  exists a, runs a /\ ends a r x /\ (2 <= length a \/ x = LeftHome).
Proof.
  intros H. destruct r as [| [|] r]; reading H;
    match goal with T : reads FarRightOne _ _ |- _ => apply read_far_right_one in T as (a & Ha & E & L) end;
    exists (stone :: a); (split; [assumption |]); (split; [auto using ends_home, ends_word |]).
  - destruct L; [left; simpl; lia | discriminate].
  - now right.
Qed.

Lemma read_far_right_soon l r x : reads FarRightSoon (squares l ++ Ball :: squares r) x ->
  exists a, runs a /\
    (r = a /\ x = LeftHome
     \/ r = a ++ [empty] /\ x = LeftHome
     \/ exists r', r' <> [] /\ r = a ++ empty :: r' /\ 2 <= length a
          /\ x = Word (word (Board (l ++ empty :: repeat empty (length a)) r'))).
Proof.
  revert x. induction l as [| q l IH]; intros x H.
  - reading H; match goal with T : reads FarRightLeaves _ _ |- _ => apply read_far_right in T as (a & Ha & E & L) end;
      exists a; (split; [assumption |]); destruct E as [[-> E] | [[-> E] | (r' & N & -> & E)]]; auto; try discriminate.
    right. right. exists r'. split; [assumption |]. split; [reflexivity |].
    split; [destruct L; [assumption | discriminate] |]. injection E as ->.
    unfold word. simpl. now rewrite squares_repeat.
  - reading H; match goal with T : reads FarRightSoon _ _ |- _ => apply IH in T as (a & Ha & E) end;
      exists a; (split; [assumption |]); destruct E as [[-> E] | [[-> E] | (r' & N & -> & L & E)]]; auto; try discriminate.
    right. right. exists r'. split; [assumption |]. split; [reflexivity |]. split; [assumption |]. injection E as ->. reflexivity.
Qed.

Lemma read_left_runs l w :
  (forall v, reads LeftLanded (squares l ++ Ball :: w) (Word v) ->
     runs l /\ v = repeat (Square empty) (length l) ++ Square empty :: w)
  /\ (forall v, reads LeftFlew (squares l ++ Ball :: w) (Word v) ->
     runs (stone :: l) /\ v = repeat (Square empty) (length l) ++ Square empty :: w).
Proof.
  induction l as [| q l [IHl IHf]].
  - split; intros v H; reading H. match goal with T : reads Done _ _ |- _ => apply read_rest in T as -> end.
    split; [apply (runs_one 0) | reflexivity].
  - split; intros v H; destruct q; reading H.
    + match goal with T : reads LeftFlew _ _ |- _ => apply IHf in T as (Hl & ->) end. auto.
    + match goal with T : reads LeftLanded _ _ |- _ => apply IHl in T as (Hl & ->) end.
      split; [apply (runs_more [stone] l (runs_one 0) Hl) | reflexivity].
    + match goal with T : reads LeftFlew _ _ |- _ => apply IHf in T as (Hl & ->) end.
      split; [now apply runs_stone | reflexivity].
Qed.

Lemma read_far_left_soon l w v : reads FarLeftSoon (squares l ++ Ball :: w) (Word v) ->
  exists l' a, l = l' ++ empty :: a /\ runs a /\ 2 <= length a
    /\ v = squares l' ++ Ball :: repeat (Square empty) (length a) ++ Square empty :: w.
Proof.
  revert v. induction l as [| q l IH]; intros v H; [reading H |].
  destruct q; reading H.
  - match goal with T : reads FarLeftSoon _ _ |- _ => apply IH in T as (l' & a & -> & Ha & L & ->) end.
    now exists (empty :: l'), a.
  - destruct l as [| [|] l]; match goal with T : reads FarLeftLanded _ _ |- _ => reading T end.
    destruct l as [| [|] l]; match goal with T : reads FarLeftOne _ _ |- _ => reading T end.
    + match goal with T : reads LeftLanded _ _ |- _ => apply read_left_runs in T as (Hl & ->) end.
      exists [], (stone :: empty :: l). split; [reflexivity |]. split; [apply (runs_more [stone] l (runs_one 0) Hl) |].
      split; [simpl; lia | reflexivity].
    + match goal with T : reads LeftFlew _ _ |- _ => apply read_left_runs in T as (Hl & ->) end.
      exists [], (stone :: stone :: l). split; [reflexivity |]. split; [now apply runs_stone |].
      split; [simpl; lia | reflexivity].
  - match goal with T : reads FarLeftSoon _ _ |- _ => apply IH in T as (l' & a & -> & Ha & L & ->) end.
    now exists (stone :: l'), a.
Qed.

(** The initial states for proper turns. The checker takes them in this order, which decides its
    time. *)
Definition proper_starts : list state := [StoneBeyond; FarRightSoon; FarLeftFirst].

Theorem read_proper s b r : playing b -> In s proper_starts -> reads s (word b) r ->
  exists x, proper b x /\ stands_for x r /\ r <> RightHome.
Proof.
  destruct b as [l r0]. intros [Pl Pr] [<- | [<- | [<- | []]]] H; unfold word in H; simpl before in *; simpl beyond in *.
  - destruct r as [v | |].
    + apply read_stone_beyond in H as (m & r' & -> & ->).
      exists (On (Board l (m ++ stone :: r'))). split; [split; [apply place_beyond |] |].
      * right. now left.
      * split; [| discriminate]. eexists. split; [reflexivity |]. split; [| reflexivity]. split; simpl; [assumption | now destruct m].
    + apply read_home in H. simpl in H. intuition discriminate.
    + exfalso. clear Pl Pr. induction l as [| q l IH]; reading H.
  - apply read_far_right_soon in H as (a & Ha & [[-> ->] | [[-> ->] | (r' & N & -> & L & ->)]]).
    + exists (Past Left). split; [split; [apply jump_turn, flight_jumps; now constructor | now left] |]. now split.
    + exists (On (Board (l ++ empty :: repeat empty (length a)) [])). split; [split |].
      * apply jump_turn, flight_jumps. now constructor.
      * now left.
      * now split.
    + exists (On (Board (l ++ empty :: repeat empty (length a)) r')). split; [split |].
      * apply jump_turn, flight_jumps. now constructor.
      * right. right. left. simpl. rewrite app_length. simpl. rewrite repeat_length. lia.
      * split; [| discriminate]. eexists. split; [reflexivity |]. split; [| reflexivity]. split; simpl; [now destruct l | assumption].
  - destruct l as [| q l]; [contradiction |]. destruct r as [v | |].
    + assert (T : exists v', reads FarLeftSoon (squares l ++ Ball :: squares r0) (Word v') /\ v = Square q :: v').
      { simpl in H. destruct q; reading H; eauto. }
      destruct T as (v' & T & ->). apply read_far_left_soon in T as (l' & a & -> & Ha & L & ->).
      exists (On (Board (q :: l') (repeat empty (length a) ++ empty :: r0))). split; [split |].
      * apply jump_turn, flight_jumps. apply (flight_left (q :: l')). assumption.
      * right. right. right. simpl. rewrite app_length. simpl. lia.
      * split; [| discriminate]. eexists. split; [reflexivity |]. split; [split; simpl; [discriminate | now destruct (length a)] |].
        unfold word. simpl. now rewrite squares_app, squares_repeat.
    + apply read_home in H. simpl in H. intuition discriminate.
    + exfalso. simpl in H. destruct q; reading H.
Qed.
