(** * The boards from which some turn leads into a set *)

From Coq Require Import Arith Lia Bool.
From Phutball Require Import Rules Play Reading Words Store Claims Unions.

Module Preimages (Import S : STORE).

Include Unions S.

(** Before the ball, completed turns come first, because they may decide all boards; after it last,
    so that the others are joined to fewer different boards. *)
Definition completes (x : move) : bool := match x with To _ Done => true | _ => false end.

Definition arrange (f : bool) (l : list move) : list move :=
  match l with
  | [x; y] => if (if f then completes y else completes x) then [y; x] else l
  | _ => l
  end.

Lemma in_arrange f l x : In x (arrange f l) -> In x l.
Proof.
  destruct l as [| y [| z [| ? ?]]]; simpl; auto. destruct (if f then completes z else completes y); simpl; tauto.
Qed.

(** A node that accepts words of [m] cells, with a ball if [f], only if [u] accepts them, or the
    automaton in state [s] can take them into [v] or to Left's goal. *)
Fixpoint preimage (m : nat) (t : store) (f : bool) (s : state) (u v : node) : store * node :=
  match s with
  | Done => join m t f u v
  | _ =>
      if same u top then (t, u)
      else
        match m with
        | 0 => (t, match s with RightFlies | FarRightOne => top | _ => u end)
        | S m' =>
            match find t Preimage s f m u v with
            | Some x => (t, x)
            | None =>
                let f' := f in
                let cell t f c :=
                  (fix chain (l : list move) t u :=
                     match l with
                     | [] => (t, u)
                     | To d s :: l => let (t, u) := preimage m' t f s u (child t v d) in chain l t u
                     | Home :: l => (t, top)
                     | Away _ :: l => chain l t u
                     end) (arrange f' (moves (Nat.eqb m' 0) s c)) t (child t u c) in
                let (t, e) := cell t f (Square empty) in
                let (t, o) := cell t f (Square stone) in
                let (t, b) := if f then cell t false Ball else (t, bottom) in
                let (t, x) := node_of t f e o b in
                (add t Preimage s f m u v x, x)
            end
        end
  end.

