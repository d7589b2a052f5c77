(** * Having the move never hurts

    Lemma 2 and Theorem Z of docs/PROOF.md for every length. A consequence: a win on a part of a
    strip that contains its right end is a win on the whole strip. *)

From Coq Require Import Arith Lia.
From Phutball Require Import Rules Play Stone.

(** On strips of [n] squares, a player who wins moving second also wins moving first. *)
Definition tempo (n : nat) : Prop :=
  forall p b, playing b -> size b = n -> wins p (other p) b -> wins p p b.

(** ** Lemma 2: one more empty square at the right end does not help Left *)

(** If Right wins, he wins with one more empty square. *)
Lemma right_wins_extended q b : tempo (size b) -> playing b -> wins Right q b -> wins Right q (extend b empty).
Proof.
  intros Z P H. remember Right as p eqn:Ep. revert Z P Ep. induction H as [b x T W | b c T Pc _ IH | b N H IH]; intros Z P ->.
  - destruct (right_goes_home b (extend b empty) x) as (y & T' & W'); auto. now apply wins_now with y.
  - apply wins_later with (extend c empty); [now apply turn_extend | now apply playing_extend |].
    apply IH; [rewrite (turn_size b c T) | |]; auto.
  - apply (wins_always Right).
    + intros x T W. apply left_comes_home in T; [| now apply playing_extend | assumption].
      apply way_home_extended in T; [| apply P]. apply left_goes_home in T as (y & T & W'). now apply (N y).
    + intros c T Pc. apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (_ & ->)]]; [| | | assumption].
      * apply IH; [| | rewrite (turn_size b d T) | |]; auto.
      * now exfalso; apply (N _ T).
      * apply stone_behind; [assumption |]. apply Z; auto. now apply (wins_always Right).
Qed.

(** If Left wins with one more empty square, he wins without it. *)
Lemma left_wins_cut q b : tempo (size b) -> playing b -> wins Left q (extend b empty) -> wins Left q b.
Proof.
  intros Z P H. remember (extend b empty) as e eqn:Ee. remember Left as p eqn:Ep. revert b Z P Ee Ep.
  induction H as [e x T W | e c T Pc H IH | e N _ IH]; intros b Z P -> ->.
  - apply left_comes_home in T; [| now apply playing_extend | assumption].
    apply way_home_extended in T; [| apply P]. apply left_goes_home in T as (y & T & W'). now apply wins_now with y.
  - apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (_ & ->)]]; [| | | assumption].
    + apply wins_later with d; try assumption. apply IH; auto. now rewrite (turn_size b d T).
    + now apply wins_now with (On d).
    + apply Z; auto. now apply stone_cut.
  - apply (wins_always Left).
    + intros x T W. destruct (right_goes_home b (extend b empty) x) as (y & T' & W'); auto. now apply (N y).
    + intros c T Pc. apply (IH (extend c empty)); auto.
      * now apply turn_extend.
      * now apply playing_extend.
      * now rewrite (turn_size b c T).
Qed.

(** ** Theorem Z *)

