(** * The forward value of a half strip

    [V h] is computed in one pass over the half strip [h], read from the goal line to the ball. It
    bounds from above how much potential Left needs on the other side to win with forward turns.
    docs/PROOF.md has the definition in words and an example. *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** A *block* begins with the second square of a pair of adjacent empty squares and a stone behind
    it, and ends before the next pair. *)
Record fstate := FS {
  f_e : Z;  (** the empty squares that count; 0 in a closed half strip *)
  f_run : Z;  (** the number of empty squares at the end *)
  f_t : Z;  (** the value in front of the last block; 0 if there is no block *)
  f_m : Z;  (** the length of the last block *)
  f_cls : Z;  (** its class: 3 with an empty square from the fourth on, 1 for [.o], otherwise 2 *)
  f_j : Z  (** the number of stones at the end *)
}.

Definition c4 (m : Z) : Z := (m + 1) / 4.
(** The value of [r >= 1] empty squares. *)
Definition G (r : Z) : Z := 1 + c4 r.

(** The value in a state. *)
Definition fval (s : fstate) : Z :=
  if f_e s =? 0 then
    if (f_t s <=? c4 (f_m s)) || ((f_t s =? 2) && (f_cls s =? 3) && (2 <=? f_j s)) then 0 else 1
  else G (f_e s).

(** What counts of the squares in front of a block of [m] squares, where the value is [t]. *)
Definition E (t m cls : Z) : Z := if (t <=? 1) || (4 * t - 1 <=? m) then 0 else 4 * t - (2 + 2 * cls).

Definition new_class (s : fstate) : Z :=
  if (f_run s =? 1) && (2 <=? f_cls s) then 3
  else if 3 <=? f_m s + 1 then Z.max (f_cls s) 2 else Z.max (f_cls s) 1.

Definition fstep (s : fstate) (a : square) : fstate :=
  match a with
  | empty => if 1 <=? f_run s then FS (f_e s + 1) (f_run s + 1) (fval s) 1 0 0
             else FS (f_e s + 1) 1 (f_t s) (f_m s + 1) (f_cls s) 0
  | stone => FS (E (f_t s) (f_m s + 1) (new_class s)) 0 (f_t s) (f_m s + 1) (new_class s) (f_j s + 1)
  end.

Definition fstart : fstate := FS 0 0 0 0 0 0.
Definition frun (h : list square) : fstate := fold_left fstep h fstart.
Definition V (h : list square) : Z := fval (frun h).
Definition e_of (h : list square) : Z := f_e (frun h).

(** Closed: empty, or it ends in a stone and [e] is 0. *)
Definition closed (h : list square) : Prop := e_of h = 0 /\ (h = [] \/ exists x, h = x ++ [stone]).

(** [V] and [e] of some words, as an independent program computes them. *)
Example values :
  let o := stone in let d := empty in
  map (fun h => (V h, e_of h)) [
    [d; d; d]; [d; d; o]; [d; d; o; o]; [d; d; d; d; o; o; d; o]; [d; d; d; d; o; o; d; o; o];
    [d; d; d; d; d; d; d; d; o]; [d; d; d; d; d; d; o; o; d; o; d; d; d; d]; [d; d; d; d; d; d;
    d; d; d; d; d; o; o; d; o; o; d; o; o; d; d]; [d; d; d; d; o; o; o; o; d; o]; [d; d; d; d;
    d; d; o; o; d; o; o; d; o; o; d; o; d; o; o]; [d; d; d; d; d; d; d; d; d; d; o; o; d; d; o;
    d; o; o; d; d; d; o; d; o; d; d; d; d; d; d]
  ] = [(2, 3); (1, 0); (0, 0); (1, 0); (0, 0); (3, 8); (2, 4); (2, 6); (0, 0); (0, 0); (4, 12)].
Proof. reflexivity. Qed.

Lemma frun_app h u : frun (h ++ u) = fold_left fstep u (frun h).
Proof. apply fold_left_app. Qed.

Lemma frun_snoc h a : frun (h ++ [a]) = fstep (frun h) a.
Proof. now rewrite frun_app. Qed.

Lemma G_positive r : 0 < r -> 1 <= G r.
Proof. unfold G, c4. lia. Qed.

(** States that occur. *)
Lemma E_natural t m cls : 1 <= cls <= 3 -> 0 <= E t m cls.
Proof. intros C. unfold E. destruct (Z.leb_spec t 1), (Z.leb_spec (4 * t - 1) m); cbn [orb]; lia. Qed.

Lemma new_class_range s : 0 <= f_cls s <= 3 -> 1 <= new_class s <= 3.
Proof.
  intros C. unfold new_class. destruct ((f_run s =? 1) && (2 <=? f_cls s)); [lia |].
  destruct (Z.leb_spec 3 (f_m s + 1)); lia.
Qed.

Lemma states h : 0 <= f_e (frun h) /\ 0 <= f_run (frun h) /\ 0 <= f_cls (frun h) <= 3 /\ 0 <= f_m (frun h) /\ 0 <= f_t (frun h)
  /\ 0 <= f_j (frun h) /\ 0 <= V h.
Proof.
  unfold V. induction h as [| a h IH] using rev_ind; [vm_compute; intuition discriminate |].
  rewrite frun_snoc. destruct (frun h) as [e r t m cls j]. unfold fstep, f_e, f_run, f_t, f_m, f_cls, f_j in *.
  assert (P : forall s, 0 <= f_e s -> 0 <= fval s).
  { intros s. unfold fval. destruct (Z.eqb_spec (f_e s) 0); [destruct (_ || _); lia |]. unfold G, c4. lia. }
  destruct a.
  - destruct (Z.leb_spec 1 r).
    + repeat split; try lia; apply P; simpl; lia.
    + repeat split; try lia. apply P. simpl. lia.
  - pose proof (new_class_range (FS e r t m cls j)) as C. simpl in C.
    pose proof (E_natural t (m + 1) _ (C ltac:(lia))). repeat split; try lia; try (apply P; simpl; lia).
Qed.

Lemma V_natural h : 0 <= V h.
Proof. apply (states h). Qed.
