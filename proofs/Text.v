(** * A reader of the text that phutbase export N --format proof writes

    The text is read character by character, so a program need not hold it:

        squares N
        nodes K
        e s b             K lines: the children of nodes 2, 3, ... for an empty square, a stone, the ball
        Left a Right r    the boards that Left wins, with Left and with Right to move

    Node 0 accepts nothing, node 1 everything. Children come before their parents, and no node
    repeats another. Letters and spaces separate numbers. *)

From Coq Require Import Arith Bool Ascii String.
From Phutball Require Import Rules Play Reading Words Store Claims Unions Preimages Inclusions Equations Counting LawN.

(** Why a text is refused. *)
Inductive reason :=
| UnexpectedCharacter | NumberTooLarge | WrongNumberOfNumbers | OtherLength | ChildNotSmaller | RepeatedNode
| RootTooLarge | TextBehindTheEnd | TextTooShort | StoreFull
| OldText      (** its second line is [levels L] *)
| NotDecided.  (** the sets break an equation, or they are too small *)

Definition digit (c : ascii) : option nat :=
  if Ascii.eqb c "0" then Some 0 else if Ascii.eqb c "1" then Some 1 else if Ascii.eqb c "2" then Some 2
  else if Ascii.eqb c "3" then Some 3 else if Ascii.eqb c "4" then Some 4 else if Ascii.eqb c "5" then Some 5
  else if Ascii.eqb c "6" then Some 6 else if Ascii.eqb c "7" then Some 7 else if Ascii.eqb c "8" then Some 8
  else if Ascii.eqb c "9" then Some 9 else None.

Definition separates (c : ascii) : bool :=
  Ascii.eqb c " " || existsb (Ascii.eqb c) (list_ascii_of_string "squaresnodesLeftRight").

Module Text (Import S : STORE).

Include Counting S.

(** The next line is expected to hold: *)
Inductive stage :=
| Squares
| Nodes
| Node (nodes : nat) (name : number)  (** the rest of the nodes, and the number of the next *)
| Roots
| Complete (a r : node).  (** nothing *)

Inductive reader :=
| At (line : nat) (t : store) (g : stage) (row : list number) (open : option number)
| Refused (line : nat) (why : reason).

Definition start (z : sizes) : reader := At 1 (fresh z) Squares [] None.

Definition node_or_root (nodes : nat) (name : number) : stage :=
  match nodes with 0 => Roots | S _ => Node nodes name end.

(** The end of a line, whose numbers are [row], last first. *)
Definition end_line (n line : nat) (t : store) (g : stage) (row : list number) : reader :=
  let on t g := At (S line) t g [] None in
  match g, row with
  | Squares, [k] => if Nat.eqb (to_nat k) n then on t Nodes else Refused line OtherLength
  | Nodes, [k] => on t (node_or_root (to_nat k) (next (next zero)))
  | Node (S nodes) name, [b; s; e] =>
      match named t e, named t s, named t b with
      | Some e, Some s, Some b =>
          let (t, x) := make t e s b in
          match named t name with
          | Some y =>
              if same x y then on t (node_or_root nodes (next name))
              else Refused line (if full t then StoreFull else RepeatedNode)
          | None => Refused line (if full t then StoreFull else RepeatedNode)
          end
      | _, _, _ => Refused line ChildNotSmaller
      end
  | Roots, [r; a] =>
      match named t a, named t r with
      | Some a, Some r => on t (Complete a r)
      | _, _ => Refused line RootTooLarge
      end
  | _, _ => Refused line WrongNumberOfNumbers
  end.

(** The word [levels], the only one with this letter. *)
Definition is_old (g : stage) (c : ascii) : bool := match g with Nodes => Ascii.eqb c "l" | _ => false end.

Definition feed (n : nat) (r : reader) (c : ascii) : reader :=
  match r with
  | Refused _ _ => r
  | At line _ (Complete _ _) _ _ => Refused line TextBehindTheEnd
  | At line t g row open =>
      match digit c with
      | Some d =>
          match push (match open with Some k => k | None => zero end) d with
          | Some k => At line t g row (Some k)
          | None => Refused line NumberTooLarge
          end
      | None =>
          let row := match open with Some k => k :: row | None => row end in
          if Ascii.eqb c "010" then end_line n line t g row
          else if negb (separates c) then Refused line (if is_old g c then OldText else UnexpectedCharacter)
          else
            match row with
            | _ :: _ :: _ :: _ :: _ => Refused line WrongNumberOfNumbers
            | _ => At line t g row None
            end
      end
  end.

(** The end of the text: the line and the reason if it is refused. *)
Definition finish (n : nat) (r : reader) : option (nat * reason) :=
  match r with
  | Refused line why => Some (line, why)
  | At line t (Complete a r) _ _ =>
      let (t, good) := all_decided n a r t in
      if good then None else Some (line, if full t then StoreFull else NotDecided)
  | At line _ _ _ _ => Some (line, TextTooShort)
  end.

