(** * Directional Phutball is solved at every length

    The lower potential wins. If the potentials are equal, the player to move wins. The winner needs
    forward turns only, and there is no draw. *)

From Coq Require Import ZArith List Lia Wellfounded.
From Phutball Require Import Rules Play Stone Potential Facts Halves.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** ** The rules *)

(** The turns of Rules.v, without jumps away from the goal line that the player attacks. A jump turn
    never reverses its direction, so the definition only compares where it starts and ends. *)
Definition directional (p : player) (b : board) (x : landing) : Prop :=
  turn b x /\
  match x with
  | On c => match p with Left => (length (before b) <= length (before c))%nat | Right => (length (beyond b) <= length (beyond c))%nat end
  | Past q => q = p
  end.

(** As [wins] in Rules.v. *)
Inductive directional_wins (p : player) : player -> board -> Prop :=
| directional_now b x : directional p b x -> won p x -> directional_wins p p b
| directional_later b c : directional p b (On c) -> playing c -> directional_wins p (other p) c -> directional_wins p p b
| directional_always b :
    (forall x, directional (other p) b x -> ~ won (other p) x) ->
    (forall c, directional (other p) b (On c) -> playing c -> directional_wins p p c) ->
    directional_wins p (other p) b.

Lemma directional_not_both p q b : directional_wins p q b -> directional_wins (other p) q b -> False.
Proof.
  induction 1 as [b x T W | b c T P _ IH | b N _ IH]; intros H;
    inversion H as [? y T' W' E | ? d T' P' H' E | ? N' H' E]; subst;
    try (now destruct p); rewrite ?other_other in *.
  - now apply (N' x).
  - apply IH. now apply H'.
  - now apply (N y).
  - now apply (IH d).
Qed.

Lemma directional_mirror p b x : directional p b x -> directional (other p) (mirror b) (mirror_landing x).
Proof.
  intros [T D]. split; [now apply mirror_turn |].
  destruct x as [c | q]; simpl in *; [| now subst]. destruct p; simpl; now rewrite !rev_length.
Qed.

Lemma directional_mirror_wins p q b : directional_wins p q b -> directional_wins (other p) (other q) (mirror b).
Proof.
  induction 1 as [b x T W | b c T P _ IH | b N _ IH].
  - apply directional_now with (mirror_landing x); [now apply directional_mirror | now apply mirror_won].
  - apply directional_later with (mirror c); [now apply (directional_mirror p b (On c)) | now apply mirror_playing | assumption].
  - apply directional_always.
    + intros x T W. apply directional_mirror in T. rewrite mirror_mirror, other_other in T. apply (N _ T).
      apply mirror_won in W. now rewrite other_other in W.
    + intros c T P. apply (directional_mirror _ _ (On c)) in T. rewrite mirror_mirror, other_other in T. simpl in T.
      rewrite <- (mirror_mirror c). apply IH; [assumption | now apply mirror_playing].
Qed.

(** ** The potentials of a board *)

(** Left's is that of the squares to the right of the ball, Right's that of those to its left. *)
Definition left_potential (b : board) : Z := potential (rev (beyond b)).
Definition right_potential (b : board) : Z := potential (before b).

Lemma empties_after l m : l ++ empty :: repeat empty m = l ++ repeat empty (S m).
Proof. reflexivity. Qed.

(** Right has no turn out of the boards on which Left's potential is lower. *)
Lemma right_keeps b x : playing b -> left_potential b < right_potential b -> directional Right b x ->
  won Left x \/ exists c, x = On c /\ playing c /\ left_potential c <= right_potential c.
Proof.
  intros P L [T D]. destruct (landing_cases x) as [W | [W | (c & -> & Pc)]]; [now left | exfalso | right].
  - (* He has no jump home, for his potential would be 0. *)
    pose proof (potential_natural (rev (beyond b))) as N. unfold right_potential, left_potential in L.
    destruct b as [l r]. inversion T as [| | ? ? J]; subst; simpl in *.
    + destruct P as [P _]. simpl in P. now destruct l0.
    + destruct P as [P _]. contradiction.
    + apply jumps_flight in J. inversion J; subst; simpl in *; try discriminate.
      * now destruct l.
      * subst l0. match goal with H : runs a |- _ => apply potential_home in H as [_ H] end. simpl in L. lia.
      * match goal with H : runs l |- _ => apply potential_home in H as [H _] end. lia.
  - exists c. split; [reflexivity |]. split; [assumption |]. unfold right_potential, left_potential in *.
    inversion T as [l m r | l m r | ? ? J]; subst; simpl in *.
    + pose proof (one_stone l m). lia.
    + rewrite rev_middle in *. pose proof (one_stone (rev r) (rev m)). lia.
    + apply jumps_flight in J. inversion J as [l a r A | l a r A | |]; subst; simpl in *.
      * rewrite !app_length in D. simpl in D. lia.
      * rewrite rev_middle, rev_repeat. rewrite empties_after.
        destruct (jump_costs l (empty :: a) (cleared_jump a A)) as [J2 J1].
        destruct (squares_gain (rev r) (length a)) as (_ & G0 & G1).
        pose proof (potential_natural (rev r)) as N.
        replace (len (empty :: a)) with (Z.of_nat (S (length a))) in * by reflexivity.
        set (n := Z.of_nat (S (length a))) in *.
        assert (0 <= n) by lia.
        destruct (Z.eq_dec (potential (rev r)) 0) as [Z0 | Z0].
        -- rewrite (G0 Z0). destruct (Z.eq_dec (potential (l ++ empty :: a)) 1) as [E | E]; [now apply J1 |].
           assert (V := J2 ltac:(lia)). lia.
        -- assert (U := G1 ltac:(lia)). assert (V := J2 ltac:(lia)). lia.
Qed.

(** If Left is to move and his potential is not higher, he has a forward turn that wins or lowers
    it. *)
Lemma left_gains b : playing b -> left_potential b <= right_potential b ->
  exists x, directional Left b x /\ forward b x
  /\ (won Left x \/ exists c, x = On c /\ playing c /\ left_potential c < right_potential c).
Proof.
  destruct b as [l r]. intros [P P'] L. unfold right_potential, left_potential in *. simpl in *.
  destruct (landing_exists (rev r)) as [H | [Z0 [H | (w & u & E & N & C & V)]]].
  - intros E. apply rev_empty in E. contradiction.
  - destruct (some_stone (rev r) H) as (u & v & E & S).
    apply (f_equal (@rev square)) in E. rewrite rev_involutive, rev_middle in E. subst r.
    exists (On (Board l (rev v ++ stone :: rev u))). split; [split; [constructor | simpl; lia] |].
    split; [split; [constructor | exists []; simpl; now rewrite app_nil_r] |].
    right. eexists. split; [reflexivity |]. split; [split; [assumption | now destruct (rev v)] |]. simpl.
    rewrite rev_middle, !rev_involutive in *. lia.
  - rewrite rev_involutive in H. destruct H as [H | (a & A & ->)].
    + exists (Past Left). repeat split; try now apply jump_turn, flight_jumps, flight_off_right.
      now left.
    + exists (On (Board (l ++ empty :: repeat empty (length a)) [])).
      assert (T : turn (Board l (a ++ [empty])) (On (Board (l ++ empty :: repeat empty (length a)) [])))
        by now apply jump_turn, flight_jumps, flight_right.
      split; [split; [assumption | simpl; rewrite app_length; lia] |]. split; [split; [assumption | simpl; eauto] |]. now left.
  - apply (jump_cleared true) in C as (a & A & ->).
    apply (f_equal (@rev square)) in E. rewrite rev_involutive, rev_app_distr in E. simpl in E.
    rewrite rev_involutive, <- app_assoc in E. simpl in E. subst r.
    exists (On (Board (l ++ empty :: repeat empty (length a)) (rev w))).
    assert (T : turn (Board l (a ++ empty :: rev w)) (On (Board (l ++ empty :: repeat empty (length a)) (rev w))))
      by now apply jump_turn, flight_jumps, flight_right.
    split; [split; [assumption | simpl; rewrite app_length; lia] |]. split; [split; [assumption | simpl; eauto] |].
    right. eexists. split; [reflexivity |]. split; [split; simpl; [now destruct l | intros E; apply rev_empty in E; contradiction] |].
    simpl. rewrite rev_involutive, empties_after. destruct (squares_gain l (length a)) as (G & _ & _).
    simpl length in V. rewrite rev_length in V. lia.
Qed.

(** ** The game is solved *)

(** Left can force a win with forward turns alone. *)
Inductive forward_wins : player -> board -> Prop :=
| forward_now b x : directional Left b x -> forward b x -> won Left x -> forward_wins Left b
| forward_later b c : directional Left b (On c) -> forward b (On c) -> playing c -> forward_wins Right c -> forward_wins Left b
| forward_always b :
    (forall x, directional Right b x -> ~ won Right x) ->
    (forall c, directional Right b (On c) -> playing c -> forward_wins Left c) ->
    forward_wins Right b.

Lemma forward_wins_directional q b : forward_wins q b -> directional_wins Left q b.
Proof.
  induction 1 as [b x D _ W | b c D _ P _ IH | b N _ IH].
  - now apply directional_now with x.
  - now apply directional_later with c.
  - now apply (directional_always Left).
Qed.

Theorem lower_potential_wins q b : playing b ->
  match q with Left => left_potential b <= right_potential b | Right => left_potential b < right_potential b end ->
  forward_wins q b.
Proof.
  enough (H : forall s, let '(k, q, b) := s in playing b ->
      match q with Left => left_potential b <= right_potential b | Right => left_potential b < right_potential b end ->
      forward_wins q b) by exact (H (0%nat, q, b)).
  intros s. induction s as [s IH] using (well_founded_ind forward_play_ends).
  destruct s as [[k p] c]. intros P L. destruct p.
  - destruct (left_gains c P L) as (x & D & F & [W | (d & -> & Pd & Ld)]).
    + now apply forward_now with x.
    + apply forward_later with d; try assumption. apply (IH (k, Right, d)); [now constructor | assumption | assumption].
  - apply forward_always.
    + intros x D W. destruct (right_keeps c x P L D) as [W' | (d & -> & [Pd _] & _)]; [| contradiction].
      destruct D as [T _]. destruct x as [d | p]; simpl in *; [| congruence].
      pose proof (turn_size c d T) as E. unfold size in E. rewrite W, W' in E. simpl in E.
      destruct c as [[|] [|]]; destruct P; simpl in *; try congruence; lia.
    + intros d D Pd. destruct (right_keeps c (On d) P L D) as [W | (d' & E & _ & Ld)]; [now destruct Pd |].
      injection E as <-. apply (IH (k, Left, d)); [constructor; [apply D | assumption] | assumption | assumption].
Qed.

Lemma higher_potential_loses q b : playing b ->
  match q with Left => right_potential b < left_potential b | Right => right_potential b <= left_potential b end ->
  directional_wins Right q b.
Proof.
  intros P L. rewrite <- (mirror_mirror b).
  assert (E : right_potential (mirror b) = left_potential b /\ left_potential (mirror b) = right_potential b).
  { unfold right_potential, left_potential, mirror. simpl. now rewrite rev_involutive. }
  destruct E as [E E']. destruct q.
  - apply (directional_mirror_wins Left Right), forward_wins_directional, lower_potential_wins; [now apply mirror_playing | lia].
  - apply (directional_mirror_wins Left Left), forward_wins_directional, lower_potential_wins; [now apply mirror_playing | lia].
Qed.

(** With Left to move, Left wins if and only if his potential is not higher; with Right to move, if
    and only if it is lower. *)
Theorem directional_solved b : playing b ->
  (directional_wins Left Left b <-> left_potential b <= right_potential b)
  /\ (directional_wins Left Right b <-> left_potential b < right_potential b)
  /\ (directional_wins Right Right b <-> right_potential b <= left_potential b)
  /\ (directional_wins Right Left b <-> right_potential b < left_potential b).
Proof.
  intros P.
  assert (N : forall q, directional_wins Left q b -> directional_wins Right q b -> False) by (intros q; apply (directional_not_both Left)).
  assert (F : forall q, forward_wins q b -> directional_wins Left q b) by (intros q; apply forward_wins_directional).
  pose proof (fun H => F Left (lower_potential_wins Left b P H)) as A. pose proof (fun H => F Right (lower_potential_wins Right b P H)) as B.
  pose proof (higher_potential_loses Left b P) as C. pose proof (higher_potential_loses Right b P) as D.
  repeat split; intros H; try auto.
  - destruct (Z_le_gt_dec (left_potential b) (right_potential b)) as [L | L]; [assumption | exfalso; apply (N Left H), C; lia].
  - destruct (Z_lt_le_dec (left_potential b) (right_potential b)) as [L | L]; [assumption | exfalso; apply (N Right H), D; lia].
  - destruct (Z_le_gt_dec (right_potential b) (left_potential b)) as [L | L]; [assumption |].
    exfalso. apply (N Right); [apply B; lia | assumption].
  - destruct (Z_lt_le_dec (right_potential b) (left_potential b)) as [L | L]; [assumption |].
    exfalso. apply (N Left); [apply A; lia | assumption].
Qed.

Corollary directional_no_draw q b : playing b -> directional_wins Left q b \/ directional_wins Right q b.
Proof.
  intros P. destruct (directional_solved b P) as (A & B & C & D). destruct q.
  - destruct (Z_le_gt_dec (left_potential b) (right_potential b)); [left; now apply A | right; apply D; lia].
  - destruct (Z_lt_le_dec (left_potential b) (right_potential b)); [left; now apply B | right; apply C; lia].
Qed.
