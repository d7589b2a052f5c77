(** * Having the move never hurts, level by level

    Theorem Z with the number of backward turns: if Left wins a board with at most k of them when
    Right is to move, he wins it with at most k when he is to move. *)

From Coq Require Import Arith Lia.
From Phutball Require Import Rules Play Stone Tempo Levels.

(** ** One square more at the left end *)

Definition prepend (s : square) (b : board) : board := Board (s :: before b) (beyond b).

Lemma mirror_prepend s b : mirror (prepend s b) = extend (mirror b) s.
Proof. reflexivity. Qed.

Lemma mirror_extend s b : mirror (extend b s) = prepend s (mirror b).
Proof. unfold mirror, extend, prepend. simpl. now rewrite rev_app_distr. Qed.

Lemma turn_prepend b c s : turn b (On c) -> turn (prepend s b) (On (prepend s c)).
Proof.
  intros T. apply mirror_turn in T. apply (turn_extend _ _ s), mirror_turn in T. simpl in T.
  now rewrite !mirror_extend, !mirror_mirror in T.
Qed.

Lemma forward_prepend b c s :
  forward (prepend s b) (On (prepend s c)) <-> turn (prepend s b) (On (prepend s c)) /\ exists m, before c = before b ++ m.
Proof.
  unfold forward. simpl. split; intros [T (m & M)]; (split; [assumption |]); exists m; [now injection M | now rewrite M].
Qed.

Lemma playing_prepend s b : playing b -> playing (prepend s b).
Proof. intros [_ P]. split; [discriminate | exact P]. Qed.

Lemma size_prepend s b : size (prepend s b) = S (size b).
Proof. reflexivity. Qed.

Lemma turn_prepended b s c : turn (prepend s b) (On c) -> playing c ->
  (exists d, c = prepend s d /\ turn b (On d) /\ playing d)
  \/ (exists d, c = prepend s d /\ turn b (On d) /\ before d = [])
  \/ (s = empty /\ c = prepend stone b).
Proof.
  intros T P. apply mirror_turn in T. simpl in T. rewrite mirror_prepend in T. apply mirror_playing in P.
  assert (B : forall d, turn (mirror b) (On d) -> turn b (On (mirror d))).
  { intros d H. apply mirror_turn in H. now rewrite mirror_mirror in H. }
  apply turn_extended_playing in T as [(d & E & T & Pd) | [(d & E & T & Ed) | (E & Ec)]]; [| | | assumption];
    [left | right; left | right; right].
  - exists (mirror d). split; [rewrite <- mirror_extend, <- E; now rewrite mirror_mirror |]. split; [now apply B | now apply mirror_playing].
  - exists (mirror d). split; [rewrite <- mirror_extend, <- E; now rewrite mirror_mirror |]. split; [now apply B | simpl; now rewrite Ed].
  - split; [assumption |]. rewrite <- (mirror_mirror c), Ec, mirror_extend. now rewrite mirror_mirror.
Qed.

