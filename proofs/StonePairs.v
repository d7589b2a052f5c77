(** * A stone leads nowhere better: conditions R1 and R2

    Words are read side by side with the same words with one stone more. *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Zones Cells Automaton Classes Notes LeastPotentials.
Open Scope Z_scope.

(** The second state has [k] larger by [d]. *)
Definition second_place (d : Z) : place := fun i =>
  match i with 0%nat => (0%nat, 0) | 1%nat => (1%nat, d) | 2%nat => (4%nat, 0) | _ => (5%nat, 0) end.

(** A key is two cells and the difference of [k]. *)
Definition pair_key (c c' : positive) (d : Z) : list Z := [Zpos c; Zpos c'; d].

Definition pair_to (c c' : cell) (d : Z) (z : zone) (a a' : square) : option (list (list Z * zone)) :=
  match move_on c a, move_on c' a' with
  | Some m, Some m' =>
      let d' := d + add_k m' - add_k m in
      let z := image [(0%nat, 0); (1%nat, add_k m); lift first_place (new_x m); lift first_place (new_y m);
                      lift (second_place d) (new_x m'); lift (second_place d) (new_y m')] z in
      let t := tree_at (to m') in
      Some (flat_map (fun '(c, z) => map (fun '(c', z) => (pair_key c c' d', z)) (pieces (second_place d') t z))
              (pieces first_place (tree_at (to m)) z))
  | _, _ => None
  end.

Definition pair_next (key : list Z) (z : zone) : option (list (list Z * zone)) :=
  match key with
  | [c; c'; d] =>
      match pair_to (cell_number c) (cell_number c') d z empty empty,
        pair_to (cell_number c) (cell_number c') d z stone stone with
      | Some l, Some m => Some (l ++ m)
      | _, _ => None
      end
  | _ => None
  end.

Lemma pair_moved v m m' s s' d : at_place v first_place s -> at_place v (second_place d) s' ->
  let u := [(0%nat, 0); (1%nat, add_k m); lift first_place (new_x m); lift first_place (new_y m);
            lift (second_place d) (new_x m'); lift (second_place d) (new_y m')] in
  at_place (result u v) first_place (moved m s)
    /\ at_place (result u v) (second_place (d + add_k m' - add_k m)) (moved m' s').
Proof.
  intros P P' u.
  pose proof (P 0%nat) as P0. pose proof (P 1%nat) as P1. pose proof (P' 1%nat) as P1'.
  pose proof (value_lift v _ (new_x m) s P) as X. pose proof (value_lift v _ (new_y m) s P) as Y.
  pose proof (value_lift v _ (new_x m') s' P') as X'. pose proof (value_lift v _ (new_y m') s' P') as Y'.
  split; intros i.
  - destruct i as [| [| [| i]]];
      [| | transitivity (value (local s) (new_x m)); [rewrite <- X | reflexivity]
         | transitivity (value (local s) (new_y m)); [rewrite <- Y | reflexivity]];
      unfold value at 1, result; cbn [u fst snd nth first_place]; try lia; unfold value in *; simpl in *; lia.
  - destruct i as [| [| [| i]]];
      [| | transitivity (value (local s') (new_x m')); [rewrite <- X' | reflexivity]
         | transitivity (value (local s') (new_y m')); [rewrite <- Y' | reflexivity]];
      unfold value at 1, result; cbn [u fst snd nth second_place]; try lia; unfold value in *; simpl in *; lia.
Qed.

Lemma pair_to_sound v s s' d z a a' l : sat z v -> at_place v first_place s -> at_place v (second_place d) s' ->
  pair_to (cell_at (cell_of s)) (cell_at (cell_of s')) d z a a' = Some l ->
  exists z' v' d', In (pair_key (cell_of (step s a)) (cell_of (step s' a')) d', z') l /\ sat z' v'
  /\ at_place v' first_place (step s a) /\ at_place v' (second_place d') (step s' a').
Proof.
  intros S P P' N. unfold pair_to in N. unfold step.
  destruct (move_on (cell_at (cell_of s)) a) as [m |]; [| discriminate].
  destruct (move_on (cell_at (cell_of s')) a') as [m' |]; [| discriminate].
  injection N as <-. destruct (pair_moved v m m' s s' d P P') as [Q Q'].
  set (u := [(0%nat, 0); (1%nat, add_k m); lift first_place (new_x m); lift first_place (new_y m);
            lift (second_place d) (new_x m'); lift (second_place d) (new_y m')]) in *.
  set (d' := d + add_k m' - add_k m) in *.
  destruct (pieces_cell _ _ _ _ (image_sound u z v S) Q) as (z1 & I1 & S1).
  destruct (pieces_cell _ _ _ _ S1 Q') as (z2 & I2 & S2).
  exists z2, (result u v), d'. split; [| auto]. apply in_flat_map. exists (cell_of (moved m s), z1).
  split; [exact I1 |].
  apply in_map_iff. exists (cell_of (moved m' s'), z2). split; [reflexivity | exact I2].
Qed.

(** ** The check *)

(** The words have the types [t] and [t'] and potentials [p] and [p + d], and [p] is at most [most]
    if that is known. The other half strip has type [u], and a potential that is lower by [l], or higher. *)
Definition left_fine (t t' : nat) (d : Z) (most : Z) : bool :=
  forallb (fun u => forallb (fun l =>
    wins_by l t u || wins_by (- l - d) u t'
    || ((most <? inf) && (most - l <? least_potential u))) leads) types.

Definition right_fine (t t' : nat) (d : Z) (most : Z) : bool :=
  forallb (fun u => forallb (fun l =>
    wins_by l u t || wins_by (- l + d) t' u
    || ((most <? inf) && (most + l <? least_potential u))) leads) types.

Definition pair_good (key : list Z) (z : zone) : bool :=
  match key with
  | [c; c'; d] =>
      let c := cell_number c in let c' := cell_number c' in let d := d + constant c' - constant c in
      let most := diff z (1%nat, constant c) (0%nat, 0) in
      (-2 <=? d) && (d <=? 2) && left_fine (kind c) (kind c') d most && right_fine (kind c) (kind c') d most
  | _ => false
  end.

(** The pairs that one more stone makes. *)
Definition double (z : zone) : zone := image [(0%nat, 0); (1%nat, 0); (2%nat, 0); (3%nat, 0); (2%nat, 0); (3%nat, 0)] z.

Definition pair_starts (singles : table) : list (list Z * zone) :=
  flat_map (fun '(_, (key, z)) =>
    match key with
    | [c] => match pair_to (cell_number c) (cell_number c) 0 (double z) empty stone with Some l => l | None => [] end
    | _ => []
    end) (Map.elements singles).

Definition starts_covered (singles m : table) : bool :=
  forallb (fun '(_, (key, z)) =>
    match key with
    | [c] => match pair_to (cell_number c) (cell_number c) 0 (double z) empty stone
      with Some l => forallb (covered m) l | None => false end
    | _ => false
    end) (Map.elements singles).

Definition pair_table : table := find_table pair_next 12 (pair_starts plain_table).

Definition pair_check : bool :=
  let m := pair_table in closed pair_next pair_good m && starts_covered plain_table m.

Lemma pair_checked : pair_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Section Sound.

Variables singles m : table.
Hypothesis singles_all : forall w, noted singles w [].
Hypothesis m_closed : closed pair_next pair_good m = true.
Hypothesis m_starts : starts_covered singles m = true.

Definition paired (s s' : state) : Prop := exists v d,
  at_place v first_place s /\ at_place v (second_place d) s' /\ listed m (pair_key (cell_of s) (cell_of s') d) v.

Lemma paired_start w : paired (step (run w) empty) (step (run w) stone).
Proof.
  destruct (singles_all w) as (v & P & (z & F & S)). unfold starts_covered in m_starts.
  rewrite forallb_forall in m_starts.
  pose proof (m_starts _ (Map.elements_correct _ _ F)) as C. cbv beta iota in C.
  change (cell_number _) with (cell_at (cell_of (run w))) in C.
  destruct (pair_to _ _ _ _ _ _) as [l |] eqn:E; [| discriminate].
  set (u := [(0%nat, 0); (1%nat, 0); (2%nat, 0); (3%nat, 0); (2%nat, 0); (3%nat, 0)]).
  assert (P1 : at_place (result u v) first_place (run w)).
  { intros i. pose proof (P i) as Q. destruct i as [| [| [| i]]]; unfold value, result in *; simpl in *;
      unfold value; simpl; lia. }
  assert (P2 : at_place (result u v) (second_place 0) (run w)).
  { intros i. pose proof (P i) as Q. destruct i as [| [| [| i]]]; unfold value, result in *; simpl in *;
      unfold value; simpl; lia. }
  destruct (pair_to_sound (result u v) (run w) (run w) 0 (double z) empty stone l (image_sound u z v S) P1 P2 E)
    as (z' & v' & d' & I & S' & Q & Q').
  exists v', d'. split; [assumption |]. split; [assumption |]. rewrite forallb_forall in C.
  apply (covered_listed m _ z'); auto.
Qed.

Lemma paired_step s s' a : paired s s' -> paired (step s a) (step s' a).
Proof.
  intros (v & d & P & P' & L). destruct (closed_sound _ _ _ _ _ m_closed L) as (z & l & S & _ & N & C).
  unfold pair_next, pair_key in N. change (cell_number (Zpos (cell_of s))) with (cell_at (cell_of s)) in N.
  change (cell_number (Zpos (cell_of s'))) with (cell_at (cell_of s')) in N.
  destruct (pair_to _ _ d z empty empty) as [le |] eqn:E; [| discriminate].
  destruct (pair_to _ _ d z stone stone) as [ls |] eqn:F; [| discriminate].
  injection N as <-.
  destruct a; [destruct (pair_to_sound v s s' d z empty empty le S P P' E) as (z' & v' & d' & I & S' & Q & Q')
              | destruct (pair_to_sound v s s' d z stone stone ls S P P' F) as (z' & v' & d' & I & S' & Q & Q')];
    exists v', d'; (split; [assumption |]); (split; [assumption |]); apply (C _ z'); try assumption;
    apply in_or_app; auto.
Qed.

Lemma paired_words l r : paired (run (l ++ empty :: r)) (run (l ++ stone :: r)).
Proof.
  rewrite !run_app. simpl. pose proof (paired_start l) as H. revert H.
  generalize (step (run l) empty) (step (run l) stone).
  induction r as [| a r IH]; intros s s' H; [assumption |]. simpl. apply IH. now apply paired_step.
Qed.

End Sound.

(** What the check says of two words. *)
Lemma pairs_fine l r : exists d most,
  let s := run (l ++ empty :: r) in let s' := run (l ++ stone :: r) in
  potential s' = potential s + d /\ -2 <= d <= 2 /\ (most < inf -> potential s <= most)
  /\ left_fine (type s) (type s') d most = true /\ right_fine (type s) (type s') d most = true.
Proof.
  pose proof pair_checked as H. pose proof plain_noted as N. revert H N. unfold pair_check.
  generalize plain_table pair_table. cbv zeta. intros singles m H [_ N]. apply andb_true_iff in H as [C' S].
  destruct (paired_words singles m N C' S l r) as (v & d & P & P' & L).
  destruct (closed_sound _ _ _ _ _ C' L) as (z & _ & Z & G & _ & _). clear - Z G P P'.
  set (s := run (l ++ empty :: r)) in *. set (s' := run (l ++ stone :: r)) in *. unfold pair_good, pair_key in G.
  change (cell_number (Zpos (cell_of s))) with (cell_at (cell_of s)) in G.
  change (cell_number (Zpos (cell_of s'))) with (cell_at (cell_of s')) in G.
  rewrite !andb_true_iff, !Z.leb_le in G. destruct G as [[[A B] G] G'].
  exists (d + constant (cell_at (cell_of s')) - constant (cell_at (cell_of s))),
    (diff z (1%nat, constant (cell_at (cell_of s))) (0%nat, 0)).
  pose proof (P 0%nat) as P0. pose proof (P 1%nat) as P1. pose proof (P' 1%nat) as P1'. unfold value in P0, P1, P1'.
  simpl in P0, P1, P1'.
  unfold potential. repeat split; [lia | lia | lia | | exact G | exact G'].
  intros M. pose proof (diff_sound z v _ _ Z M) as D. unfold value in D. simpl in D. lia.
Qed.

(** R1 and R2. *)
Theorem stone_left l m h : wins_board h (l ++ stone :: m) = false -> wins_board (l ++ empty :: m) h = true.
Proof.
  unfold wins_board, beats. destruct (pairs_fine l m) as (d & most & E & B & M & F & _). cbv zeta in *.
  set (s := run (l ++ empty :: m)) in *. set (s' := run (l ++ stone :: m)) in *. set (t := run h). intros H.
  destruct (Z_le_gt_dec 1 (potential s - potential t)) as [L | L]; [now apply wins_by_positive |].
  destruct (Z_le_gt_dec (potential s - potential t) (-4)) as [L' | L'].
  { rewrite wins_by_positive in H by lia. discriminate. }
  unfold left_fine in F. rewrite forallb_forall in F. specialize (F (type t) (type_small t)).
  rewrite forallb_forall in F.
  specialize (F (potential s - potential t)). rewrite !orb_true_iff, andb_true_iff, !Z.ltb_lt in F.
  replace (- (potential s - potential t) - d) with (potential t - potential s') in F by lia. rewrite H in F.
  destruct F as [[F | F] | [F F']]; [simpl; lia | assumption | discriminate |].
  pose proof (least_potential_right h) as Z. fold t in Z. specialize (M F). lia.
Qed.

Theorem stone_right g l m : wins_board (l ++ stone :: m) g = false -> wins_board g (l ++ empty :: m) = true.
Proof.
  unfold wins_board, beats. destruct (pairs_fine l m) as (d & most & E & B & M & _ & F). cbv zeta in *.
  set (s := run (l ++ empty :: m)) in *. set (s' := run (l ++ stone :: m)) in *. set (t := run g). intros H.
  destruct (Z_le_gt_dec 1 (potential t - potential s)) as [L | L]; [now apply wins_by_positive |].
  destruct (Z_le_gt_dec (potential t - potential s) (-4)) as [L' | L'].
  { rewrite wins_by_positive in H by lia. discriminate. }
  unfold right_fine in F. rewrite forallb_forall in F. specialize (F (type t) (type_small t)).
  rewrite forallb_forall in F.
  specialize (F (potential t - potential s)). rewrite !orb_true_iff, andb_true_iff, !Z.ltb_lt in F.
  replace (- (potential t - potential s) + d) with (potential s' - potential t) in F by lia. rewrite H in F.
  destruct F as [[F | F] | [F F']]; [simpl; lia | assumption | discriminate |].
  pose proof (least_potential_right g) as Z. fold t in Z. specialize (M F). lia.
Qed.
