(** * A store of binary tries: slow, without axioms, for evaluation by Coq's kernel *)

From Coq Require Import Arith PArith NArith Lia Bool.
From Phutball Require Import Rules Reading Store Tables.

Module TrieStore <: STORE.

Definition node := positive.
Definition bottom : node := 1%positive.
Definition top : node := 2%positive.
Definition same := Pos.eqb.
Definition precedes := Pos.ltb.

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

Definition code (k : task) (s : state) (f : bool) (m : nat) : positive :=
  task_digits k (state_digits s (flag_digit f (Pos.of_succ_nat m))).

Lemma code_injective k s f m k' s' f' m' : code k s f m = code k' s' f' m' -> k = k' /\ s = s' /\ f = f' /\ m = m'.
Proof.
  unfold code. intros E.
  assert (K : k = k' /\ state_digits s (flag_digit f (Pos.of_succ_nat m)) = state_digits s' (flag_digit f' (Pos.of_succ_nat m')))
    by (destruct k, k'; simpl in E; try discriminate; injection E as E; auto).
  destruct K as [-> K]. clear E.
  assert (S : s = s' /\ flag_digit f (Pos.of_succ_nat m) = flag_digit f' (Pos.of_succ_nat m'))
    by (destruct s, s'; simpl in K; try discriminate; injection K as K; auto).
  destruct S as [-> S]. clear K.
  destruct f, f'; simpl in S; try discriminate; injection S as S; apply SuccNat2Pos.inj in S; auto.
Qed.

Record tries := Tries {
  nodes : Map.t (positive * positive * positive);
  unique : table positive;  (** the node with given children *)
  last : positive;
  results : table positive;
  tally : table N }.
Definition store := tries.

(** Children have smaller numbers; anything else counts as nothing. *)
Definition bound (t : store) : positive := Pos.succ (Pos.max top (last t)).

Definition valid (t : store) (q : node) : Prop := (q < bound t)%positive.

Definition part (n : positive * positive * positive) (c : cell) : positive :=
  let '(e, s, b) := n in match c with Square empty => e | Square stone => s | Ball => b end.

Definition child (t : store) (q : node) (c : cell) : node :=
  match q with
  | 1 => 1
  | 2 => 2
  | _ => match Map.find q (nodes t) with Some n => let x := part n c in if Pos.ltb x q then x else 1 | None => 1 end
  end%positive.

(** Equal nodes are found again; what is found is compared, so that nothing needs to be proved of the
    table. *)
Definition is_node (t : store) (e s b q : node) : bool :=
  Pos.ltb q (bound t) && Pos.ltb 2 q && (Pos.ltb e q && Pos.ltb s q && Pos.ltb b q) &&
  match Map.find q (nodes t) with
  | Some (e', s', b') => Pos.eqb e e' && Pos.eqb s s' && Pos.eqb b b'
  | None => false
  end.

Definition append (t : store) (e s b : node) : store * node :=
  let q := bound t in
  (Tries (Map.add q (e, s, b) (nodes t)) (table_put (unique t) e s b q) q (results t) (tally t), q).

Definition make (t : store) (e s b : node) : store * node :=
  match table_get (unique t) e s b with
  | Some q => if is_node t e s b q then (t, q) else append t e s b
  | None => append t e s b
  end.

Definition find (t : store) k s f m u v := table_get (results t) (code k s f m) u v.
Definition add (t : store) k s f m u v x := 
  Tries (nodes t) (unique t) (last t) (table_put (results t) (code k s f m) u v x) (tally t).

Definition holds (t : store) k s f m u v x := find t k s f m u v = Some x.

Definition find_count (t : store) f m q := table_get (tally t) (flag_digit f 1) (Pos.of_succ_nat m) q.
Definition add_count (t : store) f m q x := 
  Tries (nodes t) (unique t) (last t) (results t) (table_put (tally t) (flag_digit f 1) (Pos.of_succ_nat m) q x).
Definition holds_count (t : store) f m q x := find_count t f m q = Some x.

Definition sizes := unit.
Definition fresh (_ : sizes) : store := Tries (Map.empty _) empty_table top empty_table empty_table.
Definition full (_ : store) : bool := false.

Definition number := N.
Definition zero := 0%N.
Definition push (k : number) (digit : nat) : option number := Some (10 * k + N.of_nat digit)%N.
Definition next : number -> number := N.succ.
Definition to_nat : number -> nat := N.to_nat.
Definition named (t : store) (k : number) : option node :=
  let q := N.succ_pos k in if Pos.ltb q (bound t) then Some q else None.

Definition grows (t u : store) : Prop :=
  forall q, valid t q -> valid u q /\ forall c, child u q c = child t q c.
Definition keeps_results (t u : store) : Prop :=
  forall k s f m p q x, holds u k s f m p q x -> holds t k s f m p q x.
Definition keeps_counts (t u : store) : Prop := forall f m q x, holds_count u f m q x -> holds_count t f m q x.

Lemma same_equal p q : same p q = true -> p = q.
Proof. apply Pos.eqb_eq. Qed.
Lemma same_refl p : same p p = true.
Proof. apply Pos.eqb_refl. Qed.
Lemma bottom_top : same bottom top = false.
Proof. reflexivity. Qed.
Lemma valid_bottom t : valid t bottom.
Proof. unfold valid, bound, bottom. lia. Qed.
Lemma valid_top t : valid t top.
Proof. unfold valid, bound, top. lia. Qed.
Lemma child_bottom t c : child t bottom c = bottom.
Proof. reflexivity. Qed.
Lemma child_top t c : child t top c = top.
Proof. reflexivity. Qed.

Lemma child_cases t q c : (q = 1 /\ child t q c = 1 \/ q = 2 /\ child t q c = 2 \/ 3 <= q /\
  child t q c = match Map.find q (nodes t) with Some n => let x := part n c in if Pos.ltb x q then x else 1 | None => 1 end)%positive.
Proof. destruct q as [[q | q |] | [q | q |] |]; auto; right; right; (split; [lia | reflexivity]). Qed.

Lemma child_valid t q c : valid t q -> valid t (child t q c).
Proof.
  unfold valid. intros V. destruct (child_cases t q c) as [[-> ->] | [[-> ->] | [L ->]]]; try assumption.
  assert (O : (1 < bound t)%positive) by (unfold bound; lia).
  destruct (Map.find q (nodes t)) as [n |]; [| assumption]. cbv zeta.
  destruct (Pos.ltb_spec (part n c) q); [lia | assumption].
Qed.

Definition makes (t u : store) (e s b x : node) : Prop :=
  grows t u /\ keeps_results t u /\ keeps_counts t u /\ valid u x
  /\ (x = bottom \/ child u x (Square empty) = e /\ child u x (Square stone) = s /\ child u x Ball = b).

Lemma append_makes t e s b u x : valid t e -> valid t s -> valid t b -> append t e s b = (u, x) -> makes t u e s b x.
Proof.
  unfold valid. intros E S B [= <- <-]. set (u := Tries _ _ _ _ _).
  assert (Bu : bound u = Pos.succ (bound t)).
  { change (Pos.succ (Pos.max top (bound t)) = Pos.succ (bound t)). f_equal. unfold bound, top. lia. }
  assert (C : forall c, child u (bound t) c = part (e, s, b) c).
  { intros c. destruct (child_cases u (bound t) c) as [[K _] | [[K _] | [_ ->]]];
      try (exfalso; revert K; unfold bound, top; lia).
    simpl nodes. rewrite Map.gss. cbv zeta.
    destruct (Pos.ltb_spec (part (e, s, b) c) (bound t)) as [_ | L]; [reflexivity |].
    exfalso. destruct c as [[|] |]; simpl in L; lia. }
  split; [| split; [intros ? ? ? ? ? ? ? H; exact H |]; split; [intros ? ? ? ? H; exact H |]; split; [unfold valid; rewrite Bu; lia |]].
  - intros q V. unfold valid in *. split; [rewrite Bu; lia |]. intros c.
    destruct (child_cases u q c) as [[-> ->] | [[-> ->] | [L ->]]]; [reflexivity | reflexivity |].
    destruct (child_cases t q c) as [[-> _] | [[-> _] | [_ ->]]]; [lia | lia |].
    simpl nodes. rewrite Map.gso by lia. reflexivity.
  - right. rewrite !C. auto.
Qed.

Lemma make_makes t e s b u x : valid t e -> valid t s -> valid t b -> make t e s b = (u, x) -> makes t u e s b x.
Proof.
  intros E S B. unfold make. destruct (table_get (unique t) e s b) as [q |]; [| now apply append_makes].
  destruct (is_node t e s b q) eqn:H; [| now apply append_makes]. intros [= <- <-].
  unfold is_node in H. destruct (Map.find q (nodes t)) as [[[e' s'] b'] |] eqn:F; [| now rewrite andb_false_r in H].
  rewrite !andb_true_iff, !Pos.ltb_lt, !Pos.eqb_eq in H.
  destruct H as [[[Q T] [[Le Ls] Lb]] [[He Hs] Hb]]. subst e' s' b'.
  assert (C : forall c, child t q c = part (e, s, b) c).
  { intros c. destruct (child_cases t q c) as [[K _] | [[K _] | [_ ->]]]; try lia.
    rewrite F. cbv zeta.
    destruct c as [[|] |]; cbn [part]; apply Pos.ltb_lt in Le, Ls, Lb; rewrite ?Le, ?Ls, ?Lb; reflexivity. }
  split; [intros p V; auto |]. split; [intros ? ? ? ? ? ? ? H; exact H |]. split; [intros ? ? ? ? H; exact H |].
  split; [exact Q |]. right. rewrite !C. auto.
Qed.

Lemma grows_same t u : nodes u = nodes t -> last u = last t -> grows t u.
Proof. intros N B q V. unfold valid, bound in *. rewrite B. split; [assumption |]. intros c. unfold child. now rewrite N. Qed.

Lemma named_valid t k q : named t k = Some q -> valid t q.
Proof. unfold named. destruct (Pos.ltb_spec (N.succ_pos k) (bound t)); [| discriminate]. now intros [= <-]. Qed.

Lemma find_holds t k s f m p q x : find t k s f m p q = Some x -> holds t k s f m p q x.
Proof. auto. Qed.

Lemma add_grows t k s f m p q x : grows t (add t k s f m p q x).
Proof. now apply grows_same. Qed.

Lemma add_holds t k s f m p q x k' s' f' m' p' q' y :
  holds (add t k s f m p q x) k' s' f' m' p' q' y ->
  (k' = k /\ s' = s /\ f' = f /\ m' = m /\ p' = p /\ q' = q /\ y = x) \/ holds t k' s' f' m' p' q' y.
Proof.
  unfold holds, find, add. simpl. intros H. apply table_get_put in H as [(C & -> & -> & ->) | H]; [left | now right].
  apply code_injective in C as (-> & -> & -> & ->). auto 10.
Qed.

Lemma find_count_holds t f m q x : find_count t f m q = Some x -> holds_count t f m q x.
Proof. auto. Qed.

Lemma add_count_grows t f m q x : grows t (add_count t f m q x).
Proof. now apply grows_same. Qed.

Lemma add_count_results t f m q x : keeps_results t (add_count t f m q x).
Proof. intros ? ? ? ? ? ? ? H. exact H. Qed.

Lemma add_count_holds t f m q x f' m' q' y :
  holds_count (add_count t f m q x) f' m' q' y ->
  (f' = f /\ m' = m /\ q' = q /\ y = x) \/ holds_count t f' m' q' y.
Proof.
  unfold holds_count, find_count, add_count. simpl. intros H.
  apply table_get_put in H as [(F & M & -> & ->) | H]; [left | now right].
  apply SuccNat2Pos.inj in M as ->. destruct f, f'; try discriminate; auto.
Qed.

Lemma fresh_results z k s f m p q x : ~ holds (fresh z) k s f m p q x.
Proof. unfold holds, find. simpl. rewrite table_get_empty. discriminate. Qed.

Lemma fresh_counts z f m q x : ~ holds_count (fresh z) f m q x.
Proof. unfold holds_count, find_count. simpl. rewrite table_get_empty. discriminate. Qed.

End TrieStore.
