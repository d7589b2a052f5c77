(** * Against a hot half strip a jump turn to the left wins *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Cleared Conditions Zones Cells Automaton Classes Notes LeastPotentials
  Jumps Landings.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Definition back (c : cell) (z : zone) (b : list Z) (a : square) (dk : Z) : list (list Z) :=
  match b with
  | [last; r; t; v] =>
      [last_of a :: best Z.ltb (filter (fun n => match n with [_; _; v] => -8 <? v
        | _ => false end) (shifted last [r; t; v] a dk ++ new c last a dk))]
  | _ => []
  end.

(** Against the hot half strips to the right. *)
Definition back_good (d : list (list Z)) (key : list Z) (z : zone) : bool :=
  match key with
  | [c; last; r; t; v] =>
      let c := cell_number c in
      forallb (fun h => forallb (fun l =>
        if hot l (kind c) h then
          (last =? 1) && (3 <=? r) && forallb (fun f =>
            match f with
            | [r'; t'; e; tm; most; _] =>
                if (r' =? r) && (t' =? Z.of_nat h) then
                  (most <? 4) && (most + l <? least_potential (kind c))
                    || negb (wins_by (- l + e - (v - constant c)) (kind_of tm) (kind_of t))
                else true
            | _ => false
            end) d
        else true) [0; -1]) types
  | _ => false
  end.

Definition back_first : list Z := [2; 0; 0; 0].
Definition back_table : table := find_table (single_next back) 12 [first_key back_first].

Definition back_check : bool :=
  let m := back_table in
  closed (single_next back) (back_good (map snd (Map.elements dots_facts))) m && covered m (first_key back_first).

Lemma back_checked : back_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Section Back.

Variable l : list (list Z).
Variable m : table.
Hypothesis m_closed : closed (single_next back) (back_good l) m = true.
Hypothesis m_first : covered m (first_key back_first) = true.

Lemma back_noted w : exists last r t v, noted m w [last; r; t; v] /\ ended w last /\ landed (-1) w last [r; t; v].
Proof.
  induction w as [| a w (last & r & t & v & N & E & L)] using rev_ind.
  - exists 2, 0, 0, 0. split; [now apply first_noted |]. split; now left.
  - destruct (noted_step _ _ _ m_closed _ _ N) as (z & vv & _ & _ & _ & M). destruct (M a) as (mv & _ & R & M').
    unfold back in M'.
    set (n := best Z.ltb _) in M'.
    assert (Ln : landed (-1) (w ++ [a]) (last_of a) n).
    { apply best_landed. intros n' I. apply filter_In in I as [I _]. apply in_app_or in I as [I | I].
      - now apply (shifted_landed (-1) (or_intror eq_refl) w last [r; t; v] a mv).
      - now apply (new_landed (-1) (or_intror eq_refl) w last a mv). }
    clearbody n. destruct n as [| r' [| t' [| v' [|]]]]; try contradiction.
    exists (last_of a), r', t', v'. split; [apply M'; now left |]. split; [apply ended_more | assumption].
Qed.

End Back.

Theorem hot_turns_back g h : hot (potential (run g) - potential (run h)) (type (run g)) (type (run h)) = true ->
  exists w u m, g = w ++ u /\ w <> [] /\ jumped u m /\ (3 <= m)%nat /\ wins_board (h ++ dots m) w = false.
Proof.
  pose proof back_checked as X. pose proof dots_known as D. revert X D. unfold back_check.
  generalize dots_facts back_table. cbv zeta. intros f backs X Dots. set (l := map snd (Map.elements f)) in *.
  apply andb_true_iff in X as [C D].
  intros H. destruct (back_noted l backs C D g) as (last & r & t & v & N & En & L).
  destruct (noted_step _ _ _ C _ _ N) as (z & vv & _ & _ & G & _). unfold back_good in G.
  change (cell_number _) with (cell_at (cell_of (run g))) in G.
  set (c := cell_at (cell_of (run g))) in *. rewrite forallb_forall in G. specialize (G _ (type_small (run h))).
  rewrite forallb_forall in G.
  set (d := potential (run g) - potential (run h)) in *.
  assert (Id : In d [0; -1]) by (clear - H; unfold hot in H; destruct d as [| | [| |]]; try discriminate; simpl; auto).
  specialize (G _ Id). change (kind c) with (type (run g)) in G. rewrite H in G. rewrite !andb_true_iff in G.
  destruct G as [[G1 G2] G].
  apply Z.eqb_eq in G1. apply Z.leb_le in G2. destruct L as [L | (w & b & u & Eg & Nw & Cu & Bl & K & T & V)]; [lia |].
  destruct b; [| lia]. exists w, u, (length u). split; [assumption |]. split; [assumption |].
  split; [now apply cleared_jumped |].
  assert (U : 3 <= len u) by (apply class_three; lia). split; [lia |].
  destruct (Dots h (length u) ltac:(lia)) as (th & e & tm & mn & ln & p & I & -> & -> & Mn & _ & Ee).
  assert (I' : In [class (len u); Z.of_nat (type (run h)); e; Z.of_nat (type (run (h ++ dots (length u)))); mn; ln] l)
    by (apply in_map_iff; eexists; split; [| exact I]; reflexivity).
  rewrite forallb_forall in G. specialize (G _ I'). cbv beta iota in G. rewrite K, !Z.eqb_refl in G. cbn [andb] in G.
  apply orb_true_iff in G as [G | G].
  + exfalso. apply andb_true_iff in G as [G G']. apply Z.ltb_lt in G, G'. specialize (Mn G).
    pose proof (least_potential_right g). lia.
  + apply negb_true_iff in G. rewrite T, !kind_of_nat in G. unfold wins_board, beats.
    refine (wins_by_monotone _ _ _ _ (type_small _) (type_small _) _ G). unfold d, potential in *. fold c.
    fold c in V. lia.
Qed.
