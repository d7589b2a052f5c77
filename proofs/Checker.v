(** * The checker and its theorem *)

From Coq Require Import Arith PArith NArith Bool Ascii String.
From Phutball Require Import Rules Play Reading Search Check Count.

(** ** Text

    The output of [phutbase export N --proof] is a list of numbers; any other characters separate
    them. They are the number of squares; the number of levels; for each level its two nodes (Left
    to move, Right to move); for each node from 2 on its children for an empty cell, a stone, and
    the ball. Node 0 accepts nothing, node 1 everything. The diagrams need not be reduced or
    ordered: every node accepts some set of boards. *)

Definition digit (c : ascii) : option N :=
  let m := N_of_ascii c in if (48 <=? m)%N && (m <=? 57)%N then Some (m - 48)%N else None.

Fixpoint numbers (text : string) (open : option N) (read : list N) : list N :=
  match text with
  | EmptyString => rev' (match open with Some m => m :: read | None => read end)
  | String c text =>
      match digit c, open with
      | Some x, Some m => numbers text (Some (10 * m + x)%N) read
      | Some x, None => numbers text (Some x) read
      | None, Some m => numbers text None (m :: read)
      | None, None => numbers text None read
      end
  end.

Fixpoint read_levels (k : N) (l : list N) (levels : list (positive * positive)) : option (list (positive * positive) * list N) :=
  match k, l with
  | 0%N, _ => Some (rev' levels, l)
  | _, a :: r :: l => read_levels (N.pred k) l ((N.succ_pos a, N.succ_pos r) :: levels)
  | _, _ => None
  end.

Fixpoint read_nodes (q : positive) (l : list N) (d : diagram) : option diagram :=
  match l with
  | [] => Some d
  | e :: s :: b :: l => read_nodes (Pos.succ q) l (Map.add q (N.succ_pos e, N.succ_pos s, N.succ_pos b) d)
  | _ => None
  end.

(** ** The check *)

Definition all_decided (n : nat) (d : diagram) (levels : list (positive * positive)) : bool :=
  match n, rev' levels with
  | S k, (a, r) :: _ =>
      levels_follow d n None levels &&
      let t := count d k in N.eqb (count_boards d t a + count_boards d t r) (count_boards d t top)
  | _, _ => false
  end.

Definition check (n : nat) (text : string) : bool :=
  match numbers text None [] with
  | m :: k :: l =>
      N.eqb m (N.of_nat n) &&
      match read_levels k l [] with
      | Some (levels, l) =>
          match read_nodes 3 l (Map.empty _) with
          | Some d => all_decided n d levels
          | None => false
          end
      | None => false
      end
  | _ => false
  end.

(** ** The theorem *)

Lemma all_decided_sound n d levels : all_decided n d levels = true -> decided n.
Proof.
  unfold all_decided, rev'. rewrite rev_append_rev, app_nil_r. intros H. destruct n as [| k]; [discriminate |].
  destruct (rev levels) as [| [a r] l] eqn:E; [discriminate |].
  apply andb_true_iff in H as [H C]. apply N.eqb_eq in C.
  assert (K : nth_error levels (List.length l) = Some (a, r)).
  { apply (f_equal (@rev _)) in E. rewrite rev_involutive in E. simpl in E. subst.
    rewrite nth_error_app2; rewrite rev_length; [| apply Nat.le_refl]. now rewrite Nat.sub_diag. }
  pose proof (levels_follow_won d (S k) levels H _ a r K) as W.
  apply (large_enough (S k) (accepts d a) (accepts d r)).
  - intros b P N. apply (W b P N).
  - intros b P N. apply (W b P N).
  - rewrite !boards_counted, accepted_top in C. unfold number_accepted in C. rewrite <- Nnat.Nat2N.inj_add in C. now apply Nnat.Nat2N.inj in C.
Qed.

(** If the checker accepts a text for [n] squares, one of the players wins every position of [n]
    squares. *)
Theorem check_sound n text : check n text = true -> decided n.
Proof.
  unfold check. destruct (numbers text None []) as [| m [| k l]]; try discriminate.
  intros H. apply andb_true_iff in H as [_ H].
  destruct (read_levels k l []) as [[levels l'] |]; [| discriminate].
  destruct (read_nodes 3 l' _) as [d |]; [| discriminate].
  now apply all_decided_sound in H.
Qed.

(** In other words: no position is a draw. *)
Corollary check_no_draw n text : check n text = true -> forall b q, playing b -> size b = n -> ~ draw q b.
Proof.
  intros H b q P N [NL NR]. destruct (check_sound n text H b q P N); contradiction.
Qed.

Print Assumptions check_sound.
Print Assumptions check_no_draw.
