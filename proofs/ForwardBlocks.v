(** * The last block of a half strip *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Tempo Levels LevelTempo Potential Families Facts Halves Ends ForwardValue.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** The class of a block after one more stone. *)
Definition class_after (r m cls : Z) : Z :=
  if (r =? 1) && (2 <=? cls) then 3 else if 3 <=? m + 1 then Z.max cls 2 else Z.max cls 1.

(** [block u r m cls j]: [u] is the second square of a pair of empty squares and what follows it up to now;
    [r] is 1 if it ends in an empty square, [m] its length, [cls] the class, [j] the stones at its end. *)
Inductive block : list square -> Z -> Z -> Z -> Z -> Prop :=
| block_start : block [empty; stone] 0 2 1 1
| block_stone u r m cls j : block u r m cls j -> block (u ++ [stone]) 0 (m + 1) (class_after r m cls) (j + 1)
| block_dot u m cls j : block u 0 m cls j -> block (u ++ [empty]) 1 (m + 1) cls 0.

Lemma block_facts u r m cls j : block u r m cls j ->
  (r = 0 \/ r = 1) /\ m = len u /\ 2 <= m /\ 1 <= cls <= 3 /\ 0 <= j /\ (r = 0 -> 1 <= j) /\ (r = 1 -> j = 0)
  /\ (cls = 1 -> m <= 2 + r /\ (u = [empty; stone] \/ r = 1)) /\ (m >= 4 -> 2 <= cls) /\ (r = 0 -> m = 3 -> cls = 2)
  /\ (r = 0 -> m = 2 -> cls = 1)
  /\ (r = 0 -> m <= 5 -> cls = 3 -> u = [empty; stone; stone; empty; stone]) /\ (cls = 3 -> 5 <= m)
  /\ (r = 1 -> m <= 5 -> cls <= 2) /\ (r = 1 -> m = 4 -> u = [empty; stone; stone; empty])
  /\ (r = 0 -> m = 3 -> u = [empty; stone; stone]) /\ (r = 1 -> cls = 1 -> u = [empty; stone; empty])
  /\ (r = 1 -> 3 <= m) /\ (r = 1 -> m = 3 -> cls = 1).
Proof.
  induction 1 as [| u r m cls j B IH | u m cls j B IH].
  - repeat split; try lia; auto; discriminate.
  - destruct IH as (R & M & M2 & C & J & J0 & J1 & C1 & C4 & C3 & C2 & U5 & C5 & D5 & D4 & U3 & D1 & R3 & R4).
    rewrite app_length. simpl length. unfold class_after.
    destruct (Z.eqb_spec r 1), (Z.leb_spec 2 cls), (Z.leb_spec 3 (m + 1)); cbn [andb];
      repeat split; try lia; intros;
      try (assert (m = 4) by lia; rewrite D4 by lia; reflexivity);
      try (assert (m = 2) by lia; assert (cls = 1) by lia; destruct C1 as [_ [-> | ?]]; [lia | reflexivity | lia]);
      try (exfalso; lia).
  - destruct IH as (R & M & M2 & C & J & J0 & J1 & C1 & C4 & C3 & C2 & U5 & C5 & D5 & D4 & U3 & D1 & R3 & R4).
    rewrite app_length. simpl length.
    repeat split; try lia; intros.
    + assert (m = 3) by lia. rewrite U3 by lia. reflexivity.
    + destruct C1 as [_ [-> | ?]]; [lia | reflexivity | lia].
Qed.

Lemma block_state u r m cls j : block u r m cls j -> forall w, 1 <= f_run (frun w) ->
  frun (w ++ u) = FS (E (V w) (m - r) cls + r) r (V w) m cls j.
Proof.
  induction 1 as [| u r m cls j B IH | u m cls j B IH]; intros w W.
  - rewrite frun_app. change (fold_left fstep [empty; stone] (frun w)) with (fstep (fstep (frun w) empty) stone).
    apply Z.leb_le in W. cbn [fstep]. rewrite W. unfold new_class. cbn [f_run f_cls f_m f_t f_j]. change (fval (frun w)) with (V w).
    rewrite Z.add_0_r. destruct (f_run (frun w) + 1 =? 1); reflexivity.
  - rewrite app_assoc, frun_snoc, (IH w W). cbn [fstep f_t f_m f_j]. unfold new_class. cbn [f_run f_cls f_m].
    fold (class_after r m cls). f_equal; try lia. rewrite Z.sub_0_r, Z.add_0_r. reflexivity.
  - rewrite app_assoc, frun_snoc, (IH w W). cbn. f_equal; try lia. 
    replace (m + 1 - 1) with (m - 0) by lia. lia.
