(** * A store of primitive arrays, for long strips

    Nodes are numbers of 63 bits; the diagram and the table of results are arrays. The theorem holds
    for any hash function and any sizes. It uses axioms of Coq's library about primitive integers and
    arrays. *)

From Phutball Require Import Rules Reading Store.
From Coq Require Import Arith NArith ZArith Lia Bool Uint63 PArray.
From Phutball Require Import Tables Ints.

Local Open Scope uint63_scope.

Module ArrayStore <: STORE.

Definition node := int.
Definition bottom : node := 0.
Definition top : node := 1.
Definition same (p q : node) : bool := p =? q.
Definition precedes (p q : node) : bool := p <? q.

(** ** Keys of results

    5 bits for task, state and flag, 8 for the number of cells, 25 for each node. What does not fit
    has no key and is not stored. *)

Definition node_limit : int := 33554432.

Definition most_cells : nat := 15 * 17.

(** A number of cells as an integer; extracted as the identity. *)
Definition of_nat (m : nat) : int := Uint63.of_Z (Z.of_nat m).

Definition code (k : task) (s : state) (f : bool) : int :=
  match k, s, f with
  | Union, Done, false => 0
  | Union, Done, true => 1
  | Preimage, StoneBeyond, true => 2
  | Preimage, StonePast, false => 3
  | Preimage, FarRightSoon, true => 4
  | Preimage, FarRightLeaves, false => 5
  | Preimage, FarRightOne, false => 6
  | Preimage, RightLeaves, false => 7
  | Preimage, RightFlies, false => 8
  | Preimage, FarLeftFirst, true => 9
  | Preimage, FarLeftSoon, true => 10
  | Preimage, FarLeftLanded, true => 11
  | Preimage, FarLeftOne, true => 12
  | Preimage, LeftLanded, true => 13
  | Preimage, LeftFlew, true => 14
  | Inclusion, StoneBefore, true => 15
  | Inclusion, StoneBeyond, true => 16
  | Inclusion, StonePast, false => 17
  | Inclusion, RightSoon, true => 18
  | Inclusion, RightLeaves, false => 19
  | Inclusion, RightFlies, false => 20
  | Inclusion, LeftFirst, true => 21
  | Inclusion, LeftSoon, true => 22
  | Inclusion, LeftLanded, true => 23
  | Inclusion, LeftFlew, true => 24
  | Inclusion, Done, false => 25
  | Inclusion, Done, true => 26
  | _, _, _ => 31
  end.

Definition key (k : task) (s : state) (f : bool) (m : nat) (u v : node) : int :=
  let c := code k s f in
  if (c =? 31) || negb (Nat.leb m most_cells) || negb (u <? node_limit) || negb (v <? node_limit) then no_key
  else ((c * 256 + of_nat m) * node_limit + u) * node_limit + v.

(** ** The store *)

(** A count in three integers, since [N] takes two words a bit. *)
Record limbs := Limbs { low : int; middle : int; high : int }.

Definition of_N (x : N) : limbs :=
  let x := Z.of_N x in Limbs (of_Z x) (of_Z (Z.shiftr x 63)) (of_Z (Z.shiftr x 126)).
Definition to_N (l : limbs) : N :=
  Z.to_N (to_Z (low l) + Z.shiftl (to_Z (middle l)) 63 + Z.shiftl (to_Z (high l)) 126).

Record arrays := Arrays {
  children : ints;  (** the children of node q in cells 3q to 3q + 2; they have smaller numbers *)
  count : int;  (** the number of the next node *)
  unique : ints;  (** hash table of nodes by their children; 0 marks an empty entry *)
  results : ints;
  tally : table limbs }.
Definition store := arrays.

Definition exists_in (t : store) (q : node) : bool := (q <? 2) || (q <? count t).
Definition valid (t : store) (q : node) : Prop := exists_in t q = true.

(** The cell of a child. *)
Definition place_of (q : node) (c : cell) : int :=
  3 * q + match c with Square empty => 0 | Square stone => 1 | Ball => 2 end.

Definition child (t : store) (q : node) (c : cell) : node :=
  if q <? 2 then q
  else
    let x := read (children t) (place_of q c) in
    if x <? q then x else bottom.

Definition is_node (t : store) (e s b q : node) : bool :=
  negb (q <? 2) && (q <? count t) && (read (children t) (place_of q (Square empty)) =? e)
  && (read (children t) (place_of q (Square stone)) =? s) && (read (children t) (place_of q Ball) =? b)
  && (e <? q) && (s <? q) && (b <? q).

