(** * Both equations, checked on diagrams *)

From Coq Require Import Arith Lia PArith NArith Bool.
From Phutball Require Import Rules Play Reading Search.

(** ** Numbers of states *)

Definition number (s : state) : positive :=
  match s with
  | StoneBefore => 1 | StoneBeyond => 2 | StonePast => 3 | RightSoon => 4 | RightLeaves => 5 | RightFlies => 6
  | LeftFirst => 7 | LeftSoon => 8 | LeftLanded => 9 | LeftFlew => 10 | Done => 11
  end.

Definition same_state (s t : state) : bool := Pos.eqb (number s) (number t).

Lemma same_state_equal s t : same_state s t = true -> s = t.
Proof. destruct s, t; reflexivity || discriminate. Qed.

(** Concatenates the digits of two numbers. *)
Fixpoint before_digits (p q : positive) : positive :=
  match p with
  | xH => q
  | xO p => xO (before_digits p q)
  | xI p => xI (before_digits p q)
  end.

Section Diagram.

Variable d : diagram.

(** ** Check that every turn of Right leads from [r] into [a] *)

(** An item: [true] if the ball is still to come, nodes for both words, and a state. *)
Definition every := (bool * positive * positive * state)%type.

Definition every_same (i j : every) : bool :=
  let '(f, r, a, s) := i in let '(f', r', a', s') := j in
  Bool.eqb f f' && Pos.eqb r r' && Pos.eqb a a' && same_state s s'.

Definition every_key (i : every) : positive :=
  let '(_, r, a, s) := i in before_digits (number s) (before_digits a r).

(** A completed turn needs no more reading if both nodes are equal or the second accepts everything.
    *)
Definition settled (r a : positive) (s : state) : bool := same_state s Done && (Pos.eqb r a || Pos.eqb a top).

Definition every_move (f : bool) (r a : positive) (m : move) : list every :=
  match m with
  | Home => []
  | Away s => [(f, r, bottom, s)]
  | To c s => let a := child d a c in if settled r a s then [] else [(f, r, a, s)]
  end.

Definition every_children (last : bool) (i : every) : list every :=
  let '(f, r, a, s) := i in
  flat_map (fun c =>
    let r := child d r c in
    if Pos.eqb r bottom then [] else flat_map (every_move (still f c) r a) (moves last s c)) (cells f).

Definition every_holds (i : every) : bool :=
  let '(_, r, a, s) := i in negb (Pos.eqb r top) || negb (same_state s Done) || Pos.eqb a top.

Definition every_good (i : every) (w : list cell) : Prop :=
  let '(f, r, a, s) := i in
  balls w = Nat.b2n f -> accepts d r w = true ->
  forall x, reads s w x -> match x with Word v => accepts d a v = true | LeftHome => True | RightHome => False end.

Definition every_turn (n : nat) (r a : positive) : bool :=
  search every every_key every_same every_children every_holds n
    (map (fun s => (true, r, a, s)) (forward_starts ++ other_starts)).

