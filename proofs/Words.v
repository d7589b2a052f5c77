(** * The words of boards, and how many there are

    Left's wins with Left to move are disjoint from the mirror images of his wins with Right to
    move. If their numbers add up to the number of boards, every board is in one of the two sets. *)

From Coq Require Import Arith Lia Bool Permutation FinFun.
From Phutball Require Import Rules Play Reading.

(** ** The words of boards have one ball *)

Fixpoint balls (w : list cell) : nat :=
  match w with
  | [] => 0
  | Ball :: w => S (balls w)
  | Square _ :: w => balls w
  end.

(** The possible next cells, and the flag after one of them: [true] if the ball is still to come. *)
Definition cells (ball : bool) : list cell := Square empty :: Square stone :: if ball then [Ball] else [].

Definition still (ball : bool) (c : cell) : bool := match c with Ball => false | Square _ => ball end.

Lemma balls_next ball c w : balls (c :: w) = Nat.b2n ball -> In c (cells ball) /\ balls w = Nat.b2n (still ball c).
Proof. destruct c as [[|] |], ball; simpl; intuition congruence. Qed.

Lemma balls_word b : balls (word b) = 1.
Proof.
  assert (H : forall l, balls (squares l) = 0) by (induction l; assumption || reflexivity).
  destruct b as [l r]. unfold word. simpl. induction l as [| q l IH]; simpl; [now rewrite H | assumption].
Qed.

Lemma length_word b : length (word b) = size b.
Proof. unfold word, size, squares. rewrite app_length. simpl. rewrite !map_length. lia. Qed.

(** ** All boards *)

(** All words without a ball, and those with one ball that is not on the last cell. *)
Fixpoint words0 (k : nat) : list (list cell) :=
  match k with
  | 0 => [[]]
  | S k => map (cons (Square empty)) (words0 k) ++ map (cons (Square stone)) (words0 k)
  end.

Fixpoint words1 (k : nat) : list (list cell) :=
  match k with
  | S (S _ as k) =>
      map (cons (Square empty)) (words1 k) ++ map (cons (Square stone)) (words1 k) ++ map (cons Ball) (words0 k)
  | _ => []
  end.

(** The words of all unfinished boards. *)
Definition words (n : nat) : list (list cell) :=
  match n with
  | 0 => []
  | S k => map (cons (Square empty)) (words1 k) ++ map (cons (Square stone)) (words1 k)
  end.

Lemma in_cons_map c l (w : list cell) : In w (map (cons c) l) <-> exists v, w = c :: v /\ In v l.
Proof. rewrite in_map_iff. split; intros (v & E & I); eauto. Qed.

Lemma in_words0 k w : In w (words0 k) <-> exists r, w = squares r /\ length r = k.
Proof.
  revert w. induction k as [| k IH]; intros w; simpl.
  - split; [intros [<- | []]; now exists [] | intros ([| q r] & -> & E); [now left | discriminate]].
  - rewrite in_app_iff, !in_cons_map. split.
    + intros [(v & -> & I) | (v & -> & I)]; apply IH in I as (r & -> & E);
        [exists (empty :: r) | exists (stone :: r)]; simpl; auto.
    + intros ([| q r] & -> & E); [discriminate |]. injection E as E.
      destruct q; [left | right]; exists (squares r); (split; [reflexivity | apply IH; eauto]).
Qed.

Lemma in_words1 k w :
  In w (words1 k) <-> exists l r, w = squares l ++ Ball :: squares r /\ r <> [] /\ length l + 1 + length r = k.
