(** * Who wins one-dimensional Phutball: the rule

    A half strip is a word of squares, read from its goal line to the ball. Read square by square it
    has at each moment a name: a head, a tail, small numbers, a mark and a number K. The name of a
    half strip gives its potential and its type, and the potentials and the types of the two half
    strips say who wins. This file is the whole rule: there are no other data. That it is right at every
    length is [phutball_rule] of RuleSolved.v. *)

From Coq Require Import ZArith List Bool.
From Phutball Require Import Rules.
Open Scope Z_scope.

(** Heads. Many words share a name; short ones are: [hL] for [.^4K], [hI] for [.^(4K-3)], [hT] for
    [.^(4K+2)], [hM] for [.^(4K+3)], [hA] for [.^4K (oo..)^i], [hG] with [j = -1] for [.^(4K+1) (oo..)^i],
    [hE] for [.^4K oo...], [hZ] for [.^4K oo.... (oo..)^i], [hU] for [.^4K (oo..)^i o.], [hO] for
    [.^4K o..], [hQ] for [.^(4K+2) oooo.], [hY c] for the chain [.^4(K+c) (oo..)^i o.oo. (oo.)^c]. *)
Inductive head := hA | hG | hT | hO | hZ | hI | hU | hE | hQ | hL | hM | hY (c : nat).

(** Tails, as words: [_] is an empty square. *)
Inductive tail := none | o | oo | oo_ | ooo | oooo | o_ | o_o | o_oo | o_oo_.

Record name := Name { head_of : head; i_of : Z; j_of : Z; n_of : Z; mark_of : bool; tail_of : tail; K_of : Z }.

Definition tailed (H : head) (i : Z) (t : tail) (K : Z) : name := Name H i 0 0 false t K.
Definition pure (H : head) (K : Z) : name := tailed H 0 none K.
Definition nothing : name := pure hL 0.
Definition index (mark : bool) : Z := if mark then -1 else 0.

(** ** 1. One more square *)

(** A chain is full with [c = 3], or with [c = 2] if [i] is -1. *)
Definition full (c : nat) (i : Z) : bool := match c with 3%nat => 0 <=? i | 2%nat => i <? 0 | _ => false end.

Definition chain (c : nat) (i : Z) (t : tail) (K : Z) (a : square) : name :=
  let Y := tailed (hY c) i in
  let m := match c with 2%nat => i + 1 | _ => 0 end in
  match a, t with
  | stone, none => if full c i then tailed (hY (pred c)) i o_oo (K + 1) else Y o K
  | stone, o => Y oo K                                      | stone, oo | stone, o_ => Y o_o K
  | stone, o_o => Y o_oo K                                  | stone, o_oo => Y o (K - 1)
  | stone, _ => Y oo (K - 1)                                                                        (* o_oo_ *)
  | empty, none => if full c i then tailed hT (i + 1) oooo K else tailed hO m none (K - 1)
  | empty, o => Y o_ K                                      | empty, oo => tailed (hY (S c)) i none (K - 1)
  | empty, o_ => tailed hT (-1) none (K - 2)                | empty, o_o => Y none (K - 1)
  | empty, o_oo => Y o_oo_ K
  | empty, _ => Name hG m (-1) 0 false none (K - 2)                                                 (* o_oo_ *)
  end.

Definition after_stone (H : head) (i j n : Z) (mark : bool) (t : tail) (K : Z) : name :=
  match H, t with
  | hY c, _ => chain c i t K stone
  | hL, _ => if K =? 0 then nothing else tailed hA 0 o K
  | hM, _ => tailed hT (-1) o K                             | hE, _ => tailed hT (-1) o (K - 1)
  | hI, _ => Name hG i (-1) 0 mark o (K - 1)                | hU, _ => Name hG (-1) i 0 false ooo K
  | hQ, _ => tailed hO i o (K - 1)
  | hT, oo_ => tailed hO (-1) none (K - 1)                  | hT, oooo => tailed hT (-1) o (K - 1)
  | hA, oooo => if (i =? 0) && (K =? 1) then tailed hT (-1) o 0 else Name hA i j n mark o (K - 1)
  | _, none => Name H i j n mark o K                        | _, o => Name H i j n mark oo K
  | _, oo => Name H i j n mark ooo K                        | _, oo_ => Name H i j n true oooo K
  | _, oooo => Name H i j n mark o (K - 1)                  | _, _ => Name H i j n mark oooo K      (* ooo *)
  end.

