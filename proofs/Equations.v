(** * Both equations *)

From Coq Require Import Arith Lia Bool.
From Phutball Require Import Rules Play Reading Words Store Claims Unions Preimages Inclusions Proper.

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
  inclusion_start n starts r a.

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
  intros S R A. pose proof (inclusion_start_answers n starts r a t S R A) as H.
  unfold every_turn. destruct (inclusion_start n _ r a t) as [t1 x]. destruct H as (S1 & G1 & H).
  split; [assumption |]. split; [assumption |]. intros X b P N Ac y T.
  destruct (turns_are_read b y P T) as (s & z & I & Y & Z).
  rewrite <- N, <- length_word in H. specialize (H X s I (word b) eq_refl (balls_word b) Ac z Y).
  destruct z; simpl in Z; [| now left | contradiction].
  destruct Z as (c & -> & Pc & ->). right. eauto.
Qed.

Definition proper_prop (n : nat) (t : store) (a r : node) : Prop :=
  forall b, playing b -> size b = n -> accepts t a (word b) = true ->
  exists x, proper b x /\ (won Left x \/ exists c, x = On c /\ playing c /\ accepts t r (word c) = true).

(** The boards of [x], and those that have a turn from one of the initial states into [r]. *)
Fixpoint preimage_starts (n : nat) (l : list state) (r : node) (t : store) (x : node) : store * node :=
  match l with
  | [] => (t, x)
  | s :: l => let (t, x) := preimage n t true s x r in preimage_starts n l r t x
  end.

Lemma preimage_starts_returns n l r : forall t x, sound t -> valid t x -> valid t r ->
  returns t (fun t' y => forall w, length w = n -> balls w = 1 -> accepts t' y w = true ->
    accepts t x w = true \/ exists s, In s l /\ leads t s r w) (preimage_starts n l r t x).
Proof.
  induction l as [| s l IH]; intros t x S X R; simpl.
  - split; [assumption |]. split; [apply grows_refl |]. split; [assumption |]. auto.
  - pose proof (preimage_returns n t true s x r S X R) as H. destruct (preimage n t true s x r) as [t1 y].
    destruct H as (S1 & G1 & V1 & C1).
    pose proof (IH t1 y S1 V1 (grows_valid _ _ _ G1 R)) as H.
    destruct (preimage_starts n l r t1 y) as [t2 z]. destruct H as (S2 & G2 & V2 & C2).
    split; [assumption |]. split; [now apply (grows_trans t t1) |]. split; [assumption |].
    intros w L B A. destruct (C2 w L B A) as [K | (s' & I & K)].
    + destruct (C1 w L B K) as [K' | K']; [now left | right; exists s; split; [now left | assumption]].
    + right. exists s'. split; [now right |]. now apply (leads_shrinks t t1).
Qed.

Definition proper_turn (n : nat) (a r : node) (t : store) : store * bool :=
  let (t, x) := preimage_starts n proper_starts r t bottom in
  inclusion n t true Done a x.

Theorem proper_turn_answers n a r t : sound t -> valid t a -> valid t r ->
  answers t (proper_prop n t a r) (proper_turn n a r t).
Proof.
  intros S A R. unfold proper_turn.
  pose proof (preimage_starts_returns n proper_starts r t bottom S (valid_bottom t) R) as H.
  destruct (preimage_starts n proper_starts r t bottom) as [t1 x]. destruct H as (S1 & G1 & X & C).
  pose proof (inclusion_answers n t1 true Done a x S1 (grows_valid _ _ _ G1 A) X) as H.
  destruct (inclusion n t1 true Done a x) as [t2 y]. destruct H as (S2 & G2 & H).
  split; [assumption |]. split; [now apply (grows_trans t t1) |]. intros Y b P N Ac.
  rewrite <- N, <- length_word in *.
  assert (Ax : accepts t1 x (word b) = true).
  { rewrite <- (accepts_grows t t1) in Ac by assumption.
    exact (H Y (word b) eq_refl (balls_word b) Ac (Word (word b)) (reads_rest _)). }
  destruct (C (word b) eq_refl (balls_word b) Ax) as [K | (s & I & y' & T & K)].
  - rewrite accepts_bottom in K. discriminate.
  - destruct (read_proper s b y' P I T) as (z & F & Z & _). exists z. split; [assumption |].
    destruct y' as [v | |]; simpl in Z; [| now left | contradiction].
    destruct Z as (c & -> & Pc & ->). right. eauto.
Qed.

(** ** Both *)

Definition equations_hold (n : nat) (a r : node) (t : store) : store * bool :=
  let (t, x) := every_turn n r a t in
  if x then proper_turn n a r t else (t, false).

Lemma proper_prop_shrinks n t u a r : grows t u -> valid t a -> valid t r -> proper_prop n u a r -> proper_prop n t a r.
Proof.
  intros G A R H b P N Ac. rewrite <- (accepts_grows t u) in Ac by assumption.
  destruct (H b P N Ac) as (x & F & [W | (c & E & Pc & C)]); exists x; (split; [assumption |]); [now left | right].
  rewrite (accepts_grows t u) in C by assumption. eauto.
Qed.

Theorem equations_hold_won n a r t : sound t -> valid t a -> valid t r -> snd (equations_hold n a r t) = true ->
  forall b, playing b -> size b = n ->
    (accepts t a (word b) = true -> properly Left b) /\ (accepts t r (word b) = true -> properly Right b).
Proof.
  intros S A R. unfold equations_hold.
  pose proof (every_turn_answers n r a t S R A) as E. destruct (every_turn n r a t) as [t1 x].
  destruct E as (S1 & G1 & E). destruct x; [| discriminate].
  pose proof (proper_turn_answers n a r t1 S1 (grows_valid _ _ _ G1 A) (grows_valid _ _ _ G1 R)) as M.
  destruct (proper_turn n a r t1) as [t2 y]. destruct M as (_ & _ & M). simpl. intros ->.
  specialize (E eq_refl). specialize (M eq_refl). apply (proper_prop_shrinks n t t1 a r G1 A R) in M.
  intros b P N.
  pose proof (proper_won (fun b => accepts t a (word b) = true) (fun b => accepts t r (word b) = true) n M E) as W.
  split; intros H; [now apply (W Left) | now apply (W Right)].
Qed.

End Equations.