Proof.
  revert w. induction k as [| k IH]; intros w.
  - split; [intros [] | intros (l & r & _ & _ & E); lia].
  - destruct k as [| k].
    + split; [intros [] | intros (l & r & _ & N & E); destruct r; [contradiction | simpl in E; lia]].
    + change (words1 (S (S k))) with (map (cons (Square empty)) (words1 (S k)) ++
        map (cons (Square stone)) (words1 (S k)) ++ map (cons Ball) (words0 (S k))).
      rewrite !in_app_iff, !in_cons_map. split.
      * intros [(v & -> & I) | [(v & -> & I) | (v & -> & I)]].
        -- apply IH in I as (l & r & -> & N & E). exists (empty :: l), r. simpl. auto.
        -- apply IH in I as (l & r & -> & N & E). exists (stone :: l), r. simpl. auto.
        -- apply in_words0 in I as (r & -> & E). exists [], r. destruct r; [discriminate |]. simpl in *. repeat split; congruence.
      * intros ([| q l] & r & -> & N & E).
        -- right. right. exists (squares r). split; [reflexivity |]. apply in_words0. exists r. split; [reflexivity |].
           simpl in E. congruence.
        -- assert (I : In (squares l ++ Ball :: squares r) (words1 (S k)))
             by (apply IH; exists l, r; simpl in E; auto).
           destruct q; [left | right; left]; exists (squares l ++ Ball :: squares r); auto.
Qed.