Definition reached (f : bool) (m : nat) (s : state) (t : store) (u v : node) (t' : store) (x : node) : Prop :=
  forall w, length w = m -> balls w = Nat.b2n f -> accepts t' x w = true -> accepts t u w = true \/ leads t s v w.

Definition chain (m : nat) (f : bool) (v : node) :=
  fix chain (l : list move) t u :=
    match l with
    | [] => (t, u)
    | To d s :: l => let (t, u) := preimage m t f s u (child t v d) in chain l t u
    | Home :: l => (t, top)
    | Away _ :: l => chain l t u
    end.

(** What a list of moves contributes after a cell. *)
Definition follows (t : store) (l : list move) (v : node) (w : list cell) : Prop :=
  In Home l \/ exists d s, In (To d s) l /\ leads t s (child t v d) w.

Lemma chain_returns m f v :
  (forall t f s u v, sound t -> valid t u -> valid t v -> returns t (reached f m s t u v) (preimage m t f s u v)) ->
  forall l t u, sound t -> valid t u -> valid t v ->
  returns t (fun t' x => forall w, length w = m -> balls w = Nat.b2n f -> accepts t' x w = true ->
    accepts t u w = true \/ follows t l v w) (chain m f v l t u).
Proof.
  intros R. induction l as [| [d s | | s] l IH]; intros t u S U V; simpl.
  - split; [assumption |]. split; [apply grows_refl |]. split; [assumption |]. auto.
  - pose proof (R t f s u (child t v d) S U (child_valid _ _ _ V)) as H.
    destruct (preimage m t f s u (child t v d)) as [t1 y]. destruct H as (S1 & G1 & V1 & C1).
    pose proof (IH t1 y S1 V1 (grows_valid _ _ _ G1 V)) as H.
    destruct (chain m f v l t1 y) as [t2 x]. destruct H as (S2 & G2 & V2 & C2).
    split; [assumption |]. split; [now apply (grows_trans t t1) |]. split; [assumption |].
    intros w L B A. destruct (C2 w L B A) as [K | K].
    + destruct (C1 w L B K) as [K' | K']; [now left | right; right; exists d, s; split; [now left | assumption]].
    + right. destruct K as [K | (d' & s' & I & K)]; [left; now right |]. right. exists d', s'. split; [now right |].
      rewrite (proj2 (G1 _ V)) in K. apply (leads_shrinks t t1); [assumption | now apply child_valid | assumption].
  - split; [assumption |]. split; [apply grows_refl |]. split; [apply valid_top |].
    intros w _ _ _. right. left. now left.
  - pose proof (IH t u S U V) as H. destruct (chain m f v l t u) as [t2 x]. destruct H as (S2 & G2 & V2 & C2).
    split; [assumption |]. split; [assumption |]. split; [assumption |].
    intros w L B A. destruct (C2 w L B A) as [K | [K | (d' & s' & I & K)]]; [now left | right; left; now right |].
    right. right. exists d', s'. split; [now right | assumption].
Qed.

Lemma follows_leads t s v c w : follows t (moves (none w) s c) v w -> leads t s v (c :: w).
Proof.
  intros [H | (d & z & I & r & R & A)].
  - exists LeftHome. split; [now apply reads_home | exact Logic.I].
  - destruct r as [y | |]; [| | contradiction].
    + exists (Word (d :: y)). split; [now apply reads_on with z | assumption].
    + exists LeftHome. split; [now apply reads_on_home with d z | exact Logic.I].
Qed.

Lemma preimage_step m t f s u v : s <> Done ->
  preimage (S m) t f s u v =
    if same u top then (t, u)
    else
      match find t Preimage s f (S m) u v with
      | Some x => (t, x)
      | None =>
          let (t, e) := chain m f v (arrange f (moves (Nat.eqb m 0) s (Square empty))) t (child t u (Square empty)) in
          let (t, o) := chain m f v (arrange f (moves (Nat.eqb m 0) s (Square stone))) t (child t u (Square stone)) in
          let (t, b) := if f then chain m false v (arrange f (moves (Nat.eqb m 0) s Ball)) t (child t u Ball) else (t, bottom) in
          let (t, x) := node_of t f e o b in
          (add t Preimage s f (S m) u v x, x)
      end.
Proof. destruct s; try reflexivity. contradiction. Qed.

Lemma preimage_returns m : forall t f s u v, sound t -> valid t u -> valid t v ->
  returns t (reached f m s t u v) (preimage m t f s u v).
Proof.
  assert (D : forall m t f u v, sound t -> valid t u -> valid t v -> returns t (reached f m Done t u v) (join m t f u v)).
  { clear m. intros m t f u v S U V. pose proof (join_returns m t f u v S U V) as H.
    destruct (join m t f u v) as [t1 x]. destruct H as (S1 & G & X & C). repeat (split; [assumption |]).
    intros w L B A. destruct (C w L B A) as [K | K]; [now left | right]. exists (Word w). split; [apply reads_rest | assumption]. }
  induction m as [| m IH]; intros t f s u v S U V.
  - destruct s; try now apply D.
    all: simpl; destruct (same u top) eqn:E; (split; [assumption |]); (split; [apply grows_refl |]);
      (split; [try assumption; apply valid_top |]); intros w L _ A; auto.
    (* RightFlies, FarRightOne *)
    all: right; destruct w; [| discriminate]; exists LeftHome; split; [constructor; auto | exact Logic.I].
  - assert (DD : s = Done \/ s <> Done) by (destruct s; (now left) || (right; discriminate)).
    destruct DD as [-> | N]; [now apply D |]. rewrite preimage_step by assumption.
    destruct (same u top).
    { split; [assumption |]. split; [apply grows_refl |]. split; [assumption |]. intros w _ _. auto. }
    destruct (find t Preimage s f (Datatypes.S m) u v) as [x |] eqn:F.
    { destruct (find_sound _ _ _ _ _ _ _ _ S U V F) as (X & C). split; [assumption |]. split; [apply grows_refl |]. auto. }
    pose proof (chain_returns m f v IH (arrange f (moves (Nat.eqb m 0) s (Square empty))) t (child t u (Square empty)) S (child_valid _ _ _ U) V) as HE.
    destruct (chain m f v _ t _) as [t1 e]. destruct HE as (S1 & G1 & Ve & Ce).
    assert (U1 : valid t1 u) by now apply (grows_valid t). assert (V1 : valid t1 v) by now apply (grows_valid t).
    pose proof (chain_returns m f v IH (arrange f (moves (Nat.eqb m 0) s (Square stone))) t1 (child t1 u (Square stone)) S1 (child_valid _ _ _ U1) V1) as HO.
    destruct (chain m f v _ t1 _) as [t2 o]. destruct HO as (S2 & G2 & Vo & Co).
    assert (U2 : valid t2 u) by now apply (grows_valid t1). assert (V2 : valid t2 v) by now apply (grows_valid t1).
    assert (HB : returns t2 (fun t' x => f = true -> forall w, length w = m -> balls w = 0 -> accepts t' x w = true ->
        accepts t2 (child t2 u Ball) w = true \/ follows t2 (arrange f (moves (Nat.eqb m 0) s Ball)) v w)
      (if f then chain m false v (arrange f (moves (Nat.eqb m 0) s Ball)) t2 (child t2 u Ball) else (t2, bottom))).
    { destruct f.
      - pose proof (chain_returns m false v IH (arrange true (moves (Nat.eqb m 0) s Ball)) t2 (child t2 u Ball) S2 (child_valid _ _ _ U2) V2) as K.
        destruct (chain m false v _ t2 _). destruct K as (K1 & K2 & K3 & K4). exact (conj K1 (conj K2 (conj K3 (fun _ => K4)))).
      - split; [assumption |]. split; [apply grows_refl |]. split; [apply valid_bottom | discriminate]. }
    destruct (if f then _ else _) as [t3 b]. destruct HB as (S3 & G3 & Vb & Cb).
    assert (G13 : grows t1 t3) by now apply (grows_trans t1 t2).
    assert (G02 : grows t t2) by now apply (grows_trans t t1).
    pose proof (node_of_returns t3 f e o b S3 (grows_valid _ _ _ G13 Ve) (grows_valid _ _ _ G3 Vo) Vb) as HN.
    destruct (node_of t3 f e o b) as [t4 x]. destruct HN as (S4 & G4 & Vx & Cx).
    assert (G : grows t t4) by (apply (grows_trans t t1); [assumption |]; now apply (grows_trans t1 t3)).
    assert (FS : forall t' l w, grows t t' -> follows t' (arrange f l) v w -> follows t l v w).
    { intros t' l w G' [K | (d & z & I & K)]; [left; now apply in_arrange in K | right]. exists d, z.
      split; [now apply in_arrange in I |].
      rewrite (proj2 (G' _ V)) in K. apply (leads_shrinks t t'); [assumption | now apply child_valid | assumption]. }
    assert (C : reached f (Datatypes.S m) s t u v t4 x).
    { intros w L B A. destruct w as [| c w]; [discriminate |]. injection L as L.
      apply Cx in A; [| assumption]. apply balls_next in B as [Hc B].
      assert (E : Nat.eqb m 0 = none w) by (subst m; now destruct w). rewrite E in *.
      assert (K : accepts t (child t u c) w = true \/ follows t (moves (none w) s c) v w).
      { destruct c as [[|] |]; simpl in A.
        - rewrite (accepts_grows t1 t3) in A by assumption. destruct (Ce w L B A) as [K | K]; [now left | right]. now apply (FS t), K; apply grows_refl.
        - rewrite (accepts_grows t2 t3) in A by assumption. destruct (Co w L B A) as [K | K].
          + rewrite (accepts_child t t1) in K by assumption. now left.
          + right. now apply (FS t1).
        - destruct f; [| simpl in Hc; intuition discriminate]. destruct (Cb eq_refl w L B A) as [K | K].
          + rewrite (accepts_child t t2) in K by assumption. now left.
          + right. now apply (FS t2). }
      destruct K as [K | K]; [now left | right; now apply follows_leads]. }
    assert (U4 : valid t4 u) by now apply (grows_valid t). assert (V4 : valid t4 v) by now apply (grows_valid t).
    pose proof (add_grows t4 Preimage s f (Datatypes.S m) u v x) as GA.
    split; [| split; [now apply (grows_trans t t4) |]; split; [now apply (grows_valid t4) |]].
    + apply sound_add; try assumption. intros w L B A. rewrite !(accepts_grows t t4) by assumption.
      destruct (C w L B A) as [K | K]; [now left | right; now apply (leads_grows t t4)].
    + intros w L B A. rewrite (accepts_grows t4) in A by assumption. now apply C.
Qed.

End Preimages.
