(** * The value after a jump to the right *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Tempo Levels LevelTempo Potential Families Facts Halves Ends ForwardValue ForwardBlocks.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Lemma block_e w u r m cls j : 1 <= f_run (frun w) -> block u r m cls j -> e_of (w ++ u) = E (V w) (m - r) cls + r.
Proof. intros W B. unfold e_of. now rewrite (block_state _ _ _ _ _ B w W). Qed.

Lemma block_V w u m cls j : 1 <= f_run (frun w) -> block u 0 m cls j ->
  V (w ++ u) = if E (V w) m cls =? 0 then (if (V w <=? c4 m) || ((V w =? 2) && (cls =? 3) && (2 <=? j)) then 0 else 1) else G (E (V w) m cls).
Proof.
  intros W B. unfold V at 1, fval. rewrite (block_state _ _ _ _ _ B w W). cbn [f_e f_t f_m f_cls f_j].
  now rewrite Z.sub_0_r, Z.add_0_r.
Qed.

Lemma run_dot x : 1 <= f_run (frun (x ++ [empty])).
Proof.
  rewrite frun_snoc. simpl. destruct (Z.leb_spec 1 (f_run (frun x))); simpl; lia.
Qed.

Lemma V_small h : e_of h <= 2 -> V h <= 1.
Proof.
  intros H. pose proof (e_natural h). destruct (Z.eq_dec (e_of h) 0); [now apply V_zero_e |].
  rewrite V_positive_e by lia. unfold G, c4. lia.
Qed.

Lemma open_way_state b h : open_way b h -> f_e (frun h) = (if b then 0 else 1) /\ f_run (frun h) = (if b then 0 else 1) /\ f_t (frun h) = 0.
Proof.
  induction 1 as [[|] | b h O (A & B & C) | h O (A & B & C)]; [vm_compute; auto | vm_compute; auto | |];
    rewrite frun_snoc; simpl; rewrite C; simpl; [auto |]. rewrite B. simpl. rewrite A. auto.
Qed.

Lemma open_way_prefix b h : open_way b h -> forall w v, h = w ++ v -> w <> [] -> exists b', open_way b' w.
Proof.
  induction 1 as [a | b h O IH | h O IH]; intros w v Q N.
  - destruct w as [| a' [| a'' w]]; [contradiction | | discriminate]. injection Q as -> _. eexists. constructor.
  - destruct v as [| a v _] using rev_ind; [rewrite app_nil_r in Q; subst w; eexists; now apply open_stone with b |].
    rewrite app_assoc in Q. apply app_inj_tail in Q as [Q _]. now apply (IH w v).
  - destruct v as [| a v _] using rev_ind; [rewrite app_nil_r in Q; subst w; eexists; now apply open_empty |].
    rewrite app_assoc in Q. apply app_inj_tail in Q as [Q _]. now apply (IH w v).
Qed.

Lemma runs_rev a : runs a -> runs (rev a).
Proof. induction 1 as [k | a b _ IH _ IH']; [rewrite rev_repeat; apply runs_one | rewrite rev_middle; now apply runs_more]. Qed.

Lemma cleared_no_pair b u : cleared b u -> (forall x, u = x ++ [empty] -> b = false) /\ forall x y, u <> x ++ empty :: empty :: y.
Proof.
  induction 1 as [| b u _ [L IH] | u _ [L IH]].
  - split; [reflexivity |]. intros [| a [| a' x]] y Q; discriminate.
  - split; [intros x Q; apply app_inj_tail in Q as [_ Q]; discriminate |]. intros x y Q.
    destruct y as [| a y _] using rev_ind.
    + change (x ++ [empty; empty]) with (x ++ [empty] ++ [empty]) in Q. rewrite app_assoc in Q. apply app_inj_tail in Q as [_ Q]. discriminate.
    + rewrite !app_comm_cons, app_assoc in Q. apply app_inj_tail in Q as [Q _]. now apply IH in Q.
  - split; [reflexivity |]. intros x y Q. destruct y as [| a y _] using rev_ind.
    + change (x ++ [empty; empty]) with (x ++ [empty] ++ [empty]) in Q. rewrite app_assoc in Q. apply app_inj_tail in Q as [Q _].
      apply L in Q. discriminate.
    + rewrite !app_comm_cons, app_assoc in Q. apply app_inj_tail in Q as [Q _]. now apply IH in Q.
Qed.

(** Lemma V3: after a jump to the right over [a] the value is small, or Left can jump on to where it is. *)
Theorem landing_bound : forall h w a, h = w ++ empty :: rev a -> runs a -> w <> [] ->
  V w <= Z.max (V h + 1) (1 + (Z.of_nat (S (length a)) + 1) / 4)
  \/ exists w' a', w = w' ++ empty :: rev a' /\ runs a' /\ w' <> []
     /\ V w' <= (Z.of_nat (S (length a')) + Z.of_nat (S (length a)) + 1) / 4.
Proof.
  intros h w' a Q A N.
  assert (L : exists h0, h = h0 ++ [stone]).
  { destruct (runs_begin a A) as [a' ->]. simpl in Q. exists (w' ++ empty :: rev a'). rewrite Q, <- app_assoc. reflexivity. }
  pose proof (V_natural h) as N0.
  destruct (shapes h) as [h b O S | | w u r m cls j W B | w W].
  - left. destruct (open_way_prefix b h O w' _ Q N) as (b' & O'). apply open_way_state in O' as (E' & _).
    assert (V w' <= 1) by (apply V_small; unfold e_of; rewrite E'; destruct b'; lia). lia.
  - destruct w'; discriminate.
  - destruct (block_facts _ _ _ _ _ B) as (R & M & M2 & C & J & J0 & J1 & C1 & C4 & C3 & C2 & U5 & C5 & _).
    assert (r = 0).
    { destruct R as [-> | ->]; [reflexivity |]. destruct L as (h0 & L). destruct (block_ends _ _ _ _ _ B) as (v & ->).
      simpl in L. rewrite app_assoc in L. symmetry in L. now apply last_differs in L. }
    subst r. rewrite (block_V w u m cls j W B) in *.
    assert (Q' := Q). apply split_cases in Q' as [(x & -> & Q') | (x & -> & Q')].
    + exfalso. destruct (stone_end_run _ W) as (w0 & W0). destruct (block_begins _ _ _ _ _ B) as (v & ->).
      destruct x as [| b x _] using rev_ind.
      * apply runs_end in A as (a' & ->). rewrite rev_app_distr in Q'. discriminate.
      * rewrite app_comm_cons, app_assoc in W0. apply app_inj_tail in W0 as [_ ->].
        apply runs_rev, cleared_jump in A. rewrite Q' in A.
        apply (proj2 (cleared_no_pair _ _ A) (empty :: x) (stone :: v)). rewrite <- app_assoc. reflexivity.
    + rewrite Q', app_length in M. simpl in M. rewrite rev_length in M. pose proof (V_natural w) as NW.
      destruct x as [| b x].
      * left. rewrite app_nil_r in *. simpl in M. unfold E, G, c4 in *. set (t := V w) in *.
        destruct (Z.leb_spec t 1), (Z.leb_spec (4 * t - 1) m); cbn [orb] in *;
          repeat match goal with |- context [if ?c then _ else _] => destruct c eqn:? end; try lia.
      * destruct (block_prefix _ _ _ _ _ B _ _ Q') as (m1 & cls1 & j1 & B1 & M1); [discriminate |].
        rewrite rev_length in M1.
        destruct (block_facts _ _ _ _ _ B1) as (_ & _ & M12 & C1' & _ & J10 & _ & C11 & _ & C13 & C12 & _).
        destruct (Z.leb_spec (V w) (c4 m)) as [S | S].
        -- right. destruct (jump_cleared true (b :: x)) as (a' & A' & U); [apply (block_cleared _ _ _ _ _ B1) |].
           exists w, a'. rewrite U. split; [reflexivity |]. split; [assumption |]. split; [intros ->; simpl in W; lia |].
           apply (f_equal (@length square)) in U. simpl in U. rewrite rev_length in U. unfold c4 in S. simpl length in *. lia.
        -- left. cbn [orb] in *.
           assert (X : V (w ++ b :: x) <= Z.max 1 (V w) /\ (V w = 2 -> 2 <= cls1 -> V (w ++ b :: x) <= 1)).
           { rewrite (block_V w _ m1 cls1 j1 W B1). unfold E, G, c4. set (t := V w) in *.
             destruct (Z.leb_spec t 1), (Z.leb_spec (4 * t - 1) m1); cbn [orb];
               repeat match goal with |- context [if ?c then _ else _] => destruct c eqn:? end; try lia. }
           destruct X as [X X2].
           assert (Y : cls = 3 -> cls1 = 1 -> 6 <= m).
           { intros C3' C1''. destruct (Z.le_gt_cases m 5) as [H | H]; [| lia]. exfalso.
             assert (U := U5 eq_refl H C3'). rewrite Q' in U.
             destruct C11 as [_ [U1 | U1]]; [assumption | | discriminate].
             rewrite U1 in U. discriminate. }
           set (v := V (w ++ b :: x)) in *. unfold E, G, c4 in *. set (t := V w) in *.
           assert (cls = 1 -> False).
           { intros Z1. destruct C1 as [K _]; [assumption |]. lia. }
           destruct (Z.leb_spec t 1), (Z.leb_spec (4 * t - 1) m); cbn [orb] in *;
             repeat match goal with |- context [if ?c then _ else _] => destruct c eqn:? end; try lia.
           all: assert (cls1 = 1 \/ 2 <= cls1) as [K | K] by lia; lia.
  - destruct L as (h0 & L). symmetry in L. now apply last_differs in L.
Qed.
