(** * Both equations of every level *)

From Coq Require Import Arith Lia Bool.
From Phutball Require Import Rules Play Reading Words Store Claims Unions Preimages Inclusions Levels.

Module Equations (Import S : STORE).

Include Inclusions S.

Definition every_prop (n : nat) (t : store) (r a : node) : Prop :=
  forall b, playing b -> size b = n -> accepts t r (word b) = true ->
  forall x, turn b x -> won Left x \/ exists c, x = On c /\ playing c /\ accepts t a (word c) = true.

Fixpoint inclusion_start (n : nat) (l : list state) (r a : node) (t : store) : store * bool :=
  match l with
  | [] => (t, true)
  | s :: l => let (t, x) := inclusion n t true s r a in if x then inclusion_start n l r a t else (t, false)
  end.

Definition every_turn (n : nat) (r a : node) : store -> store * bool :=
  inclusion_start n (forward_starts ++ other_starts) r a.

Lemma inclusion_start_answers n l r a : forall t, sound t -> valid t r -> valid t a ->
  answers t (forall s, In s l -> all_reached true n s t r a) (inclusion_start n l r a t).
Proof.
  induction l as [| s l IH]; intros t S R A; simpl.
  - split; [assumption |]. split; [apply grows_refl |]. intros _ s [].
  - pose proof (inclusion_answers n t true s r a S R A) as H. destruct (inclusion n t true s r a) as [t1 x].
    destruct H as (S1 & G1 & H). destruct x; [| split; [assumption |]; split; [assumption | discriminate]].
    pose proof (IH t1 S1 (grows_valid _ _ _ G1 R) (grows_valid _ _ _ G1 A)) as K.
    destruct (inclusion_start n l r a t1) as [t2 y]. destruct K as (S2 & G2 & K).
    split; [assumption |]. split; [now apply (grows_trans t t1) |]. intros Y z [<- | I]; [auto |].
    apply (all_reached_shrinks t t1); auto.
Qed.

Theorem every_turn_answers n r a t : sound t -> valid t r -> valid t a ->
  answers t (every_prop n t r a) (every_turn n r a t).
Proof.
  intros S R A. pose proof (inclusion_start_answers n (forward_starts ++ other_starts) r a t S R A) as H.
  unfold every_turn. destruct (inclusion_start n _ r a t) as [t1 x]. destruct H as (S1 & G1 & H).
  split; [assumption |]. split; [assumption |]. intros X b P N Ac y T.
  destruct (turns_are_read b y P T) as (s & z & I & Y & Z).
  rewrite <- N, <- length_word in H. specialize (H X s I (word b) eq_refl (balls_word b) Ac z Y).
  destruct z; simpl in Z; [| now left | contradiction].
  destruct Z as (c & -> & Pc & ->). right. eauto.
Qed.

Definition some_prop (n : nat) (t : store) (a r : node) (below : option (node * node)) : Prop :=
  forall b, playing b -> size b = n -> accepts t a (word b) = true ->
  (exists x, forward b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ accepts t r (word c) = true))
  \/ (exists p q, below = Some (p, q) /\
       (accepts t p (word b) = true \/ exists c, turn b (On c) /\ playing c /\ accepts t q (word c) = true)).

Fixpoint preimage_starts (n : nat) (l : list (state * node)) (t : store) (x : node) : store * node :=
  match l with
  | [] => (t, x)
  | (s, r) :: l => let (t, x) := preimage n t true s x r in preimage_starts n l t x
  end.

Lemma preimage_starts_returns n l : forall t x, sound t -> valid t x -> (forall s r, In (s, r) l -> valid t r) ->
  returns t (fun t' y => forall w, length w = n -> balls w = 1 -> accepts t' y w = true ->
    accepts t x w = true \/ exists s r, In (s, r) l /\ leads t s r w) (preimage_starts n l t x).
