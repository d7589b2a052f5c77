(** * Theorem F: boards that Left wins with forward turns, at every length *)

From Coq Require Import ZArith List Bool Lia Wellfounded.
From Phutball Require Import Rules Play Stone Tempo Levels LevelTempo Potential Families Facts Halves Ends ForwardValue ForwardBlocks ForwardLanding ForwardLower ForwardRise.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** Left to move: the board is good for him. *)
Definition good (b : board) : Prop := V (rev (beyond b)) <= potential (before b)
  \/ exists d, forward b (On d) /\ playing d /\ V (rev (beyond d)) < potential (before d).

Lemma landing_good l a r x (A : runs a) (P : l <> []) : x = Board (l ++ empty :: repeat empty (length a)) r -> r <> [] ->
  V (rev (a ++ empty :: r)) < potential l \/ V (rev (a ++ empty :: r)) = 0 -> good x.
Proof.
  intros -> N H. rewrite rev_middle in H.
  assert (K : potential (l ++ empty :: repeat empty (length a)) >= Z.max (potential l) (1 + (Z.of_nat (S (length a)) + 1) / 4)).
  { rewrite empties_follow. destruct (runs_begin a A) as [a' ->]. simpl length.
    pose proof (squares_keep l (length a')). destruct (squares_gain l (S (length a'))) as (Q & _). lia. }
  destruct (landing_bound _ (rev r) a eq_refl A) as [B | (w' & a' & E & A' & N' & B)].
  - intros E. apply rev_empty in E. contradiction.
  - left. simpl. lia.
  - right. apply (f_equal (@rev square)) in E. rewrite rev_involutive, rev_middle, rev_involutive in E. subst r.
    exists (Board ((l ++ empty :: repeat empty (length a)) ++ empty :: repeat empty (length a')) (rev w')).
    split; [split; [now apply jump_turn, flight_jumps, flight_right | simpl; eauto] |].
    split; [split; simpl; [now destruct l | intros E; apply rev_empty in E; contradiction] |].
    simpl. rewrite rev_involutive, <- app_assoc. simpl.
    replace (empty :: repeat empty (length a) ++ empty :: repeat empty (length a'))
      with (repeat empty (S (length a + S (length a')))) by (simpl; now rewrite repeat_app).
    destruct (squares_gain l (length a + S (length a'))) as (Q & _). lia.
Qed.

Lemma right_keeps b x : playing b -> V (rev (beyond b)) < potential (before b) -> turn b x ->
  won Left x \/ exists c, x = On c /\ playing c /\ good c.
Proof.
  intros P L T. pose proof (V_natural (rev (beyond b))) as N0.
  destruct (landing_cases x) as [Wn | [Wn | (c & -> & Pc)]]; [now left | exfalso | right].
  - destruct b as [l r]. inversion T as [| | ? ? J]; subst; simpl in *.
    + destruct P as [P _]. simpl in P. now destruct l0.
    + destruct P as [P _]. contradiction.
    + apply jumps_flight in J. inversion J; subst; simpl in *; try discriminate.
      * now destruct l.
      * subst l0. match goal with H : runs a |- _ => apply potential_home in H as [_ H] end. simpl in L. lia.
      * match goal with H : runs l |- _ => apply potential_home in H as [H _] end. lia.
  - exists c. split; [reflexivity |]. split; [assumption |]. inversion T as [l m r | l m r | ? ? J]; subst; simpl in *.
    + left. simpl. pose proof (one_stone l m). lia.
    + rewrite rev_middle in L. destruct (stone_raises _ (rev r) (rev m) eq_refl) as [B | (u' & m' & E & B)].
      * left. simpl. rewrite rev_middle. lia.
      * right. apply (f_equal (@rev square)) in E. rewrite rev_middle, !rev_involutive, rev_middle in E. rewrite E.
        exists (Board l (rev m' ++ stone :: rev u')). split; [split; [constructor | exists []; simpl; now rewrite app_nil_r] |].
        split; [split; [apply P | now destruct (rev m')] |]. simpl. rewrite rev_middle, !rev_involutive. lia.
    + apply jumps_flight in J. inversion J as [l a r A | l a r A | |]; subst; simpl in *.
      * apply landing_good with (a := a) (l := l) (r := r); try assumption; try reflexivity; [apply P | apply Pc | now left].
      * left. simpl. rewrite rev_middle, rev_repeat, empties_follow. destruct (squares_raise (rev r) (length a)) as [B0 B1].
        destruct (jump_costs l (empty :: a) (cleared_jump a A)) as [J2 J1].
        replace (Z.of_nat (length (empty :: a))) with (Z.of_nat (S (length a))) in * by reflexivity.
        set (n := Z.of_nat (S (length a))) in *. assert (0 <= n) by lia. simpl in L, N0. set (v := V (rev r)) in *.
        destruct (Z.eq_dec (potential (l ++ empty :: a)) 1) as [E | E].
        -- assert (X := J1 E). assert (v = 0) by lia. assert (U := B0 ltac:(assumption)). lia.
        -- assert (X := J2 ltac:(lia)). destruct (Z.eq_dec v 0) as [Z0 | Z0];
             [assert (U := B0 Z0) | assert (U := B1 ltac:(lia))]; lia.
Qed.

Lemma left_gains b : playing b -> good b ->
  exists x, forward b x
  /\ (won Left x \/ exists c, x = On c /\ playing c /\ V (rev (beyond c)) < potential (before c)).
Proof.
  intros P [L | (d & F & Pd & L)]; [| exists (On d); split; [assumption | right; eauto]].
  destruct b as [l r]. destruct P as [P P']. simpl in *. pose proof (V_natural (rev r)) as N0.
  destruct (Z.eq_dec (V (rev r)) 0) as [Z0 | Z0].
  - destruct (free_half_jumps (rev r) Z0) as [H | (w & u & E & Nw & Cu & B)].
    + intros E. apply rev_empty in E. contradiction.
    + rewrite rev_involutive in H. destruct H as [H | (a & A & ->)].
      * exists (Past Left). split; [split; [now apply jump_turn, flight_jumps, flight_off_right | reflexivity] |]. now left.
      * exists (On (Board (l ++ empty :: repeat empty (length a)) [])).
        assert (T : turn (Board l (a ++ [empty])) (On (Board (l ++ empty :: repeat empty (length a)) [])))
          by now apply jump_turn, flight_jumps, flight_right.
        split; [split; [assumption | simpl; eauto] |]. now left.
    + apply (jump_cleared true) in Cu as (a & A & ->).
      apply (f_equal (@rev square)) in E. rewrite rev_involutive, rev_app_distr in E. simpl in E.
      rewrite rev_involutive, <- app_assoc in E. simpl in E. subst r.
      exists (On (Board (l ++ empty :: repeat empty (length a)) (rev w))).
      assert (T : turn (Board l (a ++ empty :: rev w)) (On (Board (l ++ empty :: repeat empty (length a)) (rev w))))
        by now apply jump_turn, flight_jumps, flight_right.
      split; [split; [assumption | simpl; eauto] |].
      right. eexists. split; [reflexivity |].
      split; [split; simpl; [now destruct l | intros E; apply rev_empty in E; contradiction] |].
      simpl. rewrite rev_involutive. rewrite empties_follow.
      destruct (squares_gain l (length a)) as (Q & _ & _). simpl length in B. rewrite rev_length in B. lia.
  - destruct (stone_lowers (rev r)) as (u & m & E & B); [lia |].
    apply (f_equal (@rev square)) in E. rewrite rev_involutive, rev_middle in E. subst r.
    exists (On (Board l (rev m ++ stone :: rev u))).
    split; [split; [constructor | exists []; simpl; now rewrite app_nil_r] |].
    right. eexists. split; [reflexivity |]. split; [split; [assumption | now destruct (rev m)] |]. simpl.
    rewrite rev_middle, !rev_involutive in *. lia.
Qed.

Theorem forward_wins k q b : playing b ->
  match q with Left => good b | Right => V (rev (beyond b)) < potential (before b) end -> within k q b.
Proof.
  enough (H : forall s, let '(k, q, b) := s in playing b ->
      match q with Left => good b | Right => V (rev (beyond b)) < potential (before b) end -> within k q b)
    by (intros; now apply (H (k, q, b))).
  intros s. induction s as [s IH] using (well_founded_ind forward_play_ends).
  destruct s as [[j p] c]. intros P L. destruct p.
  - destruct (left_gains c P L) as (x & F & [Wn | (d & -> & Pd & L')]).
    + now apply within_now with x.
    + apply within_forward with d; try assumption. apply (IH (j, Right, d)); try assumption. now constructor.
  - apply within_always.
    + intros x T Wn. destruct (right_keeps c x P L T) as [Wl | (d & -> & [Pd _] & _)]; [| contradiction].
      now apply (won_by_one c x).
    + intros d T Pd. destruct (right_keeps c (On d) P L T) as [Wl | (d' & E & _ & L')]; [now destruct Pd |].
      injection E as <-. apply (IH (j, Left, d)); try assumption. now constructor.
Qed.

(** If [V] of the right half is at most the potential of the left half, Left to move wins with forward
    turns; if it is less, he wins with Right to move. *)
Theorem F k q b : playing b ->
  match q with Left => V (rev (beyond b)) <= potential (before b) | Right => V (rev (beyond b)) < potential (before b) end -> within k q b.
Proof. intros P L. apply forward_wins; [assumption |]. destruct q; [now left | assumption]. Qed.
