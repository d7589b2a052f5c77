(** * What the checker needs of its memory

    A store holds a diagram, which grows, and two tables of results, which may forget. This file
    says what is required of a store. It does not require that the tables keep any result, or that
    equal nodes are shared: caches and hash-consing save time and have no part in the proof. *)

From Coq Require Import NArith.
From Phutball Require Import Rules Reading.

(** The three recursions of the checker: union, preimage, inclusion. *)
Inductive task := Union | Preimage | Inclusion.

Module Type STORE.

(** ** Diagrams

    A node accepts some words of cells: [top] all, [bottom] none, and any other node a word [c :: w]
    if its child for [c] accepts [w]. *)

Parameter node : Type.
Parameters bottom top : node.
Parameter same : node -> node -> bool.
Parameter precedes : node -> node -> bool.  (** any order, so that (u, v) and (v, u) share a result *)

Parameter store : Type.
Parameter valid : store -> node -> Prop.
Parameter child : store -> node -> cell -> node.

(** [make t e s b] returns a node with these children (empty square, stone, ball), or [bottom] if
    the store is full. *)
Parameter make : store -> node -> node -> node -> store * node.

(** [u] has all nodes of [t]. *)
Definition grows (t u : store) : Prop :=
  forall q, valid t q -> valid u q /\ forall c, child u q c = child t q c.

(** ** Tables of results

    A result belongs to a task, a state of the automaton, a flag (the ball is still to come), a
    number of cells, and two nodes; a count to a flag, a number of cells and a node. [find] returns
    results that the table holds, for these nodes or for [same] ones. *)

Parameter holds : store -> task -> state -> bool -> nat -> node -> node -> node -> Prop.
Parameter find : store -> task -> state -> bool -> nat -> node -> node -> option node.
Parameter add : store -> task -> state -> bool -> nat -> node -> node -> node -> store.

Parameter holds_count : store -> bool -> nat -> node -> N -> Prop.
Parameter find_count : store -> bool -> nat -> node -> option N.
Parameter add_count : store -> bool -> nat -> node -> N -> store.

(** No result of [u] is new. *)
Definition keeps_results (t u : store) : Prop :=
  forall k s f m p q x, holds u k s f m p q x -> holds t k s f m p q x.

Definition keeps_counts (t u : store) : Prop := forall f m q x, holds_count u f m q x -> holds_count t f m q x.

(** ** A new store *)

Parameter sizes : Type.
Parameter fresh : sizes -> store.
Parameter full : store -> bool.  (** tells why [make] returned [bottom] *)

(** ** Numbers in a text

    The proof needs no meaning of them. *)

Parameter number : Type.
Parameter zero : number.
Parameter push : number -> nat -> option number.  (** one more digit, unless the number gets too large *)
Parameter next : number -> number.
Parameter to_nat : number -> nat.
Parameter named : store -> number -> option node.
Parameter ok : store -> Prop.  (** [named] returns valid nodes *)

(** ** Requirements *)

Axiom same_equal : forall t p q, valid t p -> valid t q -> same p q = true -> p = q.
Axiom same_refl : forall p, same p p = true.
Axiom bottom_top : same bottom top = false.

Axiom valid_bottom : forall t, valid t bottom.
Axiom valid_top : forall t, valid t top.
Axiom child_bottom : forall t c, child t bottom c = bottom.
Axiom child_top : forall t c, child t top c = top.
Axiom child_valid : forall t q c, valid t q -> valid t (child t q c).
Axiom named_valid : forall t k q, ok t -> named t k = Some q -> valid t q.

Axiom make_makes : forall t e s b u x, valid t e -> valid t s -> valid t b -> make t e s b = (u, x) ->
  grows t u /\ keeps_results t u /\ keeps_counts t u /\ valid u x
  /\ (x = bottom \/ child u x (Square empty) = e /\ child u x (Square stone) = s /\ child u x Ball = b)
  /\ (ok t -> ok u).

Axiom find_holds : forall t k s f m p q x, find t k s f m p q = Some x ->
  exists p' q', same p' p = true /\ same q' q = true /\ holds t k s f m p' q' x.
Axiom add_grows : forall t k s f m p q x, grows t (add t k s f m p q x).
Axiom add_holds : forall t k s f m p q x k' s' f' m' p' q' y,
  holds (add t k s f m p q x) k' s' f' m' p' q' y ->
  (k' = k /\ s' = s /\ f' = f /\ m' = m /\ p' = p /\ q' = q /\ y = x) \/ holds t k' s' f' m' p' q' y.

Axiom find_count_holds : forall t f m q x, find_count t f m q = Some x ->
  exists q', same q' q = true /\ holds_count t f m q' x.
Axiom add_count_grows : forall t f m q x, grows t (add_count t f m q x).
Axiom add_count_results : forall t f m q x, keeps_results t (add_count t f m q x).
Axiom add_count_holds : forall t f m q x f' m' q' y,
  holds_count (add_count t f m q x) f' m' q' y ->
  (f' = f /\ m' = m /\ q' = q /\ y = x) \/ holds_count t f' m' q' y.

Axiom fresh_ok : forall z, ok (fresh z).
Axiom fresh_results : forall z k s f m p q x, ~ holds (fresh z) k s f m p q x.
Axiom fresh_counts : forall z f m q x, ~ holds_count (fresh z) f m q x.

End STORE.
