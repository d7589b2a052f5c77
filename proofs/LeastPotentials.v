(** * Every word has a move for each square, and the least potential of each type *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Zones Cells Automaton Classes Notes.
Open Scope Z_scope.

(** ** The cells that occur, and the least potential of each type *)

Definition least_potentials : list Z := [1; 0; 1; 1; 2; 1; 1; 2; 2; 2; 2; 1; 2; 3; 3; 2; 3].
Definition least_potential (t : nat) : Z := nth t least_potentials 0.

Definition plain (_ : cell) (_ : zone) (_ : list Z) (_ : square) (_ : Z) : list (list Z) := [[]].

Definition plain_good (key : list Z) (z : zone) : bool :=
  match key with
  | c :: _ => let c := cell_number c in let d :=
    diff z (0%nat, 0) (1%nat, 0) in (d <? inf) && (least_potential (kind c) <=? - d + constant c)
  | [] => false
  end.

Definition plain_table : table := find_table (single_next plain) 12 [([Zpos (cell_of start)], first_zone)].

Definition plain_check : bool :=
  let m := plain_table in closed (single_next plain) plain_good m && covered m ([Zpos (cell_of start)], first_zone).

Lemma plain_checked : plain_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem plain_noted : closed (single_next plain) plain_good plain_table = true /\ forall w, noted plain_table w [].
Proof.
  pose proof plain_checked as H. revert H. unfold plain_check. generalize plain_table. cbv zeta. intros m H.
  apply andb_true_iff in H as [H F]. split; [assumption |]. apply (always_noted _ _ _ H F). now left.
Qed.

(** Every word has a move for each square. *)
Theorem every_square_has_a_move w a : exists mv, move_on (cell_at (cell_of (run w))) a = Some mv /\ run (w ++ [a]) = moved mv (run w).
Proof.
  destruct plain_noted as [H N]. destruct (noted_step _ _ _ H _ _ (N w)) as (z & v & _ & _ & _ & M).
  destruct (M a) as (mv & E & R & _). eauto.
Qed.

Theorem least_potential_right w : least_potential (type (run w)) <= potential (run w).
Proof.
  destruct plain_noted as [H N]. destruct (noted_step _ _ _ H _ _ (N w)) as (z & v & S & P & G & _).
  unfold plain_good in G. change (cell_number _) with (cell_at (cell_of (run w))) in G.
  apply andb_true_iff in G as [F G].
  apply Z.ltb_lt in F. apply Z.leb_le in G. pose proof (diff_sound z v _ _ S F) as D.
  pose proof (P 0%nat) as P0. pose proof (P 1%nat) as P1. unfold value, potential, type in *. simpl in *. lia.
Qed.

Lemma least_potential_natural t : 0 <= least_potential t.
Proof. unfold least_potential, least_potentials. do 18 (destruct t as [| t]; [simpl; lia |]). destruct t; simpl; lia.
Qed.

Lemma potential_natural w : 0 <= potential (run w).
Proof. pose proof (least_potential_right w). pose proof (least_potential_natural (type (run w))). lia. Qed.
