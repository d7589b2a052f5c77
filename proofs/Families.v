(** * Checks of whole families of states

    A configuration is a family of states, a note about the words that lead to it, and other
    families with the same unknowns. A finite list of configurations is closed if every successor of
    one of them is covered by the list. A property of all configurations of a closed list holds for
    every word. *)

From Coq Require Import ZArith List Bool Lia FMapPositive.
From Phutball Require Import Rules Potential.
Module Map := PositiveMap.
Open Scope Z_scope.

(** ** Substitution *)

Record substitution := Substitution { for_x : form; for_y : form; for_z : form }.

Definition result (s : substitution) (v : unknowns) : unknowns := Unknowns (value_of (for_x s) v) (value_of (for_y s) v) (value_of (for_z s) v).

Definition put (s : substitution) (f : form) : form :=
  plus (exactly (fixed f)) (plus (times (of_x f) (for_x s)) (plus (times (of_y f) (for_y s)) (times (of_z f) (for_z s)))).

Lemma value_put s f v : value_of (put s f) v = value_of f (result s v).
Proof. unfold put. rewrite !value_plus, !value_times, value_exactly. unfold value_of at 4. simpl. lia. Qed.

Definition put_family (s : substitution) (f : family) : family := Family (of_control f) (put s (of_k f)) (put s (of_i f)).

Lemma member_put s f v : member (put_family s f) v = member f (result s v).
Proof. unfold member, put_family. simpl. now rewrite !value_put. Qed.

Definition safe (f : form) : bool := rising f && (0 <=? fixed f).

Definition safe_all (s : substitution) : bool := safe (for_x s) && safe (for_y s) && safe (for_z s).

Lemma safe_natural f v : safe f = true -> natural v -> 0 <= value_of f v.
Proof.
  unfold safe. rewrite andb_true_iff, Z.leb_le. intros [R N] V. pose proof (value_rising f v R V). lia.
Qed.

Lemma result_natural s v : safe_all s = true -> natural v -> natural (result s v).
Proof.
  unfold safe_all. rewrite !andb_true_iff. intros [[X Y] Z] V. split; [| split]; now apply safe_natural.
Qed.

(** ** Equality and keys *)

Definition number (c : control) : Z :=
  match c with
  | E0 => 0 | E1 => 1 | E2 => 2 | E3 => 3 | S0 => 4 | S2 => 5 | Y2 => 6 | SD0 => 7 | SD2 => 8 | SS0 => 9 | SS2 => 10
  | SDD0 => 11 | SDS2 => 12 | SSD0 => 13 | SSS0 => 14 | SDDS0 => 15 | SDSS2 => 16 | SSDS0 => 17 | SSSD0 => 18
  | SSSS0 => 19 | SDDSS0 => 20 | SDSSD2 => 21 | SSDSS0 => 22 | SSSSD0 => 23 | SDDSSS0 => 24 | SSDSSS0 => 25
  | SSSSDD0 => 26 | SDDSSSS0 => 27 | SSDSSSS0 => 28 | SDDSSSSD0 => 29 | SSDSSSSD0 => 30
  end.

Lemma number_injective c d : number c = number d -> c = d.
Proof. destruct c; destruct d; (reflexivity || discriminate). Qed.

Definition same_family (f g : family) : bool :=
  (number (of_control f) =? number (of_control g)) && same_form (of_k f) (of_k g) && same_form (of_i f) (of_i g).

Lemma same_family_equal f g : same_family f g = true -> f = g.
Proof.
  destruct f, g. unfold same_family. simpl. rewrite !andb_true_iff, Z.eqb_eq. intros [[N K] I].
  apply number_injective in N. apply same_form_equal in K, I. congruence.
Qed.

Fixpoint same_families (l m : list family) : bool :=
  match l, m with
  | [], [] => true
  | f :: l, g :: m => same_family f g && same_families l m
  | _, _ => false
  end.

Lemma same_families_equal l m : same_families l m = true -> l = m.
Proof.
  revert m. induction l as [| f l IH]; intros [| g m] H; simpl in H; try discriminate; [reflexivity |].
  apply andb_true_iff in H as [F H]. apply same_family_equal in F as ->. now rewrite (IH m).
Qed.

