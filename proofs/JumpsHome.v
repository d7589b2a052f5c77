(** * Who can jump home wins: condition R0 *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Cleared Conditions Zones Cells Automaton Classes LeastPotentials.
Open Scope Z_scope.

Lemma run_home a : runs a -> fold_left step a start = start /\ fold_left step a (step start empty) = start.
Proof.
  induction 1 as [k | a b _ [A A'] _ [_ B]].
  - assert (E : fold_left step (repeat stone k) start = start).
    { induction k as [| k IH]; [reflexivity |]. simpl. exact IH. }
    split; simpl; exact E.
  - rewrite !fold_left_app. simpl. rewrite A, A'. split; exact B.
Qed.

Theorem home_wins g h : home h -> wins_board g h = true.
Proof.
  intros H. assert (E : run h = start).
  { destruct H as [R | (m & a & R & -> & _)]; [exact (proj1 (run_home h R)) | exact (proj2 (run_home a R))]. }
  unfold wins_board, beats. rewrite E. change (potential start) with 0. rewrite Z.sub_0_r.
  pose proof (least_potential_right g) as L.
  assert (C : forallb (fun t => (1 <=? least_potential t) || (0 <=? least_potential t)
    && wins_by 0 t (type start)) types = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in C. specialize (C _ (type_small (run g))). apply orb_true_iff in C as [C | C].
  - apply Z.leb_le in C. apply wins_by_positive. lia.
  - apply andb_true_iff in C as [N C]. apply Z.leb_le in N.
    destruct (Z.eq_dec (potential (run g)) 0) as [-> |]; [assumption | apply wins_by_positive; lia].
Qed.