Proof.
  induction l as [| [s r] l IH]; intros t x S X R; simpl.
  - split; [assumption |]. split; [apply grows_refl |]. split; [assumption |]. auto.
  - assert (Vr : valid t r) by (apply (R s r); now left).
    pose proof (preimage_returns n t true s x r S X Vr) as H. destruct (preimage n t true s x r) as [t1 y].
    destruct H as (S1 & G1 & V1 & C1).
    pose proof (IH t1 y S1 V1 (fun s' r' I => grows_valid _ _ _ G1 (R s' r' (or_intror I)))) as H.
    destruct (preimage_starts n l t1 y) as [t2 z]. destruct H as (S2 & G2 & V2 & C2).
    split; [assumption |]. split; [now apply (grows_trans t t1) |]. split; [assumption |].
    intros w L B A. destruct (C2 w L B A) as [K | (s' & r' & I & K)].
    + destruct (C1 w L B K) as [K' | K']; [now left | right; exists s, r; split; [now left | assumption]].
    + right. exists s', r'. split; [now right |]. apply (leads_shrinks t t1); [assumption | | assumption].
      apply (R s' r'). now right.
Qed.

(** The order of the turns decides the time: jumps first. The boards of the level below need no turn,
    but are found faster by their turns. *)
Definition some_turn (n : nat) (a r : node) (below : option (node * node)) (t : store) : store * bool :=
  let starts := [(RightSoon, r); (StoneBeyond, r)] ++
    match below with Some (_, q) => [(LeftFirst, q); (StoneBefore, q)] | None => [] end in
  let (t, x) := preimage_starts n starts t bottom in
  inclusion n t true Done a x.

Definition valid_pair (t : store) (l : node * node) : Prop := valid t (fst l) /\ valid t (snd l).

Theorem some_turn_answers n a r below t : sound t -> valid t a -> valid t r ->
  (forall l, below = Some l -> valid_pair t l) ->
  answers t (some_prop n t a r below) (some_turn n a r below t).