Lemma every_same_equal i j : every_same i j = true -> i = j.
Proof.
  destruct i as [[[f r] a] s], j as [[[f' r'] a'] s']. simpl. rewrite !andb_true_iff.
  intros [[[F R] A] S]. apply eqb_prop in F. apply Pos.eqb_eq in R, A. apply same_state_equal in S. congruence.
Qed.

Lemma every_good_end i : every_holds i = true -> every_good i [].
Proof.
  destruct i as [[[f r] a] s]. simpl. intros H _ R x T. rewrite R in H. inversion T; subst; [| exact I].
  assumption.
Qed.

Lemma every_good_next i c w :
  (forall j, In j (every_children (none w) i) -> every_good j w) -> every_good i (c :: w).
Proof.
  destruct i as [[[f r] a] s]. intros H B A x T.
  apply balls_next in B as [Hc B]. simpl in A.
  assert (N : Pos.eqb (child d r c) bottom = false).
  { apply Pos.eqb_neq. intros E. rewrite E, accepts_bottom in A. discriminate. }
  assert (K : forall m j, In m (moves (none w) s c) -> In j (every_move (still f c) (child d r c) a m) -> every_good j w).
  { intros m j Hm Hj. apply H. unfold every_children. apply in_flat_map. exists c. split; [assumption |].
    rewrite N. apply in_flat_map. eauto. }
  inversion T as [| | | ? ? ? t v I T' | ? ? ? e t v I T' | ? ? ? e t I T']; subst; try exact Logic.I.
  - specialize (K _ _ I (or_introl eq_refl) B A _ T'). simpl in K. rewrite accepts_bottom in K. discriminate.
  - simpl. specialize (K (To e t)). simpl in K.
    destruct (settled (child d r c) (child d a e) t) eqn:S.
    + apply andb_true_iff in S as [S E]. apply same_state_equal in S as ->. apply read_rest in T' as ->.
      apply orb_true_iff in E as [E | E]; apply Pos.eqb_eq in E; rewrite E in *; [assumption | apply accepts_top].
    + exact (K _ I (or_introl eq_refl) B A _ T').
Qed.

Theorem every_turn_sound n r a : every_turn n r a = true ->
  forall b, playing b -> size b = n -> accepts d r (word b) = true ->
  forall x, turn b x -> won Left x \/ exists c, x = On c /\ playing c /\ accepts d a (word c) = true.
Proof.
  intros H b P N A x T. destruct (turns_are_read b x P T) as (s & y & S & Y & Z).
  rewrite <- N, <- length_word in H.
  pose proof (search_sound every every_key every_same every_same_equal every_children every_holds
    every_good every_good_end every_good_next _ _ H (true, r, a, s)) as G.
  specialize (G (in_map (fun s => (true, r, a, s)) _ _ S) (balls_word b) A y Y).
  destruct y; simpl in Z; [| now left | contradiction].
  destruct Z as (c & -> & Pc & ->). right. eauto.
Qed.

(** ** Check that some turn of Left leads from [a] into the node paired with its state *)

(** An item: [true] if the ball is still to come, a node for the first word, and the choices: nodes
    for the second word with their states. *)
Definition choice := (positive * state)%type.
Definition some := (bool * positive * list choice)%type.

Definition choice_same (p q : choice) : bool := Pos.eqb (fst p) (fst q) && same_state (snd p) (snd q).

Fixpoint choices_same (l m : list choice) : bool :=
  match l, m with
  | [], [] => true
  | p :: l, q :: m => choice_same p q && choices_same l m
  | _, _ => false
  end.

Definition some_same (i j : some) : bool :=
  let '(f, a, l) := i in let '(f', a', l') := j in
  Bool.eqb f f' && Pos.eqb a a' && choices_same l l'.

Definition some_key (i : some) : positive :=
  let '(_, a, l) := i in
  before_digits a (N.succ_pos (fold_left (fun h p => N.lxor h (Npos (before_digits (number (snd p)) (fst p)))) l 0%N)).

(** Lists of choices are sorted without duplicates, so equal sets are equal lists. *)
Fixpoint insert (p : choice) (l : list choice) : list choice :=
  match l with
  | [] => [p]
  | q :: m =>
      match Pos.compare (fst p) (fst q) with
      | Lt => p :: l
      | Gt => q :: insert p m
      | Eq =>
          match Pos.compare (number (snd p)) (number (snd q)) with
          | Lt => p :: l
          | Gt => q :: insert p m
          | Eq => l
          end
      end
  end.

(** A choice whose node accepts nothing is dropped unless the ball can still reach a goal. *)
Definition useless (r : positive) (s : state) : bool :=
  Pos.eqb r bottom && negb (existsb (same_state s) [RightSoon; RightLeaves; RightFlies]).

(** The choices after a move (none or one), or [None] if nothing more needs to be read. *)
Definition some_move (a r : positive) (m : move) : list (option choice) :=
  match m with
  | Home => [None]
  | Away _ => []
  | To c s =>
      let r := child d r c in
      if settled a r s then [None] else if useless r s then [] else [Some (r, s)]
  end.

Fixpoint collect (l : list (option choice)) (into : list choice) : option (list choice) :=
  match l with
  | [] => Some into
  | None :: _ => None
  | Some p :: l => collect l (insert p into)
  end.

Definition some_children (last : bool) (i : some) : list some :=
  let '(f, a, l) := i in
  flat_map (fun c =>
    let a := child d a c in
    if Pos.eqb a bottom then []
    else
      match collect (flat_map (fun p => flat_map (some_move a (fst p)) (moves last (snd p) c)) l) [] with
      | None => []
      | Some l => [(still f c, a, l)]
      end) (cells f).

Definition some_holds (i : some) : bool :=
  let '(_, a, l) := i in
  negb (Pos.eqb a top) || existsb (fun p => same_state (snd p) RightFlies || choice_same p (top, Done)) l.

Definition some_good (i : some) (w : list cell) : Prop :=
  let '(f, a, l) := i in
  balls w = Nat.b2n f -> accepts d a w = true ->
  exists r s x, In (r, s) l /\ reads s w x /\
    match x with Word v => accepts d r v = true | LeftHome => True | RightHome => False end.

(** Forward turns lead into [r]. If there is a level below, other turns lead into its second set,
    and the boards of its first set need no turn. *)
Definition some_turn (n : nat) (a r : positive) (below : option (positive * positive)) : bool :=
  search some some_key some_same some_children some_holds n
    [(true, a, map (pair r) forward_starts ++
       match below with Some (p, q) => (p, Done) :: map (pair q) other_starts | None => [] end)].

Lemma choice_same_equal p q : choice_same p q = true -> p = q.
Proof.
  destruct p, q. unfold choice_same. rewrite andb_true_iff. simpl. intros [P S].
  apply Pos.eqb_eq in P. apply same_state_equal in S. congruence.
Qed.

Lemma some_same_equal i j : some_same i j = true -> i = j.
Proof.
  destruct i as [[f a] l], j as [[f' a'] l']. simpl. rewrite !andb_true_iff.
  intros [[F A] L]. apply eqb_prop in F. apply Pos.eqb_eq in A. subst. f_equal.
  revert l' L. induction l as [| p l IH]; intros [| p' l'] L; simpl in L; try discriminate; [reflexivity |].
  apply andb_true_iff in L as [P L]. apply choice_same_equal in P as ->. now rewrite (IH l').
Qed.

Lemma in_insert p q l : In q (insert p l) -> q = p \/ In q l.
Proof.
  induction l as [| r l IH]; simpl; [intuition |].
  destruct (Pos.compare (fst p) (fst r)); [destruct (Pos.compare (number (snd p)) (number (snd r))) | |]; simpl; intuition.
Qed.

Lemma collected l : forall into,
  match collect l into with
  | Some m => forall p, In p m -> In p into \/ In (Some p) l
  | None => In None l
  end.
Proof.
  induction l as [| [p |] l IH]; intros into; simpl; [auto | | auto].
  specialize (IH (insert p into)). destruct (collect l (insert p into)) as [m |]; [| auto].
  intros q Q. destruct (IH q Q) as [Q' | Q']; [| auto].
  apply in_insert in Q' as [-> | Q']; auto.
Qed.

Lemma some_good_end i : some_holds i = true -> some_good i [].
Proof.
  destruct i as [[f a] l]. simpl. intros H _ A. rewrite A in H. simpl in H.
  apply existsb_exists in H as ([r s] & I & E). apply orb_true_iff in E as [E | E].
  - apply same_state_equal in E. simpl in E. subst. exists r, RightFlies, LeftHome. repeat split; [assumption | constructor].
  - apply choice_same_equal in E. injection E as -> ->. exists top, Done, (Word []). repeat split; [assumption | constructor].
Qed.

Lemma some_good_next i c w :
  (forall j, In j (some_children (none w) i) -> some_good j w) -> some_good i (c :: w).
Proof.
  destruct i as [[f a] l]. intros H B A.
  apply balls_next in B as [Hc B]. simpl in A.
  assert (N : Pos.eqb (child d a c) bottom = false).
  { apply Pos.eqb_neq. intros E. rewrite E, accepts_bottom in A. discriminate. }
  set (all := flat_map (fun p => flat_map (some_move (child d a c) (fst p)) (moves (none w) (snd p) c)) l).
  pose proof (collected all []) as K. destruct (collect all []) as [m |] eqn:E.
  - assert (I : In (still f c, child d a c, m) (some_children (none w) (f, a, l))).
    { unfold some_children. apply in_flat_map. exists c. split; [assumption |]. rewrite N. fold all. rewrite E. now left. }
    destruct (H _ I B A) as (r & s & x & M & T & X). apply K in M as [[] | M].
    apply in_flat_map in M as ([q t] & Q & M). apply in_flat_map in M as (mv & V & M). simpl in V, M.
    destruct mv as [e u | | u]; simpl in M; try now (repeat destruct M as [M | M]; try discriminate).
    destruct (settled _ _ _); [destruct M as [M | []]; discriminate |].
    destruct (useless _ _); [contradiction |]. destruct M as [M | []]. injection M as <- <-.
    destruct x as [v | |]; [| | contradiction].
    + exists q, t, (Word (e :: v)). split; [assumption |]. split; [now apply reads_on with u | assumption].
    + exists q, t, LeftHome. split; [assumption |]. split; [now apply reads_on_home with e u | assumption].
  - apply in_flat_map in K as ([q t] & Q & M). apply in_flat_map in M as (mv & V & M). simpl in V, M.
    destruct mv as [e u | | u]; simpl in M; [| | contradiction].
    + destruct (settled _ _ _) eqn:S;
        [| destruct (useless _ _); [contradiction | destruct M as [M | []]; discriminate]].
      apply andb_true_iff in S as [S R]. apply same_state_equal in S as ->.
      exists q, t, (Word (e :: w)). split; [assumption |]. split; [apply reads_on with Done; [assumption | apply reads_rest] |].
      simpl. apply orb_true_iff in R as [R | R]; apply Pos.eqb_eq in R; [now rewrite <- R | rewrite R; apply accepts_top].
    + exists q, t, LeftHome. split; [assumption |]. split; [now apply reads_home | exact Logic.I].
Qed.

Theorem some_turn_sound n a r below : some_turn n a r below = true ->
  forall b, playing b -> size b = n -> accepts d a (word b) = true ->
  (exists x, forward b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ accepts d r (word c) = true))
  \/ (exists p q, below = Some (p, q) /\
       (accepts d p (word b) = true \/ exists c, turn b (On c) /\ playing c /\ accepts d q (word c) = true)).
Proof.
  intros H b P N A. rewrite <- N, <- length_word in H.
  pose proof (search_sound some some_key some_same some_same_equal some_children some_holds
    some_good some_good_end some_good_next _ _ H _ (or_introl eq_refl)) as G.
  destruct (G (balls_word b) A) as (q & s & x & M & T & X). apply in_app_or in M as [M | M].
  - left. apply in_map_iff in M as (s' & [= -> ->] & M).
    destruct (read_forward s b x P M T) as (y & F & Y). exists y. split; [assumption |].
    destruct x as [v | |]; simpl in Y; [| now left | contradiction].
    destruct Y as (c & -> & Pc & ->). right. eauto.
  - right. destruct below as [[p' q'] |]; [| contradiction]. exists p', q'. split; [reflexivity |].
    destruct M as [[= <- <-] | M].
    { left. destruct x as [v | |]; [| | contradiction].
      - apply read_rest in T. now subst.
      - apply read_home in T. simpl in T. intuition discriminate. }
    right. apply in_map_iff in M as (s' & [= -> ->] & M). destruct x as [v | |]; [| | contradiction].
    + destruct (read_other s b v P M T) as (c & Tc & Pc & ->). eauto.
    + exfalso. apply read_home in T. destruct M as [<- | [<- | []]]; simpl in T; intuition discriminate.
Qed.

(** ** Levels *)

(** A level: a node for the boards with Left to move and one for those with Right to move. *)
Fixpoint levels_follow (n : nat) (below : option (positive * positive)) (levels : list (positive * positive)) : bool :=
  match levels with
  | [] => true
  | (a, r) :: levels => every_turn n r a && some_turn n a r below && levels_follow n (Some (a, r)) levels
  end.

Lemma levels_follow_each n below levels : levels_follow n below levels = true ->
  forall k a r, nth_error levels k = Some (a, r) ->
  every_turn n r a = true
  /\ some_turn n a r (match k with 0 => below | S k => nth_error levels k end) = true.
Proof.
  revert below. induction levels as [| [a r] levels IH]; intros below H [| k] a' r' E; simpl in E; try discriminate;
    simpl in H; apply andb_true_iff in H as [H L]; apply andb_true_iff in H as [H H'].
  - injection E as <- <-. auto.
  - destruct (IH _ L k a' r' E) as [R A]. split; [assumption |]. destruct k; assumption.
Qed.

Theorem levels_follow_won n levels : levels_follow n None levels = true ->
  forall k a r, nth_error levels k = Some (a, r) ->
  forall b, playing b -> size b = n ->
    (accepts d a (word b) = true -> wins Left Left b) /\ (accepts d r (word b) = true -> wins Left Right b).
Proof.
  intros H.
  set (A := fun k b => exists a r, nth_error levels k = Some (a, r) /\ accepts d a (word b) = true).
  set (R := fun k b => exists a r, nth_error levels k = Some (a, r) /\ accepts d r (word b) = true).
  assert (FA : forall k b, playing b -> size b = n -> A k b ->
    (exists x, forward b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ R k c))
    \/ (exists j, k = S j /\ (A j b \/ exists c, turn b (On c) /\ playing c /\ R j c))).
  { intros k b P N (a & r & E & Ac). destruct (levels_follow_each _ _ _ H k a r E) as [_ S].
    destruct (some_turn_sound _ _ _ _ S b P N Ac) as [(x & F & [W | (c & Ec & Pc & Rc)]) | (p & q & Eq & L)].
    - left. eauto.
    - left. exists x. split; [assumption |]. right. exists c. repeat split; try assumption; try apply Pc. exists a, r. auto.
    - right. destruct k as [| k]; [discriminate |]. exists k. split; [reflexivity |].
      destruct L as [Ap | (c & T & Pc & Rc)]; [left; exists p, q; auto |].
      right. exists c. repeat split; try assumption; try apply Pc. exists p, q. auto. }
  assert (FR : forall k b, playing b -> size b = n -> R k b ->
    forall x, turn b x -> won Left x \/ exists c, x = On c /\ playing c /\ A k c).
  { intros k b P N (a & r & E & Rc) x T. destruct (levels_follow_each _ _ _ H k a r E) as [S _].
    destruct (every_turn_sound _ _ _ S b P N Rc x T) as [W | (c & Ec & Pc & Ac)]; [now left |].
    right. exists c. repeat split; try assumption; try apply Pc. exists a, r. auto. }
  intros k a r E b P N. split; intros I.
  - apply (levels_won A R n FA FR k Left b P N). exists a, r. auto.
  - apply (levels_won A R n FA FR k Right b P N). exists a, r. auto.
Qed.

End Diagram.
