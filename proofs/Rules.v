(** * The rules of the strip

    One page of definitions, to be compared with docs/RULES.md, section 1. *)

From Coq Require Export List.
Export ListNotations.

(** Left attacks the right end, Right the left end. *)
Inductive player := Left | Right.

Definition other (p : player) : player :=
  match p with Left => Right | Right => Left end.

(** Every square except the ball's is empty or holds one stone. *)
Inductive square := empty | stone.

(** A board: the squares to the left of the ball and those to its right, both read from left to
    right. The ball stands between them, so that [....@o.] is [Board [empty; empty; empty; empty]
    [stone; empty]]. *)
Record board := Board { before : list square; beyond : list square }.

(** The number of squares. *)
Definition size (b : board) : nat := length (before b) + 1 + length (beyond b).

(** Play continues while the ball is on an interior square. *)
Definition playing (b : board) : Prop := before b <> [] /\ beyond b <> [].

(** The place where a turn leaves the ball: on the strip, or past the end that a player attacks. *)
Inductive landing := On (b : board) | Past (p : player).

(** One jump: over a whole run of at least one stone next to the ball to the first empty square
    beyond it, or off the strip. The run is removed, and the square that the ball leaves is empty.
    *)
Inductive jump : board -> landing -> Prop :=
| jump_right l r k :
    jump (Board l (repeat stone (S k) ++ empty :: r)) (On (Board (l ++ empty :: repeat empty (S k)) r))
| jump_left l r k :
    jump (Board (l ++ empty :: repeat stone (S k)) r) (On (Board l (repeat empty (S k) ++ empty :: r)))
| jump_off_right l k : jump (Board l (repeat stone (S k))) (Past Left)
| jump_off_left r k : jump (Board (repeat stone (S k)) r) (Past Right).

(** A jump turn is one jump or more. *)
Inductive jumps : board -> landing -> Prop :=
| jumps_last b x : jump b x -> jumps b x
| jumps_on b c x : jump b (On c) -> jumps c x -> jumps b x.

(** A turn, of either player: a stone on any empty square, or a jump turn. *)
Inductive turn : board -> landing -> Prop :=
| place_before l m r : turn (Board (l ++ empty :: m) r) (On (Board (l ++ stone :: m) r))
| place_beyond l m r : turn (Board l (m ++ empty :: r)) (On (Board l (m ++ stone :: r)))
| jump_turn b x : jumps b x -> turn b x.

(** A turn of either player that ends with the ball on or past the last square wins for Left; on or
    past the first, for Right. *)
Definition won (p : player) (x : landing) : Prop :=
  match x with
  | Past q => q = p
  | On b => match p with Left => beyond b = [] | Right => before b = [] end
  end.

(** [wins p q b]: with [q] to move on the board [b], [p] can force a win in finitely many turns. Its
    proof is a strategy tree of [p] in which every play ends: where [p] moves, a turn that wins or
    leads to a board that he wins; where the other player moves, a proof that none of her turns wins
    for her, and a tree for each board to which they lead. *)
Inductive wins (p : player) : player -> board -> Prop :=
| wins_now b x : turn b x -> won p x -> wins p p b
| wins_later b c : turn b (On c) -> playing c -> wins p (other p) c -> wins p p b
| wins_always b :
    (forall x, turn b x -> ~ won (other p) x) ->
    (forall c, turn b (On c) -> playing c -> wins p p c) ->
    wins p (other p) b.

(** A draw: neither player can force a win. *)
Definition draw (q : player) (b : board) : Prop := ~ wins Left q b /\ ~ wins Right q b.

(** The claim about a length: every position is won by one of the players. *)
Definition decided (n : nat) : Prop :=
  forall b q, playing b -> size b = n -> wins Left q b \/ wins Right q b.

(** The mirror image of a board. *)
Definition mirror (b : board) : board := Board (rev (beyond b)) (rev (before b)).
