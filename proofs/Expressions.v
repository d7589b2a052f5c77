(** * Expressions in place of the integers of a name

    Symbols.v has the definitions of Rule.v over expressions and formulas, with a list of
    alternatives for each choice. So the rule can be applied to all names of a zone at once. *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Zones Rule.
Open Scope Z_scope.

Inductive expr := Var (x : nat) | Const (c : Z) | Plus (a : expr) (c : Z) | Minus (a : expr) (c : Z).
Inductive formula :=
| Known (b : bool) | Less (a b : expr) | AtMost (a b : expr) | Equal (a b : expr)
| Both (p q : formula) | Either (p q : formula).

Section Meaning.

Variable v : valuation.

Fixpoint number (a : expr) : Z :=
  match a with Var x => v x | Const c => c | Plus a c => number a + c | Minus a c => number a - c end.

Fixpoint holds (p : formula) : bool :=
  match p with
  | Known b => b
  | Less a b => number a <? number b
  | AtMost a b => number a <=? number b
  | Equal a b => number a =? number b
  | Both p q => holds p && holds q
  | Either p q => holds p || holds q
  end.

(** The first of some alternatives. *)
Fixpoint chosen {A} (l : list (formula * A)) : option A :=
  match l with [] => None | (p, s) :: l => if holds p then Some s else chosen l end.

End Meaning.

(** A name with expressions. *)
Record symbol := Symbol { head_s : head; i_s : expr; j_s : expr; n_s : expr; mark_s : bool; tail_s : tail; K_s : expr }.

Definition named (v : valuation) (s : symbol) : name :=
  Name (head_s s) (number v (i_s s)) (number v (j_s s)) (number v (n_s s)) (mark_s s) (tail_s s) (number v (K_s s)).

Declare Scope symbols_scope.
Delimit Scope symbols_scope with sym.
Notation "x + c" := (Plus x c) : symbols_scope.
Notation "x - c" := (Minus x c) : symbols_scope.
Notation "x <? y" := (Less x y) : symbols_scope.
Notation "x =? y" := (Equal x y) : symbols_scope.
Notation "p && q" := (Both p q) : symbols_scope.
Notation "p || q" := (Either p q) : symbols_scope.
Notation "x <=? y" := (AtMost x y) : symbols_scope.

Definition tailed_s (H : head) (i : expr) (t : tail) (K : expr) : symbol := Symbol H i (Const 0) (Const 0) false t K.
Definition pure_s (H : head) (K : expr) : symbol := tailed_s H (Const 0) none K.
Definition nothing_s := pure_s hL (Const 0).
Definition index_s (m : bool) : expr := Const (index m).

Definition always {A} (s : A) : list (formula * A) := [(Known true, s)].

(** ** Formulas and zones *)

(** An expression is an atom. *)
Fixpoint norm (a : expr) : atom :=
  match a with
  | Var x => (x, 0)
  | Const c => (0%nat, c)
  | Plus a c => let (x, d) := norm a in (x, d + c)
  | Minus a c => let (x, d) := norm a in (x, d - c)
  end.

Lemma norm_value v a : v 0%nat = 0 -> value v (norm a) = number v a.
Proof.
  intros E. induction a as [x | c | a IH c | a IH c]; simpl; [unfold value; simpl; lia | unfold value; simpl; lia | |];
    destruct (norm a) as [x d]; unfold value in *; simpl in *; lia.
Qed.

(** The parts of a zone where a formula holds, and where it does not. *)
Definition split_less (a b : atom) (z : zone) : list zone * list zone :=
  let ab := diff z a b in let ba := diff z b a in
  if (ab <? 0) && (ab <? inf) then ([z], [])
  else if (ba <=? 0) && (ba <? inf) then ([], [z])
  else ([narrow (fst a) (fst b) (snd b - snd a - 1) z], [narrow (fst b) (fst a) (snd a - snd b) z]).

Fixpoint both (f : zone -> list zone * list zone) (l : list zone) : list zone * list zone :=
  match l with [] => ([], []) | z :: l => let (y, n) := f z in let (y', n') := both f l in (y ++ y', n ++ n') end.

Fixpoint split (p : formula) (z : zone) : list zone * list zone :=
  match p with
  | Known b => if b then ([z], []) else ([], [z])
  | Less a b => split_less (norm a) (norm b) z
  | AtMost a b => let (y, n) := split_less (norm b) (norm a) z in (n, y)
  | Equal a b =>
      let (y, n) := split_less (norm a) (norm b) z in
      let (y', n') := both (split_less (norm b) (norm a)) n in (n', y ++ y')
  | Both p q => let (y, n) := split p z in let (y', n') := both (split q) y in (y', n ++ n')
  | Either p q => let (y, n) := split p z in let (y', n') := both (split q) n in (y ++ y', n')
  end.

(** What is known without the numbers. *)
Fixpoint simpler (p : formula) : formula :=
  match p with
  | Both p q =>
      match simpler p, simpler q with
      | Known true, q => q | Known false, _ => Known false
      | p, Known true => p | _, Known false => Known false
      | p, q => Both p q end
  | Either p q =>
      match simpler p, simpler q with
      | Known false, q => q | Known true, _ => Known true
      | p, Known false => p | _, Known true => Known true
      | p, q => Either p q end
  | p => p
  end.

Lemma simpler_holds v p : holds v (simpler p) = holds v p.
Proof.
  induction p as [b | a b | a b | a b | p IH q IH' | p IH q IH']; try reflexivity; simpl; rewrite <- IH, <- IH';
    destruct (simpler p) as [[|] | | | | |], (simpler q) as [[|] | | | | |]; simpl;
    rewrite ?andb_true_r, ?andb_false_r, ?orb_false_r, ?orb_true_r; reflexivity.
Qed.

Definition part (v : valuation) (b : bool) (l : list zone * list zone) : Prop :=
  exists z, In z (if b then fst l else snd l) /\ sat z v.

Lemma split_less_sound v a b z : sat z v -> part v (value v a <? value v b) (split_less a b z).
Proof.
  intros S. unfold split_less. pose proof (diff_sound z v a b S) as D. pose proof (diff_sound z v b a S) as D'.
  destruct ((diff z a b <? 0) && (diff z a b <? inf)) eqn:Y.
  { apply andb_true_iff in Y as [Y L]. apply Z.ltb_lt in Y, L. rewrite (proj2 (Z.ltb_lt _ _)) by lia. exists z.
    simpl. auto. }
  destruct ((diff z b a <=? 0) && (diff z b a <? inf)) eqn:N.
  { apply andb_true_iff in N as [N L]. apply Z.leb_le in N. apply Z.ltb_lt in L.
    rewrite (proj2 (Z.ltb_ge _ _)) by lia. exists z. simpl. auto. }
  unfold value in *. destruct (Z.ltb_spec (v (fst a) + snd a) (v (fst b) + snd b)) as [L | L]; eexists;
    (split; [now left |]); apply narrow_sound; auto; lia.
Qed.

Lemma both_sound v f b l z : (forall z, sat z v -> part v b (f z)) -> In z l -> sat z v -> part v b (both f l).
Proof.
  intros H I S. induction l as [| z' l IH]; [contradiction |]. simpl.
    destruct (f z') as [y n] eqn:F, (both f l) as [y' n'] eqn:G.
  destruct I as [-> | I].
  - specialize (H z S). rewrite F in H. destruct H as (z0 & I & S'). exists z0. split; [| assumption].
    destruct b; apply in_app_iff; auto.
  - destruct (IH I) as (z0 & I' & S'). exists z0. split; [| assumption]. destruct b; apply in_app_iff; auto.
Qed.

Lemma split_sound v p : v 0%nat = 0 -> forall z, sat z v -> part v (holds v p) (split p z).
Proof.
  intros E. induction p as [b | a b | a b | a b | p IH q IH' | p IH q IH']; intros z S; cbn [holds split].
  - destruct b; exists z; simpl; auto.
  - rewrite <- !norm_value by assumption. now apply split_less_sound.
  - pose proof (split_less_sound v (norm b) (norm a) z S) as P. destruct (split_less _ _ z) as [y n].
    rewrite !norm_value in P by assumption.
    rewrite Z.leb_antisym. destruct P as (z0 & I & S'). exists z0. destruct (number v b <? number v a); auto.
  - pose proof (split_less_sound v (norm a) (norm b) z S) as P. pose proof (split_less_sound v (norm b) (norm a)) as Q.
    destruct (split_less (norm a) (norm b) z) as [y n]. rewrite !norm_value in * by assumption.
    destruct P as (z0 & I & S'). pose proof (fun I => both_sound v _ _ n z0 (fun z => Q z) I S') as P.
    destruct (both (split_less (norm b) (norm a)) n) as [y' n'].
    destruct (Z.ltb_spec (number v a) (number v b)).
    + rewrite (proj2 (Z.eqb_neq _ _)) by lia. exists z0. split; [| assumption]. apply in_app_iff. auto.
    + specialize (P I). destruct (Z.ltb_spec (number v b) (number v a)).
      * rewrite (proj2 (Z.eqb_neq _ _)) by lia. destruct P as (z1 & I' & S1). exists z1. split; [| assumption].
        apply in_app_iff. auto.
      * rewrite (proj2 (Z.eqb_eq _ _)) by lia. exact P.
  - specialize (IH z S). destruct (split p z) as [y n]. destruct IH as (z0 & I & S').
    destruct (holds v p); simpl in *.
    + pose proof (both_sound v _ _ y z0 IH' I S') as P. destruct (both (split q) y) as [y' n'].
      destruct P as (z1 & I' & S1).
      exists z1. split; [| assumption]. destruct (holds v q); simpl in *; [assumption | apply in_app_iff; auto].
    + destruct (both (split q) y) as [y' n']. exists z0. split; [| assumption]. apply in_app_iff. auto.
  - specialize (IH z S). destruct (split p z) as [y n]. destruct IH as (z0 & I & S').
    destruct (holds v p); simpl in *.
    + destruct (both (split q) n) as [y' n']. exists z0. split; [| assumption]. apply in_app_iff. auto.
    + pose proof (both_sound v _ _ n z0 IH' I S') as P. destruct (both (split q) n) as [y' n'].
      destruct P as (z1 & I' & S1).
      exists z1. split; [| assumption]. destruct (holds v q); simpl in *; [apply in_app_iff; auto | assumption].
Qed.

(** The parts of a zone with the chosen alternatives. *)
Fixpoint branches {A} (l : list (formula * A)) (z : zone) : list (option A * zone) :=
  match l with
  | [] => [(None, z)]
  | (p, s) :: l => let (y, n) := split (simpler p) z in map (fun z => (Some s, z)) y ++ flat_map (branches l) n
  end.

Lemma branches_sound {A} v (l : list (formula * A)) z : v 0%nat = 0 -> sat z v ->
  exists z', In (chosen v l, z') (branches l z) /\ sat z' v.
Proof.
  intros E. revert z. induction l as [| [p s] l IH]; intros z S; [exists z; simpl; auto |]. cbn [branches chosen].
  pose proof (split_sound v (simpler p) E z S) as (z1 & I & S1). rewrite simpler_holds in I.
    destruct (split (simpler p) z) as [y n].
  destruct (holds v p); simpl in I.
  - exists z1. split; [| assumption]. apply in_app_iff. left. apply in_map_iff. eauto.
  - destruct (IH z1 S1) as (z2 & I2 & S2). exists z2. split; [| assumption]. apply in_app_iff. right.
    apply in_flat_map. eauto.
Qed.