Inductive slot := Taken (q : node) | Free (i : int) | Crowded.

Fixpoint probe (tries : nat) (t : store) (e s b : node) (i : int) : slot :=
  match tries with
  | 0%nat => Crowded
  | S tries =>
      let q := read (unique t) i in
      if q =? 0 then Free i
      else if is_node t e s b q then Taken q
      else probe tries t e s b ((i + 1) land (size (unique t) - 1))
  end.

Definition full (t : store) : bool :=
  let q := count t in
  negb (q <? 1152921504606846976) || negb (place_of q Ball <? size (children t)) || (q <? 2).

Definition set_children (l : ints) (q e s b : node) : ints :=
  write (write (write l (place_of q (Square empty)) e) (place_of q (Square stone)) s) (place_of q Ball) b.

(** Appends a node, and writes it in an entry of [unique]. *)
Definition append (t : store) (entry : option int) (e s b : node) : store * node :=
  if full t then (t, bottom)
  else
    let q := count t in
    let unique := match entry with Some i => write (unique t) i q | None => unique t end in
    (Arrays (set_children (children t) q e s b) (q + 1) unique (results t) (tally t), q).

Definition make (t : store) (e s b : node) : store * node :=
  match probe 64 t e s b (mix (mix (mix e + s) + b) land (size (unique t) - 1)) with
  | Taken q => (t, q)
  | Free i => append t (Some i) e s b
  | Crowded => append t None e s b
  end.

Definition with_results (t : store) (r : ints) : store :=
  Arrays (children t) (count t) (unique t) r (tally t).

Definition holds (t : store) k s f m u v x : Prop := contains (results t) (key k s f m u v) x.
Definition find (t : store) k s f m u v : option node := lookup (results t) (key k s f m u v).
Definition add (t : store) k s f m u v x : store := with_results t (insert (results t) (key k s f m u v) x).

Definition positive_of (q : int) : positive := Z.to_pos (Z.succ (to_Z q)).
Definition find_limbs (t : store) (f : bool) (m : nat) (q : node) : option limbs :=
  table_get (tally t) (if f then 2 else 1)%positive (Pos.of_succ_nat m) (positive_of q).
Definition find_count (t : store) (f : bool) (m : nat) (q : node) : option N := option_map to_N (find_limbs t f m q).
Definition holds_count (t : store) f m q x : Prop := find_count t f m q = Some x.
Definition add_count (t : store) (f : bool) (m : nat) (q : node) (x : N) : store :=
  let l := of_N x in
  if N.eqb (to_N l) x then
    Arrays (children t) (count t) (unique t) (results t)
      (table_put (tally t) (if f then 2 else 1)%positive (Pos.of_succ_nat m) (positive_of q) l)
  else t.

(** Room for nodes, a power of two, and for results. *)
Record spaces := Spaces { for_nodes : int; for_results : int }.
Definition sizes := spaces.

Definition fresh (z : sizes) : store :=
  Arrays (make_ints (3 * for_nodes z) 0) 2 (make_ints (2 * for_nodes z) 0)
    (make_ints (2 * for_results z) no_key) empty_table.

(** ** Numbers in a text *)

Definition number := int.
Definition zero : number := 0.
Definition push (k : number) (digit : nat) : option number :=
  if k <? 1000000000000 then Some (10 * k + of_nat digit) else None.
Definition next (k : number) : number := k + 1.
Definition to_nat (k : number) : nat := Z.to_nat (to_Z k).  (** extracted as the identity *)
Definition named (t : store) (k : number) : option node := if exists_in t k then Some k else None.
Definition ok (t : store) : Prop := True.

