(** * A stone on the goal line

    Removing a stone on the last square together with the square does not change the winner (Lemma 1
    of docs/PROOF.md). So a length without draws settles every shorter length. *)

From Coq Require Import Arith Lia.
From Phutball Require Import Rules Play.

(** The board with one more square at the right end. *)
Definition extend (b : board) (s : square) : board := Board (before b) (beyond b ++ [s]).

(** ** Turns that end the game *)

(** Left can jump home over these squares to the right of the ball: off the strip or onto the last
    square. *)
Definition way_home (r : list square) : Prop := runs r \/ exists a, runs a /\ r = a ++ [empty].

Lemma left_comes_home b x : playing b -> turn b x -> won Left x -> way_home (beyond b).
Proof.
  destruct b as [l r]. intros [_ P] T W. simpl in *.
  inversion T as [| | ? ? J]; subst; simpl in W.
  - contradiction.
  - now destruct m.
  - apply jumps_flight in J. inversion J; subst; simpl in W; try discriminate.
    + subst. right. eauto.
    + destruct a; discriminate.
    + now left.
Qed.

Lemma left_goes_home b : way_home (beyond b) -> exists x, turn b x /\ won Left x.
Proof.
  destruct b as [l r]. simpl. intros [H | (a & H & ->)].
  - exists (Past Left). split; [| reflexivity]. now apply jump_turn, flight_jumps, flight_off_right.
  - eexists. split; [apply jump_turn, flight_jumps, flight_right, H | reflexivity].
Qed.

