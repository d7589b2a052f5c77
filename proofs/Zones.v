(** * Difference bounds, and tables of them that are closed

    A zone bounds the differences of some integers. A table has one zone for each of finitely many
    keys. If every successor of a zone in the table lies within a zone of the table, whatever starts
    in the table stays there. *)

From Coq Require Import ZArith List Bool Lia FMapPositive.
Export ListNotations.
Module Map := PositiveMap.
Open Scope Z_scope.

(** ** Zones *)

(** Row [i] and column [j]: an upper bound of the difference of the integers [i] and [j]; numbers
    from [inf] on bound nothing. *)
Definition inf : Z := 1000.
Definition zone := list (list Z).
Definition valuation := nat -> Z.

Fixpoint sat_row (v : valuation) (a : Z) (j : nat) (row : list Z) : Prop :=
  match row with [] => True | d :: row => (d < inf -> a - v j <= d) /\ sat_row v a (S j) row end.

Fixpoint sat_rows (v : valuation) (i : nat) (z : zone) : Prop :=
  match z with [] => True | row :: z => sat_row v (v i) 0 row /\ sat_rows v (S i) z end.

Definition sat (z : zone) (v : valuation) : Prop := sat_rows v 0 z.

Lemma row_entry v a i row j : sat_row v a i row -> nth j row inf < inf -> a - v (i + j)%nat <= nth j row inf.
Proof.
  revert i j. induction row as [| d row IH]; intros i j H L; [destruct j; simpl in L; lia |].
  destruct H as [D H]. destruct j as [| j]; simpl in *; [rewrite Nat.add_0_r; auto |].
  rewrite <- Nat.add_succ_comm. now apply IH.
Qed.

Lemma rows_row v i z j : sat_rows v i z -> sat_row v (v (i + j)%nat) 0 (nth j z []).
Proof.
  revert i j. induction z as [| row z IH]; intros i j H; [now destruct j |].
  destruct H as [R H]. destruct j as [| j]; simpl; [now rewrite Nat.add_0_r |].
  rewrite <- Nat.add_succ_comm. now apply IH.
Qed.

(** An atom is one of the integers, plus a constant. *)
Definition atom := (nat * Z)%type.
Definition value (v : valuation) (a : atom) : Z := v (fst a) + snd a.

Definition diff_in (row : list Z) (a b : atom) : Z := let d :=
  nth (fst b) row inf in if d <? inf then d + snd a - snd b else inf.
Definition diff (z : zone) (a b : atom) : Z := diff_in (nth (fst a) z []) a b.

Lemma diff_sound z v a b : sat z v -> diff z a b < inf -> value v a - value v b <= diff z a b.
Proof.
  intros H L. unfold diff, diff_in in *.
  destruct (Z.ltb_spec (nth (fst b) (nth (fst a) z []) inf) inf) as [F | F]; [| lia].
  pose proof (row_entry v _ 0 _ (fst b) (rows_row v 0 z (fst a) H) F) as E. unfold value. simpl in E. lia.
Qed.

(** The zone of other integers, given as atoms. *)
Definition image (u : list atom) (z : zone) : zone :=
  map (fun a => let row := nth (fst a) z [] in map (diff_in row a) u) u.

Definition result (u : list atom) (v : valuation) : valuation := fun i => value v (nth i u (0%nat, 0)).

Lemma image_sound u z v : sat z v -> sat (image u z) (result u v).
Proof.
  intros H. unfold sat, image.
  assert (G : forall l i, (forall j, nth (i + j) u (0%nat, 0) = nth j l (0%nat, 0)) ->
    sat_rows (result u v) i (map (fun a => map (diff_in (nth (fst a) z []) a) u) l)).
  { induction l as [| a l IH]; intros i E; simpl; [trivial |]. split.
    - assert (A : result u v i = value v a).
      { unfold result. pose proof (E 0%nat) as E0. rewrite Nat.add_0_r in E0. now rewrite E0. }
      rewrite A. clear IH E A. 
      assert (R : forall m j, (forall k, nth (j + k) u (0%nat, 0) = nth k m (0%nat, 0)) ->
        sat_row (result u v) (value v a) j (map (diff_in (nth (fst a) z []) a) m)).
      { induction m as [| b m IH]; intros j E; simpl; [trivial |]. split.
        - intros L. unfold result. pose proof (E 0%nat) as E0. rewrite Nat.add_0_r in E0. rewrite E0.
          now apply diff_sound.
        - apply IH. intros k. specialize (E (S k)). now rewrite <- Nat.add_succ_comm in E. }
      now apply R.
    - apply IH. intros j. specialize (E (S j)). now rewrite <- Nat.add_succ_comm in E. }
  now apply G.
Qed.

(** One more bound. *)
Fixpoint tighten (row other : list Z) (e : Z) : list Z :=
  match row, other with
  | d :: row, f :: other => (if f <? inf then Z.min d (e + f) else d) :: tighten row other e
  | _, _ => row
  end.

Definition narrow (i j : nat) (c : Z) (z : zone) : zone :=
  let other := nth j z [] in map (fun row => let e :=
    nth i row inf in if e <? inf then tighten row other (e + c) else row) z.

