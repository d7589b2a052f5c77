(** * A stone that lowers the value *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Tempo Levels LevelTempo Potential Families Facts Halves Ends ForwardValue ForwardBlocks ForwardLanding.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Definition placed (h h' : list square) : Prop := exists u m, h = u ++ empty :: m /\ h' = u ++ stone :: m.
Definition placed_in (h h' : list square) : Prop := exists u m, m <> [] /\ h = u ++ empty :: m /\ h' = u ++ stone :: m.

Lemma placed_in_placed h h' : placed_in h h' -> placed h h'.
Proof. intros (u & m & _ & A & B). now exists u, m. Qed.

Lemma placed_app h h' v : placed h h' -> placed (h ++ v) (h' ++ v).
Proof. intros (u & m & -> & ->). exists u, (m ++ v). now rewrite <- !app_assoc. Qed.

Lemma placed_in_app h h' v : placed_in h h' -> placed_in (h ++ v) (h' ++ v).
Proof. intros (u & m & N & -> & ->). exists u, (m ++ v). rewrite <- !app_assoc. repeat split. now destruct m. Qed.

Lemma placed_app_in h h' v : placed h h' -> v <> [] -> placed_in (h ++ v) (h' ++ v).
Proof. intros (u & m & -> & ->) N. exists u, (m ++ v). rewrite <- !app_assoc. repeat split. destruct m; [assumption | discriminate]. Qed.

Lemma placed_here u m : placed (u ++ empty :: m) (u ++ stone :: m).
Proof. now exists u, m. Qed.

Lemma placed_in_here u a m : placed_in (u ++ empty :: a :: m) (u ++ stone :: a :: m).
Proof. exists u, (a :: m). repeat split. discriminate. Qed.

Lemma placed_in_run h h' : placed_in h h' -> 1 <= f_run (frun h) -> 1 <= f_run (frun h').
Proof.
  intros (u & m & N & -> & ->) H. destruct (stone_end_run _ H) as (w & E).
  destruct m as [| a m _] using rev_ind; [contradiction |].
  rewrite app_comm_cons, app_assoc in E. apply app_inj_tail in E as [_ ->].
  rewrite app_comm_cons, app_assoc. apply run_dot.
Qed.

Lemma stone_shape x : (exists x0, x = x0 ++ [stone]) ->
  (e_of x = 0 /\ V x = 0 /\ open_way true x) \/ exists w u m cls j, x = w ++ u /\ 1 <= f_run (frun w) /\ block u 0 m cls j.
Proof.
  intros (x0 & Q). destruct (shapes x) as [h b O S | | w u r m cls j W B | w W].
  - left. destruct b.
    + destruct (open_way_state _ _ O) as (A & A' & A''). repeat split; try assumption.
      unfold V, fval. rewrite A, A''. pose proof (states h) as P. simpl. replace (0 <=? c4 (f_m (frun h))) with true; [reflexivity |].
      symmetry. apply Z.leb_le. unfold c4. lia.
    + exfalso. destruct (open_way_state _ _ O) as (_ & A & _). assert (X : 1 <= f_run (frun h)) by lia.
      destruct (stone_end_run _ X) as (w & ->). symmetry in Q. now apply last_differs in Q.
  - destruct x0; discriminate.
  - right. destruct (block_facts _ _ _ _ _ B) as ([-> | ->] & _); [now exists w, u, m, cls, j |].
    destruct (block_ends _ _ _ _ _ B) as (v & ->). simpl in Q. rewrite app_assoc in Q. symmetry in Q. now apply last_differs in Q.
  - symmetry in Q. now apply last_differs in Q.
Qed.

Lemma tail_dots h : exists x r, h = x ++ repeat empty r /\ (x = [] \/ exists x0, x = x0 ++ [stone]).
Proof.
  induction h as [| a h (x & r & -> & H)] using rev_ind; [exists [], 0%nat; auto |].
  destruct a; [exists x, (S r) | exists ((x ++ repeat empty r) ++ [stone]), 0%nat].
  - split; [now rewrite <- app_assoc, snoc_repeat | assumption].
  - split; [now rewrite app_nil_r | eauto].
Qed.

Lemma e_dots h n : e_of (h ++ repeat empty n) = e_of h + Z.of_nat n.
Proof. unfold e_of at 1. apply dots_e. Qed.

Lemma V_of_e h : V h <= if e_of h =? 0 then 1 else G (e_of h).
Proof.
  pose proof (e_natural h). destruct (Z.eqb_spec (e_of h) 0); [now apply V_zero_e | rewrite V_positive_e; lia].
Qed.

(** A stone behind a pair of empty squares: the word before the landing square has [e >= 2]. *)
Lemma new_block_e w : 1 <= f_run (frun w) -> e_of (w ++ [empty; stone]) = E (V w) 2 1.
Proof. intros W. rewrite (block_e w _ 0 2 1 1 W block_start). change (2 - 0) with 2. lia. Qed.

Lemma closed_dots_run x r : 1 <= f_run (frun (x ++ repeat empty (S r))).
Proof.
  replace (x ++ repeat empty (S r)) with ((x ++ repeat empty r) ++ [empty]) by now rewrite <- app_assoc, snoc_repeat. apply run_dot.
Qed.

Lemma E_even t m cls : exists k, E t m cls = 2 * k.
Proof. unfold E. destruct ((t <=? 1) || (4 * t - 1 <=? m)); [exists 0; reflexivity | exists (2 * t - 1 - cls); ring]. Qed.

Lemma lower_all n : forall h, length h = n ->
  (1 <= V h -> exists h', placed h h' /\ V h' <= V h - 1)
  /\ (1 <= f_run (frun h) -> 2 <= V h -> exists h', placed_in h h' /\ V h' <= V h - 1)
  /\ ((exists x, h = x ++ [stone]) -> 0 < e_of h <= 4 -> exists h', placed h h' /\ e_of h' = 0).
Proof.
  induction n as [n IH] using (well_founded_induction Wf_nat.lt_wf). intros h Ln.
  destruct (tail_dots h) as (x & r & -> & X).
  pose proof (e_natural x) as NE. pose proof (e_dots x r) as ED.
  (* it is enough to show these *)
  assert (First : exists P : Prop, P) by now exists True. clear First.
  destruct (Z.eq_dec (e_of x) 0) as [E0 | E0].
  - (* e(x) = 0 *)
    assert (XC : closed x) by (split; assumption).
    destruct r as [| r].
    + simpl in *. rewrite app_nil_r in *. split; [| split].
      * intros V1. assert (V1' : V x = 1) by (pose proof (V_zero_e x E0); lia).
        destruct X as [-> | X]; [discriminate |].
        destruct (stone_shape x X) as [(_ & Z0 & _) | (w & u & m & cls & j & -> & W & B)]; [lia |].
        rewrite (block_e w u 0 m cls j W B), Z.sub_0_r, Z.add_0_r in E0.
        assert (V1x := V1'). rewrite (block_V w u m cls j W B), E0 in V1'. cbn [Z.eqb] in V1'.
        destruct (block_facts _ _ _ _ _ B) as (_ & M & M2 & C & J & J0 & J1 & C1 & C4 & C3 & C2 & U5 & C5 & D5 & D4 & U3 & _).
        destruct (Z.leb_spec (V w) (c4 m)) as [Sh | Sh]; [discriminate |]. cbn [orb] in V1'.
        destruct (stone_end_run w W) as (w1 & Ew).
        assert (T1 : 1 <= V w).
        { rewrite Ew. change [empty] with (repeat empty 1). rewrite dots_V by lia. pose proof (e_natural w1). unfold G, c4. lia. }
        assert (D : V w = 1 \/ V w = 2 /\ cls = 3).
        { unfold E in E0. unfold c4 in Sh. destruct (Z.leb_spec (V w) 1), (Z.leb_spec (4 * V w - 1) m); cbn [orb] in E0; lia. }
        destruct D as [T | [T C3']].
        -- assert (m = 2) by (unfold c4 in Sh; lia). assert (cls = 1) by lia.
           destruct C1 as [_ [-> | ?]]; [assumption | | lia]. subst w.
           exists ((w1 ++ [empty]) ++ [stone; stone]). split; [apply placed_here |].
           rewrite V1x. enough (V ((w1 ++ [empty]) ++ [stone; stone]) = 0) by lia.
           destruct (tail_dots w1) as (y & k & -> & Y). destruct k as [| k].
           ++ simpl in *. rewrite app_nil_r in *. assert (Ey : e_of y = 0).
              { change [empty] with (repeat empty 1) in T. rewrite dots_V in T by lia. pose proof (e_natural y).
                assert (e_of y <= 1) by (unfold G, c4 in T; lia). destruct Y as [-> | Y]; [reflexivity |].
                destruct (stone_shape y Y) as [(Z0 & _) | (w & u & m' & cls' & j' & -> & W' & B')]; [assumption |].
                rewrite (block_e _ _ _ _ _ _ W' B') in *. destruct (E_even (V w) (m' - 0) cls') as (q & Q). lia. }
              destruct (closed_near y 1%nat) as [C' _]; [split; assumption | lia |].
              destruct (closed_near _ 0%nat C') as [_ Z0]; [lia |]. rewrite <- Z0. f_equal. simpl. now rewrite <- !app_assoc.
           ++ set (y' := y ++ repeat empty (S k)) in *.
              assert (W1 : 1 <= f_run (frun y')) by apply closed_dots_run.
              assert (T' : V y' <= 1).
              { assert (e_of y' >= 1) by (unfold y'; rewrite e_dots; pose proof (e_natural y); lia).
                rewrite V_positive_e by lia. change [empty] with (repeat empty 1) in T. rewrite dots_V in T by lia.
                unfold G, c4 in *. lia. }
              rewrite <- app_assoc. simpl app.
              change (y' ++ [empty; stone; stone]) with (y' ++ ([empty; stone] ++ [stone])). rewrite (block_V y' _ _ _ _ W1 (block_stone _ _ _ _ _ block_start)). unfold E.
              destruct (Z.leb_spec (V y') 1); [| lia]. cbn [orb Z.eqb]. replace (V y' <=? c4 (2 + 1)) with true; [reflexivity |].
              symmetry. apply Z.leb_le. unfold c4. change ((2 + 1 + 1) / 4) with 1. lia.
        -- assert (Lw : (length w < n)%nat).
           { rewrite <- Ln, app_length. destruct (block_begins _ _ _ _ _ B) as (v & ->). simpl. lia. }
           destruct (IH _ Lw w eq_refl) as (_ & Hb & _). destruct (Hb W) as (w' & Pw & Vw); [lia |].
           exists (w' ++ u). split; [apply placed_app, placed_in_placed, Pw |].
           pose proof (placed_in_run _ _ Pw W) as W'. rewrite (block_V _ _ _ _ _ W' B), V1x.
           pose proof (V_natural w'). unfold E.
           destruct (Z.leb_spec (V w') 1); [| lia]. cbn [orb Z.eqb].
           replace (V w' <=? c4 m) with true; [| symmetry; apply Z.leb_le; unfold c4; lia].
           cbn [orb]. lia.
      * intros H V2. exfalso. pose proof (V_zero_e x E0). lia.
      * lia.
    + (* dots *)
      assert (VE : V (x ++ repeat empty (S r)) = G (Z.of_nat (S r))) by (rewrite dots_V, E0 by lia; reflexivity).
      assert (NoC : forall y : list square, x ++ repeat empty (S r) <> y ++ [stone]).
      { intros y Q. replace (x ++ repeat empty (S r)) with ((x ++ repeat empty r) ++ [empty]) in Q by now rewrite <- app_assoc, snoc_repeat.
        symmetry in Q. now apply last_differs in Q. }
      assert (Strong : (exists h', placed_in (x ++ repeat empty (S r)) h' /\ V h' <= V (x ++ repeat empty (S r)) - 1)
        \/ V (x ++ repeat empty (S r)) = 1 /\ exists h', placed (x ++ repeat empty (S r)) h' /\ V h' = 0).
      { destruct (closed_near x 0%nat XC) as [Z0 Z0']; [lia |]. destruct (closed_near x 1%nat XC) as [Z1 Z1']; [lia |]. simpl in Z0, Z0'.
        destruct r as [| [| [| [| r]]]].
        - right. split; [rewrite VE; reflexivity |]. exists (x ++ [stone]). split; [apply placed_here | assumption].
        - right. split; [rewrite VE; reflexivity |]. exists (x ++ [empty; stone]). split; [| assumption].
          change (x ++ repeat empty 2) with (x ++ [empty] ++ [empty]). change [empty; stone] with ([empty] ++ [stone]).
          rewrite !app_assoc. apply placed_here.
        - left. exists (x ++ stone :: [empty; empty]). split; [apply placed_in_here |]. rewrite VE. change (G (Z.of_nat 3)) with 2.
          enough (V (x ++ [stone; empty; empty]) <= 1) by lia. apply V_small.
          replace (x ++ [stone; empty; empty]) with ((x ++ [stone]) ++ repeat empty 2) by now rewrite <- app_assoc.
          rewrite e_dots. destruct Z0 as [-> _]. lia.
        - left. exists ((x ++ [empty]) ++ stone :: [empty; empty]). split.
          + replace (x ++ repeat empty 4) with ((x ++ [empty]) ++ empty :: [empty; empty]) by now rewrite <- app_assoc. apply placed_in_here.
          + rewrite VE. change (G (Z.of_nat 4)) with 2.
            enough (V ((x ++ [empty]) ++ [stone; empty; empty]) <= 1) by lia. apply V_small.
            replace ((x ++ [empty]) ++ [stone; empty; empty]) with ((x ++ repeat empty 1 ++ [stone]) ++ repeat empty 2) by (simpl; now rewrite <- !app_assoc).
            rewrite e_dots. destruct Z1 as [-> _]. lia.
        - left. exists ((x ++ [empty; empty; empty]) ++ stone :: empty :: repeat empty r). split.
          + replace (x ++ repeat empty (S (S (S (S (S r)))))) with ((x ++ [empty; empty; empty]) ++ empty :: empty :: repeat empty r) by now rewrite <- app_assoc.
            apply placed_in_here.
          + rewrite VE. replace ((x ++ [empty; empty; empty]) ++ stone :: empty :: repeat empty r)
              with (((x ++ repeat empty 2) ++ [empty; stone]) ++ repeat empty (S r)) by (simpl; now rewrite <- !app_assoc).
            rewrite dots_V, new_block_e by (try apply closed_dots_run; lia).
            rewrite dots_V, E0 by lia. change (G (0 + Z.of_nat 2)) with 1. unfold E, G, c4. cbn [Z.leb Z.compare Pos.compare Pos.compare_cont orb]. lia. }
      rewrite VE in *. split; [| split].
      * intros _. destruct Strong as [(h' & P & B) | (K & h' & P & B)]; exists h'; [split; [now apply placed_in_placed | lia] | split; [assumption | lia]].
      * intros _ V2. destruct Strong as [S | (K & _)]; [assumption | lia].
      * intros (y & Q). now apply NoC in Q.
  - (* e(x) > 0 *)
    destruct X as [-> | X]; [now cbn in E0 |].
    destruct (stone_shape x X) as [(Z0 & _) | (w & u & m & cls & j & -> & W & B)]; [lia |].
    assert (EX := block_e w u 0 m cls j W B). rewrite Z.sub_0_r, Z.add_0_r in EX.
    destruct (block_facts _ _ _ _ _ B) as (_ & M & M2 & C & J & J0 & J1 & C1 & C4 & C3 & C2 & U5 & C5 & D5 & D4 & U3 & _).
    rewrite EX in *.
    assert (T2 : 2 <= V w /\ m < 4 * V w - 1 /\ E (V w) m cls = 4 * V w - (2 + 2 * cls)).
    { unfold E in *. destruct (Z.leb_spec (V w) 1), (Z.leb_spec (4 * V w - 1) m); cbn [orb] in *; lia. }
    destruct T2 as (T2 & Tm & EE).
    assert (Lw : (length w < n)%nat).
    { rewrite <- Ln, !app_length. destruct (block_begins _ _ _ _ _ B) as (v & ->). simpl. lia. }
    destruct (IH _ Lw w eq_refl) as (_ & Hb & _). destruct (Hb W) as (w' & Pw & Vw); [lia |]. clear Hb.
    pose proof (placed_in_run _ _ Pw W) as W'. pose proof (V_natural w') as Nw'.
    assert (EX' := block_e w' u 0 m cls j W' B). rewrite Z.sub_0_r, Z.add_0_r in EX'.
    assert (Fall : E (V w') m cls <= Z.max 0 (E (V w) m cls - 4)).
    { unfold E. destruct (Z.leb_spec (V w) 1), (Z.leb_spec (4 * V w - 1) m), (Z.leb_spec (V w') 1), (Z.leb_spec (4 * V w' - 1) m); cbn [orb]; lia. }
    pose proof (E_natural (V w') m cls C) as NE'.
    assert (P1 : placed_in ((w ++ u) ++ repeat empty r) ((w' ++ u) ++ repeat empty r)) by (apply placed_in_app, placed_in_app, Pw).
    assert (E1 := e_dots (w' ++ u) r). rewrite EX' in E1.
    assert (VV : V ((w ++ u) ++ repeat empty r) = G (E (V w) m cls + Z.of_nat r)) by (rewrite V_positive_e, ED; [reflexivity | lia]).
    pose proof (V_of_e ((w' ++ u) ++ repeat empty r)) as VU.
    assert (Strong : (exists h', placed_in ((w ++ u) ++ repeat empty r) h' /\ V h' <= V ((w ++ u) ++ repeat empty r) - 1)).
    { destruct (Z.le_gt_cases 4 (E (V w) m cls)) as [G4 | G4].
      - exists ((w' ++ u) ++ repeat empty r). split; [assumption |]. rewrite VV. rewrite E1 in VU.
        destruct (Z.eqb_spec (E (V w') m cls + Z.of_nat r) 0); unfold G, c4 in *; lia.
      - assert (E2 : E (V w) m cls = 2) by lia. assert (T : V w = 2) by lia. assert (cls = 2) by lia. subst cls.
        destruct (Z.eq_dec (Z.of_nat r mod 4) 1) as [R1 | R1]; [| destruct (Z.eq_dec (Z.of_nat r mod 4) 2) as [R2 | R2]].
        + exists ((w' ++ u) ++ repeat empty r). split; [assumption |]. rewrite VV. rewrite E1 in VU.
          destruct (Z.eqb_spec (E (V w') m 2 + Z.of_nat r) 0); unfold G, c4 in *; lia.
        + exists ((w' ++ u) ++ repeat empty r). split; [assumption |]. rewrite VV. rewrite E1 in VU.
          destruct (Z.eqb_spec (E (V w') m 2 + Z.of_nat r) 0); unfold G, c4 in *; lia.
        + destruct r as [| [| [| r]]].
          * exists ((w' ++ u) ++ repeat empty 0). split; [assumption |]. rewrite VV, E2. simpl repeat. rewrite app_nil_r.
            change (G (2 + Z.of_nat 0) - 1) with 0. rewrite (block_V w' u m 2 j W' B).
            assert (3 <= m) by lia. replace (E (V w') m 2) with 0 by lia. cbn [Z.eqb].
            replace (V w' <=? c4 m) with true; [reflexivity |]. symmetry. apply Z.leb_le. unfold c4. lia.
          * exfalso. apply R1. reflexivity.
          * exfalso. apply R2. reflexivity.
          * exists (((w ++ u) ++ [empty]) ++ stone :: empty :: repeat empty r). split.
            -- replace ((w ++ u) ++ repeat empty (S (S (S r)))) with (((w ++ u) ++ [empty]) ++ empty :: empty :: repeat empty r) by (rewrite <- !app_assoc; reflexivity).
               apply placed_in_here.
            -- rewrite VV, E2.
               replace (((w ++ u) ++ [empty]) ++ stone :: empty :: repeat empty r)
                 with ((w ++ (u ++ [empty]) ++ [stone]) ++ repeat empty (S r)) by (rewrite <- !app_assoc; reflexivity).
               rewrite dots_V by lia. rewrite (block_e _ _ _ _ _ _ W (block_stone _ _ _ _ _ (block_dot _ _ _ _ B))).
               change (class_after 1 (m + 1) 2) with 3. rewrite T. unfold E. cbn [Z.leb Z.compare Pos.compare Pos.compare_cont orb].
               destruct (Z.leb_spec (4 * 2 - 1) (m + 1 + 1 - 0)); unfold G, c4; lia. }
    split; [| split].
    + intros _. destruct Strong as (h' & P & Q). exists h'. split; [now apply placed_in_placed | assumption].
    + intros _ _. exact Strong.
    + intros (y & Q) E4. exists ((w' ++ u) ++ repeat empty r). split; [now apply placed_in_placed |].
      assert (r = 0%nat).
      { destruct r as [| r]; [reflexivity | exfalso].
        replace ((w ++ u) ++ repeat empty (S r)) with (((w ++ u) ++ repeat empty r) ++ [empty]) in Q by (rewrite <- (app_assoc (w ++ u)), snoc_repeat; reflexivity).
        symmetry in Q. now apply last_differs in Q. }
      subst r. rewrite E1. change (Z.of_nat 0) with 0 in *. lia.
Qed.

(** Lemma V4: if the value is positive, some stone lowers it. *)
Theorem stone_lowers : forall h, 1 <= V h -> exists u m, h = u ++ empty :: m /\ V (u ++ stone :: m) <= V h - 1.
Proof. intros h V1. destruct (proj1 (lower_all _ h eq_refl) V1) as (h' & (u & m & -> & ->) & B). now exists u, m. Qed.