Qed.

Lemma block_begins u r m cls j : block u r m cls j -> exists v, u = empty :: stone :: v.
Proof.
  induction 1 as [| u r m cls j B (v & ->) | u m cls j B (v & ->)]; [now exists [] | exists (v ++ [stone]) | exists (v ++ [empty])]; reflexivity.
Qed.

Lemma block_ends u r m cls j : block u r m cls j -> exists v, u = v ++ [if r =? 0 then stone else empty].
Proof. destruct 1; [exists [empty]; reflexivity | exists u; reflexivity | exists u; reflexivity]. Qed.

Lemma block_cleared u r m cls j : block u r m cls j -> cleared (r =? 0) u.
Proof.
  induction 1 as [| u r m cls j B IH | u m cls j B IH].
  - apply (cleared_stone false [empty]), cleared_landing.
  - now apply cleared_stone with (r =? 0).
  - now apply cleared_empty.
Qed.

(** Every word: no two adjacent empty squares; or the last pair of them is followed by a block; or it is at the end. *)
Inductive shape : list square -> Prop :=
| shape_home h b : open_way b h -> frun h = FS (if b then 0 else 1) (if b then 0 else 1) 0 (f_m (frun h)) (f_cls (frun h)) (f_j (frun h)) -> shape h
| shape_nothing : shape []
| shape_block w u r m cls j : 1 <= f_run (frun w) -> block u r m cls j -> shape (w ++ u)
| shape_dots w : 1 <= f_run (frun w) -> shape (w ++ [empty]).

Lemma shapes h : shape h.
Proof.
  induction h as [| a h IH] using rev_ind; [constructor |].
  destruct IH as [h b O S | | w u r m cls j W B | w W].
  - destruct a.
    + destruct b.
      * apply (shape_home _ false); [now apply open_empty |]. rewrite frun_snoc, S. reflexivity.
      * apply shape_dots. rewrite S. simpl. lia.
    + apply (shape_home _ true); [now apply open_stone with b |]. rewrite frun_snoc, S. destruct b; reflexivity.
  - destruct a; [apply (shape_home _ false); [apply (open_first empty) | reflexivity] | apply (shape_home _ true); [apply (open_first stone) | reflexivity]].
  - destruct a.
    + destruct (proj1 (block_facts _ _ _ _ _ B)) as [-> | ->].
      * rewrite <- app_assoc. eapply shape_block; [assumption | eapply block_dot; eassumption].
      * apply shape_dots. rewrite (block_state _ _ _ _ _ B w W). simpl. lia.
    + rewrite <- app_assoc. eapply shape_block; [assumption | eapply block_stone; eassumption].
  - destruct a.
    + apply shape_dots. rewrite frun_snoc. simpl. destruct (1 <=? f_run (frun w)) eqn:X; simpl; lia.
    + rewrite <- app_assoc. eapply shape_block; [assumption | exact block_start].
Qed.

Lemma dots_e h n : f_e (frun (h ++ repeat empty n)) = e_of h + Z.of_nat n.
Proof.
  induction n as [| n IH]; [simpl; rewrite app_nil_r; unfold e_of; lia |].
  replace (h ++ repeat empty (S n)) with ((h ++ repeat empty n) ++ [empty]) by (now rewrite <- app_assoc, snoc_repeat).
  rewrite frun_snoc. simpl. destruct (1 <=? _); cbn [f_e]; lia.
Qed.

Lemma V_positive_e h : 0 < e_of h -> V h = G (e_of h).
Proof. intros P. unfold V, fval. fold (e_of h). destruct (Z.eqb_spec (e_of h) 0); [lia | reflexivity]. Qed.

