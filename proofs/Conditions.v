(** * Conditions under which a relation between half strips says who wins

    A half strip is a word of squares, read from its goal line to the ball. Let [A g h] say of the
    board with [g] to the left and [h] to the right of the ball that Left, to move, wins. If no turn
    leads out of the boards that [A] refuses, and a proper turn leads into them from every board that
    it accepts, then [A] says who wins at every length, and there is no draw (Theorem S). *)

From Coq Require Import Arith Lia Bool.
From Phutball Require Import Rules Play Stone Levels Proper LawN Cleared.

Notation word := (list square) (only parsing).

(** The squares cleared by a jump turn, from the landing to the ball: [m] squares. *)
Definition jumped (u : word) (m : nat) : Prop := exists a, runs a /\ u = empty :: a /\ m = S (length a).

Definition dots (m : nat) : word := repeat empty m.

(** A jump turn that ends on the last square or beyond it. *)
Definition home (h : word) : Prop := runs h \/ exists m, jumped h m.

(** With Left to move. With Right to move, Left wins [(g|h)] if [A h g = false]. *)
Record conditions (A : word -> word -> bool) : Prop := {
  R0_home g h : g <> [] -> home h -> A g h = true;
  R1_stone_left l m h : h <> [] -> A h (l ++ stone :: m) = false -> A (l ++ empty :: m) h = true;
  R2_stone_right g l m : g <> [] -> A (l ++ stone :: m) g = false -> A g (l ++ empty :: m) = true;
  R3_jump_left w u m h : w <> [] -> h <> [] -> jumped u m -> A (h ++ dots m) w = false -> A (w ++ u) h = true;
  R4_jump_right g w u m : g <> [] -> w <> [] -> jumped u m -> A w (g ++ dots m) = false -> A g (w ++ u) = true;
  E_turn g h : g <> [] -> h <> [] -> A g h = true ->
    home h
    \/ (exists l m, h = l ++ empty :: m /\ A (l ++ stone :: m) g = false)
    \/ (exists w u m, g = w ++ u /\ w <> [] /\ jumped u m /\ 3 <= m /\ A (h ++ dots m) w = false)
    \/ (exists w u m, h = w ++ u /\ w <> [] /\ jumped u m /\ 3 <= m /\ A w (g ++ dots m) = false) }.

Lemma jumped_rev a : runs a -> jumped (empty :: rev a) (S (length a)).
Proof. intros H. exists (rev a). split; [now apply runs_rev |]. now rewrite rev_length. Qed.

Lemma rev_not_empty (l : word) : l <> [] -> rev l <> [].
Proof. intros H E. apply rev_empty in E. contradiction. Qed.

Section Conditions.

Variable A : word -> word -> bool.
Hypothesis A_meets : conditions A.

(** Left wins with Left, and with Right to move. *)
Definition accepted (b : board) : Prop := A (before b) (rev (beyond b)) = true.
Definition kept (b : board) : Prop := A (rev (beyond b)) (before b) = false.

Lemma accepted_or_kept b : accepted b \/ kept (mirror b).
Proof. unfold accepted, kept, mirror. simpl. rewrite rev_involutive. destruct (A _ _); auto. Qed.

Lemma not_refused g h (P : Prop) : (A g h = false -> P) -> A g h = true \/ P.
Proof. destruct (A g h); auto. Qed.