(** Right's wins in one turn depend only on the squares to the left of the ball. *)
Lemma right_goes_home b c x : playing b -> before c = before b -> turn b x -> won Right x -> exists y, turn c y /\ won Right y.
Proof.
  destruct b as [l r], c as [l' r']. simpl. intros [P _] -> T W. simpl in P.
  inversion T as [| | ? ? J]; subst; simpl in W.
  - now destruct l0.
  - contradiction.
  - apply jumps_flight in J. inversion J; subst; simpl in W; try discriminate.
    + now destruct l.
    + subst. eexists. split; [now apply jump_turn, flight_jumps, flight_left | reflexivity].
    + exists (Past Right). split; [now apply jump_turn, flight_jumps, flight_off_left | reflexivity].
Qed.

Lemma runs_snoc a : runs a -> runs (a ++ [stone]).
Proof.
  induction 1 as [k | a b Ha _ _ IH].
  - rewrite snoc_repeat. apply (runs_one (S k)).
  - rewrite <- app_assoc. apply (runs_more a (b ++ [stone]) Ha IH).
Qed.

(** The first run ends at the first empty square. *)
Lemma runs_split a : runs a ->
  exists k, a = repeat stone (S k) \/ exists b, runs b /\ a = repeat stone (S k) ++ empty :: b.
Proof.
  induction 1 as [k | a b _ (k & IH) Hb _]; [exists k; now left |].
  exists k. right. destruct IH as [-> | (a' & Ha & ->)]; [eauto |].
  exists (a' ++ empty :: b). split; [now apply runs_more | now rewrite <- app_assoc].
Qed.

Lemma runs_cons_stone a : runs (stone :: a) -> a = [] \/ runs a \/ exists b, runs b /\ a = empty :: b.
Proof.
  intros H. destruct (runs_split _ H) as ([| k] & [E | (b & Hb & E)]); injection E as ->; auto.
  - right. right. eauto.
  - right. left. apply (runs_one k).
  - right. left. apply (runs_more _ _ (runs_one k) Hb).
Qed.

(** One more stone behind the last square adds no jump home. *)
Lemma way_home_stone r : r <> [] -> way_home (r ++ [stone]) <-> way_home r.
Proof.
  intros N. split.
  - intros [H | (a & _ & E)]; [| now apply last_differs in E].
    assert (G : forall r, (runs (r ++ [stone]) -> r = [] \/ way_home r)).
    { clear. intros r. induction r as [r IH] using (well_founded_induction (Wf_nat.well_founded_ltof _ (@length square))).
      intros H. destruct r as [| q r]; [now left | right].
      destruct (runs_begin _ H) as [a' E]. injection E as -> _.
      apply runs_cons_stone in H as [H | [H | (b & Hb & E)]].
      - now destruct r.
      - destruct (IH r) as [-> | [H' | (a & Ha & ->)]]; try assumption.
        + unfold Wf_nat.ltof. simpl. lia.
        + left. apply (runs_one 0).
        + left. now apply runs_stone.
        + right. exists (stone :: a). split; [now apply runs_stone | reflexivity].
      - destruct r as [| q r]; [discriminate |]. injection E as -> <-.
        destruct (IH r) as [-> | [H' | (a & Ha & ->)]]; try assumption.
        + unfold Wf_nat.ltof. simpl. lia.
        + right. exists [stone]. split; [apply (runs_one 0) | reflexivity].
        + left. apply (runs_more [stone] r (runs_one 0) H').
        + right. exists (stone :: empty :: a). split; [apply (runs_more [stone] a (runs_one 0) Ha) | reflexivity]. }
    destruct (G r H); [contradiction | assumption].
  - intros [H | (a & H & ->)]; left.
    + now apply runs_snoc.
    + rewrite <- app_assoc. apply (runs_more a [stone] H (runs_one 0)).
Qed.

(** One more empty square adds no jump home for Left. *)
Lemma way_home_empty r : way_home (r ++ [empty]) -> way_home r.
Proof.
  intros [H | (a & H & E)].
  - destruct (runs_end _ H) as [a' E]. symmetry in E. now apply last_differs in E.
  - apply app_inj_tail in E as [-> _]. now left.
Qed.

Lemma way_home_extended r s : r <> [] -> way_home (r ++ [s]) -> way_home r.
Proof. intros N. destruct s; [apply way_home_empty | now apply way_home_stone]. Qed.

(** ** The other turns *)

Lemma app_snoc_cases (a m r : list square) q s : a ++ q :: m = r ++ [s] ->
  (exists m', m = m' ++ [s] /\ r = a ++ q :: m') \/ (m = [] /\ a = r /\ q = s).
Proof.
  intros E. destruct m as [| q' m _] using rev_ind.
  - apply app_inj_tail in E as [-> ->]. now right.
  - left. rewrite app_comm_cons, app_assoc in E. apply app_inj_tail in E as [<- ->]. eauto.
Qed.

(** The turns of a board are turns of the longer one. *)
Lemma turn_extend b c s : turn b (On c) -> turn (extend b s) (On (extend c s)).
Proof.
  intros T. unfold extend. inversion T as [| | ? ? J]; subst; simpl.
  - constructor.
  - rewrite <- !app_assoc. simpl. constructor.
  - apply jump_turn, flight_jumps. apply jumps_flight in J. inversion J; subst; simpl; rewrite <- ?app_assoc; simpl.
    + now apply flight_right.
    + now apply flight_left.
Qed.

(** The longer board has one more turn that leaves the ball before its last square: placing a stone
    there. *)
Lemma turn_extended b s c : turn (extend b s) (On c) -> beyond c <> [] ->
  (exists d, c = extend d s /\ turn b (On d)) \/ (s = empty /\ c = extend b stone).
Proof.
  destruct b as [l r]. unfold extend. simpl. intros T N. inversion T as [| | ? ? J]; subst.
  - left. eexists (Board _ r). split; [reflexivity | constructor].
  - match goal with E : _ = r ++ [s] |- _ => apply app_snoc_cases in E as [(m' & -> & ->) | (-> & -> & ->)] end.
    + left. exists (Board l (m ++ stone :: m')). simpl. rewrite <- app_assoc. split; [reflexivity | constructor].
    + now right.
  - left. apply jumps_flight in J. inversion J; subst; simpl in N.
    + match goal with E : _ = r ++ [s] |- _ => apply app_snoc_cases in E as [(m' & -> & ->) | (-> & _ & _)] end; [| contradiction].
      eexists (Board _ m'). split; [reflexivity |]. now apply jump_turn, flight_jumps, flight_right.
    + eexists (Board _ (repeat empty (length a) ++ empty :: r)). split; [simpl; now rewrite <- app_assoc |].
      now apply jump_turn, flight_jumps, flight_left.
Qed.

Lemma turn_placed b : turn (extend b empty) (On (extend b stone)).
Proof. unfold extend. simpl. constructor. Qed.

Lemma playing_extend b s : playing b -> playing (extend b s).
Proof. intros [P _]. split; [assumption | simpl; now destruct (beyond b)]. Qed.

Lemma size_extend b s : size (extend b s) = S (size b).
Proof. unfold size. simpl. rewrite app_length. simpl. lia. Qed.

(** A turn of the longer board that neither fills the last square nor moves the ball next to it. *)
Lemma turn_extended_playing b s c : turn (extend b s) (On c) -> playing c ->
  (exists d, c = extend d s /\ turn b (On d) /\ playing d)
  \/ (exists d, c = extend d s /\ turn b (On d) /\ beyond d = [])
  \/ (s = empty /\ c = extend b stone).
Proof.
  intros T [P P']. destruct (turn_extended b s c T P') as [(d & -> & T') | H]; [| now right; right].
  destruct (beyond d) as [| q r] eqn:E; [right; left; eauto | left].
  exists d. repeat split; try assumption. now rewrite E.
Qed.

(** ** Lemma 1 *)

Lemma stone_behind p q b : playing b -> wins p q b -> wins p q (extend b stone).
Proof.
  intros P H. revert P. induction H as [b x T W | b c T Pc _ IH | b N _ IH]; intros P.
  - destruct p.
    + destruct (left_goes_home (extend b stone)) as (y & T' & W');
        [apply way_home_stone; [apply P | now apply (left_comes_home b x)] |]. now apply wins_now with y.
    + destruct (right_goes_home b (extend b stone) x) as (y & T' & W'); auto. now apply wins_now with y.
  - apply wins_later with (extend c stone); [now apply turn_extend | now apply playing_extend | now apply IH].
  - apply wins_always.
    + intros x T W. destruct p; simpl in W.
      * destruct (right_goes_home (extend b stone) b x) as (y & T' & W'); auto; [now apply playing_extend | now apply (N y)].
      * apply left_comes_home in T; [| now apply playing_extend | assumption]. apply way_home_extended in T; [| apply P].
        apply left_goes_home in T as (y & T & W'). now apply (N y).
    + intros c T Pc. apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
      * now apply IH.
      * destruct p; [| now exfalso; apply (N _ T)].
        apply wins_now with (Past Left); [| reflexivity].
        unfold extend. rewrite E. apply jump_turn, jumps_last. apply (jump_off_right _ 0).
Qed.

Lemma stone_cut p q b : playing b -> wins p q (extend b stone) -> wins p q b.
Proof.
  intros P H. remember (extend b stone) as e eqn:E. revert b P E.
  induction H as [e x T W | e c T Pc H IH | e N _ IH]; intros b P ->.
  - destruct p.
    + apply left_comes_home in T; [| now apply playing_extend | assumption]. apply way_home_extended in T; [| apply P].
      apply left_goes_home in T as (y & T & W'). now apply wins_now with y.
    + destruct (right_goes_home (extend b stone) b x) as (y & T' & W'); auto; [now apply playing_extend | now apply wins_now with y].
  - apply turn_extended_playing in T as [(d & -> & T & Pd) | [(d & -> & T & E) | (E & _)]]; [| | discriminate | assumption].
    + apply wins_later with d; auto.
    + destruct p; [now apply wins_now with (On d) |].
      exfalso. apply (not_both Right Left _ H). apply wins_now with (Past Left); [| reflexivity].
      unfold extend. rewrite E. apply jump_turn, jumps_last. apply (jump_off_right _ 0).
  - apply wins_always.
    + intros x T W. destruct p; simpl in W.
      * destruct (right_goes_home b (extend b stone) x) as (y & T' & W'); auto. now apply (N y).
      * apply left_comes_home in T; [| assumption | assumption].
        destruct (left_goes_home (extend b stone)) as (y & T' & W'); [apply way_home_stone; [apply P | assumption] |]. now apply (N y).
    + intros c T Pc. apply (IH (extend c stone)); [now apply turn_extend | now apply playing_extend | assumption | reflexivity].
Qed.

(** Lemma 1. *)
Theorem stone_on_goal_line p q b : playing b -> wins p q (extend b stone) <-> wins p q b.
Proof. intros P. split; [now apply stone_cut | now apply stone_behind]. Qed.

(** ** Consequences *)

Corollary decided_pred n : decided (S n) -> decided n.
Proof.
  intros H b q P N. destruct (H (extend b stone) q) as [W | W].
  - now apply playing_extend.
  - rewrite size_extend. congruence.
  - left. now apply stone_cut.
  - right. now apply stone_cut.
Qed.

(** A length without a draw settles every shorter one. *)
Corollary decided_shorter n m : decided n -> m <= n -> decided m.
Proof. intros H L. induction L as [| n L IH]; [assumption |]. now apply IH, decided_pred. Qed.
