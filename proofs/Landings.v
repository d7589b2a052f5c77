(** * Words with a landing of a jump turn that is remembered *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Cleared Conditions Zones Cells Automaton Classes Notes Jumps.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** Notes: the last square (2: there is none); the class of the number of squares since a landing (0: there
    is none), its type, and a bound of its potential less one for every four squares and less [k]. *)
Definition weight (r t v : Z) : Z := 4 * (v + if (t =? 10) || (t =? 14) || (t =? 16) then 1 else 0) - Z.modulo r 4.

Definition gap (last : Z) (a : square) : bool := match a with empty => last =? 0 | stone => false end.

Definition shifted (last : Z) (n : list Z) (a : square) (dk : Z) : list (list Z) :=
  match n with
  | [r; t; v] => if (r =? 0) || gap last a then [] else [[more r; t; v - dk - full (more r)]]
  | _ => []
  end.

Definition new (c : cell) (last : Z) (a : square) (dk : Z) : list (list Z) :=
  match a with empty => if last =? 2 then [] else [[1; Z.of_nat (kind c); constant c - dk]] | stone => [] end.

Definition last_of (a : square) : Z := match a with empty => 0 | stone => 1 end.

(** The best of the offers; nothing depends on the choice. *)
Definition best (worse : Z -> Z -> bool) (l : list (list Z)) : list Z :=
  fold_left (fun s n => match s, n with [0; _; _], _ => n
    | [r; t; v], [r'; t'; v'] => if worse (weight r t v) (weight r' t' v') then n else s | _, _ => s end) l [0; 0; 0].

Definition first_key (b : list Z) : list Z * zone := (Zpos (cell_of start) :: b, first_zone).

(** ** What the notes mean *)

Lemma cleared_jumped u : cleared true u -> jumped u (length u).
Proof.
  intros H. apply (jump_cleared true) in H as (a & A & ->). exists (rev a). split; [now apply runs_rev | auto].
Qed.

(** The bound is an upper one if the sign is 1, a lower one if it is -1. *)
Definition landed (sign : Z) (w : list square) (last : Z) (n : list Z) : Prop :=
  match n with
  | [r; t; v] => r = 0 \/ exists w' b u, w = w' ++ u /\ w' <> [] /\ cleared b u /\ last = (if b then 1 else 0)
    /\ r = class (len u)
      /\ t = Z.of_nat (type (run w')) /\ sign * (potential (run w') - len u / 4 - count_k (run w)) <= sign * v
  | _ => False
  end.

Definition ended (w : list square) (last : Z) : Prop := last = 2 /\ w = [] \/ (last = 0 \/ last = 1) /\ w <> [].

Lemma ended_more w a : ended (w ++ [a]) (last_of a).
Proof. right. split; [destruct a; auto | now destruct w]. Qed.

Lemma landed_none sign w last : landed sign w last [0; 0; 0].
Proof. now left. Qed.

Section Sign.

Variable sign : Z.
Hypothesis sign_one : sign = 1 \/ sign = -1.

Lemma shifted_landed w last n a mv n' : landed sign w last n -> run (w ++ [a]) = moved mv (run w) ->
  In n' (shifted last n a (add_k mv)) -> landed sign (w ++ [a]) (last_of a) n'.
Proof.
  intros L R I. unfold shifted in I. destruct n as [| r [| t [| v [|]]]]; try contradiction.
  destruct (Z.eqb_spec r 0) as [| N]; [contradiction |]. simpl in I.
  destruct L as [L | (w' & b & u & E & N' & C & B & K & T & V)]; [contradiction |].
  destruct (gap last a) eqn:G; [contradiction |]. destruct I as [<- | []]. right.
  exists w', (match a with stone => true | empty => false end), (u ++ [a]). rewrite E, app_assoc.
  split; [reflexivity |]. split; [assumption |].
  assert (C' : cleared (match a with stone => true | empty => false end) (u ++ [a])).
  { destruct a; [| now apply cleared_stone with b]. destruct b; [now apply cleared_empty |]. subst last. discriminate. }
  split; [assumption |]. split; [now destruct a |]. destruct (class_more (len u) (cleared_length _ _ C)) as [M Q].
  assert (U : len (u ++ [a]) = len u + 1) by (rewrite app_length; simpl; lia). rewrite U. split; [congruence |].
  split; [assumption |].
  rewrite <- E, R. cbn [moved count_k]. rewrite Q, M, <- K. destruct sign_one as [-> | ->]; lia.
Qed.

Lemma new_landed w last a mv n : ended w last -> run (w ++ [a]) = moved mv (run w) ->
  In n (new (cell_at (cell_of (run w))) last a (add_k mv)) -> landed sign (w ++ [a]) (last_of a) n.
Proof.
  intros E R I. unfold new in I. destruct a; [| contradiction]. destruct (Z.eqb_spec last 2); [contradiction |].
  destruct I as [<- | []]. right.
  exists w, false, [empty]. split; [reflexivity |].
  split; [destruct E as [[E _] | [_ E]]; [contradiction | assumption] |].
  split; [constructor |]. split; [reflexivity |]. split; [reflexivity |]. split; [reflexivity |].
  rewrite R. change (len [empty]) with 1. change (1 / 4) with 0. cbn [moved count_k]. unfold potential.
  destruct sign_one as [-> | ->]; lia.
Qed.

Lemma best_landed worse w last l : (forall n, In n l -> landed sign w last n) -> landed sign w last (best worse l).
Proof.
  unfold best. intros H. assert (G : landed sign w last [0; 0; 0]) by apply landed_none. revert G.
  generalize [0; 0; 0] as s.
  induction l as [| n l IH]; intros s G; simpl; [assumption |]. apply IH; [intros; apply H; now right |].
  pose proof (H n (or_introl eq_refl)) as N. clear H IH.
  destruct s as [| r [| t [| v [|]]]]; try contradiction. destruct n as [| r' [| t' [| v' [|]]]]; try contradiction.
  destruct r; [assumption | destruct (worse _ _); assumption ..].
Qed.

End Sign.