Lemma tighten_sound v a b e row other k : a - b <= e ->
  sat_row v a k row -> sat_row v b k other -> sat_row v a k (tighten row other e).
Proof.
  intros E. revert k other. induction row as [| d row IH]; intros k other H G; destruct other
    as [| f other]; simpl; auto.
  destruct H as [D H], G as [F G]. split; [| now apply IH]. destruct (Z.ltb_spec f inf); [| assumption]. intros L.
  specialize (F ltac:(lia)). destruct (Z.min_spec d (e + f)) as [[_ M] | [_ M]]; rewrite M in *; [auto | lia].
Qed.

Lemma narrow_sound i j c z v : sat z v -> v i - v j <= c -> sat (narrow i j c z) v.
Proof.
  intros H C. unfold narrow. pose proof (rows_row v 0 z j H) as O. simpl in O. unfold sat in *.
  revert O. generalize (nth j z []) as other. intros other O. revert H. generalize 0%nat as k.
  induction z as [| row z IH]; intros k H; simpl; [trivial |]. destruct H as [R H]. split; [| now apply IH].
  destruct (Z.ltb_spec (nth i row inf) inf) as [F | F]; [| assumption].
  apply tighten_sound with (b := v j); [| assumption | assumption].
  pose proof (row_entry v _ 0 row i R F). simpl in *. lia.
Qed.

Fixpoint row_within (r s : list Z) : bool :=
  match r, s with
  | d :: r, e :: s => ((d <=? e) || (inf <=? e)) && row_within r s
  | _, [] => true
  | [], _ :: _ => false
  end.