Fixpoint feed_string (n : nat) (r : reader) (text : string) : reader :=
  match text with
  | EmptyString => r
  | String c text => feed_string n (feed n r c) text
  end.

Definition check (z : sizes) (n : nat) (text : string) : bool :=
  match finish n (feed_string n (start z) text) with None => true | Some _ => false end.

(** ** The theorem *)

Definition in_order (r : reader) : Prop :=
  match r with
  | At _ t g _ _ => ready t /\ match g with Complete a r => valid t a /\ valid t r | _ => True end
  | Refused _ _ => True
  end.

Lemma node_or_root_in_order line t nodes name row open :
  ready t -> in_order (At line t (node_or_root nodes name) row open).
Proof. intros R. split; [assumption |]. now destruct nodes. Qed.

Lemma end_line_in_order n line t g row open : in_order (At line t g row open) -> in_order (end_line n line t g row).
Proof.
  intros [R _]. destruct g as [| | nodes name | | a r]; simpl.
  - destruct row as [| k [|]]; try exact I. destruct (Nat.eqb _ _); [split; auto | exact I].
  - destruct row as [| k [|]]; try exact I. now apply node_or_root_in_order.
  - destruct nodes as [| nodes]; [exact I |]. destruct row as [| b [| s [| e [|]]]]; try exact I.
    destruct (named t e) as [e' |] eqn:E; [| exact I]. destruct (named t s) as [s' |] eqn:St; [| exact I].
    destruct (named t b) as [b' |] eqn:B; [| exact I]. pose proof (proj2 (proj2 R)) as O. apply named_valid in E, St, B; try assumption.
    destruct (make t e' s' b') as [u x] eqn:M.
    destruct (make_ready t e' s' b' u x R E St B M) as (R' & _ & _).
    destruct (named u name); [| exact I]. destruct (same x n0); [| exact I]. now apply node_or_root_in_order.
  - destruct row as [| r [| a [|]]]; try exact I.
    destruct (named t a) as [a' |] eqn:A; [| exact I]. destruct (named t r) as [r' |] eqn:E; [| exact I].
    pose proof (proj2 (proj2 R)) as O. apply named_valid in A, E; try assumption. now split.
  - exact I.
Qed.

Lemma feed_in_order n r c : in_order r -> in_order (feed n r c).
Proof.
  intros O. destruct r as [line t g row open |]; [| exact I]. cbn [feed].
  enough (H : in_order (match digit c with
      | Some d =>
          match push (match open with Some k => k | None => zero end) d with
          | Some k => At line t g row (Some k)
          | None => Refused line NumberTooLarge
          end
      | None =>
          let row := match open with Some k => k :: row | None => row end in
          if Ascii.eqb c "010" then end_line n line t g row
          else if negb (separates c) then Refused line (if is_old g c then OldText else UnexpectedCharacter)
          else
            match row with
            | _ :: _ :: _ :: _ :: _ => Refused line WrongNumberOfNumbers
            | _ => At line t g row None
            end
      end)) by (destruct g; exact H || exact I).
  destruct (digit c) as [d |]; [destruct (push _ d); [exact O | exact I] |]. cbv zeta.
  set (row' := match open with Some k => k :: row | None => row end). clearbody row'.
  destruct (Ascii.eqb c "010"); [now apply (end_line_in_order n line t g row' open) |].
  destruct (negb (separates c)); [exact I |]. destruct row' as [| ? [| ? [| ? [|]]]]; exact O || exact I.
Qed.

Theorem finish_sound n r : in_order r -> finish n r = None -> won_properly n.
Proof.
  intros O H. destruct r as [line t [| | | | a r] row open |]; try discriminate. destruct O as [R [A V]]. simpl in H.
  destruct (all_decided n a r t) as [u good] eqn:E. destruct good; [| discriminate].
  apply (all_decided_sound n a r t R A V). now rewrite E.
Qed.

Lemma check_won z n text : check z n text = true -> won_properly n.
Proof.
  unfold check. destruct (finish _ _) eqn:F; [discriminate |]. intros _.
  apply (finish_sound n (feed_string n (start z) text)); [| assumption].
  assert (O : in_order (start z)) by (split; [apply fresh_ready | exact I]). clear F.
  revert O. generalize (start z). induction text as [| c text IH]; intros r O; [assumption |].
  simpl. now apply IH, feed_in_order.
Qed.

(** If the checker accepts a text for [n] squares, one of the players wins every position of [n]
    squares. *)
Theorem check_sound z n text : check z n text = true -> decided n.
Proof. intros H. now apply won_properly_decided, (check_won z n text). Qed.

(** Then proper turns are enough to win. *)
Theorem check_law_N z n text : check z n text = true -> law_N n.
Proof. intros H. now apply won_properly_law_N, (check_won z n text). Qed.

(** In other words: no position is a draw. *)
Corollary check_no_draw z n text : check z n text = true -> forall b q, playing b -> size b = n -> ~ draw q b.
Proof.
  intros H b q P N [NL NR]. destruct (check_sound z n text H b q P N); contradiction.
Qed.

End Text.
