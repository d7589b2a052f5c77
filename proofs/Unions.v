(** * The union of two sets *)

From Coq Require Import Arith Lia Bool.
From Phutball Require Import Rules Play Reading Words Store Claims.

Module Unions (Import S : STORE).

Include Claims S.

(** A node that accepts words of [m] cells, with a ball if [f], only if [u] or [v] accepts them. *)
Fixpoint join (m : nat) (t : store) (f : bool) (u v : node) : store * node :=
  if same u bottom || same v top then (t, v)
  else if same v bottom || same u top || same u v then (t, u)
  else
    match m with
    | 0 => (t, bottom)
    | S m' =>
        let (u, v) := if precedes v u then (v, u) else (u, v) in
        match find t Union Done f m u v with
        | Some x => (t, x)
        | None =>
            let (t, e) := join m' t f (child t u (Square empty)) (child t v (Square empty)) in
            let (t, s) := join m' t f (child t u (Square stone)) (child t v (Square stone)) in
            let (t, b) := if f then join m' t false (child t u Ball) (child t v Ball) else (t, bottom) in
            let (t, x) := node_of t f e s b in
            (add t Union Done f m u v x, x)
        end
    end.

(** An induction hypothesis about a call on the children of nodes of an earlier store. *)
Lemma accepts_child t u q c w : grows t u -> valid t q -> accepts u (child u q c) w = accepts t (child t q c) w.
Proof. intros G V. rewrite (proj2 (G q V) c). apply accepts_grows; [assumption | now apply child_valid]. Qed.

Definition union (f : bool) (m : nat) (t : store) (u v : node) (t' : store) (x : node) : Prop :=
  forall w, length w = m -> balls w = Nat.b2n f -> accepts t' x w = true -> accepts t u w = true \/ accepts t v w = true.

Lemma join_returns m : forall t f u v, sound t -> valid t u -> valid t v ->
  returns t (union f m t u v) (join m t f u v).
Proof.
  induction m as [| m IH]; intros t f u v S U V.
  - simpl. destruct (same u bottom || same v top); [| destruct (same v bottom || same u top || same u v)];
      (split; [assumption |]; split; [apply grows_refl |]; split; [auto using valid_bottom |]); intros w _ _; auto.
    rewrite accepts_bottom. discriminate.
  - cbn [join]. destruct (same u bottom || same v top);
      [| destruct (same v bottom || same u top || same u v)];
      try (split; [assumption |]; split; [apply grows_refl |]; split; [assumption |]; intros w _ _; auto; fail).
    assert (O : exists u' v', (if precedes v u then (v, u) else (u, v)) = (u', v') /\ valid t u' /\ valid t v' /\
        forall t' x, union f (Datatypes.S m) t u' v' t' x -> union f (Datatypes.S m) t u v t' x).
    { destruct (precedes v u); [exists v, u | exists u, v]; repeat split; auto.
      intros t' x C w L B A. destruct (C w L B A); auto. }
    destruct O as (u' & v' & E & U' & V' & O). rewrite E. clear E.
    match goal with |- returns _ _ ?r => enough (W : returns t (union f (Datatypes.S m) t u' v') r) by
      (destruct r; destruct W as (? & ? & ? & W); repeat (split; [assumption |]); apply O, W) end.
    clear O U V u v. rename u' into u, v' into v, U' into U, V' into V.
    destruct (find t Union Done f (Datatypes.S m) u v) as [x |] eqn:F.
    { destruct (find_sound _ _ _ _ _ _ _ _ S U V F) as (X & C). split; [assumption |]. split; [apply grows_refl |]. auto. }
    pose proof (IH t f (child t u (Square empty)) (child t v (Square empty)) S (child_valid _ _ _ U) (child_valid _ _ _ V)) as HE.
    destruct (join m t f _ _) as [t1 e]. destruct HE as (S1 & G1 & Ve & Ce).
    assert (U1 : valid t1 u) by now apply (grows_valid t). assert (V1 : valid t1 v) by now apply (grows_valid t).
    pose proof (IH t1 f (child t1 u (Square stone)) (child t1 v (Square stone)) S1 (child_valid _ _ _ U1) (child_valid _ _ _ V1)) as HS.
    destruct (join m t1 f _ _) as [t2 s]. destruct HS as (S2 & G2 & Vs & Cs).
    assert (U2 : valid t2 u) by now apply (grows_valid t1). assert (V2 : valid t2 v) by now apply (grows_valid t1).
    assert (HB : returns t2 (fun t' x => f = true -> union false m t2 (child t2 u Ball) (child t2 v Ball) t' x)
      (if f then join m t2 false (child t2 u Ball) (child t2 v Ball) else (t2, bottom))).
    { destruct f.
      - pose proof (IH t2 false (child t2 u Ball) (child t2 v Ball) S2 (child_valid _ _ _ U2) (child_valid _ _ _ V2)) as K.
        destruct (join m t2 false _ _). destruct K as (K1 & K2 & K3 & K4). exact (conj K1 (conj K2 (conj K3 (fun _ => K4)))).
      - split; [assumption |]. split; [apply grows_refl |]. split; [apply valid_bottom | discriminate]. }
    destruct (if f then _ else _) as [t3 b]. destruct HB as (S3 & G3 & Vb & Cb).
    assert (G13 : grows t1 t3) by now apply (grows_trans t1 t2).
    assert (G02 : grows t t2) by now apply (grows_trans t t1).
    pose proof (node_of_returns t3 f e s b S3 (grows_valid _ _ _ G13 Ve) (grows_valid _ _ _ G3 Vs) Vb) as HN.
    destruct (node_of t3 f e s b) as [t4 x]. destruct HN as (S4 & G4 & Vx & Cx).
    assert (G : grows t t4) by (apply (grows_trans t t1); [assumption |]; now apply (grows_trans t1 t3)).
    assert (C : union f (Datatypes.S m) t u v t4 x).
    { intros w L B A. destruct w as [| c w]; [discriminate |]. injection L as L.
      apply Cx in A; [| assumption]. apply balls_next in B as [Hc B]. simpl.
      destruct c as [[|] |]; simpl in A.
      - rewrite (accepts_grows t1 t3) in A by assumption. exact (Ce w L B A).
      - rewrite (accepts_grows t2 t3) in A by assumption. pose proof (Cs w L B A) as K.
        now rewrite !(accepts_child t t1) in K by assumption.
      - destruct f; [| simpl in Hc; intuition discriminate]. pose proof (Cb eq_refl w L B A) as K.
        now rewrite !(accepts_child t t2) in K by assumption. }
    assert (U4 : valid t4 u) by now apply (grows_valid t). assert (V4 : valid t4 v) by now apply (grows_valid t).
    pose proof (add_grows t4 Union Done f (Datatypes.S m) u v x) as GA.
    split; [| split; [now apply (grows_trans t t4) |]; split; [now apply (grows_valid t4) |]].
    + apply sound_add; try assumption. intros w L B A. rewrite !(accepts_grows t t4) by assumption. now apply C.
    + intros w L B A. rewrite (accepts_grows t4) in A by assumption. now apply C.
Qed.

End Unions.
