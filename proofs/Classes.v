(** * Who wins: the automaton and the rule *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Zones Cells Automaton.
Open Scope Z_scope.

Fixpoint number_from {A} (p : positive) (l : list A) : Map.t A :=
  match l with [] => Map.empty A | a :: l => Map.add p a (number_from (Pos.succ p) l) end.

Definition tree_map : Map.t tree := Eval vm_compute in number_from 1 tree_list.
Definition cell_map : Map.t cell := Eval vm_compute in number_from 1 cell_list.

Definition tree_at (f : positive) : tree := match Map.find f tree_map with Some t => t | None => Leaf 1 end.
Definition cell_at (c : positive) : cell := match Map.find c cell_map with Some c => c | None => Cell None None 0 0 end.

(** A family of words and three counters. *)
Record state := State { family : positive; count_k : Z; count_x : Z; count_y : Z }.

Definition local (s : state) (i : nat) : Z :=
  match i with 0%nat => 0 | 1%nat => count_k s | 2%nat => count_x s | _ => count_y s end.

Definition cell_of (s : state) : positive := walk (local s) (tree_at (family s)).

Definition moved (m : move) (s : state) : state :=
  State (to m) (count_k s + add_k m) (value (local s) (new_x m)) (value (local s) (new_y m)).

(** There is a move from every state of a word (Singles.v). *)
Definition step (s : state) (a : square) : state :=
  match move_on (cell_at (cell_of s)) a with Some m => moved m s | None => s end.

Definition start : state := State 1 0 0 0.

Definition run (w : list square) : state := fold_left step w start.

Definition potential (s : state) : Z := count_k s + constant (cell_at (cell_of s)).
Definition type (s : state) : nat := kind (cell_at (cell_of s)).

(** The lead of the one who is to move, and the types of the two half strips. *)
Definition wins_by (lead : Z) (t u : nat) : bool :=
  if lead =? 0 then nth u (nth t matrix_0 []) false
  else if lead =? -1 then nth u (nth t matrix_1 []) false
  else 0 <? lead.

Definition beats (s t : state) : bool := wins_by (potential s - potential t) (type s) (type t).

(** Left, to move, wins the board with [g] to the left of the ball and [h] to the right, both read
    from their goal lines. *)
Definition wins_board (g h : list square) : bool := beats (run g) (run h).

Lemma run_app w v : run (w ++ v) = fold_left step v (run w).
Proof. apply fold_left_app. Qed.

Lemma run_snoc w a : run (w ++ [a]) = step (run w) a.
Proof. now rewrite run_app. Qed.

(** ** Types and leads *)

Definition types : list nat := seq 0 17.

(** Where a turn changes the lead by at most 3, other leads need no check. *)
Definition leads : list Z := [0; -1; -2; -3].

Lemma cells_kind : forallb (fun '(_, c) => Nat.ltb (kind c) 17) (Map.elements cell_map) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma type_small s : In (type s) types.
Proof.
  unfold type, cell_at. apply in_seq. destruct (Map.find (cell_of s) cell_map) as [c |] eqn:E; [| simpl; lia].
  pose proof cells_kind as H. rewrite forallb_forall in H. specialize (H _ (Map.elements_correct _ _ E)).
  apply Nat.ltb_lt in H. lia.
Qed.

Lemma wins_by_positive l t u : 1 <= l -> wins_by l t u = true.
Proof.
  intros L. unfold wins_by. rewrite (proj2 (Z.eqb_neq l 0)), (proj2 (Z.eqb_neq l (-1))) by lia.
  apply Z.ltb_lt. lia.
Qed.

Lemma wins_by_negative l t u : l <= -2 -> wins_by l t u = false.
Proof.
  intros L. unfold wins_by. rewrite (proj2 (Z.eqb_neq l 0)), (proj2 (Z.eqb_neq l (-1))) by lia.
  apply Z.ltb_ge. lia.
Qed.

Lemma wins_by_monotone l l' t u : In t types -> In u types -> l' <= l -> wins_by l t u = false ->
  wins_by l' t u = false.
Proof.
  intros T U L H. assert (C : forallb (fun t => forallb
    (fun u => implb (nth u (nth t matrix_1 []) false) (nth u (nth t matrix_0 []) false)) types) types = true)
    by (vm_compute; reflexivity).
  rewrite forallb_forall in C. specialize (C _ T). rewrite forallb_forall in C. specialize (C _ U). unfold wins_by in *.
  destruct (Z.eqb_spec l 0), (Z.eqb_spec l' 0), (Z.eqb_spec l (-1)), (Z.eqb_spec l' (-1)); try lia; try assumption;
    destruct (Z.ltb_spec 0 l'), (Z.ltb_spec 0 l); try lia; try discriminate; try reflexivity.
  rewrite H in C. now destruct (nth u (nth t matrix_1 []) false).
Qed.

(** The leads and types for which a stone may not be enough: lead, types of the half strips to the
    left and to the right. *)
Definition hot (l : Z) (g h : nat) : bool :=
  match l with
  | -1 => match h with
          | 9 => existsb (Nat.eqb g) [2; 6; 3; 5; 11] | 4 => existsb (Nat.eqb g) [5; 11]
          | 1 | 6 | 8 => Nat.eqb g 11 | 12 => existsb (Nat.eqb g) [11; 13] | _ => false
          end%nat
  | 0 => match h with 10 => existsb (Nat.eqb g) [2; 6] | 14 => Nat.eqb g 11 | 13 => Nat.eqb g 12 | _ => false end%nat
  | _ => false
  end.
