(** * A stone raises the value by one at most, or Left repairs it *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Tempo Levels LevelTempo Potential Families Facts Halves Ends ForwardValue ForwardBlocks ForwardLanding ForwardLower.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** The last block is, and stays, one behind which no empty square counts. *)
Definition shut (r t m cls : Z) : Prop := 0 <= m /\ (t <= 0 \/ 2 <= m - r /\ (t <= 1 \/ 4 * t - 1 <= m - r \/ t = 2 /\ cls = 3 /\ 5 <= m - r)).

(** The second state is no worse than the first: its value is no greater now, nor after any further
    squares. *)
Inductive below : fstate -> fstate -> Prop :=
| below_dots e r t e' r' t' : 2 <= r -> 2 <= r' -> 1 <= e' -> e' <= e -> t' <= t -> 0 <= t' -> below (FS e r t 1 0 0) (FS e' r' t' 1 0 0)
| below_block e r t m cls j e' t' m' cls' j' : (r = 0 \/ r = 1) -> e = E t (m - r) cls + r -> e' = E t' (m' - r) cls' + r ->
    t' <= t -> 2 <= m - r -> m <= m' -> 1 <= cls -> cls <= cls' -> cls' <= 3 -> (2 <= cls -> 3 <= m - r) -> j <= j' -> 0 <= t' ->
    below (FS e r t m cls j) (FS e' r t' m' cls' j')
| below_closed e r t m cls j t' m' cls' j' : (r = 0 \/ r = 1) -> r <= e -> shut r t' m' cls' -> 0 <= cls' <= 3 -> 0 <= cls <= 3 -> (r = 0 -> 1 <= j') -> 0 <= j' ->
    (r = 0 -> fval (FS 0 0 t' m' cls' j') <= fval (FS e 0 t m cls j)) -> below (FS e r t m cls j) (FS r r t' m' cls' j').

Lemma step_stone e r t m cls j : fstep (FS e r t m cls j) stone = FS (E t (m + 1) (class_after r m cls)) 0 t (m + 1) (class_after r m cls) (j + 1).
Proof. reflexivity. Qed.
Lemma step_dot e t m cls j : fstep (FS e 0 t m cls j) empty = FS (e + 1) 1 t (m + 1) cls 0.
Proof. reflexivity. Qed.
Lemma step_dots e r t m cls j : 1 <= r -> fstep (FS e r t m cls j) empty = FS (e + 1) (r + 1) (fval (FS e r t m cls j)) 1 0 0.
Proof. intros R. apply Z.leb_le in R. cbn [fstep f_run]. now rewrite R. Qed.
Lemma fval_G e r t m cls j : 0 < e -> fval (FS e r t m cls j) = G e.
Proof. intros H. unfold fval. cbn [f_e]. destruct (Z.eqb_spec e 0); [lia | reflexivity]. Qed.
Lemma fval_0 r t m cls j : fval (FS 0 r t m cls j) = if (t <=? c4 m) || ((t =? 2) && (cls =? 3) && (2 <=? j)) then 0 else 1.
Proof. reflexivity. Qed.
Lemma fval_natural e r t m cls j : 0 <= e -> 0 <= fval (FS e r t m cls j).
Proof.
  intros H. destruct (Z.eq_dec e 0) as [-> | N]; [rewrite fval_0; destruct (_ || _); lia | rewrite fval_G by lia; unfold G, c4; lia].
Qed.
Lemma fval_le e r t m cls j : 0 <= e -> fval (FS e r t m cls j) <= 1 + (e + 1) / 4.
Proof.
  intros H. destruct (Z.eq_dec e 0) as [-> | N]; [rewrite fval_0; destruct (_ || _); lia | rewrite fval_G by lia; unfold G, c4; lia].
Qed.
Lemma G_mono a b : a <= b -> G a <= G b.
Proof. unfold G, c4. lia. Qed.

Lemma class_range r m cls : 0 <= cls <= 3 -> 1 <= class_after r m cls <= 3.
Proof. intros C. unfold class_after. destruct (Z.eqb_spec r 1), (Z.leb_spec 2 cls), (Z.leb_spec 3 (m + 1)); cbn [andb]; lia. Qed.
Lemma class_mono r m cls m' cls' : m <= m' -> cls <= cls' -> cls' <= 3 -> class_after r m cls <= class_after r m' cls'.
Proof.
  intros A B C. unfold class_after.
  destruct (Z.eqb_spec r 1), (Z.leb_spec 2 cls), (Z.leb_spec 2 cls'), (Z.leb_spec 3 (m + 1)), (Z.leb_spec 3 (m' + 1)); cbn [andb]; lia.
Qed.
Lemma class_three r m cls : 2 <= m - r -> (r = 0 \/ r = 1) -> 1 <= cls <= 3 -> class_after r m cls = 3 -> (cls = 3 -> 5 <= m) ->
  cls = 3 \/ (r = 1 /\ 2 <= cls).
Proof. intros A B C. unfold class_after. destruct (Z.eqb_spec r 1), (Z.leb_spec 2 cls), (Z.leb_spec 3 (m + 1)); cbn [andb]; lia. Qed.
Lemma class_grow r m cls : 0 <= cls <= 3 -> cls <= class_after r m cls.
Proof. intros C. unfold class_after. destruct (Z.eqb_spec r 1), (Z.leb_spec 2 cls), (Z.leb_spec 3 (m + 1)); cbn [andb]; lia. Qed.

Lemma E_cases t m cls : (t <= 1 \/ 4 * t - 1 <= m) /\ E t m cls = 0 \/ (2 <= t /\ m < 4 * t - 1) /\ E t m cls = 4 * t - (2 + 2 * cls).
Proof. unfold E. destruct (Z.leb_spec t 1), (Z.leb_spec (4 * t - 1) m); cbn [orb]; lia. Qed.


Lemma shut_zero r t m cls : shut r t m cls -> E t (m - r) cls = 0.
Proof. intros [H K]; pose proof (E_cases t (m - r) cls); lia. Qed.

Lemma shut_stone r t m cls j : (r = 0 \/ r = 1) -> 0 <= cls <= 3 -> (r = 0 -> 1 <= j) -> 0 <= j -> shut r t m cls ->
  shut 0 t (m + 1) (class_after r m cls) /\ E t (m + 1) (class_after r m cls) = 0 /\ fval (FS 0 0 t (m + 1) (class_after r m cls) (j + 1)) = 0.
Proof.
  intros R C J0 J H. pose proof (class_grow r m cls C). pose proof (class_range r m cls C).
  assert (K : shut 0 t (m + 1) (class_after r m cls)) by (unfold shut in *; lia). split; [exact K |].
  split; [apply shut_zero in K; now rewrite Z.sub_0_r in K |]. rewrite fval_0. unfold shut in *.
  destruct (Z.leb_spec t (c4 (m + 1))) as [L | L]; [reflexivity |]. cbn [orb]. unfold c4 in L.
  destruct (Z.eqb_spec t 2), (Z.eqb_spec (class_after r m cls) 3), (Z.leb_spec 2 (j + 1)); cbn [andb]; try reflexivity; lia.
Qed.

Lemma below_value s s' : below s s' -> fval s' <= fval s /\ f_e s' <= f_e s.
Proof.
  destruct 1 as [e r t e' r' t' R R' E1 EE T T0 | e r t m cls j e' t' m' cls' j' R Ee Ee' T M MM C C' C3 CM J T0 | e r t m cls j t' m' cls' j' R Re C Cr Cr' J0 J L].
  - cbn [f_e]. rewrite !fval_G by lia. split; [now apply G_mono | assumption].
  - cbn [f_e]. assert (L : e' <= e) by (pose proof (E_cases t (m - r) cls); pose proof (E_cases t' (m' - r) cls'); lia).
    split; [| assumption]. pose proof (E_natural t (m - r) cls). pose proof (E_natural t' (m' - r) cls').
    destruct (Z.eq_dec e' 0) as [-> | N'].
    + destruct (Z.eq_dec e 0) as [-> | N].
      * assert (r = 0) by lia. subst r. rewrite !fval_0. pose proof (E_cases t (m - 0) cls).
        destruct (Z.leb_spec t' (c4 m')); cbn [orb]; [destruct (_ || _); lia |].
        destruct (Z.leb_spec t (c4 m)); cbn [orb]; unfold c4 in *; [lia |].
        destruct (Z.eqb_spec t 2), (Z.eqb_spec cls 3), (Z.leb_spec 2 j), (Z.eqb_spec t' 2), (Z.eqb_spec cls' 3), (Z.leb_spec 2 j'); cbn [andb]; lia.
      * rewrite (fval_G e) by lia. rewrite fval_0. unfold G, c4. destruct (_ || _); lia.
    + rewrite !fval_G by lia. now apply G_mono.
  - cbn [f_e]. destruct R as [-> | ->].
    + split; [| assumption]. destruct (Z.eq_dec e 0) as [-> | N]; [now apply L |]. now apply L.
    + split; [| assumption]. rewrite !fval_G by lia. now apply G_mono.
Qed.

Lemma below_step s s' a : below s s' -> below (fstep s a) (fstep s' a).
Proof.
  intros H. pose proof (proj1 (below_value _ _ H)) as VV.
  destruct H as [e r t e' r' t' R R' E1 EE T T0 | e r t m cls j e' t' m' cls' j' R Ee Ee' T M MM C C' C3 CM J T0 | e r t m cls j t' m' cls' j' R Re C Cr Cr' J0 J L].
  - destruct a.
    + rewrite !step_dots by lia. apply below_dots; try lia; apply fval_natural; lia.
    + rewrite !step_stone. assert (N : forall q, 2 <= q -> class_after q 1 0 = 1) by (intros q Q; unfold class_after; destruct (Z.eqb_spec q 1); [lia | reflexivity]).
      rewrite !N by lia. change (1 + 1) with 2.

      apply below_block; rewrite ?Z.sub_0_r; try lia.
  - pose proof (E_natural t (m - r) cls). pose proof (E_natural t' (m' - r) cls').
    destruct a.
    + destruct R as [-> | ->].
      * rewrite !step_dot. apply below_block; try lia; [replace (m + 1 - 1) with (m - 0) by lia; lia | replace (m' + 1 - 1) with (m' - 0) by lia; lia].
      * rewrite !step_dots by lia. apply below_dots; try lia; [| apply fval_natural; lia].
        pose proof (E_cases t (m - 1) cls). pose proof (E_cases t' (m' - 1) cls'). lia.
    + rewrite !step_stone. pose proof (class_range r m cls). pose proof (class_range r m' cls'). pose proof (class_mono r m cls m' cls' MM C' C3).
      apply below_block; rewrite ?Z.sub_0_r; try lia.
  - destruct a.
    + destruct R as [-> | ->].
      * rewrite !step_dot. apply (below_closed _ 1); try lia. unfold shut in *. lia.
      * rewrite !step_dots by lia. apply below_dots; try lia. apply fval_natural. lia.
    + rewrite !step_stone. destruct (shut_stone r t' m' cls' j' R Cr J0 J C) as (K & Z0 & F0).
      pose proof (class_range r m' cls' Cr). pose proof (class_range r m cls Cr'). rewrite Z0.
      pose proof (E_natural t (m + 1) (class_after r m cls)).
      apply below_closed; try lia; [exact K |]. intros _. rewrite F0. apply fval_natural. lia.
Qed.

Lemma below_steps u : forall s s', below s s' -> below (fold_left fstep u s) (fold_left fstep u s').
Proof. induction u as [| a u IH]; intros s s' H; [exact H |]. simpl. apply IH. now apply below_step. Qed.

(** ** The states with and without the stone

    The second state, with the stone, has a value of one more at most. *)

Inductive near : fstate -> fstate -> Prop :=
| near_below s s' : below s s' -> near s s'
| near_hole e r t m cls j e' t' m' cls' j' : (r = 0 \/ r = 1) -> e = E t (m - r) cls + r -> e' = E t' (m' - r) cls' + r ->
    t' <= t -> 2 <= m - r -> m <= m' -> 1 <= cls <= 3 -> Z.min cls 2 <= cls' <= 3 -> (2 <= cls -> 3 <= m - r) ->
    0 <= t' -> near (FS e r t m cls j) (FS e' r t' m' cls' j')
| near_merge e r t m cls j e' t' m' j' : (r = 0 \/ r = 1) -> e = E t (m - r) cls + r -> e' = E t' (m' - r) 3 + r ->
    t' <= t + 1 -> 2 <= m - r -> m + 5 <= m' -> 1 <= cls <= 3 -> 1 <= t -> (2 <= cls -> 3 <= m - r) -> (cls = 3 -> 5 <= m - r) -> 0 <= t' ->
    (r = 0 -> j >= 2 -> cls = 3 -> 6 <= m) -> (r = 1 -> j <= 0) ->
    near (FS e r t m cls j) (FS e' r t' m' 3 j')
| near_dots e r t e' r' t' : 2 <= r -> 2 <= r' -> 1 <= e -> 1 <= e' <= e + 4 -> t' <= t + 1 -> 1 <= t -> near (FS e r t 1 0 0) (FS e' r' t' 1 0 0)
| near_half0 e t m cls j m' cls' j' : 1 <= e -> 0 <= m' -> 0 <= cls' <= 3 -> 0 <= cls <= 3 -> 1 <= j' -> t <= 0 -> near (FS e 1 t m cls j) (FS 0 0 0 m' cls' j')
| near_half t m cls j : 2 <= m -> 1 <= cls <= 3 -> (2 <= cls -> 3 <= m) -> (cls = 3 -> 5 <= m) -> 1 <= t -> 1 <= j ->
    near (FS (E t m cls + 1) 1 t (m + 1) cls 0) (FS (E t (m + 1) (class_after 0 m cls)) 0 t (m + 1) (class_after 0 m cls) (j + 1))
| near_mix e r t e' r' t' m' cls' j' : 2 <= r -> (r' = 0 \/ r' = 1) -> 2 <= e -> e' <= e -> 1 <= t -> t <= G e ->
    e' = E t' (m' - r') cls' + r' -> 0 <= t' -> 0 <= m' -> 0 <= cls' <= 3 -> (r' = 0 -> 1 <= j') -> 0 <= j' ->
    (t' <= t /\ 2 <= m' - r' /\ 1 <= cls' \/ t' <= t + 1 /\ 6 <= m' - r' /\ cls' = 3 \/ shut r' t' m' cls') ->
    near (FS e r t 1 0 0) (FS e' r' t' m' cls' j').

Lemma near_value s s' : near s s' -> fval s' <= fval s + 1 /\ f_e s' <= f_e s + 4.
Proof.
  destruct 1 as [s s' H | e r t m cls j e' t' m' cls' j' R Ee Ee' T M MM C C' CM T0 | e r t m cls j e' t' m' j' R Ee Ee' T M MM C T1 CM CM5 T0 CJ R1
    | e r t e' r' t' R R' E1 E1' T T1 | e t m cls j m' cls' j' E1 M' C' C J T | t m cls j M C CM CM5 T J | e r t e' r' t' m' cls' j' R R' E2 EE T1 TG Ee' T0 M0 C0 J0 J X].
  - apply below_value in H. lia.
  - cbn [f_e]. pose proof (E_cases t (m - r) cls) as K. pose proof (E_cases t' (m' - r) cls') as K'.
    split; [| lia]. destruct (Z.eq_dec e 0) as [Z0 | N].
    + assert (r = 0) by lia. subst r. assert (e' <= 2) by lia. subst e. rewrite Z0, fval_0.
      pose proof (fval_le e' 0 t' m' cls' j'). destruct (_ || _) eqn:?; lia.
    + rewrite (fval_G e) by lia. pose proof (fval_le e' r t' m' cls' j'). unfold G, c4. lia.
  - cbn [f_e]. pose proof (E_cases t (m - r) cls) as K. pose proof (E_cases t' (m' - r) 3) as K'.
    split; [| lia]. destruct (Z.eq_dec e 0) as [Z0 | N].
    + assert (r = 0) by lia. subst r. subst e. rewrite Z0, fval_0.
      destruct (Z.eq_dec e' 0) as [Z0' | N'].
      * rewrite Z0', fval_0. destruct (_ || _), (_ || _); lia.
      * pose proof (fval_le e' 0 t' m' 3 j').
        destruct (Z.leb_spec t (c4 m)); cbn [orb]; unfold c4 in *; [lia |].
        destruct (Z.eqb_spec t 2), (Z.eqb_spec cls 3), (Z.leb_spec 2 j); cbn [andb]; lia.
    + rewrite (fval_G e) by lia. pose proof (fval_le e' r t' m' 3 j'). unfold G, c4. lia.
  - cbn [f_e]. rewrite !fval_G by lia. unfold G, c4. lia.
  - cbn [f_e]. rewrite (fval_G e) by lia. pose proof (fval_le 0 0 0 m' cls' j'). unfold G, c4. lia.
  - cbn [f_e]. pose proof (class_range 0 m cls ltac:(lia)). pose proof (class_grow 0 m cls ltac:(lia)).
    pose proof (E_cases t m cls). pose proof (E_cases t (m + 1) (class_after 0 m cls)).
    split; [| lia]. rewrite (fval_G (E t m cls + 1)) by lia. pose proof (fval_le (E t (m + 1) (class_after 0 m cls)) 0 t (m + 1) (class_after 0 m cls) (j + 1)). unfold G, c4. lia.
  - cbn [f_e]. split; [| lia]. rewrite (fval_G e) by lia. pose proof (E_cases t' (m' - r') cls').
    pose proof (fval_le e' r' t' m' cls' j'). unfold G, c4. destruct X as [X | [X | X]]; [lia | lia | apply shut_zero in X; lia].
Qed.

Lemma class_two r m cls : 1 <= cls <= 3 -> 2 <= m -> 2 <= class_after r m cls.
Proof. intros C M. unfold class_after. destruct (Z.eqb_spec r 1), (Z.leb_spec 2 cls), (Z.leb_spec 3 (m + 1)); cbn [andb]; lia. Qed.
Lemma class_stays r m : class_after r m 3 = 3.
Proof. unfold class_after. destruct (Z.eqb_spec r 1), (Z.leb_spec 2 3), (Z.leb_spec 3 (m + 1)); cbn [andb]; lia. Qed.
Lemma class_hole m cls : 2 <= cls -> class_after 1 m cls = 3.
Proof. intros C. unfold class_after. destruct (Z.leb_spec 2 cls); [reflexivity | lia]. Qed.
Lemma class_3 r m cls : 2 <= m - r -> (r = 0 \/ r = 1) -> 1 <= cls <= 3 -> class_after r m cls = 3 -> cls = 3 \/ (r = 1 /\ 2 <= cls).
Proof. intros A B C. unfold class_after. destruct (Z.eqb_spec r 1), (Z.leb_spec 2 cls), (Z.leb_spec 3 (m + 1)); cbn [andb]; lia. Qed.
Lemma class_start r : 2 <= r -> class_after r 1 0 = 1.
Proof. intros H. unfold class_after. destruct (Z.eqb_spec r 1); [lia | reflexivity]. Qed.

(** The only step out of [near]. *)
Definition breaks (s s' : fstate) : Prop :=
  exists e r t e' r', s = FS e r t 1 0 0 /\ s' = FS e' r' (t + 1) 1 0 0 /\ 2 <= r /\ 2 <= r' /\ 1 <= t.

Lemma near_step s s' a : near s s' -> near (fstep s a) (fstep s' a) \/ a = stone /\ breaks s s'.
Proof.
  intros H. pose proof (near_value _ _ H) as [VV EV].
  destruct H as [s s' H | e r t m cls j e' t' m' cls' j' R Ee Ee' T M MM C C' CM T0 | e r t m cls j e' t' m' j' R Ee Ee' T M MM C T1 CM CM5 T0 CJ R1
    | e r t e' r' t' R R' E1 E1' T T1 | e t m cls j m' cls' j' E1 M' C' C J T | t m cls j M C CM CM5 T J | e r t e' r' t' m' cls' j' R R' E2 EE T1 TG Ee' T0 M0 C0 J0 J X];
    cbn [f_e] in EV.
  - left. now apply near_below, below_step.
  - left. pose proof (E_cases t (m - r) cls) as K. pose proof (E_cases t' (m' - r) cls') as K'. destruct a.
    + destruct R as [-> | ->].
      * rewrite !step_dot. apply near_hole; try lia; [replace (m + 1 - 1) with (m - 0) by lia; lia | replace (m' + 1 - 1) with (m' - 0) by lia; lia].
      * rewrite !step_dots by lia. apply near_dots; try lia. rewrite fval_G by lia. unfold G, c4. lia.
    + rewrite !step_stone. pose proof (class_range r m cls ltac:(lia)). pose proof (class_range r m' cls' ltac:(lia)).
      pose proof (class_two r m' cls' ltac:(lia) ltac:(lia)).
      apply near_hole; rewrite ?Z.sub_0_r; try lia.
  - left. pose proof (E_cases t (m - r) cls) as K. pose proof (E_cases t' (m' - r) 3) as K'. destruct a.
    + destruct R as [-> | ->].
      * rewrite !step_dot. apply near_merge; try lia; [replace (m + 1 - 1) with (m - 0) by lia; lia | replace (m' + 1 - 1) with (m' - 0) by lia; lia].
      * rewrite !step_dots by lia. apply near_dots; try lia. rewrite fval_G by lia. unfold G, c4. lia.
    + rewrite !step_stone, class_stays. pose proof (class_range r m cls ltac:(lia)). pose proof (class_3 r m cls M R C).
      apply near_merge; rewrite ?Z.sub_0_r; try lia.
  - destruct a.
    + left. rewrite !step_dots by lia. apply near_dots; try lia. rewrite fval_G by lia. unfold G, c4. lia.
    + destruct (Z.le_gt_cases t' t) as [L | L].
      * left. rewrite !step_stone, !class_start by lia. change (1 + 1) with 2.
        destruct (Z.le_gt_cases 0 t') as [T0 | T0].
        -- apply near_below, below_block; rewrite ?Z.sub_0_r; try lia.
        -- replace (E t' 2 1) with 0 by (pose proof (E_cases t' 2 1); lia). pose proof (E_cases t 2 1) as K.
           apply near_below, below_closed; try lia; [unfold shut; lia |]. intros _. rewrite fval_0.
           destruct (Z.leb_spec t' (c4 2)); [cbn [orb]; apply fval_natural; lia | unfold c4 in *; lia].
      * right. split; [reflexivity |]. exists e, r, t, e', r'. replace (t + 1) with t' by lia. repeat split; lia.
  - left. destruct a.
    + rewrite step_dots, step_dot by lia.
      apply near_mix; try lia; [rewrite fval_G by lia; unfold G, c4; lia | rewrite fval_G by lia; unfold G, c4; lia | | right; right; unfold shut; lia].
      pose proof (E_cases 0 (m' + 1 - 1) cls'). lia.
    + rewrite !step_stone. pose proof (class_range 0 m' cls' C'). pose proof (class_range 1 m cls C).
      replace (E 0 (m' + 1) (class_after 0 m' cls')) with 0 by (pose proof (E_cases 0 (m' + 1) (class_after 0 m' cls')); lia).
      pose proof (E_cases t (m + 1) (class_after 1 m cls)).
      apply near_below, below_closed; try lia; [unfold shut; lia |]. intros _. rewrite fval_0.
      destruct (Z.leb_spec 0 (c4 (m' + 1))); [cbn [orb]; apply fval_natural; lia | unfold c4 in *; lia].
  - left. pose proof (class_range 0 m cls ltac:(lia)) as NR. pose proof (class_grow 0 m cls ltac:(lia)) as NG. pose proof (class_two 0 m cls C M) as N2.
    pose proof (E_cases t m cls) as K. pose proof (E_cases t (m + 1) (class_after 0 m cls)) as K'. destruct a.
    + rewrite step_dots, step_dot by lia. rewrite fval_G by lia.
      apply near_mix; try lia; try (unfold G, c4; lia).
      * replace (m + 1 + 1 - 1) with (m + 1) by lia. lia.
      * assert (X : 1 <= cls <= 2 \/ cls = 3) by lia. unfold shut, G, c4. lia.
    + rewrite !step_stone. pose proof (class_range 1 (m + 1) cls ltac:(lia)). pose proof (class_two 0 (m + 1) (class_after 0 m cls) ltac:(lia) ltac:(lia)).
      pose proof (class_range 0 (m + 1) (class_after 0 m cls) ltac:(lia)).
      apply near_hole; rewrite ?Z.sub_0_r; try lia.
  - left. pose proof (E_cases t' (m' - r') cls') as K. destruct a.
    + rewrite (step_dots e) by lia. rewrite fval_G by lia. destruct R' as [-> | ->].
      * rewrite step_dot. apply near_mix; try lia; try (unfold G, c4; lia).
        -- replace (m' + 1 - 1) with (m' - 0) by lia. lia.
        -- unfold shut in *. lia.
      * rewrite step_dots, fval_G by lia. apply near_below, below_dots; try lia; unfold G, c4; lia.
    + rewrite !step_stone. rewrite class_start by lia. change (1 + 1) with 2. pose proof (E_cases t 2 1) as K2.
      pose proof (class_range r' m' cls' C0) as NR. pose proof (class_grow r' m' cls' C0) as NG.
      destruct X as [X | [X | X]].
      * apply near_below, below_block; rewrite ?Z.sub_0_r; try lia.
      * destruct X as (X1 & X2 & ->). rewrite class_stays. apply near_merge; rewrite ?Z.sub_0_r; try lia.
      * destruct (shut_stone r' t' m' cls' j' R' C0 J0 J X) as (K3 & Z0 & F0). rewrite Z0.
        apply near_below, below_closed; try lia; [exact K3 |]. intros _. rewrite F0. apply fval_natural. lia.
Qed.

(** ** From states to half strips *)

Lemma e_dot w : e_of (w ++ [empty]) = e_of w + 1.
Proof. change [empty] with (repeat empty 1). rewrite e_dots. reflexivity. Qed.

Lemma dots_state w : 1 <= f_run (frun w) -> frun (w ++ [empty]) = FS (e_of w + 1) (f_run (frun w) + 1) (V w) 1 0 0.
Proof. intros W. rewrite frun_snoc. apply Z.leb_le in W. cbn [fstep]. rewrite W. reflexivity. Qed.

Lemma dot_end_V w : 1 <= f_run (frun w) -> 1 <= e_of w /\ V w = G (e_of w) /\ 1 <= V w.
Proof.
  intros W. destruct (stone_end_run w W) as (x & ->). rewrite e_dot. pose proof (e_natural x).
  rewrite V_positive_e; rewrite e_dot; unfold G, c4; lia.
Qed.

Lemma near_begins u : near (frun (u ++ [empty])) (frun (u ++ [stone])).
Proof.
  rewrite !frun_snoc. destruct (shapes u) as [h b O S | | w u r m cls j W B | w W].
  - pose proof (states h) as Q. pose proof (open_way_state _ _ O) as (A1 & A2 & A3).
    destruct (frun h) as [e r t m cls j]. cbn [f_e f_run f_t f_m f_cls f_j] in *. subst t. destruct b; subst e r.
    + rewrite step_dot, step_stone. pose proof (class_range 0 m cls ltac:(lia)).
      replace (E 0 (m + 1) (class_after 0 m cls)) with 0 by (pose proof (E_cases 0 (m + 1) (class_after 0 m cls)); lia).
      apply near_half0; lia.
    + rewrite step_dots, step_stone by lia. pose proof (class_range 1 m cls ltac:(lia)). rewrite fval_G by lia.
      pose proof (E_cases 0 (m + 1) (class_after 1 m cls)).
      apply near_mix; rewrite ?Z.sub_0_r; try lia; try (unfold G, c4; lia). unfold shut. lia.
  - vm_compute. apply near_half0; lia.
  - rewrite (block_state _ _ _ _ _ B w W). destruct (dot_end_V w W) as (_ & _ & T1).
    destruct (block_facts _ _ _ _ _ B) as (R & M & M2 & C & J & J0 & J1 & C1 & C4 & C3 & C2 & U5 & C5 & D5 & D4 & U3 & D1 & R3 & R4).
    set (t := V w) in *. destruct R as [-> | ->].
    + rewrite step_dot, step_stone. rewrite !Z.sub_0_r, !Z.add_0_r. apply near_half; lia.
    + rewrite (J1 eq_refl) in *. rewrite step_dots, step_stone by lia. pose proof (E_natural t (m - 1) cls C). rewrite fval_G by lia.
      pose proof (class_range 1 m cls ltac:(lia)) as NR. pose proof (class_grow 1 m cls ltac:(lia)) as NG. pose proof (class_two 1 m cls C M2) as N2.
      pose proof (E_cases t (m - 1) cls) as K. pose proof (E_cases t (m + 1) (class_after 1 m cls)) as K'.
      apply near_mix; rewrite ?Z.sub_0_r; try lia; try (unfold G, c4; lia).
      assert (X : 1 <= cls <= 2 \/ cls = 3) by lia. unfold shut, G, c4. lia.
  - rewrite (dots_state w W). destruct (dot_end_V w W) as (E1 & VE & T1).
    rewrite step_dots, step_stone, class_start by lia. rewrite fval_G by lia. change (1 + 1) with 2.
    pose proof (E_cases (V w) 2 1) as K.
    apply near_mix; rewrite ?Z.sub_0_r; try lia; try (unfold G, c4 in *; lia).
Qed.

Lemma near_word m : forall u, near (frun (u ++ empty :: m)) (frun (u ++ stone :: m))
  \/ exists h, placed (u ++ stone :: m) h /\ below (frun (u ++ empty :: m)) (frun h).
Proof.
  induction m as [| a m IH] using rev_ind; intros u; [left; apply near_begins |].
  replace (u ++ empty :: m ++ [a]) with ((u ++ empty :: m) ++ [a]) by now rewrite <- app_assoc.
  replace (u ++ stone :: m ++ [a]) with ((u ++ stone :: m) ++ [a]) by now rewrite <- app_assoc.
  destruct (IH u) as [H | (h & Q & H)].
  - destruct (near_step _ _ a H) as [H' | (-> & e & r & t & e' & r' & S & S' & R & R' & T1)].
    + left. now rewrite !frun_snoc.
    + right. set (h' := u ++ stone :: m) in *. clearbody h'. destruct (shapes h') as [h' b O K | | w u' r0 m0 cls j W B | w W].
      * exfalso. rewrite S' in K. injection K as _ K. destruct b; lia.
      * exfalso. vm_compute in S'. injection S' as _ K. lia.
      * exfalso. rewrite (block_state _ _ _ _ _ B w W) in S'. injection S' as _ K. pose proof (block_facts _ _ _ _ _ B). lia.
      * rewrite (dots_state w W) in S'. injection S' as _ _ VW. pose proof (lower_all _ w eq_refl) as (_ & Lb & _).
        destruct (Lb W) as (w' & Pw & Vw); [lia |]. pose proof (placed_in_run _ _ Pw W) as W'. pose proof (V_natural w').
        exists (w' ++ [empty; stone]). split; [change [empty; stone] with ([empty] ++ [stone]); rewrite app_assoc; now apply placed_app, placed_app, placed_in_placed |].
        rewrite frun_snoc, S, step_stone, class_start by lia. rewrite (block_state _ _ _ _ _ block_start w' W').
        change (1 + 1) with 2. change (0 + 1) with 1. apply below_block; rewrite ?Z.sub_0_r; lia.
  - right. exists (h ++ [a]). split; [now apply placed_app |]. rewrite !frun_snoc. now apply below_step.
Qed.

(** Lemma V5: a stone raises the value by one at most, or another stone repairs it. *)
Theorem stone_raises : forall h u m, h = u ++ empty :: m ->
  V (u ++ stone :: m) <= V h + 1
  \/ exists u' m', u ++ stone :: m = u' ++ empty :: m' /\ V (u' ++ stone :: m') <= V h.
Proof.
  intros h u m ->. destruct (near_word m u) as [H | (h' & (u' & m' & Q & ->) & H)].
  - left. apply near_value in H as [H _]. exact H.
  - right. exists u', m'. split; [assumption |]. apply below_value in H as [H _]. exact H.
Qed.

Lemma placed_stone_end h h' : placed h h' -> (exists x, h = x ++ [stone]) -> exists x, h' = x ++ [stone].
Proof.
  intros (u & m & -> & ->) (x & Q). destruct m as [| a m _] using rev_ind; [exists u; reflexivity |].
  rewrite app_comm_cons, app_assoc in Q. apply app_inj_tail in Q as [_ ->].
  exists (u ++ stone :: m). now rewrite <- app_assoc.
Qed.

(** A stone keeps a closed half strip closed, or another stone closes it again. *)
Theorem closed_stone : forall x u m, closed x -> x = u ++ empty :: m ->
  closed (u ++ stone :: m) \/ exists u' m', u ++ stone :: m = u' ++ empty :: m' /\ closed (u' ++ stone :: m').
Proof.
  intros x u m [E0 X] ->. destruct X as [X | X]; [now destruct u |].
  assert (Y := placed_stone_end _ _ (placed_here u m) X).
  destruct (near_word m u) as [H | (h' & Q & H)].
  - apply near_value in H as [_ H]. fold (e_of (u ++ stone :: m)) (e_of (u ++ empty :: m)) in H. pose proof (e_natural (u ++ stone :: m)).
    destruct (Z.eq_dec (e_of (u ++ stone :: m)) 0) as [Z0 | Z0]; [left; split; [assumption | now right] | right].
    pose proof (lower_all _ (u ++ stone :: m) eq_refl) as (_ & _ & Lc). destruct (Lc Y) as (h' & Q & E1); [lia |].
    assert (Y' := placed_stone_end _ _ Q Y). destruct Q as (u' & m' & Q & ->). exists u', m'. split; [assumption |]. split; [assumption | now right].
  - right. apply below_value in H as [_ H]. fold (e_of h') (e_of (u ++ empty :: m)) in H. pose proof (e_natural h').
    assert (Y' := placed_stone_end _ _ Q Y). destruct Q as (u' & m' & Q & ->). exists u', m'. split; [assumption |]. split; [lia | now right].
Qed.