Definition after_empty (H : head) (i j n : Z) (mark : bool) (t : tail) (K : Z) : name :=
  match H, t with
  | hY c, _ => chain c i t K empty
  | hL, _ => pure hI (K + 1)                                | hM, _ => pure hL (K + 1)
  | hI, _ => tailed hT (-1) none (K - 1)                    | hU, _ => pure hO K
  | hE, _ => pure hZ K                                      | hQ, _ => Name hG j 0 n false none K
  | hO, oo => tailed hT (-1) oo_ K                          | _, oo => Name H i j n mark oo_ K
  | hA, none | hG, none => pure hE K
  | hA, o => tailed hU i none K                             | hA, oo_ => tailed hA (i + 1) none K
  | hA, ooo => if (i =? 0) && (K =? 1) then pure hM 0 else Name hI i 0 0 mark none K
  | hA, _ => tailed (hY 0) (-1) none K                                                              (* oooo *)
  | hG, o => tailed hU j none K                             | hG, ooo => Name hI i 0 0 mark none K
  | hG, oo_ => Name hG (i + 1) (if j <? 0 then j else j + 1) (if 0 <? n then n + 1 else n) false none K
  | hG, _ => tailed (hY 0) j none K                                                                 (* oooo *)
  | hT, none => pure hM K                                   | hT, o => tailed hI (-1) none (K + 1)
  | hT, oo_ => pure hO K                                    | hT, ooo => pure hE K
  | hT, _ => Name hQ i 0 (if 0 <? i then i + 3 else 0) false none K                                 (* oooo *)
  | hO, none => tailed hI i none (K + 1)                    | hO, o => tailed hU (-1) none K
  | hO, ooo => Name hQ i (i + 1) 0 false none K             | hO, _ => Name hI i 0 0 true none K    (* oooo *)
  | hZ, none => pure hI (K + 1)
  | hZ, o => tailed hU i none K                             | hZ, oo_ => tailed hZ (i + 1) none K
  | hZ, ooo => Name hQ (index mark) (index mark + 1) 0 false none K
  | hZ, _ => Name hI (index mark) 0 0 true none K                                                   (* oooo *)
  end.

Definition after (s : name) (a : square) : name :=
  let (H, i, j, n, mark, t, K) := s in match a with stone => after_stone | empty => after_empty end H i j n mark t K.

(** ** 2. Near the goal line: other names *)

Definition near_chain (c : nat) (i : Z) (t : tail) (K : Z) : list (bool * name) :=
  let k := K + Z.of_nat c in
  let far := (0 <? i) && (k <? i + 6) in
  match c, t with
  | 0%nat, none =>
      [((i <? 0) && (k <? 2), pure hQ K); ((i <? 0) && (k <? 4), pure (hY 0) K);
       ((i =? 0) && (k <? 3), pure hM (K - 2))]
  | 0%nat, o_o => [(far, tailed (hY 0) (-1) o_o K)]
  | 0%nat, o_oo => [((i <? 0) && (k <? 5), tailed (hY 0) 0 o_oo K); ((i =? 0) && (k <? 4), tailed hA 0 oooo (K - 2))]
  | 1%nat, _ => ((i <? 0) && (k <? 5), tailed (hY 1) 0 t K) ::
      match t with
      | o => [((i =? 0) && (k <? 4), tailed hT (-1) o (K - 2))]
      | o_o => [(far, tailed (hY 1) (-1) o_o K)]
      | o_oo_ => [((i =? 0) && (k <? 5), pure hQ (K - 2))]
      | _ => []
      end
  | 2%nat, o => [((i =? 0) && (k <? 5), tailed (hY 1) 0 o_oo (K + 1))]
  | 2%nat, o_o => [(far, tailed (hY 2) (-1) o_o K); ((i <? 0) || (i =? 0) && (k <? 6), tailed (hY 1) i oo K)]
  | 3%nat, none => [(far, tailed (hY 3) (-1) none K); ((i <? 0) || (i =? 0) && (k <? 6), tailed (hY 1) i o_ (K + 1))]
  | _, _ => []
  end.

Definition near (s : name) : list (bool * name) :=
  let (H, i, j, n, mark, t, K) := s in
  let blocks := (K <? i + 2) && ((0 <? i) || (i =? 0) && mark) in
  match H, t with
  | hA, o => [(blocks, tailed hO (index mark) o K); (K <? 1, nothing)]
  | hA, oo_ => [((i =? 0) && (K <? 2), pure hM (K - 1))]
  | hG, _ =>
      ((K <? n) || (i =? 0) && (K <? 3), Name hA i 0 0 mark t K) ::
      ((0 <? j) && (K <? j + 5), Name hG i (-1) 0 mark t K) ::
      match t with
      | o => [((0 <? i) && (0 <=? j) && (K <? i + 2), Name hZ j 0 0 mark o K); (blocks, tailed hO (index mark) o K);
              ((i =? -1) && (K <? 2), tailed hA 0 ooo K)]
      | oooo => [((i =? -1) && (j =? -1) && (K <? 3), tailed hG (-1) oooo K)]
      | _ => []
      end
  | hT, oo => [(K =? 0, nothing); (K <? 2, tailed hA 0 oo K)]
  | hO, o =>
      [((i =? 0) && (K <? 2), tailed hA 0 o K); ((i =? 1) && (K <? 2), tailed hT (-1) o K);
       ((i <? 0) && (K <? 2), tailed hA 0 oo K)]
  | hO, oo => [((0 <? i) && (K <? i + 2), tailed hT (-1) oo K)]
  | hZ, o => [(K <? i + 2, tailed hO (index mark) o K)]
  | hI, _ => [((i <? 0) && (K <? 2), pure hI K); ((i =? 1) && (K <? 3), pure hQ K)]
  | hU, _ => [((i =? 0) && (K <? 2), pure hM (K - 1))]
  | hY c, _ => near_chain c i t K
  | _, _ => []
  end.