Lemma V_zero_e h : e_of h = 0 -> 0 <= V h <= 1.
Proof. intros P. unfold V, fval. fold (e_of h). rewrite P. simpl. destruct (_ || _); lia. Qed.

Lemma e_natural h : 0 <= e_of h.
Proof. apply (states h). Qed.

Lemma dots_V h n : (1 <= n)%nat -> V (h ++ repeat empty n) = G (e_of h + Z.of_nat n).
Proof. intros N. pose proof (e_natural h). rewrite V_positive_e; unfold e_of at 1; rewrite dots_e; [reflexivity | lia]. Qed.

(** Lemma V1: empty squares next to the ball. *)
Theorem squares_raise : forall h n,
  (V h = 0 -> V (h ++ repeat empty (S n)) <= 1 + (Z.of_nat (S n) + 1) / 4)
  /\ (1 <= V h -> V (h ++ repeat empty (S n)) <= V h + (Z.of_nat (S n) + 3) / 4).
Proof.
  intros h n. rewrite dots_V by lia. pose proof (e_natural h). destruct (Z.eq_dec (e_of h) 0) as [Z0 | Z0].
  - rewrite Z0. unfold G, c4. split; lia.
  - rewrite (V_positive_e h) by lia. unfold G, c4. split; lia.
Qed.

(** ** Blocks with holes *)
Lemma block_hole u r m cls j : block u r m cls j -> cls = 3 ->
  exists u1 m1 cls1 j1, block u1 0 m1 cls1 j1 /\ 2 <= cls1
   /\ (r = 0 -> u = u1 ++ empty :: repeat stone (Z.to_nat j)) /\ (r = 1 -> u = u1 ++ [empty]).
Proof.
  induction 1 as [| u r m cls j B IH | u m cls j B IH]; intros C; [discriminate | |].
  - destruct (block_facts _ _ _ _ _ B) as (R & M & M2 & Cr & J & J0 & J1 & _).
    destruct R as [-> | ->].
    + destruct IH as (u1 & m1 & cls1 & j1 & B1 & C1 & U & _); [unfold class_after in C; cbn [andb] in C; destruct (0 =? 1) eqn:X; [discriminate |]; cbn [andb] in C; destruct (3 <=? m + 1); lia |].
      exists u1, m1, cls1, j1. split; [assumption |]. split; [assumption |]. split; [| lia]. intros _.
      rewrite (U eq_refl), <- app_assoc. replace (Z.to_nat (j + 1)) with (1 + Z.to_nat j)%nat by lia. simpl. now rewrite snoc_repeat.
    + inversion B as [| | u1 m1 cls1 j1 B1]; subst. exists u1, m1, cls, j1. split; [assumption |]. split.
      * unfold class_after in C. change (1 =? 1) with true in C. cbn [andb] in C. destruct (Z.leb_spec 2 cls); [assumption |]. destruct (3 <=? _); lia.
      * split; [| lia]. intros _. rewrite <- app_assoc. reflexivity.
  - destruct IH as (u1 & m1 & cls1 & j1 & B1 & C1 & U & _); [assumption |].
    exists u, m, cls, j. split; [assumption |]. split; [lia |]. split; [lia | reflexivity].
Qed.

(** A prefix of a block in front of an empty square is a block. *)
Lemma block_prefix u r m cls j : block u r m cls j -> forall u1 v, u = u1 ++ empty :: v -> u1 <> [] ->
  exists m1 cls1 j1, block u1 0 m1 cls1 j1 /\ m = m1 + 1 + len v.
