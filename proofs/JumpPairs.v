(** * Jump turns lead nowhere better: conditions R3 and R4

    The notes of the squares that a jump turn clears, together with those of the empty squares that it
    leaves in the other half strip. *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Cleared Conditions Zones Cells Automaton Classes Notes LeastPotentials Jumps.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** A jump turn in the half strip to the left, and dots in the one to the right. *)
Definition jump_left_fine (t a low tg mg th e tm mh : Z) : bool :=
  let g := kind_of tg in let h := kind_of th in let w := kind_of t in let m := kind_of tm in
  (a - e <=? 3) && forallb (fun l =>
    wins_by l g h || (if low =? 1 then 1 <=? - l + e - a else wins_by (- l + e - a) m w)
    || ((mg <? 4) && (mg - l <? least_potential h)) || ((mh <? 4) && (mh + l <? least_potential g))) leads.

(** A jump turn in the half strip to the right, and dots in the one to the left. *)
Definition jump_right_fine (t a low th mh tg e tm mg : Z) : bool :=
  let g := kind_of tg in let h := kind_of th in let w := kind_of t in let m := kind_of tm in
  ((low =? 0) && (e - a <=? 3) || (mh <=? 3)) && forallb (fun l =>
    wins_by l g h || (negb (low =? 1) && wins_by (- l + a - e) w m)
    || ((mh <? 4) && (mh + l <? least_potential g)) || ((mg <? 4) && (mg - l <? least_potential h))) leads.

Definition fine_together (c d : list Z) : bool :=
  match c, d with
  | [r; t; a; low; tn; mn], [r'; t'; e; tm; m'; _] =>
      if r =? r' then jump_left_fine t a low tn mn t' e tm m' && jump_right_fine t a low tn mn t' e tm m' else true
  | _, _ => false
  end.

Definition chain_table : table := find_table (single_next chain) 12 [([Zpos (cell_of start)], first_zone)].

Definition jump_check : bool :=
  let chains := chain_table in let c := facts chain_fact chains in
  closed (single_next chain) (facts_hold chain_fact c) chains && covered chains ([Zpos (cell_of start)], first_zone)
  && let d := Map.elements dots_facts in
     forallb (fun '(_, c) => forallb (fun '(_, d) => fine_together c d) d) (Map.elements c).

Lemma jump_checked : jump_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** *** What the tables say *)

Section Sound.

Variable chains : table.
Variable c : Map.t (list Z).
Hypothesis chains_closed : closed (single_next chain) (facts_hold chain_fact c) chains = true.
Hypothesis chains_first : covered chains ([Zpos (cell_of start)], first_zone) = true.

Lemma chain_noted w b u : cleared b u -> exists v low,
  noted chains (w ++ u) [if b then 1 else 0; class (len u); Z.of_nat (type (run w)); v; low]
  /\ potential (run w) - len u / 4 - count_k (run (w ++ u)) <= v
  /\ (low = 0 /\ potential (run w) - len u / 4 - count_k (run (w ++ u)) = v \/ low = 1).