Lemma in_words n w : In w (words n) <-> exists b, playing b /\ size b = n /\ w = word b.
Proof.
  destruct n as [| n]; simpl.
  - split; [intros [] | intros (b & _ & E & _); unfold size in E; lia].
  - rewrite in_app_iff, !in_cons_map. split.
    + intros [(v & -> & I) | (v & -> & I)]; apply in_words1 in I as (l & r & -> & N & E);
        [exists (Board (empty :: l) r) | exists (Board (stone :: l) r)];
        (split; [split; [discriminate | assumption] | split; [unfold size; simpl; lia | reflexivity]]).
    + intros ([[| q l] r] & [P P'] & E & ->); [contradiction |]. unfold size in E. simpl in *.
      assert (I : In (squares l ++ Ball :: squares r) (words1 n)) by (apply in_words1; exists l, r; repeat split; [assumption | lia]).
      destruct q; [left | right]; exists (squares l ++ Ball :: squares r); auto.
Qed.

(** ** No board occurs twice *)

Lemma no_duplicates_app {A} (l m : list A) : NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  intros L M D. induction L as [| x l N _ IH]; [assumption |]. simpl. constructor.
  - rewrite in_app_iff. intros [I | I]; [contradiction |]. now apply (D x); [left |].
  - apply IH. intros y Y. apply D. now right.
Qed.

Lemma no_duplicates_cons c l : NoDup l -> NoDup (map (@cons cell c) l).
Proof. apply Injective_map_NoDup. now intros v w [= E]. Qed.

Lemma heads_differ c d l m (w : list cell) : c <> d -> In w (map (cons c) l) -> ~ In w (map (cons d) m).
Proof. rewrite !in_cons_map. intros N (v & -> & _) (u & [= E] & _). contradiction. Qed.

Lemma words0_once k : NoDup (words0 k).
Proof.
  induction k as [| k IH]; simpl; [constructor; [intros [] | constructor] |].
  apply no_duplicates_app; try now apply no_duplicates_cons. intros w. now apply heads_differ.
Qed.

Lemma words1_once k : NoDup (words1 k).
Proof.
  induction k as [| [| k] IH]; try constructor.
  pose proof (words0_once (S k)) as H.
  change (NoDup (map (cons (Square empty)) (words1 (S k)) ++
    map (cons (Square stone)) (words1 (S k)) ++ map (cons Ball) (words0 (S k)))).
  repeat (assumption || apply no_duplicates_cons || apply no_duplicates_app); intros w I; rewrite ?in_app_iff.
  - now apply (heads_differ _ Ball _ (words0 (S k))) with (2 := I).
  - intros [J | J]; revert J; now apply heads_differ with (2 := I).
Qed.

Lemma words_once n : NoDup (words n).
Proof.
  destruct n as [| n]; simpl; [constructor |]. pose proof (words1_once n).
  apply no_duplicates_app; try now apply no_duplicates_cons. intros w. now apply heads_differ.
Qed.

(** ** Mirror images *)

Lemma word_mirror b : word (mirror b) = rev (word b).
Proof. destruct b as [l r]. unfold word, mirror, squares. simpl. rewrite rev_middle, !map_rev. reflexivity. Qed.

Lemma words_mirror n : Permutation (words n) (map (@rev cell) (words n)).
Proof.
  apply NoDup_Permutation.
  - apply words_once.
  - apply Injective_map_NoDup; [| apply words_once]. intros v w E. now rewrite <- (rev_involutive v), E, rev_involutive.
  - intros w. rewrite in_map_iff.
    assert (M : forall v, In v (words n) -> In (rev v) (words n)).
    { intros v I. apply in_words in I as (b & P & N & ->). apply in_words. exists (mirror b).
      split; [now apply mirror_playing |]. split; [now rewrite mirror_size | now rewrite word_mirror]. }
    split.
    + intros I. exists (rev w). split; [apply rev_involutive | auto].
    + intros (v & <- & I). auto.
Qed.

(** ** Sets large enough to cover all boards *)

Definition number_of (f : list cell -> bool) (l : list (list cell)) : nat := length (filter f l).

Lemma number_of_map f g l : number_of f (map g l) = number_of (fun w => f (g w)) l.
Proof. unfold number_of. induction l as [| w l IH]; simpl; [reflexivity |]. destruct (f (g w)); simpl; now rewrite IH. Qed.

Lemma number_of_permutation f l m : Permutation l m -> number_of f l = number_of f m.
Proof.
  unfold number_of. induction 1; simpl; [reflexivity | | | congruence].
  - destruct (f x); simpl; congruence.
  - destruct (f x), (f y); reflexivity.
Qed.

Lemma covered f g l :
  (forall w, In w l -> f w = true -> g w = true -> False) -> number_of f l + number_of g l = length l ->
  forall w, In w l -> f w = true \/ g w = true.
Proof.
  unfold number_of. intros D.
  assert (L : length (filter f l) + length (filter g l) <= length l /\
    (length (filter f l) + length (filter g l) = length l -> forall w, In w l -> f w = true \/ g w = true)).
  { induction l as [| v l IH]; simpl; [now split; [lia | intros _ w []] |].
    destruct IH as [L IH]; [intros w I; apply D; now right |].
    specialize (D v (or_introl eq_refl)). destruct (f v) eqn:F, (g v) eqn:G; simpl; (split; [lia |]);
      try (exfalso; now apply D); intros E w [<- | I]; auto; try (apply IH; [lia | assumption]); lia. }
  apply L.
Qed.

(** If the sets of wins with Left and with Right to move are large enough, every board is in the
    first, or its mirror image in the second. *)
Theorem large_enough n f g :
  (forall b, playing b -> size b = n -> f (word b) = true -> wins Left Left b) ->
  (forall b, playing b -> size b = n -> g (word b) = true -> wins Left Right b) ->
  number_of f (words n) + number_of g (words n) = length (words n) ->
  forall b, playing b -> size b = n -> f (word b) = true \/ g (word (mirror b)) = true.
Proof.
  intros F G E b P N. rewrite word_mirror. apply (covered f (fun w => g (rev w)) (words n)).
  - intros w I Fw Gw. apply in_words in I as (c & Pc & Nc & ->). rewrite <- word_mirror in Gw.
    apply (not_both Left Left c); [now apply F |].
    rewrite <- (mirror_mirror c). apply (mirror_wins Left Right), G; [now apply mirror_playing | now rewrite mirror_size | assumption].
  - rewrite <- (number_of_map g (@rev cell)), <- (number_of_permutation g _ _ (words_mirror n)). assumption.
  - apply in_words. eauto.
Qed.
