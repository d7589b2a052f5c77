(** * What the stored results claim *)

From Coq Require Import Arith Lia Bool.
From Phutball Require Import Rules Play Reading Words Store.

Module Claims (Import S : STORE).

Fixpoint accepts (t : store) (q : node) (w : list cell) : bool :=
  match w with
  | [] => same q top
  | c :: w => accepts t (child t q c) w
  end.

Lemma accepts_bottom t w : accepts t bottom w = false.
Proof. induction w; simpl; [apply bottom_top | now rewrite child_bottom]. Qed.

Lemma accepts_top t w : accepts t top w = true.
Proof. induction w; simpl; [apply same_refl | now rewrite child_top]. Qed.

Lemma grows_refl t : grows t t.
Proof. intros q V. auto. Qed.

Lemma grows_trans t u v : grows t u -> grows u v -> grows t v.
Proof.
  intros G H q V. destruct (G q V) as [V' C]. destruct (H q V') as [V'' C']. split; [assumption |].
  intros c. now rewrite C', C.
Qed.

Lemma grows_valid t u q : grows t u -> valid t q -> valid u q.
Proof. intros G V. apply (G q V). Qed.

Lemma accepts_grows t u q w : grows t u -> valid t q -> accepts u q w = accepts t q w.
Proof.
  intros G. revert q. induction w as [| c w IH]; intros q V; simpl; [reflexivity |].
  rewrite (proj2 (G q V) c). apply IH. now apply child_valid.
Qed.

(** ** What an entry of the memo table claims, about words of one length *)

(** In state [s] the automaton can take the word into [v], or to Left's goal. *)
Definition leads (t : store) (s : state) (v : node) (w : list cell) : Prop :=
  exists r, reads s w r /\ match r with Word y => accepts t v y = true | LeftHome => True | RightHome => False end.

Definition all_lead (t : store) (s : state) (v : node) (w : list cell) : Prop :=
  forall r, reads s w r -> match r with Word y => accepts t v y = true | LeftHome => True | RightHome => False end.

Definition claim (t : store) (k : task) (s : state) (f : bool) (m : nat) (u v x : node) : Prop :=
  forall w, length w = m -> balls w = Nat.b2n f ->
  match k with
  | Union => accepts t x w = true -> accepts t u w = true \/ accepts t v w = true
  | Preimage => accepts t x w = true -> accepts t u w = true \/ leads t s v w
  | Inclusion => accepts t u w = true -> all_lead t s v w
  end.

Definition sound (t : store) : Prop :=
  forall k s f m u v x, holds t k s f m u v x ->
  valid t u /\ valid t v /\ valid t x /\ claim t k s f m u v x.

Lemma find_sound t k s f m u v x : sound t -> valid t u -> valid t v -> find t k s f m u v = Some x ->
  valid t x /\ claim t k s f m u v x.
Proof.
  intros S U V F. apply find_holds in F as (u' & v' & Eu & Ev & H). apply S in H as (U' & V' & X & C).
  apply (same_equal t) in Eu as ->; try assumption. apply (same_equal t) in Ev as ->; try assumption. auto.
Qed.

Lemma leads_grows t u s v w : grows t u -> valid t v -> leads t s v w -> leads u s v w.
Proof.
  intros G V (r & R & A). exists r. split; [assumption |]. destruct r; try assumption.
  now rewrite (accepts_grows t u).
Qed.

Lemma leads_shrinks t u s v w : grows t u -> valid t v -> leads u s v w -> leads t s v w.
Proof.
  intros G V (r & R & A). exists r. split; [assumption |]. destruct r; try assumption.
  now rewrite <- (accepts_grows t u).
Qed.

Lemma all_lead_grows t u s v w : grows t u -> valid t v -> all_lead t s v w -> all_lead u s v w.
Proof.
  intros G V A r R. specialize (A r R). destruct r; try assumption. now rewrite (accepts_grows t u).
Qed.

Lemma claim_grows t t' k s f m u v x : grows t t' -> valid t u -> valid t v -> valid t x ->
  claim t k s f m u v x -> claim t' k s f m u v x.
Proof.
  intros G U V X C w L B. specialize (C w L B). destruct k; rewrite ?(accepts_grows t t') by assumption.
  - assumption.
  - intros A. destruct (C A); [now left | right; now apply (leads_grows t)].
  - intros A. now apply (all_lead_grows t), C.
Qed.

Lemma sound_make t e s b u x : sound t -> valid t e -> valid t s -> valid t b -> make t e s b = (u, x) -> sound u.
Proof.
  intros S E St B M. destruct (make_makes _ _ _ _ _ _ E St B M) as (G & F & _).
  intros k z f m p q y H. apply F, S in H as (P & Q & Y & C).
  repeat (split; [now apply (grows_valid t) |]). now apply (claim_grows t).
Qed.

Lemma sound_add t k z f m p q x : sound t -> valid t p -> valid t q -> valid t x ->
  claim t k z f m p q x -> sound (add t k z f m p q x).
Proof.
  intros S P Q X C k' z' f' m' p' q' y H. pose proof (add_grows t k z f m p q x) as G.
  assert (K : valid t p' /\ valid t q' /\ valid t y /\ claim t k' z' f' m' p' q' y).
  { apply add_holds in H as [(-> & -> & -> & -> & -> & -> & ->) | H]; [auto | now apply S]. }
  destruct K as (P' & Q' & Y & C').
  repeat (split; [now apply (grows_valid t) |]). now apply (claim_grows t).
Qed.

(** The result of a function on stores that returns a node. *)
Definition returns (t : store) (P : store -> node -> Prop) (r : store * node) : Prop :=
  let (u, x) := r in sound u /\ grows t u /\ valid u x /\ P u x.

(** ** Nodes *)

(** A node for some words with [f] balls; leaves where that is possible. *)
Definition node_of (t : store) (f : bool) (e s b : node) : store * node :=
  if same e s && (if f then same b e else true) && (same e bottom || same e top) then (t, e)
  else make t e s b.

Definition part (e s b : node) (c : cell) : node :=
  match c with Square empty => e | Square stone => s | Ball => b end.

Lemma node_of_returns t f e s b : sound t -> valid t e -> valid t s -> valid t b ->
  returns t (fun u x => forall c w, balls (c :: w) = Nat.b2n f -> accepts u x (c :: w) = true -> accepts t (part e s b c) w = true)
    (node_of t f e s b).
Proof.
  intros S E St B. unfold node_of.
  destruct (same e s && _ && _) eqn:L.
  - apply andb_true_iff in L as [L L2]. apply andb_true_iff in L as [L L1]. apply (same_equal t) in L as <-; try assumption.
    split; [assumption |]. split; [apply grows_refl |]. split; [assumption |].
    intros c w Bc. simpl.
    assert (Pc : part e e b c = e).
    { destruct c as [[|] |]; try reflexivity. simpl in *. destruct f; [now apply (same_equal t) in L1 | discriminate]. }
    rewrite Pc. apply orb_true_iff in L2 as [L2 | L2]; apply (same_equal t) in L2 as ->; try (assumption || apply valid_bottom || apply valid_top);
      rewrite ?child_bottom, ?child_top; auto.
  - destruct (make t e s b) as [u x] eqn:M.
    destruct (make_makes _ _ _ _ _ _ E St B M) as (G & _ & _ & X & C & _).
    split; [now apply (sound_make t e s b u x) |]. split; [assumption |]. split; [assumption |].
    intros c w _. destruct C as [-> | (Ce & Cs & Cb)]; [now rewrite accepts_bottom |].
    simpl. destruct c as [[|] |]; simpl; rewrite ?Ce, ?Cs, ?Cb; now rewrite (accepts_grows t u).
Qed.

End Claims.