Definition hash (h m : Z) : Z := Z.land (h * 31 + m + 1000) 1048575.
Definition hash_form (h : Z) (f : form) : Z := hash (hash (hash (hash h (fixed f)) (of_x f)) (of_y f)) (of_z f).
Definition hash_family (h : Z) (f : family) : Z := hash_form (hash_form (hash h (number (of_control f))) (of_k f)) (of_i f).

Section Check.

(** Comparison of notes. *)
Variable A : Type.
Variable same_note : A -> A -> bool.
Hypothesis same_note_equal : forall a b, same_note a b = true -> a = b.
Variable note_key : A -> Z.

Record configuration := Configuration { note : A; main : family; others : list family }.

Definition same (c d : configuration) : bool :=
  same_note (note c) (note d) && same_family (main c) (main d) && same_families (others c) (others d).

Lemma same_equal c d : same c d = true -> c = d.
Proof.
  destruct c, d. unfold same. simpl. rewrite !andb_true_iff. intros [[N M] O].
  apply same_note_equal in N. apply same_family_equal in M. apply same_families_equal in O. congruence.
Qed.

Definition key (c : configuration) : positive :=
  Z.to_pos (1 + fold_left hash_family (others c) (hash_family (note_key (note c)) (main c))).

Definition put_configuration (s : substitution) (c : configuration) : configuration :=
  Configuration (note c) (put_family s (main c)) (map (put_family s) (others c)).

Definition var_x := Form 0 1 0 0.
Definition var_y := Form 0 0 1 0.
Definition var_z := Form 0 0 0 1.

(** The unknown [x], [y] or [z] (0, 1 or 2) is 0, or it is at least 1. *)
Definition at_zero (u : nat) : substitution :=
  match u with
  | 0%nat => Substitution (exactly 0) var_y var_z
  | 1%nat => Substitution var_x (exactly 0) var_z
  | _ => Substitution var_x var_y (exactly 0)
  end.

Definition from_one (u : nat) : substitution :=
  match u with
  | 0%nat => Substitution (Form 1 1 0 0) var_y var_z
  | 1%nat => Substitution var_x (Form 1 0 1 0) var_z
  | _ => Substitution var_x var_y (Form 1 0 0 1)
  end.

Lemma split_unknown u v : natural v -> exists w, natural w /\ (result (at_zero u) w = v \/ result (from_one u) w = v).
Proof.
  assert (E : forall a b c d e f, a = d -> b = e -> c = f -> Unknowns a b c = Unknowns d e f) by (now intros; subst).
  destruct v as [a b c]. intros V. unfold natural in V. simpl in V.
  destruct u as [| [| u]]; unfold result; cbn [at_zero from_one for_x for_y for_z];
    [destruct (Z.eq_dec a 0) | destruct (Z.eq_dec b 0) | destruct (Z.eq_dec c 0)];
    [exists (Unknowns a b c) | exists (Unknowns (a - 1) b c) | exists (Unknowns a b c) | exists (Unknowns a (b - 1) c)
      | exists (Unknowns a b c) | exists (Unknowns a b (c - 1))];
    (split; [unfold natural; simpl; lia |]);
    [left | right | left | right | left | right]; apply E; unfold value_of, var_x, var_y, var_z, exactly; cbn [fixed of_x of_y of_z x y z]; lia.
Qed.

(** A configuration is an instance of one in the list, or an unknown is split into 0 and at least 1.
    *)
Inductive proposal := Instance (c : configuration) (s : substitution) | Split (u : nat) | Unable.

Variable propose : configuration -> proposal.

(** The successors of a configuration, if they are the same for all unknowns, and the property. *)
Variable next : configuration -> option (list configuration).
Variable good : configuration -> bool.

Definition listed (seen : Map.t (list configuration)) (c : configuration) : bool :=
  match Map.find (key c) seen with Some l => existsb (same c) l | None => false end.

Fixpoint covered (seen : Map.t (list configuration)) (depth : nat) (c : configuration) : bool :=
  match depth with
  | O => false
  | S depth =>
      match propose c with
      | Instance d s =>
          safe_all s && same_note (note d) (note c) && same_family (put_family s (main d)) (main c)
          && forallb (fun t => existsb (same_family (put_family s t)) (others c)) (others d) && listed seen d
      | Split u =>
          covered seen depth (put_configuration (at_zero u) c) && covered seen depth (put_configuration (from_one u) c)
      | Unable => false
      end
  end.

