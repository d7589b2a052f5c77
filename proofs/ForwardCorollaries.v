(** * Windows and empty strips: consequences of Theorems F and T' *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Tempo Levels LevelTempo Potential Families Facts Halves Ends ForwardValue ForwardBlocks ForwardLanding ForwardLower ForwardRise ForwardGame ForwardTrim.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** ** The window formula, for any number of squares *)

Lemma state_bound h : f_e (frun h) <= len h /\ 4 * f_t (frun h) - 4 <= len h.
Proof.
  induction h as [| a h [He Ht]] using rev_ind; [vm_compute; split; discriminate |].
  pose proof (states h) as (E0 & R0 & C0 & M0 & T0 & J0 & V0). unfold V in V0.
  rewrite frun_snoc, app_length. simpl length. rewrite Nat2Z.inj_add. change (Z.of_nat 1) with 1.
  destruct (frun h) as [e r t m cls j]. cbn [f_e f_run f_t f_m f_cls f_j] in *.
  assert (B : 4 * fval (FS e r t m cls j) - 4 <= len h + 1).
  { destruct (Z.eq_dec e 0) as [-> | N]; [rewrite fval_0; destruct (_ || _); lia | rewrite fval_G by lia; unfold G, c4; lia]. }
  destruct a; cbn [fstep f_run].
  - destruct (1 <=? r); cbn [f_e f_t]; lia.
  - pose proof (new_class_range (FS e r t m cls j) C0) as C. pose proof (E_cases t (m + 1) (new_class (FS e r t m cls j))).
    cbn [f_e f_t f_m]. lia.
Qed.

(** A half strip is worth at most as much as an empty one of its length. *)
Lemma V_bound h : h <> [] -> V h <= G (len h).
Proof.
  intros N. destruct (state_bound h) as [B _]. fold (e_of h) in B. pose proof (e_natural h). destruct (Z.eq_dec (e_of h) 0) as [Z0 | P].
  - pose proof (V_zero_e h Z0). destruct h; [contradiction |]. simpl length. unfold G, c4. lia.
  - rewrite V_positive_e by lia. unfold G, c4. lia.
Qed.

(** Whatever stands on the squares to the right of the ball, this potential on the left is enough. *)
Theorem window_by_potential k q b : playing b ->
  G (len (beyond b)) + match q with Left => 0 | Right => 1 end <= potential (before b) -> within k q b.
Proof.
  intros P L. apply F; [assumption |]. pose proof (V_bound (rev (beyond b))) as B. rewrite rev_length in B.
  assert (rev (beyond b) <> []) by (intros E; apply rev_empty in E; now destruct P). destruct q; [specialize (B ltac:(assumption)); lia |].
  specialize (B ltac:(assumption)). lia.
Qed.

Lemma potential_empties i : potential (repeat empty (S i)) = G (Z.of_nat (S i)).
Proof. destruct (squares_gain [] i) as (_ & H & _). apply H. reflexivity. Qed.

(** [i] empty squares to the left of the ball, whatever stands further left and right. *)
Theorem window_formula q u i b d : beyond b <> [] -> length (beyond b) = d ->
  before b = u ++ repeat empty i ->
  (1 <= i)%nat -> (4 * ((d + 1) / 4) + match q with Left => 0 | Right => 4 end - 1 <= i)%nat -> wins Left q b.
Proof.
  intros N D E I L. destruct b as [l r]. cbn [before beyond] in *. subst l.
  replace (Board (u ++ repeat empty i) r) with (Board (u ++ before (Board (repeat empty i) r)) (beyond (Board (repeat empty i) r))) by reflexivity.
  apply Tempo.window; [split; [now destruct i | assumption] |]. apply (within_wins 0).
  apply window_by_potential; [split; [now destruct i | assumption] |]. cbn [before beyond]. destruct i as [| i]; [lia |].
  rewrite potential_empties. rewrite D.
  assert (H : Z.of_nat ((d + 1) / 4) = (Z.of_nat d + 1) / 4) by (rewrite Nat2Z.inj_div, Nat2Z.inj_add; reflexivity).
  revert L H. generalize ((d + 1) / 4)%nat as f. intros f L H. unfold G, c4. rewrite <- H. destruct q; cbv beta iota in L |- *; lia.
Qed.

(** ** Boards with empty squares between two closed ends *)

Lemma empty_left_wins q r s :
  match q with Left => c4 (Z.of_nat (S r)) <= c4 (Z.of_nat (S s)) | Right => c4 (Z.of_nat (S r)) < c4 (Z.of_nat (S s)) end ->
  wins Left q (Board (repeat empty (S s)) (repeat empty (S r))).
Proof.
  intros L. apply (within_wins 0), F; [split; discriminate |]. cbn [before beyond]. rewrite rev_repeat, potential_empties.
  change (repeat empty (S r)) with ([] ++ repeat empty (S r)). rewrite dots_V by lia. change (e_of []) with 0. rewrite Z.add_0_l.
  unfold G. destruct q; lia.
Qed.

(** The strip without stones, solved: Left to move wins exactly if [(r+1)/4 <= (s+1)/4], with Right to
    move exactly if [(r+1)/4 < (s+1)/4], for [s] squares to the left of the ball and [r] to the right. *)
Theorem empty_strip q r s :
  let b := Board (repeat empty (S s)) (repeat empty (S r)) in
  let left := c4 (Z.of_nat (S s)) in let right := c4 (Z.of_nat (S r)) in
  (match q with Left => right <= left | Right => right < left end -> wins Left q b)
  /\ (match q with Left => left < right | Right => left <= right end -> wins Right q b).
Proof.
  intros b left right. split; [apply empty_left_wins |]. intros L.
  rewrite <- (mirror_mirror b). replace q with (other (other q)) by apply other_other. apply (mirror_wins Left).
  unfold b, mirror. cbn [before beyond]. rewrite !rev_repeat. apply empty_left_wins. now destruct q.
Qed.

(** The same between closed ends. *)
Theorem sparse_solved p q x y r s : closed x -> closed y ->
  wins p q (ahead x (behind (Board (repeat empty (S s)) (repeat empty (S r))) (rev y)))
  <-> wins p q (Board (repeat empty (S s)) (repeat empty (S r))).
Proof.
  intros Cx Cy. assert (P : playing (Board (repeat empty (S s)) (repeat empty (S r)))) by (split; discriminate).
  rewrite T'_ahead by (assumption || now apply playing_behind). now apply T'.
Qed.

(** No smaller number of empty squares would do in the window formula, for 3 squares and more. *)
Corollary window_sharp q d i : (3 <= d)%nat -> (1 <= i)%nat ->
  (i < 4 * ((d + 1) / 4) + match q with Left => 0 | Right => 4 end - 1)%nat ->
  wins Right q (Board (repeat empty i) (repeat empty d)).
Proof.
  intros D I L. destruct i as [| i]; [lia |]. destruct d as [| d]; [lia |]. apply (empty_strip q d i).
  assert (H : Z.of_nat ((S d + 1) / 4) = (Z.of_nat (S d) + 1) / 4) by (rewrite Nat2Z.inj_div, Nat2Z.inj_add; reflexivity).
  revert L H. generalize ((S d + 1) / 4)%nat as f. intros f L H. unfold c4. rewrite <- H. destruct q; cbv beta iota in L |- *; lia.
Qed.
