(** * Arrays of primitive integers, and lossy tables in them *)

From Phutball Require Import Rules.
From Coq Require Import ZArith Lia Bool Uint63 PArray.

Local Open Scope uint63_scope.

(** Extracted as arrays of machine words that are changed in place. *)

Definition ints := array int.
Definition make_ints : int -> int -> ints := make.
Definition read : ints -> int -> int := get.
Definition write : ints -> int -> int -> ints := set.
Definition size : ints -> int := length.

(** ** Integers *)

Lemma to_Z_range (x : int) : (0 <= to_Z x < 9223372036854775808)%Z.
Proof. exact (to_Z_bounded x). Qed.

Lemma to_Z_add x y : (to_Z x + to_Z y < 9223372036854775808)%Z -> to_Z (x + y) = (to_Z x + to_Z y)%Z.
Proof. intros H. rewrite add_spec. apply Z.mod_small. pose proof (to_Z_range x). pose proof (to_Z_range y). unfold wB. simpl. lia. Qed.

Lemma to_Z_mul x y : (to_Z x * to_Z y < 9223372036854775808)%Z -> to_Z (x * y) = (to_Z x * to_Z y)%Z.
Proof. intros H. rewrite mul_spec. apply Z.mod_small. pose proof (to_Z_range x). pose proof (to_Z_range y). unfold wB. simpl. nia. Qed.

Lemma eqb_equal x y : (x =? y) = true -> x = y.
Proof. apply eqb_spec. Qed.

(** ** Lossy tables

    A table maps keys to results and may forget them. Cell 2i holds the key of entry i, cell 2i + 1 its result. *)

(** The key of an empty entry. *)
Definition no_key : int := 9223372036854775807.

Definition mix (h : int) : int :=
  let h := h * 2177342782468422677 in
  h lxor (h >> 32).

(** The first of the four entries that a key may have. *)
Definition bucket (t : ints) (k : int) : int := (((mix k >> 33) * (size t >> 3)) >> 30) << 2.

Definition lookup (t : ints) (k : int) : option int :=
  if k =? no_key then None
  else
    let i := bucket t k in
    if read t (2 * i) =? k then Some (read t (2 * i + 1))
    else if read t (2 * (i + 1)) =? k then Some (read t (2 * (i + 1) + 1))
    else if read t (2 * (i + 2)) =? k then Some (read t (2 * (i + 2) + 1))
    else if read t (2 * (i + 3)) =? k then Some (read t (2 * (i + 3) + 1))
    else None.

(** The entry for a new key: an empty one, or any. *)
Definition place (t : ints) (k : int) : int :=
  let i := bucket t k in
  if read t (2 * i) =? no_key then i
  else if read t (2 * (i + 1)) =? no_key then i + 1
  else if read t (2 * (i + 2)) =? no_key then i + 2
  else if read t (2 * (i + 3)) =? no_key then i + 3
  else i + (mix k land 3).

Definition insert (t : ints) (k : int) (x : int) : ints :=
  let i := place t k in
  if negb (k =? no_key) && (2 * i <? size t) && (2 * i + 1 <? size t) then write (write t (2 * i) k) (2 * i + 1) x
  else t.

Definition contains (t : ints) (k : int) (x : int) : Prop :=
  k <> no_key /\ exists i, read t (2 * i) = k /\ read t (2 * i + 1) = x.

Lemma doubled_apart i j : 2 * i <> 2 * j + 1.
Proof.
  intros E. apply (f_equal (fun x => (to_Z x mod 2)%Z)) in E. rewrite add_spec, !mul_spec in E.
  change (to_Z 2) with 2%Z in E. change (to_Z 1) with 1%Z in E.
  assert (W : exists h, wB = (2 * h)%Z) by (exists (2 ^ 62)%Z; reflexivity). destruct W as [h W].
  assert (P : (0 < h)%Z) by (assert (0 < wB)%Z by reflexivity; lia). rewrite W in E.
  assert (M : forall x, ((x mod (2 * h)) mod 2 = x mod 2)%Z).
  { intros x. rewrite (Z.mod_eq x (2 * h)) by lia.
    replace (x - 2 * h * (x / (2 * h)))%Z with (x + - (h * (x / (2 * h))) * 2)%Z by ring. apply Z_mod_plus_full. }
  rewrite !M, <- Zplus_mod_idemp_l, M, Zplus_mod_idemp_l, !(Z.mul_comm 2), Z_mod_mult, Z.add_comm, Z_mod_plus_full in E.
  discriminate.
Qed.

Lemma lookup_contains t k x : lookup t k = Some x -> contains t k x.
Proof.
  unfold lookup. destruct (k =? no_key) eqn:N; [discriminate |]. intros H.
  split; [intros ->; discriminate |].
  repeat match type of H with (if ?c then _ else _) = _ =>
    let E := fresh in destruct c eqn:E; [apply eqb_equal in E; injection H as <-; eauto |] end.
  discriminate.
Qed.

Lemma insert_contains t k x k' y : contains (insert t k x) k' y -> (k' = k /\ y = x) \/ contains t k' y.
Proof.
  unfold insert. set (i := place t k). destruct (_ && _) eqn:C; [| now right].
  rewrite !andb_true_iff in C. destruct C as [[_ C0] C1]. intros [N (j & K & V)].
  unfold read, write, size in *.
  assert (C1' : (2 * i + 1 <? length (set t (2 * i) k)) = true) by now rewrite length_set.
  rewrite get_set_other in K by (intros E; symmetry in E; exact (doubled_apart j i E)).
  destruct (2 * i =? 2 * j) eqn:E.
  - left. apply eqb_equal in E. rewrite <- E in K, V. rewrite get_set_same in K by assumption.
    rewrite get_set_same in V by assumption. auto.
  - right. split; [assumption |]. exists j.
    assert (D : 2 * i <> 2 * j) by (intros D; rewrite D, eqb_refl in E; discriminate).
    rewrite get_set_other in K by assumption.
    rewrite get_set_other in V by (intros D'; apply D; revert D'; apply add_cancel_r).
    rewrite get_set_other in V by (apply doubled_apart). auto.
Qed.