Fixpoint within (z z' : zone) : bool :=
  match z, z' with
  | r :: z, s :: z' => row_within r s && within z z'
  | _, [] => true
  | [], _ :: _ => false
  end.

Lemma within_sound z z' v : within z z' = true -> sat z v -> sat z' v.
Proof.
  unfold sat. generalize 0%nat. revert z'.
  induction z as [| r z IH]; intros [| s z'] k W H; simpl in *; try discriminate; auto.
  apply andb_true_iff in W as [W W']. destruct H as [R H]. split; [| now apply IH].
  revert W R. clear. generalize 0%nat. revert s. generalize (v k) as a. clear k.
  induction r as [| d r IH]; intros a [| e s] k W R; simpl in *; try discriminate; auto.
  apply andb_true_iff in W as [D W]. destruct R as [R R']. split; [| now apply IH].
  intros L. apply orb_true_iff in D as [D | D]; apply Z.leb_le in D; lia.
Qed.

(** ** Decision trees about differences *)

Inductive tree := Leaf (c : positive) | Test (i j : nat) (bound : Z) (yes no : tree).

Fixpoint walk (loc : nat -> Z) (t : tree) : positive :=
  match t with
  | Leaf c => c
  | Test i j bound yes no => if loc i - loc j <=? bound then walk loc yes else walk loc no
  end.

Lemma walk_same loc loc' t : (forall i, loc i = loc' i) -> walk loc t = walk loc' t.
Proof. intros E. induction t as [| i j b yes IH no IH']; simpl; [reflexivity |]. now rewrite !E, IH, IH'. Qed.

(** The parts of a zone that reach the leaves. *)
Fixpoint pieces (w : nat -> atom) (t : tree) (z : zone) : list (positive * zone) :=
  match t with
  | Leaf c => [(c, z)]
  | Test i j bound yes no =>
      let a := w i in let b := w j in let ab := diff z a b in let ba := diff z b a in
      if (ab <=? bound) && (ab <? inf) then pieces w yes z
      else if (ba <? - bound) && (ba <? inf) then pieces w no z
      else pieces w yes (narrow (fst a) (fst b) (bound - snd a + snd b) z)
        ++ pieces w no (narrow (fst b) (fst a) (- bound - 1 - snd b + snd a) z)
  end.

Lemma pieces_sound w t z v : sat z v -> exists z', In (walk (fun i => value v (w i)) t, z') (pieces w t z) /\ sat z' v.
Proof.
  revert z. induction t as [c | i j bound yes IH no IH']; intros z H; [exists z; simpl; auto |]. cbn [pieces walk].
  set (ab := diff z (w i) (w j)). set (ba := diff z (w j) (w i)).
  destruct ((ab <=? bound) && (ab <? inf)) eqn:Y.
  { apply andb_true_iff in Y as [Y L]. apply Z.leb_le in Y. apply Z.ltb_lt in
      L. pose proof (diff_sound z v _ _ H L) as D. fold ab in D.
    rewrite (proj2 (Z.leb_le _ _)) by lia. auto. }
  destruct ((ba <? - bound) && (ba <? inf)) eqn:N.
  { apply andb_true_iff in N as [N L]. apply Z.ltb_lt in N. apply Z.ltb_lt in
      L. pose proof (diff_sound z v _ _ H L) as D. fold ba in D.
    rewrite (proj2 (Z.leb_gt _ _)) by lia. auto. }
  destruct (Z.leb_spec (value v (w i) - value v (w j)) bound) as [L | L]; unfold value in L.
  - destruct (IH _ (narrow_sound (fst (w i)) (fst (w j)) (bound - snd (w i) + snd (w j)) z v H ltac:(lia)))
      as (z' & I & S).
    exists z'. rewrite in_app_iff. auto.
  - destruct (IH' _ (narrow_sound (fst (w j)) (fst (w i)) (- bound - 1 - snd (w j) + snd (w i)) z v H ltac:(lia)))
      as (z' & I & S).
    exists z'. rewrite in_app_iff. auto.
Qed.

(** ** Closed tables *)

(** A key is a list of numbers. *)
Fixpoint same_key (a b : list Z) : bool :=
  match a, b with [], [] => true | m :: a, n :: b => (m =? n) && same_key a b | _, _ => false end.

Lemma same_key_equal a b : same_key a b = true -> a = b.
Proof.
  revert b. induction a as [| m a IH]; intros [| n b] H; simpl in H; try discriminate; [reflexivity |].
  apply andb_true_iff in H as [M H]. apply Z.eqb_eq in M as ->. now rewrite (IH b).
Qed.

(** Its place in the table. Nothing depends on different places for different keys. *)
Definition code (k : list Z) : positive := Z.to_pos (fold_left (fun h n => h * 1024 + n + 32) k 1).

Definition table := Map.t (list Z * zone).

Section Closed.

Variable next : list Z -> zone -> option (list (list Z * zone)).
Variable good : list Z -> zone -> bool.

Definition covered (m : table) (s : list Z * zone) : bool :=
  match Map.find (code (fst s)) m with Some (k, z) => same_key k (fst s) && within (snd s) z | None => false end.

Definition closed (m : table) : bool :=
  forallb (fun '(_, (k, z)) => good k z && match next k z with Some l => forallb (covered m) l
    | None => false end) (Map.elements m).

Definition listed (m : table) (k : list Z) (v : valuation) : Prop :=
  exists z, Map.find (code k) m = Some (k, z) /\ sat z v.

Lemma covered_listed m k z v : covered m (k, z) = true -> sat z v -> listed m k v.
Proof.
  unfold covered, listed. simpl. destruct (Map.find (code k) m) as [[k' z'] |]; [| discriminate]. intros H S.
  apply andb_true_iff in H as [K W]. apply same_key_equal in K as ->. exists z'. split; [reflexivity |].
  now apply within_sound with z.
Qed.

Theorem closed_sound m k v : closed m = true -> listed m k v ->
  exists z l, sat z v /\ good k z = true /\ next k z = Some l
  /\ forall k' z', In (k', z') l -> forall v', sat z' v' -> listed m k' v'.
Proof.
  unfold closed. intros C (z & F & S). rewrite forallb_forall in C. pose proof (Map.elements_correct _ _ F) as I.
  specialize (C _ I). cbv beta iota in C.
  clear I. apply andb_true_iff in C as [G C]. destruct (next k z) as [l |] eqn:N; [| discriminate]. exists z, l.
  repeat (split; [assumption |]).
  intros k' z' I v' S'. rewrite forallb_forall in C. apply (covered_listed m k' z'); auto.
Qed.

(** *** Finds a table. Nothing is proved about it. *)

Definition clamp (m d : Z) : Z := if m <? d then inf else if d <? - m then - m else d.
Definition close (z : zone) : zone := fold_left (fun z k => narrow k k 0 z) (seq 0 (length z)) z.
Definition widen (m : Z) (z : zone) : zone := close (map (map (clamp m)) z).

Fixpoint join_row (r s : list Z) : list Z := match r, s with d :: r, e :: s => Z.max d e :: join_row r s | _,
  _ => [] end.
Fixpoint join (z z' : zone) : zone := match z, z' with r :: z, s :: z' => join_row r s :: join z z' | _, _ => [] end.

Record search := Search { found : table; todo : list positive; later : list positive; dirty : Map.t unit }.

Definition put (m : Z) (s : search) (e : list Z * zone) : search :=
  let (k, z) := e in let p := code k in
  let add z := Search (Map.add p (k, z) (found s)) (todo s) (if Map.mem p (dirty s) then later s
    else p :: later s) (Map.add p tt (dirty s)) in
  match Map.find p (found s) with
  | None => add (widen m z)
  | Some (_, z') =>
      if within z z' then s else let z := widen m (join z z') in if within z z' then s else add z
  end.

Fixpoint explore (steps : nat) (m : Z) (s : search) : search :=
  match steps with
  | O => s
  | S steps =>
      match todo s with
      | [] => match later s with [] => s | l => explore steps m (Search (found s) (rev l) [] (dirty s)) end
      | p :: todo =>
          let s := Search (found s) todo (later s) (Map.remove p (dirty s)) in
          match Map.find p (found s) with
          | Some (k, z) => explore steps m (match next k z with Some l => fold_left (put m) l s | None => s end)
          | None => s
          end
      end
  end.

Definition find_table (m : Z) (first : list (list Z * zone)) : table :=
  found (explore (Z.to_nat 400000) m (fold_left (put m) first (Search (Map.empty _) [] [] (Map.empty _)))).

End Closed.