Lemma accepted_has_turn b : playing b -> accepted b -> has_turn kept b.
Proof.
  destruct b as [l r]. intros [P P'] H. unfold accepted in H. simpl in *.
  destruct (E_turn A A_meets l (rev r)) as [[H1 | (m & H1)]
    | [(u & v & E & S) | [(w & u & m & E & N & (a & R & -> & ->) & M & S)
    | (w & u & m & E & N & (a & R & -> & ->) & M & S)]]];
    try assumption; [now apply rev_not_empty | | | | |].
  - apply runs_rev in H1. rewrite rev_involutive in H1. exists (Past Left). split; [| now left].
    split; [now apply jump_turn, flight_jumps, flight_off_right | now left].
  - destruct H1 as (a & R & E & _). apply (f_equal (@rev square)) in E. rewrite rev_involutive in E. subst r.
    exists (On (Board (l ++ empty :: repeat empty (length (rev a))) [])). split; [| now left].
    split; [apply jump_turn, flight_jumps, flight_right; now apply runs_rev | now left].
  - apply (f_equal (@rev square)) in E. rewrite rev_involutive, rev_middle in E. subst r.
    exists (On (Board l (rev v ++ stone :: rev u))). split.
    + split; [constructor | right; now left].
    + right. eexists. split; [reflexivity |]. split; [split; [assumption | now destruct (rev v)] |].
      unfold kept. simpl. now rewrite rev_middle, !rev_involutive.
  - subst l. exists (On (Board w (repeat empty (length a) ++ empty :: r))). split.
    + split; [now apply jump_turn, flight_jumps, flight_left | right; simpl; rewrite app_length; simpl; lia].
    + right. eexists. split; [reflexivity |]. split; [split; [assumption | now destruct a] |].
      unfold kept. simpl. rewrite rev_middle, rev_repeat. exact S.
  - apply (f_equal (@rev square)) in E. rewrite rev_involutive, rev_app_distr in E. simpl in E.
    rewrite <- app_assoc in E. subst r.
    exists (On (Board (l ++ empty :: repeat empty (length (rev a))) (rev w))). split.
    + split; [now apply jump_turn, flight_jumps, flight_right, runs_rev |].
      right. simpl. rewrite app_length. simpl. rewrite repeat_length, rev_length. lia.
    + right. eexists. split; [reflexivity |]. split; [split; [now destruct l | now apply rev_not_empty] |].
      unfold kept. simpl. rewrite rev_involutive, rev_length. exact S.
Qed.

Lemma kept_all_turns b : playing b -> kept b -> all_turns accepted b.
Proof.
  intros P K x T. unfold kept in K. inversion T as [l m r | l m r | ? ? J]; subst; destruct P as [P P']; simpl in *.
  - right. eexists. split; [reflexivity |]. split; [split; [now destruct l | assumption] |]. unfold accepted. simpl.
    destruct (not_refused (l ++ stone :: m) (rev r) _ (R2_stone_right A A_meets (rev r) l m (rev_not_empty r P')));
      [assumption | congruence].
  - right. eexists. split; [reflexivity |]. split; [split; [assumption | now destruct m] |]. unfold accepted. simpl.
    rewrite rev_middle in *.
    destruct (not_refused l (rev r ++ stone :: rev m) _ (R1_stone_left A A_meets (rev r) (rev m) l P));
      [assumption | congruence].
  - apply jumps_flight in J. inversion J as [l a r R | l a r R | l a R | a r R]; subst; simpl in *.
    + destruct (list_eq_dec (fun s t : square => ltac:(decide equality)) r []) as [-> | N]; [now left | right].
      eexists. split; [reflexivity |]. split; [split; [now destruct l | assumption] |]. unfold accepted. simpl.
      rewrite rev_middle in K.
      destruct (not_refused (l ++ dots (S (length a))) (rev r) _
        (R3_jump_left A A_meets (rev r) (empty :: rev a) _ l (rev_not_empty r N) P (jumped_rev a R)));
        [assumption | congruence].
    + destruct (list_eq_dec (fun s t : square => ltac:(decide equality)) l []) as [-> | N].
      * simpl in K. rewrite (R0_home A A_meets) in K; [discriminate | now apply rev_not_empty |].
        right. exists (S (length a)), a. auto.
      * right. eexists. split; [reflexivity |]. split; [split; [assumption | now destruct a] |]. unfold accepted. simpl.
        rewrite rev_middle, rev_repeat.
        assert (Ju : jumped (empty :: a) (S (length a))) by (exists a; auto).
        destruct (not_refused l (rev r ++ dots (S (length a))) _
          (R4_jump_right A A_meets (rev r) l (empty :: a) _ (rev_not_empty r P') N Ju));
          [assumption | congruence].
    + now left.
    + rewrite (R0_home A A_meets) in K; [discriminate | now apply rev_not_empty | now left].
Qed.

Theorem conditions_won_properly n : won_properly n.
Proof.
  assert (W : forall q b, playing b -> size b = n -> match q with Left => accepted b | Right => kept b end ->
    properly q b).
  { apply proper_won; intros; [now apply accepted_has_turn | now apply kept_all_turns]. }
  intros b P N. destruct (accepted_or_kept b) as [H | H]; [left; now apply (W Left) | right].
  apply (W Right); [now apply mirror_playing | now rewrite mirror_size | assumption].
Qed.

(** No draw at any length; and Law N. *)
Theorem conditions_decided n : decided n.
Proof. apply won_properly_decided, conditions_won_properly. Qed.

Theorem conditions_law_N n : law_N n.
Proof. apply won_properly_law_N, conditions_won_properly. Qed.

(** The rule says who wins. *)
Lemma accepted_wins b : playing b -> (accepted b -> wins Left Left b) /\ (~ accepted b -> wins Right Left b).
Proof.
  intros P.
  assert (W : forall q b', playing b' -> size b' = size b ->
    match q with Left => accepted b' | Right => kept b' end -> properly q b').
  { apply proper_won; intros; [now apply accepted_has_turn | now apply kept_all_turns]. }
  split; intros H; [now apply properly_wins, (W Left) |].
  destruct (accepted_or_kept b) as [H' | H']; [contradiction |].
  apply (mirror_proper Right), (W Right); [now apply mirror_playing | now rewrite mirror_size | assumption].
Qed.

(** Theorem S. *)
Theorem conditions_solve b : playing b ->
  (wins Left Left b <-> A (before b) (rev (beyond b)) = true)
  /\ (wins Right Left b <-> A (before b) (rev (beyond b)) = false)
  /\ (wins Left Right b <-> A (rev (beyond b)) (before b) = false)
  /\ (wins Right Right b <-> A (rev (beyond b)) (before b) = true).
Proof.
  intros P. destruct (accepted_wins b P) as [L R]. destruct (accepted_wins (mirror b) (mirror_playing b P)) as [L' R'].
  unfold accepted in *. simpl in L', R'. rewrite rev_involutive in L', R'.
  assert (M : forall p q, wins p q (mirror b) -> wins (other p) (other q) b).
  { intros p q H. rewrite <- (mirror_mirror b). now apply mirror_wins. }
  repeat split; intros H.
  - destruct (A _ _) eqn:E; [reflexivity |]. destruct (not_both Left Left b H). now apply R.
  - auto.
  - destruct (A _ _) eqn:E; [| reflexivity]. destruct (not_both Left Left b (L eq_refl) H).
  - apply R. congruence.
  - destruct (A (rev _) _) eqn:E; [| reflexivity]. destruct (not_both Left Right b H). now apply (M Left Left), L'.
  - apply (M Right Left), R'. congruence.
  - destruct (A (rev _) _) eqn:E; [reflexivity |]. destruct (not_both Right Right b H). apply (M Right Left), R'.
    congruence.
  - now apply (M Left Left), L'.
Qed.

End Conditions.