Definition depth := 40%nat.

Definition closed (seen : Map.t (list configuration)) : bool :=
  forallb (fun '(_, l) => forallb (fun c =>
    good c && match next c with Some l => forallb (covered seen depth) l | None => false end) l) (Map.elements seen).

(** Finds the list. Only its result is checked; nothing is proved about the search. *)
Fixpoint proposed (depth : nat) (c : configuration) : list configuration :=
  match depth with
  | O => []
  | S depth =>
      match propose c with
      | Instance d _ => [d]
      | Split u => proposed depth (put_configuration (at_zero u) c) ++ proposed depth (put_configuration (from_one u) c)
      | Unable => []
      end
  end.

Fixpoint explore (steps : nat) (todo : list configuration) (seen : Map.t (list configuration)) : Map.t (list configuration) :=
  match steps, todo with
  | S steps, c :: todo =>
      if listed seen c then explore steps todo seen
      else
        let seen := Map.add (key c) (c :: match Map.find (key c) seen with Some l => l | None => [] end) seen in
        let l := match next c with Some l => flat_map (proposed depth) l | None => [] end in
        explore steps (l ++ todo) seen
  | _, _ => seen
  end.

(** A note, a state, and other states that include those of a listed configuration. *)
Definition described (seen : Map.t (list configuration)) (a : A) (s : state) (l : list state) : Prop :=
  exists c v, listed seen c = true /\ natural v /\ note c = a /\ member (main c) v = s /\ forall t, In t (others c) -> In (member t v) l.

Definition describes (seen : Map.t (list configuration)) (c : configuration) : Prop :=
  forall v, natural v -> described seen (note c) (member (main c) v) (map (fun t => member t v) (others c)).

Lemma covered_sound seen n c : covered seen n c = true -> describes seen c.
Proof.
  revert c. induction n as [| n IH]; intros c H v V; simpl in H; [discriminate |].
  destruct (propose c) as [d s | u |]; [| | discriminate].
  - rewrite !andb_true_iff in H. destruct H as [[[[S N] M] O] L]. exists d, (result s v).
    split; [assumption |]. split; [now apply result_natural |]. split; [now apply same_note_equal |].
    split; [now rewrite <- member_put; apply same_family_equal in M as -> |].
    intros t T. rewrite forallb_forall in O. apply O, existsb_exists in T as (t' & I & E).
    apply same_family_equal in E. rewrite <- member_put, E. now apply (in_map (fun t => member t v)).
  - apply andb_true_iff in H as [Z P]. destruct (split_unknown u v V) as (w & W & [<- | <-]).
    + pose proof (IH _ Z w W) as D. simpl in D. rewrite member_put, map_map in D.
      destruct D as (d & v' & L & V' & N & M & O). exists d, v'. repeat split; try assumption; try apply V'.
      intros t T. apply O in T. apply in_map_iff in T as (t' & E & I). rewrite member_put in E. rewrite <- E.
      now apply (in_map (fun t => member t (result (at_zero u) w))).
    + pose proof (IH _ P w W) as D. simpl in D. rewrite member_put, map_map in D.
      destruct D as (d & v' & L & V' & N & M & O). exists d, v'. repeat split; try assumption; try apply V'.
      intros t T. apply O in T. apply in_map_iff in T as (t' & E & I). rewrite member_put in E. rewrite <- E.
      now apply (in_map (fun t => member t (result (from_one u) w))).
Qed.

Theorem closed_sound seen c : closed seen = true -> listed seen c = true ->
  good c = true /\ exists l, next c = Some l /\ forall d, In d l -> describes seen d.
Proof.
  unfold closed, listed. intros H L. destruct (Map.find (key c) seen) as [l |] eqn:F; [| discriminate].
  apply existsb_exists in L as (d & I & E). apply same_equal in E as <-.
  rewrite forallb_forall in H. apply Map.elements_correct in F. specialize (H _ F). cbv beta iota in H.
  rewrite forallb_forall in H. specialize (H _ I). apply andb_true_iff in H as [G N]. split; [assumption |].
  destruct (next c) as [m |]; [| discriminate]. exists m. split; [reflexivity |].
  rewrite forallb_forall in N. intros e J. now apply (covered_sound seen depth), N.
Qed.

End Check.
