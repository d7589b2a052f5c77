(** * Tables for one word *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Zones Cells Automaton Classes.
Open Scope Z_scope.

(** Which integers of a zone are the counters of a state. *)
Definition place := nat -> atom.
Definition first_place : place := fun i =>
  match i with 0%nat => (0%nat, 0) | 1%nat => (1%nat, 0) | 2%nat => (2%nat, 0) | _ => (3%nat, 0) end.

Definition at_place (v : valuation) (w : place) (s : state) : Prop := forall i, value v (w i) = local s i.

Definition lift (w : place) (a : atom) : atom := let (g, o) := w (fst a) in (g, o + snd a).

Lemma value_lift v w a s : at_place v w s -> value v (lift w a) = value (local s) a.
Proof.
  intros H. specialize (H (fst a)). unfold lift. destruct (w (fst a)) as [g o]. unfold value in *. simpl in *. lia.
Qed.

Definition cell_number (c : Z) : cell := cell_at (Z.to_pos c).

Lemma pieces_cell v w s z : sat z v -> at_place v w s ->
  exists z', In (cell_of s, z') (pieces w (tree_at (family s)) z) /\ sat z' v.
Proof.
  intros S E. destruct (pieces_sound w (tree_at (family s)) z v S) as (z' & I & S'). exists z'. split; [| assumption].
  unfold cell_of. now rewrite (walk_same (local s) (fun i => value v (w i)) (tree_at (family s))).
Qed.

(** A key is a cell and notes. [after] says with which notes to go on after one more square. *)
Section Single.

Variable after : cell -> zone -> list Z -> square -> Z -> list (list Z).

Definition single_to (c : cell) (z : zone) (b : list Z) (a : square) : option (list (list Z * zone)) :=
  match move_on c a with
  | None => None
  | Some m =>
      match after c z b a (add_k m) with
      | [] => Some []
      | bs =>
          let p := pieces first_place (tree_at (to m)) (image [(0%nat, 0); (1%nat, add_k m);
            lift first_place (new_x m); lift first_place (new_y m)] z) in
          Some (flat_map (fun b => map (fun '(c, z) => (Zpos c :: b, z)) p) bs)
      end
  end.

Definition single_next (key : list Z) (z : zone) : option (list (list Z * zone)) :=
  match key with
  | [] => None
  | c :: b =>
      match single_to (cell_number c) z b empty, single_to (cell_number c) z b stone with
      | Some l, Some m => Some (l ++ m)
      | _, _ => None
      end
  end.

Variable good : list Z -> zone -> bool.
Variable m : table.
Hypothesis m_closed : closed single_next good m = true.

(** The word may have these notes. *)
Definition noted (w : list square) (b : list Z) : Prop :=
  exists v, at_place v first_place (run w) /\ listed m (Zpos (cell_of (run w)) :: b) v.

Lemma single_moved v mv s : at_place v first_place s ->
  at_place (result [(0%nat, 0); (1%nat, add_k mv); lift first_place (new_x mv);
    lift first_place (new_y mv)] v) first_place (moved mv s).
Proof.
  intros P i. pose proof (P 0%nat) as P0. pose proof (P 1%nat) as P1. pose proof (value_lift v _ (new_x mv) s P) as X.
  pose proof (value_lift v _ (new_y mv) s P) as Y.
  destruct i as [| [| [| i]]];
    [| | transitivity (value (local s) (new_x mv)); [rewrite <- X | reflexivity]
       | transitivity (value (local s) (new_y mv)); [rewrite <- Y | reflexivity]];
    unfold value at 1, result; cbn [fst snd nth first_place]; try lia; unfold value in *; simpl in *; lia.
Qed.

Lemma noted_step w b : noted w b ->
  exists z v, sat z v /\ at_place v first_place (run w) /\ good (Zpos (cell_of (run w)) :: b) z = true
  /\ forall a, exists mv, move_on (cell_at (cell_of (run w))) a = Some mv /\ run (w ++ [a]) = moved mv (run w)
  /\ forall b', In b' (after (cell_at (cell_of (run w))) z b a (add_k mv)) -> noted (w ++ [a]) b'.
Proof.
  intros (v & P & L). destruct (closed_sound _ _ _ _ _ m_closed L) as (z & l & S & G & N & C). exists z, v.
  repeat (split; [assumption |]).
  intros a. simpl in N. change (cell_number _) with (cell_at (cell_of (run w))) in N.
  set (c := cell_at (cell_of (run w))) in *.
  assert (Q : exists l', single_to c z b a = Some l' /\ incl l' l).
  { destruct (single_to c z b empty) as [le |] eqn:E; [| discriminate].
    destruct (single_to c z b stone) as [ls |] eqn:F; [| discriminate].
    injection N as <-. destruct a; eexists; (split; [eassumption |]); [apply incl_appl | apply incl_appr];
      apply incl_refl. }
  clear N. destruct Q as (l' & N & I). unfold single_to in N. destruct (move_on c a) as [mv |] eqn:M; [| discriminate].
  exists mv. split; [reflexivity |].
  assert (R : run (w ++ [a]) = moved mv (run w)) by (rewrite run_snoc; unfold step; fold c; now rewrite M).
  split; [assumption |]. intros b' B. destruct (after c z b a (add_k mv)) as [| b0 bs]; [contradiction |].
  injection N as N.
  pose proof (single_moved v mv _ P) as P'.
  set (u := [(0%nat, 0); (1%nat, add_k mv); lift first_place (new_x mv); lift first_place (new_y mv)]) in *.
  destruct (pieces_cell _ _ _ _ (image_sound u z v S) P') as (z' & J & S').
  exists (result u v). rewrite R. split; [assumption |]. apply (C _ z'); [| assumption]. apply I. rewrite <- N.
  refine (proj2 (in_flat_map _ (b0 :: bs) _) _). exists b'. split; [assumption |].
  apply in_map_iff. exists (cell_of (moved mv (run w)), z'). auto.
Qed.

End Single.

Definition first_zone : zone := repeat (repeat 0 4) 4.

Lemma first_noted m b : covered m (Zpos (cell_of start) :: b, first_zone) = true -> noted m [] b.
Proof.
  intros H. exists (fun _ => 0). split; [now intros [| [| [| i]]] |].
  apply (covered_listed m _ first_zone); [assumption |].
  repeat (split; [intros _; reflexivity |]); repeat split; intros _; reflexivity.
Qed.

(** Where an object may begin before any square, every word has the notes [[]]. *)
Lemma always_noted after good m :
  closed (single_next after) good m = true -> covered m ([Zpos (cell_of start)], first_zone) = true ->
  (forall c z a d, In [] (after c z [] a d)) -> forall w, noted m w [].
Proof.
  intros C F H. induction w as [| a w IH] using rev_ind; [now apply first_noted |].
  destruct (noted_step _ _ _ C _ _ IH) as (z & v & _ & _ & _ & N). destruct (N a) as (mv & _ & _ & N'). apply N', H.
Qed.