Proof.
  intros S A R L. unfold some_turn.
  set (starts := [(RightSoon, r); (StoneBeyond, r)] ++ match below with Some (_, q) => [(LeftFirst, q); (StoneBefore, q)] | None => [] end).
  assert (VS : forall s x, In (s, x) starts -> valid t x).
  { intros s x I. subst starts. simpl in I. destruct I as [[= <- <-] | [[= <- <-] | I]]; try assumption.
    destruct below as [[p q] |]; [| contradiction]. destruct (L _ eq_refl) as [_ Q]. simpl in *.
    intuition congruence. }
  pose proof (preimage_starts_returns n starts t bottom S (valid_bottom t) VS) as H.
  destruct (preimage_starts n starts t bottom) as [t1 x]. destruct H as (S1 & G1 & X & C).
  pose proof (inclusion_answers n t1 true Done a x S1 (grows_valid _ _ _ G1 A) X) as H.
  destruct (inclusion n t1 true Done a x) as [t2 y]. destruct H as (S2 & G2 & H).
  split; [assumption |]. split; [now apply (grows_trans t t1) |]. intros Y b P N Ac.
  rewrite <- N, <- length_word in *.
  assert (Ax : accepts t1 x (word b) = true).
  { rewrite <- (accepts_grows t t1) in Ac by assumption.
    exact (H Y (word b) eq_refl (balls_word b) Ac (Word (word b)) (reads_rest _)). }
  destruct (C (word b) eq_refl (balls_word b) Ax) as [K | (s & q & I & y' & T & K)].
  - rewrite accepts_bottom in K. discriminate.
  - subst starts. apply in_app_or in I as [I | I].
    + left. assert (J : In s forward_starts /\ q = r) by (simpl in *; intuition congruence). destruct J as [J ->].
      destruct (read_forward s b y' P J T) as (z & F & Z). exists z. split; [assumption |].
      destruct y' as [v | |]; simpl in Z; [| now left | contradiction].
      destruct Z as (c & -> & Pc & ->). right. eauto.
    + right. destruct below as [[p q'] |]; [| contradiction]. exists p, q'. split; [reflexivity |]. right.
      assert (J : In s other_starts /\ q = q') by (simpl in *; intuition congruence). destruct J as [J ->].
      destruct y' as [v | |].
      * destruct (read_other s b v P J T) as (c & Tc & Pc & ->). eauto.
      * exfalso. apply read_home in T. destruct J as [<- | [<- | []]]; simpl in T; intuition discriminate.
      * contradiction.
Qed.

(** ** Levels *)

Fixpoint levels_follow (n : nat) (below : option (node * node)) (levels : list (node * node)) (t : store) : store * bool :=
  match levels with
  | [] => (t, true)
  | (a, r) :: levels =>
      let (t, x) := every_turn n r a t in
      if negb x then (t, false)
      else
        let (t, x) := some_turn n a r below t in
        if x then levels_follow n (Some (a, r)) levels t else (t, false)
  end.

Lemma every_prop_shrinks n t u r a : grows t u -> valid t r -> valid t a -> every_prop n u r a -> every_prop n t r a.
Proof.
  intros G R A H b P N Ac x T. rewrite <- (accepts_grows t u) in Ac by assumption.
  destruct (H b P N Ac x T) as [W | (c & E & Pc & C)]; [now left | right].
  rewrite (accepts_grows t u) in C by assumption. eauto.
Qed.

Lemma some_prop_shrinks n t u a r below : grows t u -> valid t a -> valid t r ->
  (forall l, below = Some l -> valid_pair t l) -> some_prop n u a r below -> some_prop n t a r below.
Proof.
  intros G A R L H b P N Ac. rewrite <- (accepts_grows t u) in Ac by assumption.
  destruct (H b P N Ac) as [(x & F & [W | (c & E & Pc & C)]) | (p & q & E & C)].
  - left. eauto.
  - left. rewrite (accepts_grows t u) in C by assumption. exists x. split; [assumption |]. right. eauto.
  - right. destruct (L _ E) as [Vp Vq]. simpl in *. exists p, q. split; [assumption |].
    destruct C as [C | (c & T & Pc & C)]; rewrite (accepts_grows t u) in C by assumption; eauto.
Qed.

Lemma levels_follow_answers n levels : forall below t, sound t ->
  (forall l, below = Some l -> valid_pair t l) -> (forall l, In l levels -> valid_pair t l) ->
  answers t (forall k a r, nth_error levels k = Some (a, r) ->
      every_prop n t r a /\ some_prop n t a r (match k with 0 => below | S k => nth_error levels k end))
    (levels_follow n below levels t).
Proof.
  induction levels as [| [a r] levels IH]; intros below t S B L.
  - simpl. split; [assumption |]. split; [apply grows_refl |]. intros _ [| k] a r E; discriminate.
  - destruct (L _ (or_introl eq_refl)) as [A R]. simpl in A, R. cbn [levels_follow].
    pose proof (every_turn_answers n r a t S R A) as H. destruct (every_turn n r a t) as [t1 x].
    destruct H as (S1 & G1 & H). destruct x; simpl; [| split; [assumption |]; split; [assumption | discriminate]].
    assert (V1 : forall l, valid_pair t l -> valid_pair t1 l).
    { intros l [X Y]. split; now apply (grows_valid t). }
    pose proof (some_turn_answers n a r below t1 S1 (grows_valid _ _ _ G1 A) (grows_valid _ _ _ G1 R)
      (fun l E => V1 l (B l E))) as K.
    destruct (some_turn n a r below t1) as [t2 y]. destruct K as (S2 & G2 & K).
    assert (G : grows t t2) by now apply (grows_trans t t1).
    destruct y; [| split; [assumption |]; split; [assumption | discriminate]].
    assert (V2 : forall l, valid_pair t l -> valid_pair t2 l).
    { intros l [X Y]. split; now apply (grows_valid t). }
    pose proof (IH (Some (a, r)) t2 S2 (fun l E => V2 l (L l (or_introl (f_equal (fun o => match o with Some x => x | None => l end) E))))
      (fun l I => V2 l (L l (or_intror I)))) as M.
    destruct (levels_follow n (Some (a, r)) levels t2) as [t3 z]. destruct M as (S3 & G3 & M).
    split; [assumption |]. split; [now apply (grows_trans t t2) |]. intros Z k a' r' E.
    destruct k as [| k]; simpl in E.
    + injection E as <- <-. split; [now apply H |]. apply (some_prop_shrinks n t t1); auto.
    + destruct (M Z k a' r' E) as [M1 M2]. destruct (L _ (or_intror (nth_error_In _ _ E))) as [A' R']. simpl in A', R'.
      split; [now apply (every_prop_shrinks n t t2) |].
      assert (M3 : some_prop n t2 a' r' (nth_error ((a, r) :: levels) k)) by (destruct k; exact M2).
      apply (some_prop_shrinks n t t2); try assumption.
      intros l El. apply L. destruct k as [| k]; simpl in El.
      * left. now injection El.
      * right. now apply nth_error_In in El.
Qed.

Theorem levels_follow_won n levels t : sound t -> (forall l, In l levels -> valid_pair t l) ->
  snd (levels_follow n None levels t) = true ->
  forall k a r, nth_error levels k = Some (a, r) ->
  forall b, playing b -> size b = n ->
    (accepts t a (word b) = true -> wins Left Left b) /\ (accepts t r (word b) = true -> wins Left Right b).
Proof.
  intros S V H.
  assert (B : forall l, None = Some l -> valid_pair t l) by discriminate.
  pose proof (levels_follow_answers n levels None t S B V) as M.
  destruct (levels_follow n None levels t) as [t1 x]. destruct M as (_ & _ & M). simpl in H. specialize (M H).
  set (A := fun k b => exists a r, nth_error levels k = Some (a, r) /\ accepts t a (word b) = true).
  set (R := fun k b => exists a r, nth_error levels k = Some (a, r) /\ accepts t r (word b) = true).
  assert (FA : forall k b, playing b -> size b = n -> A k b ->
    (exists x, forward b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ R k c))
    \/ (exists j, k = Datatypes.S j /\ (A j b \/ exists c, turn b (On c) /\ playing c /\ R j c))).
  { intros k b P N (a & r & E & Ac). destruct (M k a r E) as [_ So].
    destruct (So b P N Ac) as [(y & F & [W | (c & Ec & Pc & Rc)]) | (p & q & Eq & L)].
    - left. eauto.
    - left. exists y. split; [assumption |]. right. exists c. repeat split; try assumption; try apply Pc. exists a, r. auto.
    - right. destruct k as [| k]; [discriminate |]. exists k. split; [reflexivity |].
      destruct L as [Ap | (c & T & Pc & Rc)]; [left; exists p, q; auto |].
      right. exists c. repeat split; try assumption; try apply Pc. exists p, q. auto. }
  assert (FR : forall k b, playing b -> size b = n -> R k b ->
    forall y, turn b y -> won Left y \/ exists c, y = On c /\ playing c /\ A k c).
  { intros k b P N (a & r & E & Rc) y T. destruct (M k a r E) as [Ev _].
    destruct (Ev b P N Rc y T) as [W | (c & Ec & Pc & Ac)]; [now left |].
    right. exists c. repeat split; try assumption; try apply Pc. exists a, r. auto. }
  intros k a r E b P N. split; intros I.
  - apply (levels_won A R n FA FR k Left b P N). exists a, r. auto.
  - apply (levels_won A R n FA FR k Right b P N). exists a, r. auto.
Qed.

End Equations.