Proof.
  assert (More : forall u (b b' : bool) a v low, 1 <= len u ->
    noted chains (w ++ u) [if b then 1 else 0; class (len u); Z.of_nat (type (run w)); v; low] ->
    potential (run w) - len u / 4 - count_k (run (w ++ u)) <= v ->
    (low = 0 /\ potential (run w) - len u / 4 - count_k (run (w ++ u)) = v \/ low = 1) ->
    match a with empty => b = true | stone => True end -> b' = match a with empty => false | stone => true end ->
    exists v low, noted chains (w ++ u ++ [a]) [if b' then 1 else 0; class (len (u ++ [a])); Z.of_nat (type (run w));
      v; low]
    /\ potential (run w) - len (u ++ [a]) / 4 - count_k (run (w ++ u ++ [a])) <= v
    /\ (low = 0 /\ potential (run w) - len (u ++ [a]) / 4 - count_k (run (w ++ u ++ [a])) = v \/ low = 1)).
  { clear u b. intros u b b' a v low U N L X A ->.
    destruct (noted_step _ _ _ chains_closed _ _ N) as (z & vv & _ & _ & _ & M).
    destruct (M a) as (mv & _ & R & M'). rewrite app_assoc, R. cbn [moved count_k]. unfold chain in M'.
    destruct (class_more (len u) U) as [C Q].
    assert (E : len (u ++ [a]) = len u + 1) by (rewrite app_length; simpl; lia). rewrite E, Q, C.
    replace (match a with empty => (if b then 1 else 0) =? 0 | stone => false end) with false in M'
      by (destruct a; [subst b |]; reflexivity).
    destruct (Z.ltb_spec (v - add_k mv - full (more (class (len u)))) (-12)).
    - exists (-12), 1. split; [apply M'; left; destruct a; reflexivity |]. split; [lia | now right].
    - exists (v - add_k mv - full (more (class (len u)))), low. split; [apply M'; left; destruct a; reflexivity |].
      split; [lia |].
      destruct X as [[X X'] | X]; [left; split; [assumption | lia] | now right]. }
  induction 1 as [| b u U (v & low & N & L & X) | u U (v & low & N & L & X)].
  - destruct (noted_step _ _ _ chains_closed _ _
      (always_noted _ _ _ chains_closed chains_first (fun _ _ _ _ => or_introl eq_refl) w)) as
      (z & vv & _ & _ & _ & M). destruct (M empty) as (mv & _ & R & M').
    exists (constant (cell_at (cell_of (run w))) - add_k mv), 0. split; [apply M'; right; left; reflexivity |].
    rewrite R. change (len [empty]) with 1. change (1 / 4) with 0. cbn [moved count_k]. unfold potential. lia.
  - apply cleared_length in U. now apply (More u b true stone v low).
  - apply cleared_length in U. now apply (More u true false empty v low).
Qed.

Lemma chain_known w u m : jumped u m -> exists t a low tn mn p,
  In (p, [class (Z.of_nat m); t; a; low; tn; mn]) (Map.elements c)
  /\ t = Z.of_nat (type (run w)) /\ tn = Z.of_nat (type (run (w ++ u))) /\ (mn < 4 -> potential (run (w ++ u)) <= mn)
  /\ potential (run w) - potential (run (w ++ u)) - Z.of_nat m / 4 <= a
  /\ (low = 0 /\ potential (run w) - potential (run (w ++ u)) - Z.of_nat m / 4 = a \/ low = 1).
Proof.
  intros J. apply jumped_cleared in J as [J ->]. destruct (chain_noted w true u J) as (v & low & N & L & X).
  destruct (noted_step _ _ _ chains_closed _ _ N) as (z & vv & S & P & G & _). unfold facts_hold, chain_fact in G.
  cbn [Z.eqb Pos.eqb] in G.
  change (cell_number _) with (cell_at (cell_of (run (w ++ u)))) in G. set (k := cell_at (cell_of (run (w ++ u)))) in *.
  unfold in_facts in G. destruct (Map.find _ c) as [t' |] eqn:F; [| discriminate]. apply same_key_equal in G as <-.
  do 6 eexists. split; [apply Map.elements_correct, F |]. split; [reflexivity |]. split; [reflexivity |].
  split; [intros M; now apply bound_of_sound with vv |]. unfold potential at 2 4. fold k. split; [lia |].
  destruct X as [[X X'] | X]; [left; split; [assumption | lia] | now right].
Qed.

End Sound.

Lemma fine_pairs w u m v : jumped u m -> exists t a low tn mn th e tm mh,
  jump_left_fine t a low tn mn th e tm mh = true /\ jump_right_fine t a low tn mn th e tm mh = true
  /\ t = Z.of_nat (type (run w)) /\ tn = Z.of_nat (type (run (w ++ u))) /\ (mn < 4 -> potential (run (w ++ u)) <= mn)
  /\ potential (run w) - potential (run (w ++ u)) - Z.of_nat m / 4 <= a
  /\ (low = 0 /\ potential (run w) - potential (run (w ++ u)) - Z.of_nat m / 4 = a \/ low = 1)
  /\ th = Z.of_nat (type (run v)) /\ tm = Z.of_nat (type (run (v ++ dots m))) /\ (mh < 4 -> potential (run v) <= mh)
  /\ potential (run (v ++ dots m)) - potential (run v) - Z.of_nat m / 4 = e.
Proof.
  intros J. pose proof jump_checked as H. pose proof dots_known as D. revert H D. unfold jump_check.
  generalize dots_facts chain_table. cbv zeta. intros d chains H Dots.
  rewrite !andb_true_iff in H. destruct H as [[A B] E].
  destruct (chain_known chains _ A B w u m J) as (t & a & low & tn & mn & p & I & X).
  assert (M : (0 < m)%nat) by (destruct J as (? & _ & _ & ->); lia).
  destruct (Dots v m M) as (th & e & tm & mh & lh & q & I' & Y).
  rewrite forallb_forall in E. specialize (E _ I). cbv beta iota in E. rewrite forallb_forall in E.
  specialize (E _ I'). cbv beta iota in E.
  unfold fine_together in E. rewrite Z.eqb_refl in E. apply andb_true_iff in E as [E E'].
  exists t, a, low, tn, mn, th, e, tm, mh. tauto.
Qed.

(** R3. *)
Theorem jump_left_wins w u m h : jumped u m -> wins_board (h ++ dots m) w = false -> wins_board (w ++ u) h = true.
Proof.
  intros J H. destruct (fine_pairs w u m h J) as (t & a & low & tn & mn & th & e & tm & mh & F & _ & -> & ->
    & Mn & A & X & -> & -> & Mh & E).
  unfold wins_board, beats in *. unfold jump_left_fine in F. rewrite !kind_of_nat in F.
  apply andb_true_iff in F as [B F]. apply Z.leb_le in B.
  set (g := run (w ++ u)) in *. set (s := run h) in *. set (r := run w) in *. set (q := run (h ++ dots m)) in *.
  destruct (Z_le_gt_dec 1 (potential g - potential s)) as [L | L]; [now apply wins_by_positive |].
  destruct (Z_le_gt_dec (potential g - potential s) (-4))
    as [L' | L']; [rewrite wins_by_positive in H by lia; discriminate |].
  rewrite forallb_forall in F. specialize (F (potential g - potential s)).
  rewrite !orb_true_iff, !andb_true_iff, !Z.ltb_lt in F.
  destruct F as [[[F | F] | [F F']] | [F F']]; [simpl; lia | assumption | exfalso .. ].
  - destruct X as [[-> X] | ->]; simpl in F.
    + replace (- (potential g - potential s) + e - a) with (potential q - potential r) in F by lia. congruence.
    + apply Z.leb_le in F. rewrite wins_by_positive in H by lia. discriminate.
  - pose proof (least_potential_right h) as Z. fold s in Z. specialize (Mn F). lia.
  - pose proof (least_potential_right (w ++ u)) as Z. fold g in Z. specialize (Mh F). lia.
Qed.

(** R4. *)
Theorem jump_right_wins g w u m : jumped u m -> wins_board w (g ++ dots m) = false -> wins_board g (w ++ u) = true.
Proof.
  intros J H. destruct (fine_pairs w u m g J) as (t & a & low & tn & mn & th & e & tm & mh & _ & F & -> & ->
    & Mn & A & X & -> & -> & Mh & E).
  unfold wins_board, beats in *. unfold jump_right_fine in F. rewrite !kind_of_nat in F.
  apply andb_true_iff in F as [B F].
  set (n := run (w ++ u)) in *. set (s := run g) in *. set (r := run w) in *. set (q := run (g ++ dots m)) in *.
  pose proof (least_potential_right g) as Zs. fold s in Zs.
  destruct (Z_le_gt_dec 1 (potential s - potential n)) as [L | L]; [now apply wins_by_positive |].
  destruct (Z_le_gt_dec (potential s - potential n) (-4)) as [L' | L'].
  { exfalso. rewrite orb_true_iff, andb_true_iff, Z.eqb_eq, !Z.leb_le in B. destruct B as [[-> B] | B].
    - destruct X as [[_ X] | X]; [| discriminate]. rewrite wins_by_positive in H by lia. discriminate.
    - specialize (Mn ltac:(lia)). pose proof (least_potential_natural (type s)). lia. }
  rewrite forallb_forall in F. specialize (F (potential s - potential n)).
  rewrite !orb_true_iff, !andb_true_iff, !Z.ltb_lt in F.
  destruct F as [[[F | [F F']] | [F F']] | [F F']]; [simpl; lia | assumption | exfalso .. ].
  - destruct X as [[-> X] | ->]; [| discriminate].
    replace (- (potential s - potential n) + a - e) with (potential r - potential q) in F' by lia. congruence.
  - specialize (Mn F). lia.
  - pose proof (least_potential_right (w ++ u)) as Z. fold n in Z. specialize (Mh F). lia.
Qed.
