(** * A store of binary tries: slow, without axioms, for evaluation by Coq's kernel *)

From Coq Require Import Arith PArith NArith Lia Bool.
From Phutball Require Import Rules Reading Store Tables.

Module TrieStore <: STORE.

(** An inner node has a name, by which it is compared, and its children. So a child is found without
    a search. *)
Inductive diagram := Bottom | Top | Inner (name : positive) (e s b : diagram).

Definition node := diagram.
Definition bottom := Bottom.
Definition top := Top.

Definition name (q : node) : positive := match q with Bottom => 1 | Top => 2 | Inner i _ _ _ => i end.
Definition same (p q : node) : bool := Pos.eqb (name p) (name q).
Definition precedes (p q : node) : bool := Pos.ltb (name p) (name q).

(** A number for the first parts of a key. *)
Definition task_digits (k : task) (p : positive) : positive :=
  match k with Union => xO p | Preimage => xI (xO p) | Inclusion => xI (xI p) end.

Definition state_digits (s : state) (p : positive) : positive :=
  match s with
  | StoneBefore => xO (xO (xO (xO p))) | StoneBeyond => xO (xO (xO (xI p))) | StonePast => xO (xO (xI (xO p)))
  | RightSoon => xO (xO (xI (xI p))) | RightLeaves => xO (xI (xO (xO p))) | RightFlies => xO (xI (xO (xI p)))
  | LeftFirst => xO (xI (xI (xO p))) | LeftSoon => xO (xI (xI (xI p))) | LeftLanded => xI (xO (xO (xO p)))
  | LeftFlew => xI (xO (xO (xI p))) | FarRightSoon => xI (xO (xI (xO (xO p)))) | FarRightLeaves => xI (xO (xI (xO (xI p))))
  | FarRightOne => xI (xO (xI (xI (xO p)))) | FarLeftFirst => xI (xO (xI (xI (xI p)))) | FarLeftSoon => xI (xI (xO (xO p)))
  | FarLeftLanded => xI (xI (xO (xI p))) | FarLeftOne => xI (xI (xI (xO p))) | Done => xI (xI (xI (xI p)))
  end.

Definition flag_digit (f : bool) (p : positive) : positive := if f then xI p else xO p.

Definition code (k : task) (s : state) (f : bool) : positive := task_digits k (state_digits s (flag_digit f 1)).

Lemma code_injective k s f k' s' f' : code k s f = code k' s' f' -> k = k' /\ s = s' /\ f = f'.
Proof.
  unfold code. intros E.
  assert (K : k = k' /\ state_digits s (flag_digit f 1) = state_digits s' (flag_digit f' 1))
    by (destruct k, k'; simpl in E; try discriminate; injection E as E; auto).
  destruct K as [-> K]. clear E.
  assert (S : s = s' /\ flag_digit f 1 = flag_digit f' 1)
    by (destruct s, s'; simpl in K; try discriminate; injection K as K; auto).
  destruct S as [-> S]. destruct f, f'; simpl in S; try discriminate; auto.
Qed.

(** A result with its number of cells, which is not part of the key, and its nodes. *)
Inductive entry := Entry (m : nat) (p q x : node).

Record tries := Tries {
  nodes : Map.t node;  (** by their names *)
  unique : table positive;  (** the name of the node with children of given names *)
  last : positive;
  results : table entry;
  tally : table (node * N) }.
Definition store := tries.

Definition child_names (q : node) : option (positive * positive * positive) :=
  match q with Inner _ e s b => Some (name e, name s, name b) | _ => None end.

(** The store has a node of this name, whose children have these names. *)
Definition has (t : store) (i : positive) (e s b : node) : Prop :=
  exists q, Map.find i (nodes t) = Some q /\ child_names q = Some (name e, name s, name b).

Fixpoint valid (t : store) (q : node) : Prop :=
  match q with
  | Bottom | Top => True
  | Inner i e s b => (2 < i)%positive /\ has t i e s b /\ valid t e /\ valid t s /\ valid t b
  end.

Definition child (t : store) (q : node) (c : cell) : node :=
  match q with
  | Inner _ e s b => match c with Square empty => e | Square stone => s | Ball => b end
  | _ => q
  end.

(** Equal nodes are found again; what is found is compared, so that nothing needs to be proved of the
    table. *)
Definition is_node (t : store) (e s b : node) (i : positive) : bool :=
  Pos.ltb 2 i &&
  match Map.find i (nodes t) with
  | Some (Inner _ e' s' b') => same e e' && same s s' && same b b'
  | _ => false
  end.

Definition append (t : store) (e s b : node) : store * node :=
  let i := Pos.succ (Pos.max 2 (last t)) in
  match Map.find i (nodes t) with
  | Some _ => (t, bottom)
  | None =>
      let q := Inner i e s b in
      (Tries (Map.add i q (nodes t)) (table_put (unique t) (name e) (name s) (name b) i) i (results t) (tally t), q)
  end.

Definition make (t : store) (e s b : node) : store * node :=
  match table_get (unique t) (name e) (name s) (name b) with
  | Some i => if is_node t e s b i then (t, Inner i e s b) else append t e s b
  | None => append t e s b
  end.

Definition find (t : store) k s f m u v : option node :=
  match table_get (results t) (code k s f) (name u) (name v) with
  | Some (Entry m' u' v' x) => if Nat.eqb m m' && same u' u && same v' v then Some x else None
  | None => None
  end.
Definition add (t : store) k s f m u v x :=
  Tries (nodes t) (unique t) (last t) (table_put (results t) (code k s f) (name u) (name v) (Entry m u v x)) (tally t).

Definition holds (t : store) k s f m u v x :=
  table_get (results t) (code k s f) (name u) (name v) = Some (Entry m u v x).

Definition tally_get (t : store) f m q := table_get (tally t) (flag_digit f 1) (Pos.of_succ_nat m) (name q).
Definition find_count (t : store) f m q : option N :=
  match tally_get t f m q with Some (q', x) => if same q' q then Some x else None | None => None end.
Definition add_count (t : store) f m q x :=
  Tries (nodes t) (unique t) (last t) (results t) (table_put (tally t) (flag_digit f 1) (Pos.of_succ_nat m) (name q) (q, x)).
Definition holds_count (t : store) f m q x := tally_get t f m q = Some (q, x).

Definition sizes := unit.
Definition fresh (_ : sizes) : store := Tries (Map.empty _) empty_table 2 empty_table empty_table.
Definition full (_ : store) : bool := false.

Definition number := N.
Definition zero := 0%N.
Definition push (k : number) (digit : nat) : option number := Some (10 * k + N.of_nat digit)%N.
Definition next : number -> number := N.succ.
Definition to_nat : number -> nat := N.to_nat.
Definition named (t : store) (k : number) : option node :=
  match k with
  | 0 => Some bottom
  | 1 => Some top
  | _ => Map.find (N.succ_pos k) (nodes t)
  end%N.
Definition ok (t : store) : Prop := forall i q, Map.find i (nodes t) = Some q -> valid t q.

Definition grows (t u : store) : Prop :=
  forall q, valid t q -> valid u q /\ forall c, child u q c = child t q c.
Definition keeps_results (t u : store) : Prop :=
  forall k s f m p q x, holds u k s f m p q x -> holds t k s f m p q x.
Definition keeps_counts (t u : store) : Prop := forall f m q x, holds_count u f m q x -> holds_count t f m q x.

Lemma name_large t i e s b : valid t (Inner i e s b) -> i <> 1%positive /\ i <> 2%positive.
Proof. intros [L _]. lia. Qed.

Lemma same_equal t p q : valid t p -> valid t q -> same p q = true -> p = q.
Proof.
  unfold same. rewrite Pos.eqb_eq. revert q. induction p as [| | i e IHe s IHs b IHb]; intros q P Q E.
  - destruct q; try discriminate; [reflexivity |]. apply name_large in Q. simpl in E. lia.
  - destruct q; try discriminate; [reflexivity |]. apply name_large in Q. simpl in E. lia.
  - destruct q as [| | j e' s' b']; try (apply name_large in P; simpl in E; lia). simpl in E. subst j.
    destruct P as (_ & (n & F & N) & Pe & Ps & Pb), Q as (_ & (n' & F' & N') & Qe & Qs & Qb).
    rewrite F in F'. injection F' as <-. rewrite N in N'. injection N' as Ee Es Eb. f_equal; auto.
Qed.

Lemma same_refl p : same p p = true.
Proof. apply Pos.eqb_refl. Qed.
Lemma bottom_top : same bottom top = false.
Proof. reflexivity. Qed.
Lemma valid_bottom t : valid t bottom.
Proof. exact I. Qed.
Lemma valid_top t : valid t top.
Proof. exact I. Qed.
Lemma child_bottom t c : child t bottom c = bottom.
Proof. reflexivity. Qed.
Lemma child_top t c : child t top c = top.
Proof. reflexivity. Qed.

Lemma child_valid t q c : valid t q -> valid t (child t q c).
Proof. destruct q as [| | i e s b]; [auto | auto |]. intros (_ & _ & E & S & B). destruct c as [[|] |]; assumption. Qed.

Lemma grows_nodes t u : (forall i q, Map.find i (nodes t) = Some q -> Map.find i (nodes u) = Some q) -> grows t u.
Proof.
  intros H q. induction q as [| | i e IHe s IHs b IHb]; [split; [exact I | auto] .. |]. intros (L & (n & F & N) & E & S & B).
  split; [| auto]. split; [assumption |]. split; [exists n; auto |]. split; [now apply IHe | split; [now apply IHs | now apply IHb]].
Qed.

Definition makes (t u : store) (e s b x : node) : Prop :=
  grows t u /\ keeps_results t u /\ keeps_counts t u /\ valid u x
  /\ (x = bottom \/ child u x (Square empty) = e /\ child u x (Square stone) = s /\ child u x Ball = b)
  /\ (ok t -> ok u).

Lemma makes_same t e s b x : valid t x ->
  x = bottom \/ child t x (Square empty) = e /\ child t x (Square stone) = s /\ child t x Ball = b -> makes t t e s b x.
Proof.
  intros V C. split; [intros q Q; auto |]. split; [intros ? ? ? ? ? ? ? H; exact H |]. split; [intros ? ? ? ? H; exact H |].
  split; [assumption |]. split; auto.
Qed.

Lemma append_makes t e s b u x : valid t e -> valid t s -> valid t b -> append t e s b = (u, x) -> makes t u e s b x.
Proof.
  intros E S B. unfold append. set (i := Pos.succ (Pos.max 2 (last t))).
  destruct (Map.find i (nodes t)) eqn:F; intros [= <- <-]; [apply makes_same; [exact I | now left] |].
  set (u := Tries _ _ _ _ _).
  assert (G : grows t u).
  { apply grows_nodes. intros j q H. simpl nodes. destruct (Pos.eq_dec j i) as [-> | N]; [congruence |]. now rewrite Map.gso. }
  assert (X : valid u (Inner i e s b)).
  { split; [subst i; lia |]. split; [exists (Inner i e s b); simpl; now rewrite Map.gss |].
    split; [now apply G | split; now apply G]. }
  split; [assumption |]. split; [intros ? ? ? ? ? ? ? H; exact H |]. split; [intros ? ? ? ? H; exact H |].
  split; [assumption |]. split; [right; auto |].
  intros O j q H. simpl nodes in H. destruct (Pos.eq_dec j i) as [-> | N].
  - rewrite Map.gss in H. injection H as <-. assumption.
  - rewrite Map.gso in H by assumption. now apply G, (O j).
Qed.

Lemma make_makes t e s b u x : valid t e -> valid t s -> valid t b -> make t e s b = (u, x) -> makes t u e s b x.
Proof.
  intros E S B. unfold make. destruct (table_get (unique t) _ _ _) as [i |]; [| now apply append_makes].
  destruct (is_node t e s b i) eqn:H; [| now apply append_makes]. intros [= <- <-].
  unfold is_node in H. apply andb_true_iff in H as [L H]. apply Pos.ltb_lt in L.
  destruct (Map.find i (nodes t)) as [[| | j e' s' b'] |] eqn:F; try discriminate.
  unfold same in H. rewrite !andb_true_iff, !Pos.eqb_eq in H. destruct H as [[He Hs] Hb].
  apply makes_same; [| right; auto]. split; [assumption |].
  split; [exists (Inner j e' s' b'); split; [assumption | simpl; congruence] | auto].
Qed.

Lemma named_valid t k q : ok t -> named t k = Some q -> valid t q.
Proof.
  intros O. unfold named. destruct k as [| [p | p |]]; intros H; try (injection H as <-; exact I); now apply O in H.
Qed.

Lemma find_holds t k s f m p q x : find t k s f m p q = Some x ->
  exists p' q', same p' p = true /\ same q' q = true /\ holds t k s f m p' q' x.
Proof.
  unfold find, holds. destruct (table_get _ _ _ _) as [[m' p' q' y] |] eqn:F; [| discriminate].
  destruct (Nat.eqb m m' && same p' p && same q' q) eqn:H; [intros [= <-] | discriminate].
  rewrite !andb_true_iff in H. destruct H as [[M P] Q]. apply Nat.eqb_eq in M as <-. exists p', q'.
  repeat (split; [assumption |]). apply Pos.eqb_eq in P, Q. now rewrite P, Q.
Qed.

Lemma add_grows t k s f m p q x : grows t (add t k s f m p q x).
Proof. now apply grows_nodes. Qed.

Lemma add_holds t k s f m p q x k' s' f' m' p' q' y :
  holds (add t k s f m p q x) k' s' f' m' p' q' y ->
  (k' = k /\ s' = s /\ f' = f /\ m' = m /\ p' = p /\ q' = q /\ y = x) \/ holds t k' s' f' m' p' q' y.
Proof.
  unfold holds, add. simpl. intros H. apply table_get_put in H as [(C & _ & _ & E) | H]; [left | now right].
  apply code_injective in C as (-> & -> & ->). injection E as -> -> -> ->. auto 10.
Qed.

Lemma find_count_holds t f m q x : find_count t f m q = Some x ->
  exists q', same q' q = true /\ holds_count t f m q' x.
Proof.
  unfold find_count, holds_count, tally_get. destruct (table_get _ _ _ _) as [[q' y] |] eqn:F; [| discriminate].
  destruct (same q' q) eqn:Q; [intros [= <-] | discriminate]. exists q'. split; [assumption |].
  apply Pos.eqb_eq in Q. now rewrite Q.
Qed.

Lemma add_count_grows t f m q x : grows t (add_count t f m q x).
Proof. now apply grows_nodes. Qed.

Lemma add_count_results t f m q x : keeps_results t (add_count t f m q x).
Proof. intros ? ? ? ? ? ? ? H. exact H. Qed.

Lemma add_count_holds t f m q x f' m' q' y :
  holds_count (add_count t f m q x) f' m' q' y ->
  (f' = f /\ m' = m /\ q' = q /\ y = x) \/ holds_count t f' m' q' y.
Proof.
  unfold holds_count, tally_get, add_count. simpl. intros H.
  apply table_get_put in H as [(F & M & _ & E) | H]; [left | now right].
  apply SuccNat2Pos.inj in M as ->. injection E as -> ->. destruct f, f'; try discriminate; auto.
Qed.

Lemma fresh_ok z : ok (fresh z).
Proof. intros i q H. simpl in H. now rewrite Map.gempty in H. Qed.

Lemma fresh_results z k s f m p q x : ~ holds (fresh z) k s f m p q x.
Proof. unfold holds. simpl. rewrite table_get_empty. discriminate. Qed.

Lemma fresh_counts z f m q x : ~ holds_count (fresh z) f m q x.
Proof. unfold holds_count, tally_get. simpl. rewrite table_get_empty. discriminate. Qed.

End TrieStore.