(** Numbers written with digits are equal if the digits are. *)
Lemma digits_equal (b x y x' y' : Z) : (0 <= y < b)%Z -> (0 <= y' < b)%Z -> (x * b + y = x' * b + y')%Z -> x = x' /\ y = y'.
Proof. intros. assert (x = x') by nia. subst. split; [reflexivity | lia]. Qed.

(** ** Keys *)

(** The tasks with a code, in the order of their codes. *)
Definition codes : list (task * state * bool) :=
  [(Union, Done, false); (Union, Done, true); (Preimage, StoneBeyond, true);
   (Preimage, StonePast, false); (Preimage, FarRightSoon, true); (Preimage, FarRightLeaves, false);
   (Preimage, FarRightOne, false); (Preimage, RightLeaves, false); (Preimage, RightFlies, false);
   (Preimage, FarLeftFirst, true); (Preimage, FarLeftSoon, true); (Preimage, FarLeftLanded, true);
   (Preimage, FarLeftOne, true); (Preimage, LeftLanded, true); (Preimage, LeftFlew, true);
   (Inclusion, StoneBefore, true); (Inclusion, StoneBeyond, true); (Inclusion, StonePast, false);
   (Inclusion, RightSoon, true); (Inclusion, RightLeaves, false); (Inclusion, RightFlies, false);
   (Inclusion, LeftFirst, true); (Inclusion, LeftSoon, true); (Inclusion, LeftLanded, true);
   (Inclusion, LeftFlew, true); (Inclusion, Done, false); (Inclusion, Done, true)].

Lemma code_decodes k s f : code k s f = 31
  \/ (to_Z (code k s f) < 27)%Z /\ nth_error codes (Z.to_nat (to_Z (code k s f))) = Some (k, s, f).
Proof. destruct k, s, f; (left; reflexivity) || (right; split; reflexivity). Qed.

Lemma to_Z_of_nat m : Nat.leb m most_cells = true -> to_Z (of_nat m) = Z.of_nat m /\ (Z.of_nat m < 256)%Z.
Proof.
  intros H. apply Nat.leb_le in H. unfold most_cells in H. simpl in H. split; [| lia].
  unfold of_nat. rewrite of_Z_spec. apply Z.mod_small. unfold wB. simpl. lia.
Qed.

(** A key that is not [no_key] is the number with these digits. *)
Lemma key_digits k s f m u v : key k s f m u v <> no_key ->
  nth_error codes (Z.to_nat (to_Z (code k s f))) = Some (k, s, f) /\ (to_Z (code k s f) < 27)%Z
  /\ (Z.of_nat m < 256)%Z /\ (to_Z u < 33554432)%Z /\ (to_Z v < 33554432)%Z
  /\ to_Z (key k s f m u v) = (((to_Z (code k s f) * 256 + Z.of_nat m) * 33554432 + to_Z u) * 33554432 + to_Z v)%Z.
Proof.
  unfold key. set (c := code k s f). destruct (c =? 31) eqn:C; [now intros [] |].
  destruct (Nat.leb m most_cells) eqn:M; [| now intros []]. destruct (u <? node_limit) eqn:U; [| now intros []].
  destruct (v <? node_limit) eqn:V; [| now intros []]. intros _. cbn [negb orb].
  apply ltb_spec in U, V. change (to_Z node_limit) with 33554432%Z in *. apply to_Z_of_nat in M as [M L].
  destruct (code_decodes k s f) as [E | [B D]].
  { fold c in E. rewrite E in C. discriminate. }
  fold c in B, D. repeat (split; [assumption |]).
  pose proof (to_Z_range c). pose proof (to_Z_range u). pose proof (to_Z_range v).
  assert (E1 : to_Z (c * 256) = (to_Z c * 256)%Z) by (apply to_Z_mul; change (to_Z 256) with 256%Z; lia).
  assert (E2 : to_Z (c * 256 + of_nat m) = (to_Z c * 256 + Z.of_nat m)%Z) by (rewrite to_Z_add, E1, M; lia).
  assert (E3 : to_Z ((c * 256 + of_nat m) * node_limit) = ((to_Z c * 256 + Z.of_nat m) * 33554432)%Z)
    by (rewrite to_Z_mul, E2; change (to_Z node_limit) with 33554432%Z; lia).
  assert (E4 : to_Z ((c * 256 + of_nat m) * node_limit + u) = ((to_Z c * 256 + Z.of_nat m) * 33554432 + to_Z u)%Z)
    by (rewrite to_Z_add, E3; lia).
  assert (E5 : to_Z (((c * 256 + of_nat m) * node_limit + u) * node_limit)
      = (((to_Z c * 256 + Z.of_nat m) * 33554432 + to_Z u) * 33554432)%Z)
    by (rewrite to_Z_mul, E4; change (to_Z node_limit) with 33554432%Z; lia).
  rewrite to_Z_add, E5; lia.
Qed.

Lemma key_injective k s f m u v k' s' f' m' u' v' :
  key k s f m u v <> no_key -> key k' s' f' m' u' v' = key k s f m u v ->
  k' = k /\ s' = s /\ f' = f /\ m' = m /\ u' = u /\ v' = v.
Proof.
  intros N E. assert (N' : key k' s' f' m' u' v' <> no_key) by congruence.
  apply key_digits in N as (D & C & M & U & V & K). apply key_digits in N' as (D' & C' & M' & U' & V' & K').
  rewrite E, K in K'. pose proof (to_Z_range u). pose proof (to_Z_range v). pose proof (to_Z_range u').
  pose proof (to_Z_range v').
  apply digits_equal in K' as [K' Ev]; [| lia | lia]. apply digits_equal in K' as [K' Eu]; [| lia | lia].
  apply digits_equal in K' as [Ec Em]; [| lia | lia].
  rewrite <- Ec, D in D'. injection D' as <- <- <-. apply Nat2Z.inj in Em.
  apply to_Z_inj in Eu, Ev. auto 10.
Qed.

(** ** The diagram *)

Definition grows (t u : store) : Prop :=
  forall q, valid t q -> valid u q /\ forall c, child u q c = child t q c.
Definition keeps_results (t u : store) : Prop :=
  forall k s f m p q x, holds u k s f m p q x -> holds t k s f m p q x.
Definition keeps_counts (t u : store) : Prop :=
  forall f m q x, holds_count u f m q x -> holds_count t f m q x.

Lemma same_equal t p q : valid t p -> valid t q -> same p q = true -> p = q.
Proof. intros _ _. apply eqb_equal. Qed.
Lemma same_refl p : same p p = true.
Proof. apply eqb_refl. Qed.
Lemma bottom_top : same bottom top = false.
Proof. reflexivity. Qed.
Lemma valid_bottom t : valid t bottom.
Proof. reflexivity. Qed.
Lemma valid_top t : valid t top.
Proof. reflexivity. Qed.
Lemma child_bottom t c : child t bottom c = bottom.
Proof. reflexivity. Qed.
Lemma child_top t c : child t top c = top.
Proof. reflexivity. Qed.

Lemma valid_less t q : valid t q <-> (to_Z q < 2 \/ to_Z q < to_Z (count t))%Z.
Proof. unfold valid, exists_in. rewrite orb_true_iff, !ltb_spec. reflexivity. Qed.

Lemma child_valid t q c : valid t q -> valid t (child t q c).
Proof.
  rewrite !valid_less. unfold child. intros V. destruct (q <? 2) eqn:Q; [assumption |]. cbv zeta.
  destruct (_ <? q) eqn:X; [| left; reflexivity]. apply ltb_spec in X. lia.
Qed.

Lemma named_valid t k q : ok t -> named t k = Some q -> valid t q.
Proof. intros _. unfold named, valid. destruct (exists_in t k) eqn:E; [| discriminate]. now intros [= <-]. Qed.

Definition part (e s b : node) (c : cell) : node :=
  match c with Square empty => e | Square stone => s | Ball => b end.

Lemma to_Z_place q c : (to_Z q < 1152921504606846976)%Z ->
  to_Z (place_of q c) = (3 * to_Z q + match c with Square empty => 0 | Square stone => 1 | Ball => 2 end)%Z.
Proof.
  intros Q. pose proof (to_Z_range q). unfold place_of.
  assert (E : to_Z (3 * q) = (3 * to_Z q)%Z) by (apply to_Z_mul; change (to_Z 3) with 3%Z; lia).
  destruct c as [[|] |]; (rewrite to_Z_add, E; [reflexivity |]);
    [change (to_Z 0) with 0%Z | change (to_Z 1) with 1%Z | change (to_Z 2) with 2%Z]; lia.
Qed.

Lemma places_apart p q c d : (to_Z p < 1152921504606846976)%Z -> (to_Z q < 1152921504606846976)%Z ->
  p <> q \/ c <> d -> place_of p c <> place_of q d.
Proof.
  intros P Q N E. apply (f_equal to_Z) in E. rewrite !to_Z_place in E by assumption.
  assert (D : to_Z p = to_Z q) by (destruct c as [[|] |], d as [[|] |]; lia).
  destruct N as [N | N]; [apply N, to_Z_inj, D | apply N]. rewrite D in E.
  destruct c as [[|] |], d as [[|] |]; reflexivity || lia.
Qed.

Lemma set_children_other l q e s b p c :
  (to_Z p < 1152921504606846976)%Z -> (to_Z q < 1152921504606846976)%Z -> p <> q ->
  read (set_children l q e s b) (place_of p c) = read l (place_of p c).
Proof.
  intros P Q N. unfold set_children, read, write.
  rewrite !get_set_other; [reflexivity | ..]; apply places_apart; auto.
Qed.

Lemma set_children_same l q e s b c : (to_Z q < 1152921504606846976)%Z -> (place_of q Ball <? size l) = true ->
  read (set_children l q e s b) (place_of q c) = part e s b c.
Proof.
  intros Q L. unfold set_children, read, write, size in *. apply ltb_spec in L.
  assert (I : forall d, (place_of q d <? length l) = true).
  { intros d. apply ltb_spec. rewrite to_Z_place in * by assumption. destruct d as [[|] |]; lia. }
  assert (A : forall d d', d <> d' -> place_of q d <> place_of q d') by (intros; apply places_apart; auto).
  destruct c as [[|] |]; simpl.
  - rewrite !get_set_other by (apply A; discriminate). now rewrite get_set_same.
  - rewrite get_set_other by (apply A; discriminate). now rewrite get_set_same by now rewrite length_set.
  - now rewrite get_set_same by now rewrite !length_set.
Qed.

Definition makes (t u : store) (e s b x : node) : Prop :=
  grows t u /\ keeps_results t u /\ keeps_counts t u /\ valid u x
  /\ (x = bottom \/ child u x (Square empty) = e /\ child u x (Square stone) = s /\ child u x Ball = b)
  /\ (ok t -> ok u).

Lemma child_inner t q c : (q <? 2) = false ->
  child t q c = if read (children t) (place_of q c) <? q then read (children t) (place_of q c) else bottom.
Proof. unfold child. now intros ->. Qed.

Lemma append_makes t l e s b u x : valid t e -> valid t s -> valid t b -> append t l e s b = (u, x) -> makes t u e s b x.
Proof.
  unfold append. intros E S B. destruct (full t) eqn:F; intros [= <- <-].
  { split; [intros q V; auto |]. split; [intros ? ? ? ? ? ? ? H; exact H |]. split; [intros ? ? ? ? H; exact H |].
    split; [reflexivity |]. split; [now left | auto]. }
  set (u := Arrays _ _ _ _ _). unfold full in F. rewrite !orb_false_iff, !negb_false_iff in F.
  destruct F as [[Q L] T]. apply ltb_spec in Q. change (to_Z 1152921504606846976) with 1152921504606846976%Z in Q.
  assert (T' : (2 <= to_Z (count t))%Z).
  { destruct (Z.lt_ge_cases (to_Z (count t)) 2) as [H | H]; [| assumption].
    assert (H' : (count t <? 2) = true) by (apply ltb_spec; exact H). congruence. }
  assert (Cu : to_Z (count u) = (to_Z (count t) + 1)%Z).
  { change (to_Z (count t + 1) = (to_Z (count t) + 1)%Z). rewrite to_Z_add; change (to_Z 1) with 1%Z; lia. }
  rewrite valid_less in E, S, B.
  assert (Less : forall c, (part e s b c <? count t) = true).
  { intros c. apply ltb_spec. destruct c as [[|] |]; simpl; lia. }
  assert (Ch : forall c, child u (count t) c = part e s b c).
  { intros c. rewrite child_inner by assumption. change (children u) with (set_children (children t) (count t) e s b).
    rewrite set_children_same by assumption. now rewrite Less. }
  split; [| split; [intros ? ? ? ? ? ? ? H; exact H |]; split; [intros ? ? ? ? H; exact H |]; split; [| split; [right; now rewrite !Ch | auto]]].
  - intros q V. rewrite valid_less in *. split; [lia |]. intros c. unfold child. destruct (q <? 2) eqn:Q2; [reflexivity |].
    assert (V' : (to_Z q < to_Z (count t))%Z).
    { destruct V as [V | V]; [| assumption]. assert ((q <? 2) = true) by (apply ltb_spec; exact V). congruence. }
    change (children u) with (set_children (children t) (count t) e s b).
    rewrite set_children_other; [reflexivity | lia | assumption |]. intros ->. lia.
  - apply valid_less. lia.
Qed.

Lemma probe_node tries t e s b : forall i q, probe tries t e s b i = Taken q -> is_node t e s b q = true.
Proof.
  induction tries as [| tries IH]; intros i q; simpl; [discriminate |].
  destruct (_ =? 0); [discriminate |]. destruct (is_node _ _ _ _ _) eqn:N; [now intros [= <-] | apply IH].
Qed.

Lemma make_makes t e s b u x : valid t e -> valid t s -> valid t b -> make t e s b = (u, x) -> makes t u e s b x.
Proof.
  intros E S B. unfold make. destruct (probe _ _ _ _ _ _) as [q | i |] eqn:P; try now apply append_makes.
  intros [= <- <-]. apply probe_node in P. unfold is_node in P. rewrite !andb_true_iff, negb_true_iff in P.
  destruct P as [[[[[[[T Q] Ne] Ns] Nb] Le] Ls] Lb]. apply eqb_equal in Ne, Ns, Nb.
  split; [intros p V; auto |]. split; [intros ? ? ? ? ? ? ? H; exact H |]. split; [intros ? ? ? ? H; exact H |].
  split; [apply valid_less; right; now apply ltb_spec |]. split; [right | auto].
  rewrite !child_inner by assumption. rewrite Ne, Ns, Nb, Le, Ls, Lb. auto.
Qed.

(** ** The tables *)

Lemma grows_same t u : children u = children t -> count u = count t -> grows t u.
Proof.
  intros C N q V. unfold valid, exists_in, child in *. rewrite C, N. auto.
Qed.

Lemma find_holds t k s f m p q x : find t k s f m p q = Some x ->
  exists p' q', same p' p = true /\ same q' q = true /\ holds t k s f m p' q' x.
Proof. intros H. exists p, q. rewrite !same_refl. repeat (split; [reflexivity |]). now apply lookup_contains. Qed.

Lemma add_grows t k s f m p q x : grows t (add t k s f m p q x).
Proof. now apply grows_same. Qed.

Lemma add_holds t k s f m p q x k' s' f' m' p' q' y :
  holds (add t k s f m p q x) k' s' f' m' p' q' y ->
  (k' = k /\ s' = s /\ f' = f /\ m' = m /\ p' = p /\ q' = q /\ y = x) \/ holds t k' s' f' m' p' q' y.
Proof.
  intros H. assert (N : key k' s' f' m' p' q' <> no_key) by apply H. apply insert_contains in H as [[E ->] | H]; [left | now right].
  rewrite E in N. apply key_injective in E as (-> & -> & -> & -> & -> & ->); auto 10.
Qed.

Lemma find_count_holds t f m q x : find_count t f m q = Some x ->
  exists q', same q' q = true /\ holds_count t f m q' x.
Proof. exists q. split; [apply same_refl | assumption]. Qed.

Lemma add_count_grows t f m q x : grows t (add_count t f m q x).
Proof. unfold add_count. destruct (N.eqb _ _); now apply grows_same. Qed.

Lemma add_count_results t f m q x : keeps_results t (add_count t f m q x).
Proof. unfold add_count. destruct (N.eqb _ _); intros ? ? ? ? ? ? ? H; exact H. Qed.

Lemma add_count_holds t f m q x f' m' q' y :
  holds_count (add_count t f m q x) f' m' q' y ->
  (f' = f /\ m' = m /\ q' = q /\ y = x) \/ holds_count t f' m' q' y.
Proof.
  unfold add_count. destruct (N.eqb (to_N (of_N x)) x) eqn:E; [apply N.eqb_eq in E | now right].
  unfold holds_count, find_count, find_limbs. simpl. intros H.
  destruct (table_get _ _ _ _) as [l |] eqn:G in H; [| discriminate]. injection H as <-.
  apply table_get_put in G as [(F & M & Q & ->) | G]; [left; rewrite E | right; now rewrite G].
  apply SuccNat2Pos.inj in M as ->. pose proof (to_Z_range q). pose proof (to_Z_range q').
  apply Z2Pos.inj in Q; [| lia | lia]. apply Z.succ_inj, to_Z_inj in Q as ->. destruct f, f'; auto; discriminate.
Qed.

Lemma fresh_ok z : ok (fresh z).
Proof. exact I. Qed.

Lemma fresh_results z k s f m p q x : ~ holds (fresh z) k s f m p q x.
Proof. intros [N (i & K & _)]. unfold read in K. simpl in K. unfold make_ints in K. rewrite get_make in K. auto. Qed.

Lemma fresh_counts z f m q x : ~ holds_count (fresh z) f m q x.
Proof. unfold holds_count, find_count, find_limbs. simpl. rewrite table_get_empty. discriminate. Qed.

End ArrayStore.
