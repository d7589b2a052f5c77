(** * Boards with more squares at an end *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Tempo Levels LevelTempo Potential Families Facts Halves.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** ** Two or more empty squares next to the ball do not lower the potential *)

Definition kept (n : list Z) (a : square) (p p' fall : Z) : list (list Z) :=
  match a, n with
  | _, [] => [] :: match a with empty => [[1; Z.min (- fall) 3]] | stone => [] end
  | empty, [m; gain] => [[2; Z.min (gain - fall) 3]]
  | _, _ => []
  end.

Definition kept_fine (n : list Z) (p : Z) : bool :=
  match n with [m; gain] => if m =? 2 then 0 <=? gain else true | _ => true end.

Lemma kept_checked : single_check kept kept_fine = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma kept_begins w : remembers kept w [].
Proof.
  induction w as [| a w IH] using rev_ind; [constructor |].
  eapply remembers_more; [eassumption |]. destruct a; now left.
Qed.

Lemma kept_remembered w m : exists k gain, remembers kept (w ++ repeat empty (S m)) [k; gain]
  /\ k = (if Nat.eqb m 0 then 1 else 2) /\ gain <= potential (w ++ repeat empty (S m)) - potential w.
Proof.
  induction m as [| m (k & gain & R & K & G)].
  - do 2 eexists. split; [eapply remembers_more; [apply kept_begins |];
      cbn -[repeat app Z.add Z.sub Z.opp Z.min potential low]; right; left; reflexivity |].
    split; [reflexivity |]. change (repeat empty 1) with [empty]. lia.
  - replace (w ++ repeat empty (S (S m))) with ((w ++ repeat empty (S m)) ++ [empty])
      by (rewrite <- app_assoc, snoc_repeat; reflexivity).
    do 2 eexists. split; [eapply remembers_more; [eassumption |];
      cbn -[repeat app Z.add Z.sub Z.opp Z.min potential low]; left; reflexivity |].
    split; [reflexivity |]. lia.
Qed.

Theorem squares_keep w m : potential w <= potential (w ++ repeat empty (S (S m))).
Proof.
  destruct (kept_remembered w (S m)) as (k & gain & R & K & G).
  pose proof (single_checked kept kept_fine kept_checked _ _ R) as F. simpl in F. rewrite K in F. simpl in F.
  apply Z.leb_le in F. lia.
Qed.

(** ** Words *)

Lemma split_repeat (j : nat) : forall u v, u ++ empty :: v = repeat empty j ->
  u = repeat empty (length u) /\ v = repeat empty (length v) /\ j = (length u + S (length v))%nat.
Proof.
  induction j as [| j IH]; intros [| a u] v E; try discriminate; simpl in E; injection E as E.
  - subst. rewrite repeat_length. auto.
  - subst. apply IH in H as (A & B & ->). simpl. rewrite <- A, <- B. auto.
Qed.

(** How two ways to split a word compare. *)
Lemma split_cases (x y u v : list square) a : x ++ y = u ++ a :: v ->
  (exists m, x = u ++ a :: m /\ v = m ++ y) \/ (exists m, u = x ++ m /\ y = m ++ a :: v).
Proof.
  revert u. induction x as [| b x IH]; intros u E; simpl in E.
  - right. exists u. auto.
  - destruct u as [| c u]; simpl in E.
    + injection E as -> <-. left. exists x. auto.
    + injection E as -> E. apply IH in E as [(m & -> & ->) | (m & -> & ->)]; [left; exists m | right; exists m]; auto.
Qed.

Lemma empties_follow (l : list square) m : l ++ empty :: repeat empty m = l ++ repeat empty (S m).
Proof. reflexivity. Qed.

Definition empties (x : list square) : nat := length (filter (fun s => match s with empty => true | stone => false end) x).

Lemma empties_less u v : (empties (u ++ stone :: v) < empties (u ++ empty :: v))%nat.
Proof. unfold empties. rewrite !filter_app, !app_length. simpl. lia. Qed.

(** ** Squares behind the right end *)

Definition behind (b : board) (z : list square) : board := Board (before b) (beyond b ++ z).

Lemma behind_nothing b : behind b [] = b.
Proof. destruct b. unfold behind. simpl. now rewrite app_nil_r. Qed.

Lemma behind_extend b z s : behind b (z ++ [s]) = extend (behind b z) s.
Proof. unfold behind, extend. simpl. now rewrite app_assoc. Qed.

Lemma playing_behind b z : playing b -> playing (behind b z).
Proof. intros [P P']. split; [assumption |]. simpl. now destruct (beyond b). Qed.

Lemma turn_behind b c z : turn b (On c) -> turn (behind b z) (On (behind c z)).
Proof.
  intros T. induction z as [| s z IH] using rev_ind; [now rewrite !behind_nothing |].
  rewrite !behind_extend. now apply turn_extend.
Qed.

(** ** Cutting helps Left *)

Lemma wins_cut q b z : playing b -> (wins Right q b -> wins Right q (behind b z)) /\ (wins Left q (behind b z) -> wins Left q b).
Proof.
  intros P. induction z as [| s z [IH IH']] using rev_ind; [rewrite behind_nothing; auto |].
  rewrite behind_extend. destruct (cut_helps_left q (behind b z) s (playing_behind b z P)) as [A B]. auto.
Qed.

Lemma within_cut_all k q b z : playing b -> within k q (behind b z) -> within k q b.
Proof.
  intros P. induction z as [| s z IH] using rev_ind; [now rewrite behind_nothing |].
  rewrite behind_extend. intros H. apply IH. pose proof (playing_behind b z P) as P'. destruct s.
  - apply within_cut_empty; try assumption. intros j c Pc _. now apply level_never_hurt.
  - now apply within_cut.
Qed.

(** ** Squares before the left end *)

Definition ahead (x : list square) (b : board) : board := Board (x ++ before b) (beyond b).

Lemma mirror_ahead x b : mirror (ahead x b) = behind (mirror b) (rev x).
Proof. unfold mirror, ahead, behind. simpl. now rewrite rev_app_distr. Qed.

Lemma mirror_behind x b : mirror (behind b (rev x)) = ahead x (mirror b).
Proof. unfold mirror, ahead, behind. simpl. now rewrite rev_app_distr, rev_involutive. Qed.

Lemma playing_ahead x b : playing b -> playing (ahead x b).
Proof. intros [P P']. split; [simpl; now destruct x, (before b) | assumption]. Qed.

Lemma turn_ahead x b c : turn b (On c) -> turn (ahead x b) (On (ahead x c)).
Proof.
  intros T. apply mirror_turn in T. apply (turn_behind _ _ (rev x)), mirror_turn in T. simpl in T.
  now rewrite !mirror_behind, !mirror_mirror in T.
Qed.

Lemma within_ahead k q x b : playing b -> within k q b -> within k q (ahead x b).
Proof.
  intros P H. induction x as [| s x IH]; [now destruct b |].
  apply (within_prepend k q (ahead x b) s); [| now apply playing_ahead | assumption].
  intros _ j c Pc _. now apply level_never_hurt.
Qed.
