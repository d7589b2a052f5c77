(** * Counting boards

    Left's wins with Left to move are disjoint from the mirror images of his wins with Right to
    move. If their numbers add up to the number of boards, every board is in one of the two sets. *)

From Coq Require Import Arith Lia PArith NArith Bool Permutation FinFun.
From Phutball Require Import Rules Play Reading Search Check.

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

(** If the sets of wins with Left and with Right to move are large enough, every position is
    decided. *)
Theorem large_enough n f g :
  (forall b, playing b -> size b = n -> f (word b) = true -> wins Left Left b) ->
  (forall b, playing b -> size b = n -> g (word b) = true -> wins Left Right b) ->
  number_of f (words n) + number_of g (words n) = length (words n) ->
  decided n.
Proof.
  intros F G E.
  assert (C : forall b, playing b -> size b = n -> f (word b) = true \/ g (word (mirror b)) = true).
  { intros b P N. rewrite word_mirror. apply (covered f (fun w => g (rev w)) (words n)).
    - intros w I Fw Gw. apply in_words in I as (c & Pc & Nc & ->). rewrite <- word_mirror in Gw.
      apply (not_both Left Left c); [now apply F |].
      rewrite <- (mirror_mirror c). apply (mirror_wins Left Right), G; [now apply mirror_playing | now rewrite mirror_size | assumption].
    - rewrite <- (number_of_map g (@rev cell)), <- (number_of_permutation g _ _ (words_mirror n)). assumption.
    - apply in_words. eauto. }
  intros b q P N. destruct q.
  - destruct (C b P N) as [H | H]; [left; now apply F | right].
    rewrite <- (mirror_mirror b). apply (mirror_wins Left Right), G; [now apply mirror_playing | now rewrite mirror_size | assumption].
  - destruct (C (mirror b)) as [H | H]; [now apply mirror_playing | now rewrite mirror_size | |].
    + right. rewrite <- (mirror_mirror b). apply (mirror_wins Left Left), F; [now apply mirror_playing | now rewrite mirror_size | assumption].
    + left. rewrite mirror_mirror in H. now apply G.
Qed.

(** ** Counting the words that a diagram accepts *)

(** For words of one length: the numbers of [words0] and [words1] that each node accepts, and the
    numbers of all such words. *)
Record counts := Counts { nodes0 : Map.t N; nodes1 : Map.t N; all0 : N; all1 : N }.

Definition count0 (t : counts) (q : positive) : N :=
  match q with
  | bottom => 0
  | top => all0 t
  | _ => match Map.find q (nodes0 t) with Some m => m | None => 0 end
  end.

Definition count1 (t : counts) (q : positive) : N :=
  match q with
  | bottom => 0
  | top => all1 t
  | _ => match Map.find q (nodes1 t) with Some m => m | None => 0 end
  end.

Section Diagram.

Variable d : diagram.

