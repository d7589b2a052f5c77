(** * The squares that a jump turn clears, and half strips that let the opponent jump home

    A half strip is a word of squares, read from the goal line to the ball. *)

From Coq Require Import ZArith Lia.
From Phutball Require Import Rules Play Stone.

Notation len w := (Z.of_nat (length w)).

(** The landing and the squares crossed so far: no two adjacent squares are empty. The first
    argument is [true] if the last square has a stone. *)
Inductive cleared : bool -> list square -> Prop :=
| cleared_landing : cleared false [empty]
| cleared_stone b u : cleared b u -> cleared true (u ++ [stone])
| cleared_empty u : cleared true u -> cleared false (u ++ [empty]).

Lemma cleared_stones b u k : cleared b u -> cleared true (u ++ repeat stone (S k)).
Proof.
  revert b u. induction k as [| k IH]; intros b u H; [now apply cleared_stone with b |].
  change (repeat stone (S (S k))) with ([stone] ++ repeat stone (S k)). rewrite app_assoc. apply (IH true).
  now apply cleared_stone with b.
Qed.

Lemma cleared_runs a : runs a -> forall b u, cleared b u -> cleared true (u ++ a).
Proof.
  induction 1 as [k | a a' _ IH _ IH']; intros b u H; [now apply (cleared_stones b) |].
  replace (u ++ a ++ empty :: a') with (((u ++ a) ++ [empty]) ++ a') by now rewrite <- !app_assoc.
  apply (IH' false), cleared_empty. now apply (IH b).
Qed.

Lemma cleared_jump a : runs a -> cleared true (empty :: a).
Proof. intros H. exact (cleared_runs a H false [empty] cleared_landing). Qed.

Lemma jump_cleared b u : cleared b u ->
  if b then exists a, runs a /\ u = empty :: rev a
  else u = [empty] \/ exists a, runs a /\ u = empty :: rev a ++ [empty].
Proof.
  induction 1 as [| b u _ IH | u _ (a & A & ->)].
  - now left.
  - destruct b.
    + destruct IH as (a & A & ->). exists (stone :: a). split; [now apply runs_stone | reflexivity].
    + destruct IH as [-> | (a & A & ->)].
      * exists [stone]. split; [apply (runs_one 0) | reflexivity].
      * exists (stone :: empty :: a). split; [apply (runs_more [stone] a (runs_one 0) A) |]. simpl.
        now rewrite <- app_assoc.
  - right. exists a. split; [assumption | reflexivity].
Qed.

(** No two empty squares are adjacent. *)
Inductive open_way : bool -> list square -> Prop :=
| open_first a : open_way (match a with stone => true | empty => false end) [a]
| open_stone b w : open_way b w -> open_way true (w ++ [stone])
| open_empty w : open_way true w -> open_way false (w ++ [empty]).

Lemma way_home_stone_first r : way_home r -> way_home (stone :: r).
Proof.
  intros [H | (a & H & ->)]; [left; now apply runs_stone | right].
  exists (stone :: a). split; [now apply runs_stone | reflexivity].
Qed.

Lemma way_home_empty_first r : way_home r -> way_home (stone :: empty :: r).
Proof.
  intros [H | (a & H & ->)]; [left; apply (runs_more [stone] r (runs_one 0) H) | right].
  exists (stone :: empty :: a). split; [apply (runs_more [stone] a (runs_one 0) H) | reflexivity].
Qed.

Lemma open_way_home b w : open_way b w ->
  if b then way_home (rev w) else w = [empty] \/ exists r, way_home r /\ rev w = empty :: r.
Proof.
  induction 1 as [[|] | b w _ IH | w _ IH].
  - now left.
  - left. apply (runs_one 0).
  - rewrite rev_app_distr. simpl. destruct b; [now apply way_home_stone_first |].
    destruct IH as [-> | (r & R & ->)].
    + right. exists [stone]. split; [apply (runs_one 0) | reflexivity].
    + now apply way_home_empty_first.
  - right. rewrite rev_app_distr. simpl. eauto.
Qed.

Lemma runs_rev a : runs a -> runs (rev a).
Proof.
  induction 1 as [k | a b _ IH _ IH']; [rewrite rev_repeat; apply runs_one |].
  rewrite rev_middle. now apply runs_more.
Qed.