(** The first whose condition holds, and so on as long as there is one ([settled]: then there is none). *)
Fixpoint first (l : list (bool * name)) : option name :=
  match l with [] => None | (b, s) :: l => if b then Some s else first l end.
Fixpoint settle (times : nat) (s : name) : name :=
  match times with 0%nat => s | S times => match first (near s) with Some s => settle times s | None => s end end.

Definition next (s : name) (a : square) : name := settle 4 (after s a).
Definition name_of (word : list square) : name := fold_left next word nothing.

(** ** 3. Potential and type *)

Inductive type := Tz | Ty | Ta | Tb | Tf | Th | Tj | Tc | Td | Te | Tg | Ti | Tk | Tl.

Definition chain_value (c : nat) (i : Z) (t : tail) (K : Z) : Z * type :=
  let or (t u : type) := if i =? 0 then t else u in
  match t, c with
  | none, _ => (K, Ty)
  | o, 0%nat | o, 1%nat => (K - 1, Tb)                      | o, _ => (K - 1, or Tf Th)
  | o_, _ => (K - 1, Ta)
  | oo, 0%nat => (K - 2, Td)                                | oo, 1%nat => (K - 2, or Te Tg)
  | oo, _ => (K - 2, if (0 <? i) && (K =? i + 3) then Tl else or Ti Tk)
  | o_o, 0%nat => (K - 2, or Tc Td)                         | o_o, 1%nat => (K - 2, Td)
  | o_o, _ => (K - 2, or Te Tg)                             | o_oo, 0%nat => (K - 2, Tb)
  | o_oo, 1%nat => (K - 2, or Tf Th)                        | o_oo, _ => (K - 2, Tj)
  | _, _ => (K - 1, Tz)                                                                             (* o_oo_ *)
  end.

Definition value_of (s : name) : Z * type :=
  let (H, i, j, n, mark, t, K) := s in
  match H, t with
  | hY c, _ => chain_value c i t K
  | hL, _ => (if K =? 0 then 0 else K + 1, Tb)
  | hM, _ => (K + 2, Ty)
  | hU, _ | hE, _ | hT, oo_ | hZ, oo_ => (K + 1, Ty)
  | hQ, _ | hA, oo_ | hG, oo_ => (K + 1, Tz)
  | hA, oooo => if (i =? 0) && (K =? 1) then (1, Ta) else (K - 1, Td)
  | hG, oooo => (K - 1, if j =? 0 then Tc else Td)
  | hT, none => (K + 1, Ta)
  | hT, o | hO, none | hZ, none => (K + 1, Tb)
  | hI, _ | _, none | _, o | hT, oo | hO, oo | hZ, oo | hT, ooo => (K, Ta)
  | _, _ => (K, Tb)                                                         (* A, G oo; A, G, O, Z ooo; T, O, Z oooo *)
  end.

(** Eighths of a unit of potential, for the player who is to move and for the other. *)
Definition moving (t : type) : Z :=
  match t with
  | Tz => 0 | Ty => 1 | Ta | Tb => 2 | Tf | Th => 3 | Tj => 4 | Tc | Td => 5 | Te | Tg => 6 | Ti | Tk | Tl => 7
  end.
Definition waiting (t : type) : Z :=
  match t with
  | Tz => -5 | Ty => -2 | Tb | Tf => -1 | Ta | Tc => 0 | Th | Tj | Td | Te => 1 | Tg | Ti => 2 | Tk => 4 | Tl => 5
  end.

Definition exception (lead : Z) (t u : type) : bool :=
  match t, u with
  | Ta, Tk | Ta, Tl => lead =? 0
  | Ti, Th | Ti, Tj | Tk, Th | Tk, Tj | Tl, Th | Tl, Tj => lead =? -1
  | _, _ => false
  end.

(** Left, to move, wins the board with [g] to the left of the ball and [h] to the right. *)
Definition wins_rule (g h : list square) : bool :=
  let (P, t) := value_of (name_of g) in let (Q, u) := value_of (name_of h) in
  (8 * Q + waiting u <=? 8 * P + moving t) || exception (P - Q) t u.
