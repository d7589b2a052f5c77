(** * Theorem T': a closed end may be cut off, at every length

    If [x] is closed and does not reach the ball, the board without [x] has the same winner, and Left
    needs as many backward turns. *)

From Coq Require Import ZArith List Bool Lia Wellfounded.
From Phutball Require Import Rules Play Stone Tempo Levels LevelTempo Potential Families Facts Halves Ends ForwardValue ForwardBlocks ForwardLanding ForwardLower ForwardRise ForwardGame.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Lemma closed_stones y k : closed y -> closed (y ++ repeat stone k) /\ ((1 <= k)%nat -> V (y ++ repeat stone k) = 0).
Proof.
  intros C. induction k as [| k [IH _]]; [simpl; rewrite app_nil_r; split; [assumption | lia] |].
  simpl repeat. rewrite <- snoc_repeat, app_assoc. destruct (closed_near _ 0%nat IH) as [A B]; [lia |]. simpl in A, B. split; auto.
Qed.

Lemma closed_runs a : runs a -> forall y, closed y ->
  (closed (y ++ rev a) /\ V (y ++ rev a) = 0) /\ (closed (y ++ empty :: rev a) /\ V (y ++ empty :: rev a) = 0).
Proof.
  induction 1 as [k | a b _ IHa _ IHb]; intros y C.
  - rewrite rev_repeat. destruct (closed_stones y (S k) C) as [A B]. split; [split; [assumption | apply B; lia] |].
    destruct (closed_near y 1%nat C) as [C' V']; [lia |].
    replace (y ++ empty :: repeat stone (S k)) with ((y ++ repeat empty 1 ++ [stone]) ++ repeat stone k) by (rewrite <- !app_assoc; reflexivity).
    destruct (closed_stones _ k C') as [A' B']. split; [assumption |]. destruct k as [| k]; [| apply B'; lia].
    simpl. rewrite app_nil_r. exact V'.
  - rewrite rev_middle. destruct (IHb y C) as [[Cb _] [Cb' _]]. split.
    + rewrite app_assoc. now apply IHa.
    + replace (y ++ empty :: rev b ++ empty :: rev a) with ((y ++ empty :: rev b) ++ empty :: rev a) by (rewrite <- app_assoc; reflexivity).
      now apply IHa.
Qed.

Lemma way_home_value r x : closed x -> way_home r -> V (x ++ rev r) = 0.
Proof. intros C [H | (a & H & ->)]; [now apply closed_runs |]. rewrite rev_app_distr. now apply closed_runs. Qed.

Lemma home_through k b x : playing b -> closed x -> way_home (beyond b) -> within k Left (behind b (rev x)).
Proof.
  intros P C H. apply F; [now apply playing_behind |].
  simpl. rewrite rev_app_distr, rev_involutive, way_home_value by assumption. apply potential_natural.
Qed.

Lemma way_home_prefix r s : r <> [] -> way_home (r ++ s) -> way_home r.
Proof.
  intros N. induction s as [| a s IH] using rev_ind; [now rewrite app_nil_r |].
  rewrite app_assoc. intros H. apply IH. apply way_home_extended in H; [assumption | now destruct r].
Qed.

Lemma turn_cases b x c : playing b -> closed x -> turn (behind b (rev x)) (On c) -> playing c ->
  (exists d, c = behind d (rev x) /\ turn b (On d) /\ playing d)
  \/ (exists x', closed x' /\ (empties x' < empties x)%nat /\ c = behind b (rev x'))
  \/ (exists x' x'', closed x'' /\ (empties x'' < empties x)%nat /\ c = behind b (rev x') /\ forward c (On (behind b (rev x''))))
  \/ good c.
Proof.
  destruct b as [l r]. unfold behind. simpl. intros [P P'] C T Pc. simpl in P, P'. inversion T as [l0 m r0 | l0 m r0 | ? ? J]; subst.
  - left. exists (Board (l0 ++ stone :: m) r). split; [reflexivity |]. split; [constructor |]. split; [now destruct l0 | assumption].
  - match goal with H : _ = r ++ rev x |- _ => rename H into Q end. symmetry in Q. apply split_cases in Q as [(m' & -> & ->) | (m' & -> & E)].
    + left. exists (Board l (m ++ stone :: m')). simpl. rewrite <- app_assoc. split; [reflexivity |]. split; [constructor |].
      split; [assumption | now destruct m].
    + right. apply (f_equal (@rev square)) in E. rewrite rev_involutive, rev_middle in E. subst x.
      destruct (closed_stone _ _ _ C eq_refl) as [C' | (u' & m'' & E & C')].
      * left. exists (rev r0 ++ stone :: rev m'). split; [assumption |]. split; [apply empties_less |].
        rewrite rev_middle, !rev_involutive. simpl. now rewrite <- app_assoc.
      * right. left. exists (rev r0 ++ stone :: rev m'), (u' ++ stone :: m''). split; [assumption |].
        split; [eapply Nat.lt_trans; [apply empties_less | rewrite <- E; apply empties_less] |].
        rewrite (rev_middle (rev r0)), !rev_involutive. simpl. split; [now rewrite <- app_assoc |].
        apply (f_equal (@rev square)) in E. rewrite !rev_middle, !rev_involutive in E. rewrite <- app_assoc, E, rev_middle.
        rewrite !app_assoc. split; [constructor | exists []; simpl; now rewrite app_nil_r].
  - apply jumps_flight in J. inversion J as [l0 a r0 A | l0 a r0 A | |]; subst.
    + match goal with H : _ = r ++ rev x |- _ => rename H into Q end. symmetry in Q.
      assert (Q' := Q). apply split_cases in Q as [(m' & -> & ->) | (m' & -> & E)].
      * destruct m' as [| s m'].
        -- right. right. right. simpl in *. apply landing_good with (a := a) (l := l) (r := rev x); try assumption; try reflexivity.
           ++ apply Pc.
           ++ right. rewrite rev_middle, rev_involutive. now apply closed_runs.
        -- left. exists (Board (l ++ empty :: repeat empty (length a)) (s :: m')). simpl. split; [reflexivity |].
           split; [now apply jump_turn, flight_jumps, flight_right | split; [now destruct l | discriminate]].
      * right. right. right. apply landing_good with (a := r ++ m') (l := l) (r := r0); try assumption; try reflexivity.
        -- apply Pc.
        -- right. rewrite <- app_assoc, <- E, rev_app_distr, rev_involutive. apply way_home_value; [assumption |].
           apply way_home_prefix with m'; [assumption | now left].
    + left. exists (Board l0 (repeat empty (length a) ++ empty :: r)). simpl. rewrite <- app_assoc. split; [reflexivity |].
      split; [now apply jump_turn, flight_jumps, flight_left |]. split; [apply Pc | now destruct (repeat empty (length a))].
Qed.

Lemma within_behind : forall e x, closed x -> empties x = e -> forall k q b, playing b -> within k q b -> within k q (behind b (rev x)).
Proof.
  intros e. induction e as [e Outer] using (well_founded_induction Wf_nat.lt_wf). intros x C Ee k q b P H. revert P.
  induction H as [k b y F W | k b c F Pc _ IH | k b c T Pc _ IH | k b N H IH]; intros P.
  - apply home_through; [assumption | assumption |]. apply (left_comes_home b y); [assumption | apply F | assumption].
  - apply within_forward with (behind c (rev x)); [| now apply playing_behind | now apply IH].
    split; [apply turn_behind, F | exact (proj2 F)].
  - apply within_backward with (behind c (rev x)); [now apply turn_behind | now apply playing_behind | now apply IH].
  - apply within_always.
    + intros y T W. destruct (right_goes_home (behind b (rev x)) b y) as (y' & T' & W'); auto; [now apply playing_behind | now apply (N y')].
    + intros c T Pc. destruct (turn_cases b x c P C T Pc)
        as [(d & -> & Td & Pd) | [(x' & C' & L & ->) | [(x' & x'' & C' & L & -> & F) | L]]].
      * now apply IH.
      * apply (Outer (empties x')); [lia | assumption | reflexivity | assumption |].
        apply level_never_hurt; [assumption | now apply within_always].
      * apply within_forward with (behind b (rev x'')); [assumption | now apply playing_behind |].
        apply (Outer (empties x'')); [lia | assumption | reflexivity | assumption | now apply within_always].
      * now apply forward_wins.
Qed.

Lemma left_wins_behind : forall e x, closed x -> empties x = e -> forall q b, playing b -> wins Left q b -> wins Left q (behind b (rev x)).
Proof.
  intros e. induction e as [e Outer] using (well_founded_induction Wf_nat.lt_wf). intros x C Ee q b P H. revert P.
  remember Left as p eqn:Ep. revert Ep.
  induction H as [b y T W | b c T Pc _ IH | b N H IH]; intros -> P.
  - apply (within_wins 0), home_through; [assumption | assumption |]. now apply (left_comes_home b y).
  - apply wins_later with (behind c (rev x)); [now apply turn_behind | now apply playing_behind | now apply IH].
  - apply (wins_always Left).
    + intros y T W. destruct (right_goes_home (behind b (rev x)) b y) as (y' & T' & W'); auto; [now apply playing_behind | now apply (N y')].
    + intros c T Pc. destruct (turn_cases b x c P C T Pc)
        as [(d & -> & Td & Pd) | [(x' & C' & L & ->) | [(x' & x'' & C' & L & -> & F) | L]]].
      * now apply IH.
      * apply (Outer (empties x')); [lia | assumption | reflexivity | assumption |].
        apply having_the_move_never_hurts; [assumption | now apply (wins_always Left)].
      * apply wins_later with (behind b (rev x'')); [apply F | now apply playing_behind |].
        apply (Outer (empties x'')); [lia | assumption | reflexivity | assumption | now apply (wins_always Left)].
      * apply (within_wins 0). now apply forward_wins.
Qed.

(** The second part: after Right's stone in [x] that Left answers, Right to move again. *)
Lemma right_wins_trim q e : wins Right q e -> forall b, playing b ->
  (forall x, closed x -> e = behind b (rev x) -> wins Right q b)
  /\ (forall x, closed x -> q = Left -> turn e (On (behind b (rev x))) -> wins Right Right b).
Proof.
  intros H. remember Right as p eqn:Ep. revert Ep.
  induction H as [e y T W | e c T Pc H IH | e N H IH]; intros -> b P; (split; [intros x C -> | intros x C Q Tb; try discriminate]).
  - destruct (right_goes_home (behind b (rev x)) b y) as (y' & T' & W'); auto; [now apply playing_behind | now apply wins_now with y'].
  - destruct (turn_cases b x c P C T Pc)
      as [(d & -> & Td & Pd) | [(x' & C' & _ & ->) | [(x' & x'' & C' & _ & -> & F) | L]]].
    + apply wins_later with d; try assumption. now apply (proj1 (IH eq_refl d Pd) x).
    + apply having_the_move_never_hurts; [assumption |]. now apply (proj1 (IH eq_refl b P) x').
    + apply (proj2 (IH eq_refl b P) x''); [assumption | reflexivity | apply F].
    + exfalso. apply (not_both Left Left c); [| assumption]. apply (within_wins 0). now apply forward_wins.
  - apply (wins_always Right).
    + intros y T W. apply (not_both Left Left (behind b (rev x))).
      * apply (within_wins 0), home_through; try assumption. now apply (left_comes_home b y).
      * now apply (wins_always Right).
    + intros d T Pd. apply (proj1 (IH (behind d (rev x)) (turn_behind _ _ _ T) (playing_behind d (rev x) Pd) eq_refl d Pd) x); auto.
  - apply (proj1 (IH (behind b (rev x)) Tb (playing_behind b (rev x) P) eq_refl b P) x); auto.
Qed.

Theorem T' p q b x : playing b -> closed x -> wins p q (behind b (rev x)) <-> wins p q b.
Proof.
  intros P C. destruct p; split; intros H.
  - now apply (wins_cut q b (rev x)).
  - now apply (left_wins_behind (empties x)).
  - now apply (proj1 (right_wins_trim q (behind b (rev x)) H b P) x).
  - now apply (wins_cut q b (rev x)).
Qed.

Theorem T'_level k q b x : playing b -> closed x -> within k q (behind b (rev x)) <-> within k q b.
Proof. intros P C. split; [now apply within_cut_all | now apply (within_behind (empties x))]. Qed.

(** ** The other end *)


Lemma square_eq_dec (a b : square) : {a = b} + {a <> b}.
Proof. decide equality. Defined.

Lemma turn_ahead_cases x b c : playing b -> closed x -> turn (ahead x b) (On c) -> playing c ->
  (exists d, c = ahead x d /\ turn b (On d) /\ playing d)
  \/ (exists x', closed x' /\ c = ahead x' b)
  \/ (exists x' x'', closed x'' /\ c = ahead x' b /\ length x' = length x /\ x' <> x /\ turn c (On (ahead x'' b)))
  \/ wins Right Right c.
Proof.
  intros P C T Pc. assert (T0 := T). apply mirror_turn in T. simpl in T. rewrite mirror_ahead in T.
  apply mirror_playing in P, Pc.
  destruct (turn_cases (mirror b) x (mirror c) P C T Pc)
    as [(d & E & Td & Pd) | [(x' & C' & _ & E) | [(x' & x'' & C' & L & E & F) | W]]].
  - left. exists (mirror d). split; [rewrite <- mirror_behind, <- E; now rewrite mirror_mirror |].
    apply mirror_turn in Td. rewrite mirror_mirror in Td. split; [exact Td | now apply mirror_playing].
  - right. left. exists x'. split; [assumption |]. rewrite <- (mirror_mirror c), E, mirror_behind. now rewrite mirror_mirror.
  - assert (Ec : c = ahead x' b) by (rewrite <- (mirror_mirror c), E, mirror_behind; now rewrite mirror_mirror).
    destruct (list_eq_dec square_eq_dec x' x) as [-> | N].
    { right. left. exists x. now split. }
    right. right. left. exists x', x''. split; [assumption |]. split; [assumption |]. split.
    + apply turn_size in T0. rewrite Ec in T0. unfold size, ahead in T0. simpl in T0. rewrite !app_length in T0. lia.
    + split; [assumption |]. destruct F as [F _]. apply mirror_turn in F. simpl in F. rewrite mirror_mirror, mirror_behind, mirror_mirror in F. exact F.
  - right. right. right. rewrite <- (mirror_mirror c). apply (mirror_wins Left Left). apply (within_wins 0). now apply forward_wins.
Qed.

Lemma within_trim_ahead k q e : within k q e -> forall b, playing b ->
  (forall x, closed x -> e = ahead x b -> within k q b)
  /\ (forall x, closed x -> q = Right -> turn e (On (ahead x b)) -> within k Left b).
Proof.
  induction 1 as [k e y F W | k e c F Pc Hc IH | k e c T Pc Hc IH | k e N H IH]; intros b P; (split; [intros x C -> | intros x C Q Tb; try discriminate]).
  - destruct (left_home_same (ahead x b) b y) as (y' & F' & W'); auto; [now apply playing_ahead | apply F | now apply within_now with y'].
  - destruct (turn_ahead_cases x b c P C (proj1 F) Pc) as [(d & -> & Td & Pd) | [(x' & C' & ->) | [(x' & x'' & C' & -> & L & Nx & _) | Wr]]].
    + apply within_forward with d; [split; [assumption |] | assumption | now apply (proj1 (IH d Pd) x)].
      destruct F as [_ (m & M)]. exists m. simpl in M. rewrite <- app_assoc in M. now apply app_inv_head in M.
    + apply level_never_hurt; [assumption |]. now apply (proj1 (IH b P) x').
    + exfalso. destruct F as [_ (m & M)]. simpl in M. apply Nx.
      assert (m = []). { apply (f_equal (@length square)) in M. rewrite !app_length in M. destruct m; [reflexivity | simpl in M; lia]. }
      subst m. rewrite app_nil_r in M. now apply app_inv_tail in M.
    + exfalso. apply within_wins in Hc. now apply (not_both Left Right c).
  - destruct (turn_ahead_cases x b c P C T Pc) as [(d & -> & Td & Pd) | [(x' & C' & ->) | [(x' & x'' & C' & -> & L & Nx & Tx) | Wr]]].
    + apply within_backward with d; [assumption | assumption | now apply (proj1 (IH d Pd) x)].
    + apply within_more, level_never_hurt; [assumption |]. now apply (proj1 (IH b P) x').
    + apply within_more. now apply (proj2 (IH b P) x'').
    + exfalso. apply within_wins in Hc. now apply (not_both Left Right c).
  - apply within_always.
    + intros y T W. assert (Wl : wins Left Right (ahead x b)) by (apply (within_wins k); now apply within_always).
      apply (not_both _ _ _ Wl). simpl other.
      rewrite <- (mirror_mirror (ahead x b)), mirror_ahead. apply (mirror_wins Left Left). apply (within_wins 0), home_through;
        [now apply mirror_playing | assumption |].
      apply (left_comes_home (mirror b) (mirror_landing y)); [now apply mirror_playing | now apply mirror_turn | now apply (mirror_won Right)].
    + intros d T Pd. apply (proj1 (IH (ahead x d) (turn_ahead _ _ _ T) (playing_ahead _ _ Pd) d Pd) x); auto.
  - apply (proj1 (IH (ahead x b) Tb (playing_ahead _ _ P) b P) x); auto.
Qed.

Theorem T'_level_ahead k q x b : playing b -> closed x -> within k q (ahead x b) <-> within k q b.
Proof. intros P C. split; intros H; [now apply (proj1 (within_trim_ahead k q (ahead x b) H b P) x) | now apply within_ahead]. Qed.

Theorem T'_ahead p q b x : playing b -> closed x -> wins p q (ahead x b) <-> wins p q b.
Proof.
  intros P C. pose proof (T' (other p) (other q) (mirror b) x (mirror_playing _ P) C) as H. rewrite <- mirror_ahead in H.
  split; intros W; apply mirror_wins in W.
  - apply H in W. apply mirror_wins in W. now rewrite !other_other, mirror_mirror in W.
  - apply H in W. apply mirror_wins in W. now rewrite !other_other, mirror_mirror in W.
Qed.
