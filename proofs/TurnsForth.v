(** * A player whose opponent's half strip is no defence jumps home, or forward by three squares at least *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Cleared Conditions Zones Cells Automaton Classes Notes LeastPotentials
  Jumps Landings.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** To the right a jump turn over two squares is not proper: the landing less than three squares away is
    remembered besides. *)
Definition bounded (n : list Z) : list Z := match n with [r; t; v] => [r; t; Z.max v (-6)] | _ => n end.
Definition is_near (n : list Z) : bool := match n with r :: _ => r <? 3 | [] => false end.

Definition forth (c : cell) (z : zone) (b : list Z) (a : square) (dk : Z) : list (list Z) :=
  match b with
  | [last; home; r; t; v; r'; t'; v'] =>
      let home := if gap last a then 0 else home in
      let l := map bounded (shifted last [r'; t'; v'] a dk ++ shifted last [r; t; v] a dk ++ new c last a dk) in
      [last_of a :: home :: if home =? 1 then [0; 0; 0; 0; 0; 0]
        else best Z.gtb (filter is_near l) ++ best Z.gtb (filter (fun n => negb (is_near n)) l)]
  | _ => []
  end.

(** From half strips in the first cell. *)
Definition forth_good (d : list (list Z)) (key : list Z) (z : zone) : bool :=
  match key with
  | [c; last; home; _; _; _; r; t; v] =>
      if (c =? Zpos (cell_of start)) && negb (last =? 2) then
        (last =? 1) && ((home =? 1) || (3 <=? r) && (bound_of (cell_number c) z <=? 0) && forallb (fun f =>
          match f with
          | [r'; _; e; tm; _; least] => if r' =? r then negb (wins_by (v - least - e) (kind_of t) (kind_of tm))
            else true
          | _ => false
          end) d)
      else true
  | _ => false
  end.

Definition forth_first : list Z := [2; 1; 0; 0; 0; 0; 0; 0].
Definition forth_table : table := find_table (single_next forth) 12 [first_key forth_first].

Definition forth_check : bool :=
  let m := forth_table in
  closed (single_next forth) (forth_good (map snd (Map.elements dots_facts))) m && covered m (first_key forth_first).

Lemma forth_checked : forth_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma bounded_landed w last n : landed 1 w last n -> landed 1 w last (bounded n).
Proof.
  destruct n as [| r [| t [| v [|]]]]; cbn [landed bounded]; try contradiction.
  intros [-> | (w' & b & u & H)]; [now left | right].
  exists w', b, u. repeat (split; [apply H |]). destruct H as (_ & _ & _ & _ & _ & _ & H). lia.
Qed.

Definition opened (w : list square) (last : Z) : Prop := w = [] \/ exists b, open_way b w /\ last = if b then 1 else 0.

Section Forth.

Variable l : list (list Z).
Variable m : table.
Hypothesis m_closed : closed (single_next forth) (forth_good l) m = true.
Hypothesis m_first : covered m (first_key forth_first) = true.

Lemma forth_noted w : exists last home r t v r' t' v', noted m w [last; home; r; t; v; r'; t'; v'] /\ ended w last
  /\ landed 1 w last [r; t; v] /\ landed 1 w last [r'; t'; v'] /\ (home = 1 -> opened w last).
Proof.
  induction w as [| a w (last & home & r & t & v & r' & t' & v' & N & E & L & L' & H)] using rev_ind.
  - exists 2, 1, 0, 0, 0, 0, 0, 0. split; [now apply first_noted |]. split; [now left |]. split; [now left |].
    split; [now left |]. now left.
  - destruct (noted_step _ _ _ m_closed _ _ N) as (z & vv & _ & _ & _ & M). destruct (M a) as (mv & _ & R & M').
    unfold forth in M'.
    set (home' := if gap last a then 0 else home) in *. cbv zeta in M'.
    set (offers := map bounded _) in M'.
    assert (Lo : forall n, In n offers -> landed 1 (w ++ [a]) (last_of a) n).
    { intros n' I. apply in_map_iff in I as (n'' & <- & I). apply bounded_landed. rewrite !in_app_iff in I.
      destruct I as [I | [I | I]].
      - now apply (shifted_landed 1 (or_introl eq_refl) w last [r'; t'; v'] a mv).
      - now apply (shifted_landed 1 (or_introl eq_refl) w last [r; t; v] a mv).
      - now apply (new_landed 1 (or_introl eq_refl) w last a mv). }
    assert (Ho : home' = 1 -> opened (w ++ [a]) (last_of a)).
    { unfold home'. destruct (gap last a) eqn:G; [discriminate |].
      intros X. right. destruct (H X) as [-> | (b & O & B)].
      - exists (match a with stone => true | empty => false end). split; [apply open_first | now destruct a].
      - exists (match a with stone => true | empty => false end). split; [| now destruct a].
        destruct a; [| now apply open_stone with b]. destruct b; [now apply open_empty |]. subst last. discriminate. }
    destruct (Z.eqb_spec home' 1) as [X | X].
    + exists (last_of a), home', 0, 0, 0, 0, 0, 0. split; [apply M'; now left |]. split; [apply ended_more |].
      split; [now left |]. split; [now left | assumption].
    + set (n := best _ (filter is_near offers)) in M'.
      set (n' := best _ (filter (fun n => negb (is_near n)) offers)) in M'.
      assert (Ln : landed 1 (w ++ [a]) (last_of a) n)
        by (apply best_landed; intros n0 I; apply filter_In in I as [I _]; auto).
      assert (Ln' : landed 1 (w ++ [a]) (last_of a) n')
        by (apply best_landed; intros n0 I; apply filter_In in I as [I _]; auto).
      clearbody n n'. destruct n as [| r0 [| t0 [| v0 [|]]]]; try contradiction.
      destruct n' as [| r1 [| t1 [| v1 [|]]]]; try contradiction.
      exists (last_of a), home', r0, t0, v0, r1, t1, v1. split; [apply M'; now left |]. split; [apply ended_more |].
      auto.
Qed.

End Forth.

Lemma opened_home h : h <> [] -> opened h 1 -> home h.
Proof.
  intros N [-> | (b & O & B)]; [contradiction |]. destruct b; [| discriminate]. apply (open_way_home true) in O.
  destruct O as [O | (a & O & E)]; apply runs_rev in O.
  - left. now rewrite rev_involutive in O.
  - right. exists (S (length (rev a))), (rev a). split; [assumption |]. split; [| reflexivity].
    rewrite <- (rev_involutive h), E, rev_app_distr. reflexivity.
Qed.

Theorem no_defence_turns_forth g h : h <> [] -> cell_of (run h) = cell_of start ->
  home h \/ exists w u m, h = w ++ u /\ w <> [] /\ jumped u m /\ (3 <= m)%nat /\ wins_board w (g ++ dots m) = false.
Proof.
  pose proof forth_checked as X. pose proof dots_known as D. revert X D. unfold forth_check.
  generalize dots_facts forth_table. cbv zeta. intros f forths X Dots. set (l := map snd (Map.elements f)) in *.
  apply andb_true_iff in X as [E F].
  intros Nh Ch. destruct (forth_noted l forths E F h) as (last & hm & r0 & t0 & v0 & r & t & v & N & En & _ & L & O).
  destruct (noted_step _ _ _ E _ _ N) as (z & vv & S & P & G & _). unfold forth_good in G. rewrite Ch, Z.eqb_refl in G.
  destruct En as [[_ En] | [En _]]; [contradiction |].
  replace (last =? 2) with false in G by (symmetry; apply Z.eqb_neq; lia).
  cbn [andb negb] in G. apply andb_true_iff in G as [G1 G]. apply Z.eqb_eq in G1. subst last.
  apply orb_true_iff in G as [G | G].
  { apply Z.eqb_eq in G. left. apply opened_home; auto. }
  right. rewrite !andb_true_iff in G. destruct G as [[G2 G3] G]. apply Z.leb_le in G2, G3.
  destruct L as [L | (w & b & u & Eh & Nw & Cu & Bl & K & T & V)]; [lia |].
  destruct b; [| lia]. exists w, u, (length u). split; [assumption |]. split; [assumption |].
  split; [now apply cleared_jumped |].
  assert (U : 3 <= len u) by (apply class_three; lia). split; [lia |].
  destruct (Dots g (length u) ltac:(lia)) as (th & e & tm & mn & ln & p & I & -> & -> & _ & Ln & Ee).
  assert (I' : In [class (len u); Z.of_nat (type (run g)); e; Z.of_nat (type (run (g ++ dots (length u)))); mn; ln] l)
    by (apply in_map_iff; eexists; split; [| exact I]; reflexivity).
  rewrite forallb_forall in G. specialize (G _ I'). cbv beta iota in G. rewrite K, Z.eqb_refl in G.
  apply negb_true_iff in G.
  rewrite T, !kind_of_nat in G. unfold wins_board, beats.
  refine (wins_by_monotone _ _ _ _ (type_small _) (type_small _) _ G).
  change (cell_number (Zpos (cell_of start))) with (cell_at (cell_of start)) in G3. rewrite <- Ch in G3.
  pose proof (bound_of_sound z vv (run h) S P ltac:(lia)) as Bh. unfold potential in Bh. rewrite Ch in Bh.
  change (constant (cell_at (cell_of start))) with 0 in Bh. rewrite Ch in G3. lia.
Qed.
