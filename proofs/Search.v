(** * Diagrams, and a search through all words at once

    A diagram represents the set of boards whose words it accepts. A property of all boards of a set
    is checked cell by cell from the left, for all boards together; the remaining obligations are a
    list of distinct items. *)

From Coq Require Import Arith Lia PArith Bool FMapPositive.
From Phutball Require Import Rules Play Reading.
Module Map := PositiveMap.

(** ** Diagrams *)

(** The children of every node, for an empty square, a stone, and the ball. *)
Definition diagram := Map.t (positive * positive * positive).

(** The leaves: one accepts nothing, the other everything. *)
Notation bottom := 1%positive.
Notation top := 2%positive.

Definition child (d : diagram) (q : positive) (c : cell) : positive :=
  match q with
  | bottom => bottom
  | top => top
  | _ =>
      match Map.find q d with
      | Some (e, s, b) => match c with Square empty => e | Square stone => s | Ball => b end
      | None => bottom
      end
  end.

(** A word is accepted if it leads to ⊤. *)
Fixpoint accepts (d : diagram) (q : positive) (w : list cell) : bool :=
  match w with
  | [] => Pos.eqb q top
  | c :: w => accepts d (child d q c) w
  end.

Lemma accepts_bottom d w : accepts d bottom w = false.
Proof. induction w; [reflexivity | assumption]. Qed.

Lemma accepts_top d w : accepts d top w = true.
Proof. induction w; [reflexivity | assumption]. Qed.

(** ** The words of boards have one ball *)

Fixpoint balls (w : list cell) : nat :=
  match w with
  | [] => 0
  | Ball :: w => S (balls w)
  | Square _ :: w => balls w
  end.

(** The possible next cells, and the flag after one of them: [true] if the ball is still to come. *)
Definition cells (ball : bool) : list cell := Square empty :: Square stone :: if ball then [Ball] else [].

Definition still (ball : bool) (c : cell) : bool := match c with Ball => false | Square _ => ball end.

Lemma balls_next ball c w : balls (c :: w) = Nat.b2n ball -> In c (cells ball) /\ balls w = Nat.b2n (still ball c).
Proof. destruct c as [[|] |], ball; simpl; intuition congruence. Qed.

Lemma balls_word b : balls (word b) = 1.
Proof.
  assert (H : forall l, balls (squares l) = 0) by (induction l; assumption || reflexivity).
  destruct b as [l r]. unfold word. simpl. induction l as [| q l IH]; simpl; [now rewrite H | assumption].
Qed.

Lemma length_word b : length (word b) = size b.
Proof. unfold word, size, squares. rewrite app_length. simpl. rewrite !map_length. lia. Qed.

(** ** The search *)

Section Search.

Variable item : Type.
Variable key : item -> positive.
Variable same : item -> item -> bool.
Hypothesis same_equal : forall i j, same i j = true -> i = j.

(** The items after one more cell, and the truth of an item at the end of the word. *)
Variable children : bool -> item -> list item.
Variable holds : item -> bool.

(** Items in buckets by key, and the list of all. *)
Definition add (seen : Map.t (list item) * list item) (i : item) : Map.t (list item) * list item :=
  let k := key i in
  match Map.find k (fst seen) with
  | Some bucket => if existsb (same i) bucket then seen else (Map.add k (i :: bucket) (fst seen), i :: snd seen)
  | None => (Map.add k [i] (fst seen), i :: snd seen)
  end.

Definition next (last : bool) (items : list item) : list item :=
  snd (fold_left (fun seen i => fold_left add (children last i) seen) items (Map.empty _, [])).

Fixpoint search (length : nat) (items : list item) : bool :=
  match length with
  | 0 => forallb holds items
  | S length => search length (next (Nat.eqb length 0) items)
  end.

(** The claim of an item about the rest of a word. *)
Variable good : item -> list cell -> Prop.
Hypothesis good_end : forall i, holds i = true -> good i [].
Hypothesis good_next : forall i c w, (forall j, In j (children (none w) i) -> good j w) -> good i (c :: w).

Definition kept (seen : Map.t (list item) * list item) : Prop :=
  forall k bucket, Map.find k (fst seen) = Some bucket -> incl bucket (snd seen).

Lemma add_keeps seen i : kept seen ->
  kept (add seen i) /\ In i (snd (add seen i)) /\ incl (snd seen) (snd (add seen i)).
Proof.
  intros H. unfold add. destruct (Map.find (key i) (fst seen)) as [bucket |] eqn:F.
  - destruct (existsb (same i) bucket) eqn:E.
    + split; [assumption |]. split; [| apply incl_refl].
      apply existsb_exists in E as (j & J & E). apply same_equal in E as ->. now apply (H _ _ F).
    + simpl. split; [| split; [now left | apply incl_tl, incl_refl]].
      intros k b Hk. simpl in *. destruct (Pos.eq_dec k (key i)) as [-> | N].
      * rewrite Map.gss in Hk. injection Hk as <-. apply incl_cons; [now left |]. now apply incl_tl, (H _ _ F).
      * rewrite Map.gso in Hk by assumption. now apply incl_tl, (H _ _ Hk).
  - simpl. split; [| split; [now left | apply incl_tl, incl_refl]].
    intros k b Hk. simpl in *. destruct (Pos.eq_dec k (key i)) as [-> | N].
    + rewrite Map.gss in Hk. injection Hk as <-. apply incl_cons; [now left | apply incl_nil_l].
    + rewrite Map.gso in Hk by assumption. now apply incl_tl, (H _ _ Hk).
Qed.

Lemma add_all_keeps l seen : kept seen ->
  kept (fold_left add l seen) /\ incl l (snd (fold_left add l seen)) /\ incl (snd seen) (snd (fold_left add l seen)).
Proof.
  revert seen. induction l as [| i l IH]; intros seen H; simpl.
  - split; [assumption |]. split; [apply incl_nil_l | apply incl_refl].
  - destruct (add_keeps seen i H) as (K & I & L). destruct (IH _ K) as (K' & I' & L').
    split; [assumption |]. split; [apply incl_cons; auto | now apply incl_tran with (1 := L)].
Qed.

Lemma next_all last items i j : In i items -> In j (children last i) -> In j (next last items).
Proof.
  unfold next. intros Hi Hj.
  assert (K : kept (Map.empty (list item), [])) by (intros k b; simpl; rewrite Map.gempty; discriminate).
  revert Hi K. generalize (Map.empty (list item), @nil item) as seen.
  enough (H : forall items seen, kept seen ->
      let f := fold_left (fun seen i => fold_left add (children last i) seen) items seen in
      (In i items -> In j (snd f)) /\ incl (snd seen) (snd f))
    by (intros seen Hi K; exact (proj1 (H items seen K) Hi)).
  clear items. intros items. induction items as [| i' items IH]; intros seen K; simpl.
  - split; [contradiction | apply incl_refl].
  - destruct (add_all_keeps (children last i') seen K) as (K' & I & L). destruct (IH _ K') as [H H'].
    split; [| now apply incl_tran with (1 := L)]. intros [-> | Hi]; auto.
Qed.

Theorem search_sound w items : search (length w) items = true -> forall i, In i items -> good i w.
Proof.
  revert items. induction w as [| c w IH]; intros items H i Hi; simpl in H.
  - apply good_end. rewrite forallb_forall in H. auto.
  - apply good_next. intros j Hj. apply (IH _ H). replace (Nat.eqb (length w) 0) with (none w) by now destruct w.
    now apply next_all with i.
Qed.

End Search.