Lemma right_home_prepended b s x : playing b -> turn (prepend s b) x -> won Right x -> exists y, turn b y /\ won Right y.
Proof.
  intros P T W. apply mirror_turn in T. apply mirror_won in W. rewrite mirror_prepend in T.
  apply left_comes_home in T; [| apply playing_extend; now apply mirror_playing | exact W].
  apply way_home_extended in T; [| apply (mirror_playing b P)]. apply left_goes_home in T as (y & T & W').
  exists (mirror_landing y). apply mirror_turn in T. rewrite mirror_mirror in T. split; [assumption | now apply mirror_won in W'].
Qed.

Lemma right_home_prepend b x : playing b -> turn b x -> won Right x -> exists y, turn (prepend stone b) y /\ won Right y.
Proof.
  intros P T W. apply mirror_turn in T. apply mirror_won in W.
  apply left_comes_home in T; [| now apply mirror_playing | exact W].
  apply way_home_stone in T; [| apply (mirror_playing b P)].
  destruct (left_goes_home (extend (mirror b) stone) T) as (y & T' & W').
  exists (mirror_landing y). apply mirror_turn in T'. rewrite mirror_extend, mirror_mirror in T'.
  split; [assumption | now apply mirror_won in W'].
Qed.

Lemma left_home_same b c x : playing b -> playing c -> beyond c = beyond b -> turn b x -> won Left x -> exists y, forward c y /\ won Left y.
Proof.
  intros P Pc E T W. apply left_comes_home in T; try assumption. rewrite <- E in T.
  apply left_goes_home in T as (y & T & W'). exists y. split; [now apply winning_forward | assumption].
Qed.

(** ** Theorem Z *)

Definition level_tempo (n : nat) : Prop := forall k b, playing b -> size b = n -> within k Right b -> within k Left b.

Lemma within_prepend k q b s : (s = empty -> level_tempo (size b)) -> playing b -> within k q b -> within k q (prepend s b).
Proof.
  assert (A : forall k q b, playing b -> forall s,
    (s = empty -> forall j c, size c = size b -> playing c -> within j Right c -> within j Left (prepend stone c)) ->
    within k q b -> within k q (prepend s b)).
  { clear. intros k q b P s Z H. revert P Z. induction H as [k b x F W | k b c F Pc _ IH | k b c T Pc _ IH | k b N H IH]; intros P Z.
    - destruct (left_home_same b (prepend s b) x) as (y & F' & W'); auto; [now apply playing_prepend | apply F |].
      now apply within_now with y.
    - apply within_forward with (prepend s c); [| now apply playing_prepend |].
      + apply forward_prepend. split; [apply turn_prepend; apply F | apply (proj2 F)].
      + apply IH; [assumption |]. now rewrite (turn_size b c (proj1 F)).
    - apply within_backward with (prepend s c); [now apply turn_prepend | now apply playing_prepend |].
      apply IH; [assumption |]. now rewrite (turn_size b c T).
    - apply within_always.
      + intros x T W. destruct (right_home_prepended b s x P T W) as (y & T' & W'). now apply (N y).
      + intros c T Pc. apply turn_prepended in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & ->)]]; [| | | assumption].
        * apply IH; try assumption. now rewrite (turn_size b d T).
        * now exfalso; apply (N _ T).
        * apply (Z E k b); [reflexivity | assumption | now apply within_always]. }
  intros Z P H. apply A; try assumption. intros E j c S Pc W. apply A; [assumption | discriminate |].
  apply (Z E j c); [assumption | now rewrite S | assumption].
Qed.

Lemma within_prepended k q b : playing b -> within k q (prepend stone b) -> within k q b.
Proof.
  intros P H. remember (prepend stone b) as e eqn:E. revert b P E.
  induction H as [k e x F W | k e c F Pc H IH | k e c T Pc H IH | k e N _ IH]; intros b P ->.
  - destruct (left_home_same (prepend stone b) b x) as (y & F' & W'); auto; [now apply playing_prepend | apply F |].
    now apply within_now with y.
  - pose proof F as [T M]. apply turn_prepended in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
    + apply within_forward with d; auto. split; [assumption |]. apply forward_prepend in F. apply F.
    + exfalso. apply forward_prepend in F as [_ (m & F)]. rewrite E in F. destruct P as [P _]. now destruct (before b).
  - apply turn_prepended in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
    + apply within_backward with d; auto.
    + exfalso. apply within_wins in H. apply (not_both _ _ _ H). apply wins_now with (Past Right); [| reflexivity].
      unfold prepend. rewrite E. apply jump_turn, jumps_last. apply (jump_off_left _ 0).
  - apply within_always.
    + intros x T W. destruct (right_home_prepend b x P T W) as (y & T' & W'). now apply (N y).
    + intros c T Pc. apply (IH (prepend stone c)); [now apply turn_prepend | now apply playing_prepend | assumption | reflexivity].
Qed.

(** Lemma 2: if Left wins with one more empty square at the right end, he wins without it. *)
Lemma within_cut_empty k q b : level_tempo (size b) -> playing b -> within k q (extend b empty) -> within k q b.
Proof.
  intros Z P H. remember (extend b empty) as e eqn:E. revert b Z P E.
  induction H as [k e x F W | k e c F Pc H IH | k e c T Pc H IH | k e N _ IH]; intros b Z P ->.
  - destruct F as [T _]. apply left_comes_home in T; [| now apply playing_extend | assumption].
    apply way_home_extended in T; [| apply P]. apply left_goes_home in T as (y & T & W').
    apply within_now with y; [now apply winning_forward | assumption].
  - destruct F as [T M].
    apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (_ & ->)]]; [| | | assumption].
    + apply within_forward with d; [now split | assumption |]. apply IH; auto. now rewrite (turn_size b d T).
    + apply within_now with (On d); [now apply winning_forward | assumption].
    + apply Z; auto. now apply within_cut.
  - apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (_ & ->)]]; [| | | assumption].
    + apply within_backward with d; try assumption. apply IH; auto. now rewrite (turn_size b d T).
    + apply within_now with (On d); [now apply winning_forward | assumption].
    + apply Z; auto. apply within_more. now apply within_cut.
  - apply within_always.
    + intros x T W. destruct (right_goes_home b (extend b empty) x) as (y & T' & W'); auto. now apply (N y).
    + intros c T Pc. apply (IH (extend c empty)); auto; [now apply turn_extend | now apply playing_extend | now rewrite (turn_size b c T)].
Qed.

Theorem level_never_hurt k b : playing b -> within k Right b -> within k Left b.
Proof.
  enough (H : forall n, level_tempo n) by (intros P; now apply (H (size b))).
  intros n. induction n as [n IH] using lt_wf_ind. intros j c P N H.
  destruct (le_lt_dec 4 (size c)) as [L | L].
  - destruct (extends c P L) as (d & s & Pd & E).
    assert (Z : level_tempo (size d)).
    { apply IH. pose proof (size_extend d s) as S. destruct E as [E | E]; rewrite <- E in S; rewrite ?mirror_size in S; lia. }
    destruct E as [-> | E].
    + destruct s.
      * apply within_forward with (extend d stone); [| now apply playing_extend |].
        { split; [apply turn_placed |]. exists []. simpl. now rewrite app_nil_r. }
        apply within_behind; [assumption |]. now apply within_cut_empty.
      * apply within_behind; [assumption |]. apply Z; auto. now apply within_cut.
    + assert (E' : c = prepend s (mirror d)) by (rewrite <- (mirror_mirror c), E; apply mirror_extend).
      apply mirror_playing in Pd. assert (Z' : level_tempo (size (mirror d))) by now rewrite mirror_size.
      clear E. subst c. apply within_prepend; [now intros | assumption |]. destruct s.
      * apply within_prepended; [assumption |]. inversion H as [| | | ? ? _ H' E]; subst.
        apply H'; [apply (place_before []) | now apply playing_prepend].
      * apply Z'; auto. now apply within_prepended.
  - destruct c as [[| u [| ? l]] [| v [| ? r]]]; destruct P as [P P']; simpl in P, P'; try contradiction;
      unfold size in L; simpl in L; try (rewrite ?app_length in L; simpl in L; lia).
    destruct v.
    + exfalso. apply within_wins in H. apply (not_both _ _ _ H), right_wins_three.
    + apply within_now with (Past Left); [| reflexivity]. split; [| reflexivity]. apply jump_turn, jumps_last, (jump_off_right _ 0).
Qed.