(** The case that the ball is not on the last interior square. *)
Lemma tempo_extended p b s : tempo (size b) -> playing b -> wins p (other p) (extend b s) -> wins p p (extend b s).
Proof.
  intros Z P H. destruct s.
  - destruct p.
    + (* Left fills the last square. *)
      apply wins_later with (extend b stone); [apply turn_placed | now apply playing_extend |].
      apply stone_behind; [assumption |]. now apply left_wins_cut.
    + (* Left could have filled the last square. *)
      apply right_wins_extended; try assumption. apply stone_cut; [assumption |].
      inversion H as [| | ? N H' E]; subst. apply H'; [apply turn_placed | now apply playing_extend].
  - apply stone_behind; [assumption |]. apply Z; auto. now apply stone_cut.
Qed.

Lemma tempo_mirror p b : (wins (other p) p (mirror b) -> wins (other p) (other p) (mirror b)) -> wins p (other p) b -> wins p p b.
Proof.
  intros H W. apply mirror_wins in W. rewrite other_other in W. apply H, mirror_wins in W.
  now rewrite mirror_mirror, other_other in W.
Qed.

(** A board of at least four squares, or its mirror image, extends an unfinished board by one
    square. *)
Lemma extends b : playing b -> 4 <= size b -> exists c s, playing c /\ (b = extend c s \/ mirror b = extend c s).
Proof.
  enough (H : forall b, before b <> [] -> 2 <= length (beyond b) -> exists c s, playing c /\ b = extend c s).
  { intros [P P'] L. destruct (le_lt_dec 2 (length (beyond b))) as [G | G].
    - destruct (H b P G) as (c & s & Pc & E). eauto.
    - destruct (H (mirror b)) as (c & s & Pc & E); [| | eauto].
      + simpl. intros E. apply rev_empty in E. contradiction.
      + simpl. rewrite rev_length. unfold size in L. lia. }
  intros [l r] P L. simpl in *. destruct r as [| s r _] using rev_ind; [simpl in L; lia |].
  exists (Board l r), s. split; [| reflexivity]. split; [assumption |]. simpl. rewrite app_length in L. simpl in L.
  destruct r; [simpl in L; lia | discriminate].
Qed.

(** Three squares: there are four boards. *)
Lemma turn_on_three c : turn (Board [stone] [empty]) (On c) -> c = Board [stone] [stone].
Proof.
  intros T. inversion T as [| | ? ? J]; subst.
  - match goal with E : ?l ++ _ = _ |- _ => destruct l as [| ? [|]]; discriminate E end.
  - match goal with E : ?m ++ _ = _ |- _ => destruct m as [| ? [|]]; try discriminate E; now injection E as -> end.
  - apply jumps_flight in J. inversion J; subst.
    + match goal with H : runs _ |- _ => destruct (runs_begin _ H) as [? ->]; discriminate end.
    + match goal with E : ?l ++ _ = _ |- _ => destruct l as [| ? [|]]; discriminate E end.
Qed.

Lemma right_wins_three x : wins Right Right (Board [x] [empty]).
Proof.
  assert (R : forall y, wins Right Right (Board [stone] [y]))
    by (intros; apply wins_now with (Past Right); [apply jump_turn, jumps_last, (jump_off_left _ 0) | reflexivity]).
  destruct x; [| apply R]. apply wins_later with (Board [stone] [empty]); [apply (place_before [] []) | split; discriminate |].
  apply (wins_always Right).
  - intros t T W. apply left_comes_home in T as [T | ([| ? a] & T & E)]; [| | | split; discriminate | assumption].
    + now destruct (runs_begin _ T).
    + now destruct (runs_begin _ T).
    + now destruct a.
  - intros c T _. apply turn_on_three in T as ->. apply R.
Qed.

Lemma tempo_three x y : wins Left Right (Board [x] [y]) -> wins Left Left (Board [x] [y]).
Proof.
  destruct y; intros H.
  - exfalso. apply (not_both _ _ _ H), right_wins_three.
  - apply wins_now with (Past Left); [apply jump_turn, jumps_last, (jump_off_right _ 0) | reflexivity].
Qed.

(** Theorem Z. *)
Theorem having_the_move_never_hurts p b : playing b -> wins p (other p) b -> wins p p b.
Proof.
  enough (H : forall n, tempo n) by (intros P; now apply (H (size b))).
  intros n. induction n as [n IH] using lt_wf_ind. intros q c P N.
  destruct (le_lt_dec 4 (size c)) as [L | L].
  - destruct (extends c P L) as (d & s & Pd & E).
    assert (Z : tempo (size d)).
    { apply IH. pose proof (size_extend d s) as S. destruct E as [E | E]; rewrite <- E in S; rewrite ?mirror_size in S; lia. }
    destruct E as [-> | E]; [now apply tempo_extended |].
    apply tempo_mirror. rewrite E. intros W. apply tempo_extended; try assumption. now rewrite other_other.
  - destruct c as [[| x [| ? l]] [| y [| ? r]]]; destruct P as [P P']; simpl in P, P'; try contradiction;
      unfold size in L; simpl in L; try (rewrite ?app_length in L; simpl in L; lia).
    destruct q; [apply tempo_three | apply tempo_mirror; apply tempo_three].
Qed.

Corollary any_tempo n : tempo n.
Proof. intros p b P _. now apply having_the_move_never_hurts. Qed.

(** ** Consequences *)

(** Lemma 2: one square more at the right end, empty or not, does not help Left. *)
Theorem cut_helps_left q b s : playing b ->
  (wins Right q b -> wins Right q (extend b s)) /\ (wins Left q (extend b s) -> wins Left q b).
Proof.
  intros P. destruct s; split.
  - apply right_wins_extended; [apply any_tempo | assumption].
  - apply left_wins_cut; [apply any_tempo | assumption].
  - now apply stone_behind.
  - now apply stone_cut.
Qed.

(** The window: if Left wins on a part of a strip that contains its right end, he wins on the whole
    strip, with any squares on the left. *)
Theorem window q l b : playing b -> wins Left q b -> wins Left q (Board (l ++ before b) (beyond b)).
Proof.
  intros P H. induction l as [| s l IH]; [now destruct b |].
  assert (P' : playing (Board (l ++ before b) (beyond b))) by (destruct P; split; [now destruct l |]; assumption).
  apply mirror_wins, (cut_helps_left _ _ s) in IH; [| now apply mirror_playing].
  apply mirror_wins in IH. rewrite other_other in IH. unfold mirror, extend in IH. simpl in IH.
  now rewrite rev_app_distr, !rev_involutive in IH.
Qed.