Fixpoint count (k : nat) : counts :=
  match k with
  | 0 => Counts (Map.empty N) (Map.empty N) 1 0
  | S k =>
      let t := count k in
      Counts
        (Map.mapi (fun _ '(e, s, _) => count0 t e + count0 t s)%N d)
        (match k with
         | 0 => Map.empty N
         | _ => Map.mapi (fun _ '(e, s, b) => count1 t e + count1 t s + count0 t b)%N d
         end)
        (2 * all0 t)
        (match k with 0 => 0%N | _ => (2 * all1 t + all0 t)%N end)
  end.

(** The number of boards that a node accepts, from the counts of words one cell shorter. *)
Definition count_boards (t : counts) (q : positive) : N :=
  (count1 t (child d q (Square empty)) + count1 t (child d q (Square stone)))%N.

Definition number_accepted (q : positive) (l : list (list cell)) : N := N.of_nat (number_of (accepts d q) l).

Lemma accepted_app q l m : number_accepted q (l ++ m) = (number_accepted q l + number_accepted q m)%N.
Proof. unfold number_accepted, number_of. rewrite filter_app, app_length. lia. Qed.

Lemma accepted_cons q c l : number_accepted q (map (cons c) l) = number_accepted (child d q c) l.
Proof. unfold number_accepted. now rewrite number_of_map. Qed.

Lemma accepted_bottom l : number_accepted bottom l = 0%N.
Proof. unfold number_accepted, number_of. induction l as [| w l IH]; simpl; [reflexivity |]. now rewrite accepts_bottom. Qed.

Lemma accepted_top l : number_accepted top l = N.of_nat (length l).
Proof.
  unfold number_accepted, number_of. f_equal. induction l as [| w l IH]; simpl; [reflexivity |].
  rewrite accepts_top. simpl. congruence.
Qed.

Lemma all_counted k : all0 (count k) = N.of_nat (length (words0 k)) /\ all1 (count k) = N.of_nat (length (words1 k)).
Proof.
  induction k as [| k [H0 H1]]; [split; reflexivity |]. split.
  - change (all0 (count (S k))) with (2 * all0 (count k))%N. simpl words0. rewrite app_length, !map_length, H0. lia.
  - destruct k as [| k]; [reflexivity |].
    change (words1 (S (S k))) with (map (cons (Square empty)) (words1 (S k)) ++
      map (cons (Square stone)) (words1 (S k)) ++ map (cons Ball) (words0 (S k))).
    change (all1 (count (S (S k)))) with (2 * all1 (count (S k)) + all0 (count (S k)))%N.
    rewrite app_length, map_length, app_length, !map_length, H0, H1. lia.
Qed.

(** An inner node. *)
Lemma inner_node q : q <> bottom -> q <> top ->
  (forall t, count0 t q = match Map.find q (nodes0 t) with Some m => m | None => 0%N end)
  /\ (forall t, count1 t q = match Map.find q (nodes1 t) with Some m => m | None => 0%N end)
  /\ (forall c, child d q c = match Map.find q d with
       | Some (e, s, b) => match c with Square empty => e | Square stone => s | Ball => b end
       | None => bottom end).
Proof. destruct q as [[q | q |] | [q | q |] |]; intros N N'; try contradiction; repeat split; reflexivity. Qed.

Lemma counted k q :
  count0 (count k) q = number_accepted q (words0 k) /\ count1 (count k) q = number_accepted q (words1 k).
Proof.
  revert q. induction k as [| k IH]; intros q;
    (destruct (Pos.eq_dec q bottom) as [-> | N]; [now rewrite !accepted_bottom |]);
    (destruct (Pos.eq_dec q top) as [-> | N']; [rewrite !accepted_top; apply all_counted |]);
    destruct (inner_node q N N') as (C0 & C1 & Ch); rewrite C0, C1; clear C0 C1.
  - cbn [count nodes0 nodes1]. rewrite Map.gempty. split; [| reflexivity].
    unfold number_accepted, number_of. cbn [words0 filter accepts]. apply Pos.eqb_neq in N'. now rewrite N'.
  - split.
    + simpl nodes0. rewrite Map.gmapi. simpl words0. rewrite accepted_app, !accepted_cons, !Ch.
      destruct (Map.find q d) as [[[e s] b] |]; simpl.
      * now rewrite !(proj1 (IH _)).
      * now rewrite accepted_bottom.
    + destruct k as [| k]; [simpl; now rewrite Map.gempty |].
      change (words1 (S (S k))) with (map (cons (Square empty)) (words1 (S k)) ++
        map (cons (Square stone)) (words1 (S k)) ++ map (cons Ball) (words0 (S k))).
      rewrite !accepted_app, !accepted_cons, !Ch.
      change (nodes1 (count (S (S k)))) with
        (Map.mapi (fun _ '(e, s, b) => count1 (count (S k)) e + count1 (count (S k)) s + count0 (count (S k)) b)%N d).
      rewrite Map.gmapi. destruct (Map.find q d) as [[[e s] b] |]; cbn [option_map].
      * rewrite !(proj2 (IH _)), (proj1 (IH b)). lia.
      * now rewrite !accepted_bottom.
Qed.

Lemma boards_counted k q : count_boards (count k) q = number_accepted q (words (S k)).
Proof.
  unfold count_boards. simpl words. rewrite accepted_app, !accepted_cons. now rewrite !(proj2 (counted k _)).
Qed.

End Diagram.