Proof.
  induction 1 as [| u r m cls j B IH | u m cls j B IH]; intros u1 v Q N.
  - destruct u1 as [| a [| b [| c u1]]]; try discriminate; [contradiction].
  - symmetry in Q. apply app_snoc_cases in Q as [(v' & -> & ->) | (_ & _ & Q)]; [| discriminate].
    destruct (IH u1 v' eq_refl N) as (m1 & cls1 & j1 & B1 & M). exists m1, cls1, j1. split; [assumption |].
    rewrite app_length. simpl. lia.
  - symmetry in Q. apply app_snoc_cases in Q as [(v' & -> & ->) | (-> & -> & _)].
    + destruct (IH u1 v' eq_refl N) as (m1 & cls1 & j1 & B1 & M). exists m1, cls1, j1. split; [assumption |].
      rewrite app_length. simpl. lia.
    + exists m, cls, j. split; [assumption |]. simpl. lia.
Qed.

Lemma stone_end_run h : 1 <= f_run (frun h) -> exists w, h = w ++ [empty].
Proof.
  destruct h as [| [|] w] using rev_ind; [simpl; lia | eauto |]. rewrite frun_snoc. simpl. lia.
Qed.

(** ** Lemma V2 *)
(** Lemma V2: where the value is 0, Left can jump home, or onto a square whose value is small. *)
Theorem free_half_jumps : forall h, V h = 0 -> h <> [] ->
  way_home (rev h) \/ exists w u, h = w ++ u /\ w <> [] /\ cleared true u /\ V w <= (len u + 1) / 4.
Proof.
  intros h V0 N. pose proof (e_natural h) as E0.
  assert (E1 : e_of h = 0).
  { destruct (Z.eq_dec (e_of h) 0); [assumption |]. rewrite V_positive_e in V0 by lia. unfold G, c4 in V0. lia. }
  destruct (shapes h) as [h b O S | | w u r m cls j W B | w W].
  - left. destruct b; [now apply (open_way_home true) |]. unfold e_of in E1. rewrite S in E1. discriminate.
  - contradiction.
  - right. pose proof (block_state _ _ _ _ _ B w W) as S. destruct (block_facts _ _ _ _ _ B) as (R & M & M2 & C & J & J0 & J1 & _).
    unfold e_of in E1. rewrite S in E1. simpl in E1. pose proof (E_natural (V w) (m - r) cls C).
    assert (r = 0) by lia. subst r. unfold V at 1 in V0. unfold fval in V0. rewrite S in V0. cbn [f_e f_t f_m f_cls f_j] in V0.
    replace (E (V w) (m - 0) cls + 0 =? 0) with true in V0 by (symmetry; apply Z.eqb_eq; lia).
    destruct (Z.leb_spec (V w) (c4 m)) as [L | L].
    + exists w, u. split; [reflexivity |]. split; [intros ->; simpl in W; lia |]. split; [apply (block_cleared _ _ _ _ _ B) |]. unfold c4 in L. lia.
    + cbn [orb] in V0. destruct (Z.eqb_spec (V w) 2) as [T | T]; [| discriminate].
      destruct (Z.eqb_spec cls 3) as [C3 | C3]; [| discriminate]. destruct (Z.leb_spec 2 j) as [J2 | J2]; [| discriminate].
      destruct (block_hole _ _ _ _ _ B C3) as (u1 & m1 & cls1 & j1 & B1 & C1 & U & _). specialize (U eq_refl). subst u.
      exists (w ++ u1), (empty :: repeat stone (Z.to_nat j)). split; [now rewrite <- app_assoc |].
      split; [intros Q; apply app_eq_nil in Q as [-> _]; simpl in W; lia |].
      split; [replace (Z.to_nat j) with (1 + (Z.to_nat j - 1))%nat by lia; apply cleared_jump; apply (runs_one (Z.to_nat j - 1)%nat) |].
      simpl length. rewrite repeat_length.
      pose proof (block_state _ _ _ _ _ B1 w W) as S1. destruct (block_facts _ _ _ _ _ B1) as (_ & _ & M1 & C1' & _).
      assert (V (w ++ u1) <= 1).
      { destruct (Z.eq_dec (e_of (w ++ u1)) 0) as [Z0 | Z0]; [now apply V_zero_e |]. pose proof (e_natural (w ++ u1)).
        rewrite V_positive_e by lia. unfold e_of in *. rewrite S1 in *. cbn [f_e] in *. rewrite T in *. unfold E in *.
        destruct ((2 <=? 1) || (4 * 2 - 1 <=? m1 - 0)); unfold G, c4; lia. }
      lia.
  - unfold e_of in E1. rewrite frun_snoc in E1. simpl in E1. pose proof (e_natural w). unfold e_of in *.
    destruct (1 <=? _); simpl in E1; lia.
Qed.

(** ** Closed half strips *)
(** A closed half strip stays closed with a stone at most two squares further. *)
Theorem closed_near : forall h i, closed h -> (i <= 1)%nat ->
  closed (h ++ repeat empty i ++ [stone]) /\ V (h ++ repeat empty i ++ [stone]) = 0.
Proof.
  intros h i [E0 H] I. unfold closed.
  assert (A : forall x : list square, x ++ [stone] = [] \/ exists y, x ++ [stone] = y ++ [stone]) by (intros x; right; eauto).
  rewrite app_assoc.
  enough (e_of ((h ++ repeat empty i) ++ [stone]) = 0 /\ V ((h ++ repeat empty i) ++ [stone]) = 0) by (repeat split; try apply A; tauto).
  clear A. destruct (shapes h) as [h b O S | | w u r m cls j W B | w W].
  - unfold V, e_of in *. rewrite S in E0. simpl in E0. destruct b; [| discriminate].
    destruct i as [| [| i]]; [| | lia]; simpl repeat; rewrite ?app_nil_r, !frun_snoc, S; unfold fval; cbn; 
      pose proof (states h) as Q; replace (0 <=? _) with true by (symmetry; apply Z.leb_le; unfold c4; lia); auto.
  - destruct i as [| [| i]]; [| | lia]; split; reflexivity.
  - destruct (block_facts _ _ _ _ _ B) as (R & M & M2 & C & J & J0 & J1 & C1 & C4 & C3 & C2 & U5 & C5 & _).
    unfold e_of in E0. rewrite (block_state _ _ _ _ _ B w W) in E0. cbn [f_e] in E0. pose proof (E_natural (V w) (m - r) cls C).
    assert (r = 0) by lia. subst r.
    assert (Q : V w <= 1 \/ 4 * V w - 1 <= m \/ V w = 2 /\ cls = 3).
    { unfold E in E0. destruct (Z.leb_spec (V w) 1), (Z.leb_spec (4 * V w - 1) (m - 0)); cbn [orb] in E0; lia. }
    pose proof (V_natural w) as N.
    assert (X : exists m' cls' j', block (u ++ repeat empty i ++ [stone]) 0 m' cls' j' /\ m + 1 <= m' /\ cls <= cls'
      /\ (m' = m + 2 \/ 2 <= j')).
    { destruct i as [| [| i]]; [| | lia].
      - do 3 eexists. split; [eapply block_stone; eassumption |]. split; [lia |]. unfold class_after. split; [| lia].
        change (0 =? 1) with false. cbn [andb]. destruct (3 <=? m + 1); lia.
      - do 3 eexists. split; [change (repeat empty 1 ++ [stone]) with ([empty] ++ [stone]); rewrite app_assoc; eapply block_stone, block_dot; eassumption |].
        split; [lia |]. unfold class_after. split; [| lia]. change (1 =? 1) with true. cbn [andb].
        destruct (Z.leb_spec 2 cls), (Z.leb_spec 3 (m + 1 + 1)); lia. }
    destruct X as (m' & cls' & j' & B' & M' & C' & J').
    destruct (block_facts _ _ _ _ _ B') as (_ & _ & _ & Cr' & _).
    pose proof (block_state _ _ _ _ _ B' w W) as S. rewrite <- !app_assoc. unfold V at 1, e_of. unfold fval. rewrite S.
    cbn [f_e f_t f_m f_cls f_j].
    assert (Z0 : E (V w) (m' - 0) cls' + 0 = 0).
    { unfold E. destruct (Z.leb_spec (V w) 1), (Z.leb_spec (4 * V w - 1) (m' - 0)); cbn [orb]; lia. }
    split; [exact Z0 |]. rewrite Z0. simpl.
    assert (Y : V w <= c4 m' \/ V w = 2 /\ cls' = 3 /\ 2 <= j') by (unfold c4; lia).
    destruct (Z.leb_spec (V w) (c4 m')); [reflexivity |]. cbn [orb].
    destruct Y as [Y | (-> & -> & Y)]; [lia |]. apply Z.leb_le in Y. rewrite Y. reflexivity.
  - unfold e_of in E0. rewrite frun_snoc in E0. simpl in E0. pose proof (e_natural w). unfold e_of in *.
    destruct (1 <=? _); simpl in E0; lia.
Qed.
