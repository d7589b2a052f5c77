(** * Every turn leads from one set into another *)

From Coq Require Import Arith Lia Bool.
From Phutball Require Import Rules Play Reading Words Store Claims Unions Preimages.

Module Inclusions (Import S : STORE).

Include Preimages S.

(** Whether the automaton in state [s] takes every word of [m] cells that [u] accepts, with a ball if
    [f], only into [v] or to Left's goal. *)
Fixpoint inclusion (m : nat) (t : store) (f : bool) (s : state) (u v : node) : store * bool :=
  if same u bottom || match s with Done => same u v || same v top | _ => false end then (t, true)
  else
    match m with
    | 0 => (t, negb (same u top) || match s with Done => same v top | _ => true end)
    | S m' =>
        match find t Inclusion s f m u v with
        | Some _ => (t, true)
        | None =>
            let cell t f c :=
              let u := child t u c in
              if same u bottom then (t, true)
              else
                (fix all (l : list move) t :=
                   match l with
                   | [] => (t, true)
                   | To d s :: l => let (t, x) := inclusion m' t f s u (child t v d) in if x then all l t else (t, false)
                   | Home :: l => all l t
                   | Away s :: l => let (t, x) := inclusion m' t f s u bottom in if x then all l t else (t, false)
                   end) (moves (Nat.eqb m' 0) s c) t in
            let (t, e) := cell t f (Square empty) in
            if negb e then (t, false)
            else
              let (t, o) := cell t f (Square stone) in
              if negb o then (t, false)
              else
                let (t, b) := if f then cell t false Ball else (t, true) in
                if b then (add t Inclusion s f m u v u, true) else (t, false)
        end
    end.

Definition answers (t : store) (P : Prop) (r : store * bool) : Prop :=
  let (u, x) := r in sound u /\ grows t u /\ (x = true -> P).

Definition all_reached (f : bool) (m : nat) (s : state) (t : store) (u v : node) : Prop :=
  forall w, length w = m -> balls w = Nat.b2n f -> accepts t u w = true -> all_lead t s v w.

Definition all (m : nat) (f : bool) (u v : node) :=
  fix all (l : list move) t :=
    match l with
    | [] => (t, true)
    | To d s :: l => let (t, x) := inclusion m t f s u (child t v d) in if x then all l t else (t, false)
    | Home :: l => all l t
    | Away s :: l => let (t, x) := inclusion m t f s u bottom in if x then all l t else (t, false)
    end.

Lemma all_reached_shrinks t t' f m s u v : grows t t' -> valid t u -> valid t v ->
  all_reached f m s t' u v -> all_reached f m s t u v.
Proof.
  intros G U V H w L B A r R. specialize (H w L B). rewrite (accepts_grows t t') in H by assumption.
  specialize (H A r R). destruct r; try assumption. now rewrite (accepts_grows t t') in H.
Qed.

Definition fine (f : bool) (m : nat) (t : store) (u v : node) (x : move) : Prop :=
  match x with
  | To d s => all_reached f m s t u (child t v d)
  | Home => True
  | Away s => all_reached f m s t u bottom
  end.

Lemma fine_shrinks t t' f m u v x : grows t t' -> valid t u -> valid t v -> fine f m t' u v x -> fine f m t u v x.
Proof.
  intros G U V. destruct x; simpl; [| auto |].
  - rewrite (proj2 (G _ V)). apply all_reached_shrinks; auto using child_valid.
  - apply all_reached_shrinks; auto using valid_bottom.
Qed.

Lemma all_answers m f u v :
  (forall t f s u v, sound t -> valid t u -> valid t v -> answers t (all_reached f m s t u v) (inclusion m t f s u v)) ->
  forall l t, sound t -> valid t u -> valid t v ->
  answers t (forall x, In x l -> fine f m t u v x) (all m f u v l t).
Proof.
  intros R. induction l as [| x l IH]; intros t S U V.
  - simpl. split; [assumption |]. split; [apply grows_refl |]. intros _ x [].
  - assert (K : forall v', valid t v' -> forall s, (all_reached f m s t u v' -> fine f m t u v x) ->
      answers t (forall x', In x' (x :: l) -> fine f m t u v x')
        (let (t, y) := inclusion m t f s u v' in if y then all m f u v l t else (t, false))).
    { intros v' V' s H. pose proof (R t f s u v' S U V') as A.
      destruct (inclusion m t f s u v') as [t1 y]. destruct A as (S1 & G1 & A). destruct y.
      - pose proof (IH t1 S1 (grows_valid _ _ _ G1 U) (grows_valid _ _ _ G1 V)) as B.
        destruct (all m f u v l t1) as [t2 z]. destruct B as (S2 & G2 & B).
        split; [assumption |]. split; [now apply (grows_trans t t1) |]. intros Z x' [<- | I]; [now apply H, A |].
        apply (fine_shrinks t t1); auto.
      - split; [assumption |]. split; [assumption | discriminate]. }
    destruct x as [d s | | s]; simpl.
    + apply (K (child t v d)); [now apply child_valid | auto].
    + pose proof (IH t S U V) as B. destruct (all m f u v l t) as [t2 z]. destruct B as (S2 & G2 & B).
      split; [assumption |]. split; [assumption |]. intros Z x' [<- | I]; [exact Logic.I | auto].
    + apply (K bottom); [apply valid_bottom | auto].
Qed.

Lemma fine_all_lead f m s t u v c w :
  length w = m -> balls w = Nat.b2n f -> accepts t u w = true ->
  (forall x, In x (moves (none w) s c) -> fine f m t u v x) -> all_lead t s v (c :: w).
Proof.
  intros L B A H r R.
  inversion R as [| | | ? ? ? z y I R' | ? ? ? d z y I R' | ? ? ? d z I R']; subst; try exact Logic.I.
  - specialize (H _ I w eq_refl B A _ R'). simpl in H. rewrite accepts_bottom in H. discriminate.
  - exact (H _ I w eq_refl B A _ R').
Qed.

Definition decided_at_once (s : state) (u v : node) : bool :=
  same u bottom || match s with Done => same u v || same v top | _ => false end.

Lemma at_once_reached f m s t u v : valid t u -> valid t v -> decided_at_once s u v = true -> all_reached f m s t u v.
Proof.
  intros U V H w _ _ A. apply orb_true_iff in H as [H | H].
  - apply (same_equal t) in H as ->; [| assumption | apply valid_bottom]. rewrite accepts_bottom in A. discriminate.
  - destruct s; try discriminate. intros r R. destruct r as [y | |].
    + apply read_rest in R as ->. apply orb_true_iff in H as [H | H]; apply (same_equal t) in H as ->; try (assumption || apply valid_top); apply accepts_top.
    + exact Logic.I.
    + exfalso. remember RightHome as x eqn:E. remember Done as z eqn:Z. induction R; try discriminate; subst; simpl in *; intuition congruence.
Qed.

Definition inclusion_cell (m : nat) (s : state) (u v : node) (t : store) (f : bool) (c : cell) : store * bool :=
  if same (child t u c) bottom then (t, true)
  else all m f (child t u c) v (moves (Nat.eqb m 0) s c) t.

Lemma inclusion_step m t f s u v :
  inclusion (S m) t f s u v =
    if decided_at_once s u v then (t, true)
    else
      match find t Inclusion s f (S m) u v with
      | Some _ => (t, true)
      | None =>
          let (t, e) := inclusion_cell m s u v t f (Square empty) in
          if negb e then (t, false)
          else
            let (t, o) := inclusion_cell m s u v t f (Square stone) in
            if negb o then (t, false)
            else
              let (t, b) := if f then inclusion_cell m s u v t false Ball else (t, true) in
              if b then (add t Inclusion s f (S m) u v u, true) else (t, false)
      end.
Proof. reflexivity. Qed.

Lemma inclusion_answers m : forall t f s u v, sound t -> valid t u -> valid t v ->
  answers t (all_reached f m s t u v) (inclusion m t f s u v).
Proof.
  induction m as [| m IH]; intros t f s u v S U V.
  - change (inclusion 0 t f s u v) with (if decided_at_once s u v then (t, true)
      else (t, negb (same u top) || match s with Done => same v top | _ => true end)).
    destruct (decided_at_once s u v) eqn:D.
    { split; [assumption |]. split; [apply grows_refl |]. intros _. now apply at_once_reached. }
    split; [assumption |]. split; [apply grows_refl |]. intros H w L _ A r R.
    destruct w; [| discriminate]. simpl in A. rewrite A in H. simpl in H.
    inversion R; subst; [assumption | exact Logic.I].
  - rewrite inclusion_step. destruct (decided_at_once s u v) eqn:D.
    { split; [assumption |]. split; [apply grows_refl |]. intros _. now apply at_once_reached. }
    destruct (find t Inclusion s f (Datatypes.S m) u v) as [x |] eqn:F.
    { destruct (find_sound _ _ _ _ _ _ _ _ S U V F) as (_ & C). split; [assumption |]. split; [apply grows_refl |]. intros _. exact C. }
    assert (K : forall t' f' c, sound t' -> grows t t' ->
      answers t' (forall w, length w = m -> balls w = Nat.b2n f' -> Nat.eqb m 0 = none w ->
        accepts t (child t u c) w = true -> all_lead t s v (c :: w)) (inclusion_cell m s u v t' f' c)).
    { intros t' f' c S' G'. unfold inclusion_cell.
      assert (U' : valid t' u) by now apply (grows_valid t). assert (V' : valid t' v) by now apply (grows_valid t).
      destruct (same (child t' u c) bottom) eqn:E.
      { split; [assumption |]. split; [apply grows_refl |]. intros _ w _ _ _ A. apply (same_equal t') in E; [| now apply child_valid | apply valid_bottom].
        rewrite (proj2 (G' _ U)) in E. rewrite E, accepts_bottom in A. discriminate. }
      pose proof (all_answers m f' (child t' u c) v IH (moves (Nat.eqb m 0) s c) t' S' (child_valid _ _ _ U') V') as A.
      destruct (all m f' (child t' u c) v _ t') as [t2 x]. destruct A as (S2 & G2 & A).
      split; [assumption |]. split; [assumption |]. intros X w L B N Ac r R.
      specialize (A X). rewrite N in A.
      rewrite <- (accepts_child t t' u) in Ac by assumption.
      pose proof (fine_all_lead f' m s t' (child t' u c) v c w L B Ac A r R) as Z.
      destruct r; try assumption. now rewrite (accepts_grows t t') in Z. }
    pose proof (K t f (Square empty) S (grows_refl t)) as HE.
    destruct (inclusion_cell m s u v t f (Square empty)) as [t1 e]. destruct HE as (S1 & G1 & Ce).
    destruct e; simpl; [| split; [assumption |]; split; [assumption | discriminate]].
    pose proof (K t1 f (Square stone) S1 G1) as HO.
    destruct (inclusion_cell m s u v t1 f (Square stone)) as [t2 o]. destruct HO as (S2 & G2 & Co).
    assert (G02 : grows t t2) by now apply (grows_trans t t1).
    destruct o; simpl; [| split; [assumption |]; split; [assumption | discriminate]].
    assert (HB : answers t2 (f = true -> forall w, length w = m -> balls w = 0 -> Nat.eqb m 0 = none w ->
        accepts t (child t u Ball) w = true -> all_lead t s v (Ball :: w))
      (if f then inclusion_cell m s u v t2 false Ball else (t2, true))).
    { destruct f.
      - pose proof (K t2 false Ball S2 G02) as HB. destruct (inclusion_cell m s u v t2 false Ball).
        destruct HB as (S3 & G3 & Cb). split; [assumption |]. split; [assumption |]. intros X _. exact (Cb X).
      - split; [assumption |]. split; [apply grows_refl | discriminate]. }
    destruct (if f then _ else _) as [t3 b]. destruct HB as (S3 & G3 & Cb).
    assert (G03 : grows t t3) by now apply (grows_trans t t2).
    destruct b; [| split; [assumption |]; split; [assumption | discriminate]].
    assert (C : all_reached f (Datatypes.S m) s t u v).
    { intros w L B A. destruct w as [| c w]; [discriminate |]. injection L as L. simpl in A.
      apply balls_next in B as [Hc B].
      assert (N : Nat.eqb m 0 = none w) by (subst m; now destruct w).
      destruct c as [[|] |]; simpl in B.
      - now apply Ce.
      - now apply Co.
      - destruct f; [| simpl in Hc; intuition discriminate]. now apply Cb. }
    split; [| split; [apply (grows_trans t t3); [assumption | apply add_grows] | auto]].
    apply sound_add; try (now apply (grows_valid t)); [assumption |].
    intros w L B A. rewrite (accepts_grows t t3) in A by assumption. now apply (all_lead_grows t t3), C.
Qed.

End Inclusions.
