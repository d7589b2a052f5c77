(** * Counting the boards of a set, and the check *)

From Coq Require Import Arith Lia Bool NArith.
From Phutball Require Import Rules Play Reading Words Store Claims Unions Preimages Inclusions Proper LawN Equations.

Module Counting (Import S : STORE).

Include Equations S.

Definition words_of (f : bool) (m : nat) : list (list cell) := if f then words1 m else words0 m.

Definition number_accepted (t : store) (q : node) (l : list (list cell)) : N := N.of_nat (number_of (accepts t q) l).

Definition counted (t : store) : Prop :=
  forall f m q x, holds_count t f m q x -> valid t q /\ x = number_accepted t q (words_of f m).

(** The number of the words of [m] cells, with a ball if [f], that [q] accepts. *)
Fixpoint count (m : nat) (t : store) (f : bool) (q : node) : store * N :=
  if same q bottom then (t, 0%N)
  else
    match m with
    | 0 => (t, if f then 0%N else if same q top then 1%N else 0%N)
    | S m' =>
        match find_count t f m q with
        | Some x => (t, x)
        | None =>
            let (t, x) := count m' t f (child t q (Square empty)) in
            let (t, y) := count m' t f (child t q (Square stone)) in
            let (t, z) := if f && negb (Nat.eqb m' 0) then count m' t false (child t q Ball) else (t, 0%N) in
            let s := (x + y + z)%N in
            (add_count t f m q s, s)
        end
    end.

Lemma number_app t q l k : number_accepted t q (l ++ k) = (number_accepted t q l + number_accepted t q k)%N.
Proof. unfold number_accepted, number_of. rewrite filter_app, app_length. lia. Qed.

Lemma number_cons t q c l : number_accepted t q (map (cons c) l) = number_accepted t (child t q c) l.
Proof. unfold number_accepted. now rewrite number_of_map. Qed.

Lemma number_bottom t l : number_accepted t bottom l = 0%N.
Proof. unfold number_accepted, number_of. induction l as [| w l IH]; simpl; [reflexivity |]. now rewrite accepts_bottom. Qed.

Lemma number_top t l : number_accepted t top l = N.of_nat (length l).
Proof.
  unfold number_accepted, number_of. f_equal. induction l as [| w l IH]; simpl; [reflexivity |].
  rewrite accepts_top. simpl. congruence.
Qed.

Lemma number_grows t u q l : grows t u -> valid t q -> number_accepted u q l = number_accepted t q l.
Proof.
  intros G V. unfold number_accepted, number_of. f_equal. induction l as [| w l IH]; simpl; [reflexivity |].
  rewrite (accepts_grows t u) by assumption. destruct (accepts t q w); simpl; now rewrite IH.
Qed.

Lemma number_child t u q c l : grows t u -> valid t q -> number_accepted u (child u q c) l = number_accepted t (child t q c) l.
Proof. intros G V. rewrite (proj2 (G q V) c). apply number_grows; [assumption | now apply child_valid]. Qed.

Definition counts (t : store) (m : N) (r : store * N) : Prop :=
  let (u, x) := r in sound u /\ counted u /\ grows t u /\ x = m.

Lemma count_counts m : forall t f q, sound t -> counted t -> valid t q ->
  counts t (number_accepted t q (words_of f m)) (count m t f q).
Proof.
  induction m as [| m IH]; intros t f q S K V; cbn [count]; (destruct (same q bottom) eqn:B;
    [apply (same_equal t) in B as ->; [| assumption | apply valid_bottom]; rewrite number_bottom; repeat (split; [assumption || apply grows_refl |]); reflexivity |]).
  - repeat (split; [assumption || apply grows_refl |]). destruct f; [reflexivity |].
    unfold number_accepted, number_of. simpl. now destruct (same q top).
  - destruct (find_count t f (Datatypes.S m) q) as [x |] eqn:F.
    { apply find_count_holds in F as (q' & Q & F). destruct (K _ _ _ _ F) as [V' E].
      apply (same_equal t) in Q as ->; try assumption. repeat (split; [assumption || apply grows_refl |]). assumption. }
    pose proof (IH t f (child t q (Square empty)) S K (child_valid _ _ _ V)) as H.
    destruct (count m t f _) as [t1 x]. destruct H as (S1 & K1 & G1 & X).
    assert (V1 : valid t1 q) by now apply (grows_valid t).
    pose proof (IH t1 f (child t1 q (Square stone)) S1 K1 (child_valid _ _ _ V1)) as H.
    destruct (count m t1 f _) as [t2 y]. destruct H as (S2 & K2 & G2 & Y).
    rewrite (number_child t t1) in Y by assumption.
    assert (V2 : valid t2 q) by now apply (grows_valid t1).
    assert (G02 : grows t t2) by now apply (grows_trans t t1).
    assert (H : counts t2 (if f && negb (Nat.eqb m 0) then number_accepted t (child t q Ball) (words0 m) else 0%N)
      (if f && negb (Nat.eqb m 0) then count m t2 false (child t2 q Ball) else (t2, 0%N))).
    { destruct (f && negb (Nat.eqb m 0)).
      - pose proof (IH t2 false (child t2 q Ball) S2 K2 (child_valid _ _ _ V2)) as H.
        destruct (count m t2 false _) as [t3 z]. rewrite (number_child t t2) in H by assumption. exact H.
      - repeat (split; [assumption || apply grows_refl |]). reflexivity. }
    destruct (if f && negb (Nat.eqb m 0) then count m t2 false (child t2 q Ball) else (t2, 0%N)) as [t3 z].
    destruct H as (S3 & K3 & G3 & Z).
    assert (G03 : grows t t3) by now apply (grows_trans t t2).
    set (s := (x + y + z)%N).
    assert (E : s = number_accepted t q (words_of f (Datatypes.S m))).
    { subst s. rewrite X, Y, Z. destruct f; simpl.
      - destruct m as [| m]; [reflexivity |].
        change (words_of true (Datatypes.S m)) with (words1 (Datatypes.S m)).
        rewrite !number_app, !number_cons. simpl. lia.
      - rewrite number_app, !number_cons. simpl. lia. }
    pose proof (add_count_grows t3 f (Datatypes.S m) q s) as GA.
    assert (G : grows t (add_count t3 f (Datatypes.S m) q s)) by now apply (grows_trans t t3).
    split; [| split; [| split; [assumption | exact E]]].
    + intros k w g l p r o H. apply add_count_results in H. destruct (S3 _ _ _ _ _ _ _ H) as (P & R & O & C).
      repeat (split; [now apply (grows_valid t3) |]). now apply (claim_grows t3).
    + intros f' m' q' o H. apply add_count_holds in H as [(-> & -> & -> & ->) | H].
      * split; [now apply (grows_valid t) |]. now rewrite (number_grows t).
      * destruct (K3 _ _ _ _ H) as [P Q]. split; [now apply (grows_valid t3) |]. now rewrite (number_grows t3).
Qed.

Definition count_boards (k : nat) (t : store) (q : node) : store * N :=
  let (t, x) := count k t true (child t q (Square empty)) in
  let (t, y) := count k t true (child t q (Square stone)) in
  (t, (x + y)%N).

Lemma count_boards_counts k t q : sound t -> counted t -> valid t q ->
  counts t (number_accepted t q (words (S k))) (count_boards k t q).
Proof.
  intros S K V. unfold count_boards.
  pose proof (count_counts k t true (child t q (Square empty)) S K (child_valid _ _ _ V)) as H.
  destruct (count k t true _) as [t1 x]. destruct H as (S1 & K1 & G1 & X).
  assert (V1 : valid t1 q) by now apply (grows_valid t).
  pose proof (count_counts k t1 true (child t1 q (Square stone)) S1 K1 (child_valid _ _ _ V1)) as H.
  destruct (count k t1 true _) as [t2 y]. destruct H as (S2 & K2 & G2 & Y).
  rewrite (number_child t t1) in Y by assumption.
  split; [assumption |]. split; [assumption |]. split; [now apply (grows_trans t t1) |].
  rewrite X, Y. simpl words. rewrite number_app, !number_cons. reflexivity.
Qed.

(** ** The check *)

Definition all_decided (n : nat) (a r : node) (t : store) : store * bool :=
  match n with
  | S k =>
      let (t, x) := count_boards k t a in
      let (t, y) := count_boards k t r in
      let (t, z) := count_boards k t top in
      if N.eqb (x + y) z then equations_hold n a r t else (t, false)
  | 0 => (t, false)
  end.

Definition ready (t : store) : Prop := sound t /\ counted t /\ ok t.

Theorem all_decided_sound n a r t : ready t -> valid t a -> valid t r ->
  snd (all_decided n a r t) = true -> won_properly n.
Proof.
  unfold all_decided. intros (S & K & _) A R H. destruct n as [| k]; [discriminate |].
  pose proof (count_boards_counts k t a S K A) as C1. destruct (count_boards k t a) as [t1 x].
  destruct C1 as (S1 & K1 & G1 & X).
  pose proof (count_boards_counts k t1 r S1 K1 (grows_valid _ _ _ G1 R)) as C2. destruct (count_boards k t1 r) as [t2 y].
  destruct C2 as (S2 & K2 & G2 & Y). rewrite (number_grows t t1) in Y by assumption.
  pose proof (count_boards_counts k t2 top S2 K2 (valid_top t2)) as C3. destruct (count_boards k t2 top) as [t3 z].
  destruct C3 as (S3 & K3 & G3 & Z). rewrite number_top in Z.
  assert (G : grows t t3) by (apply (grows_trans t t1); [assumption | now apply (grows_trans t1 t2)]).
  destruct (N.eqb (x + y) z) eqn:C; [| discriminate]. apply N.eqb_eq in C. rewrite X, Y, Z in C.
  pose proof (equations_hold_won (Datatypes.S k) a r t3 S3 (grows_valid _ _ _ G A) (grows_valid _ _ _ G R) H) as W.
  assert (F : forall b, playing b -> size b = Datatypes.S k -> accepts t a (word b) = true -> properly Left b)
    by (intros b P Nb Ac; apply (W b P Nb); now rewrite (accepts_grows t t3)).
  assert (F' : forall b, playing b -> size b = Datatypes.S k -> accepts t r (word b) = true -> properly Right b)
    by (intros b P Nb Ac; apply (W b P Nb); now rewrite (accepts_grows t t3)).
  intros b P Nb. destruct (large_enough (Datatypes.S k) (accepts t a) (accepts t r)) with (b := b) as [I | I]; auto.
  - intros c Pc Nc Ac. now apply properly_wins, F.
  - intros c Pc Nc Ac. now apply properly_wins, F'.
  - unfold number_accepted in C. rewrite <- Nnat.Nat2N.inj_add in C. now apply Nnat.Nat2N.inj in C.
  - right. apply F'; [now apply mirror_playing | now rewrite mirror_size | assumption].
Qed.

(** ** A store while a program builds a diagram *)

Lemma fresh_ready z : ready (fresh z).
Proof.
  split; [| split].
  - intros k s f m u v x H. now apply fresh_results in H.
  - intros f m q x H. now apply fresh_counts in H.
  - apply fresh_ok.
Qed.

Lemma make_ready t e s b u x : ready t -> valid t e -> valid t s -> valid t b -> make t e s b = (u, x) ->
  ready u /\ grows t u /\ valid u x.
Proof.
  intros (S & K & O) E St B M. destruct (make_makes _ _ _ _ _ _ E St B M) as (G & _ & F & X & _ & P).
  split; [| auto]. split; [now apply (sound_make t e s b u x) |]. split; [| now apply P].
  intros f m q y H. apply F in H. destruct (K _ _ _ _ H) as [V C]. split; [now apply (grows_valid t) |].
  now rewrite (number_grows t).
Qed.

End Counting.
