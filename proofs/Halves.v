(** * Changes of the potential when a half strip changes

    A half strip is a word of squares, read from the goal line to the ball. *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Stone Potential Families Facts.
From Phutball Require Export Cleared.
Open Scope Z_scope.

(** Lets [lia] handle division. *)
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** ** A player who can jump home *)

(** A player who can jump home has potential 0. *)
Lemma run_home a : runs a -> fold_left step a start = start /\ fold_left step a (step start empty) = start.
Proof.
  induction 1 as [k | a b _ [A A'] _ [_ B]].
  - assert (E : fold_left step (repeat stone k) start = start) by (induction k as [| k IH]; [reflexivity | exact IH]).
    split; exact E.
  - rewrite !fold_left_app. simpl. rewrite A, A'. split; exact B.
Qed.

Lemma potential_home a : runs a -> potential a = 0 /\ potential (empty :: a) = 0.
Proof.
  intros H. apply run_home in H as [A B]. unfold potential, run. simpl. now rewrite A, B.
Qed.

(** ** Jumps when the potential is 0 *)

Definition is_last (b : bool) : Z := if b then 1 else 0.

(** A landing [r] cells ago, modulo 4; the potential there was at most [v] higher, less one for
    every four cells. *)
Definition landing_at (b : bool) (w : list square) (r v : Z) : Prop :=
  v = 99 \/ exists w' u, w = w' ++ u /\ w' <> [] /\ cleared b u /\ Z.modulo (len u) 4 = r
    /\ potential w' - potential w - Z.div (len u) 4 <= v.

Lemma landing_shift b b' w a r r' v : landing_at b w r v -> 0 <= r < 4 -> r' = Z.modulo (r + 1) 4 ->
  (forall u, cleared b u -> cleared b' (u ++ [a])) ->
  landing_at b' (w ++ [a]) r' (shift v r (potential w - potential (w ++ [a]))).
Proof.
  intros H R E C. unfold landing_at, shift, mod_3. destruct (Z.eqb_spec v 99); [now left |].
  destruct H as [-> | (w' & u & -> & N & U & M & B)]; [contradiction |].
  set (f := potential (w' ++ u) - potential ((w' ++ u) ++ [a])) in *.
  destruct (Z.ltb_spec 5 (v + f - (if r =? 3 then 1 else 0))); [now left | right].
  exists w', (u ++ [a]). split; [now rewrite app_assoc |]. split; [assumption |]. split; [now apply C |].
  rewrite app_length, Nat2Z.inj_add. change (len [a]) with 1. rewrite E.
  assert (Z.div (len u + 1) 4 = Z.div (len u) 4 + (if r =? 3 then 1 else 0)) by (destruct (Z.eqb_spec r 3); lia).
  split; [subst r; lia |]. subst f. lia.
Qed.

Lemma landing_none b w r : landing_at b w r 99.
Proof. now left. Qed.

Definition note_of (b : bool) (w : list square) (n : list Z) : Prop :=
  exists a0 a1 a2 a3 h, n = [a0; a1; a2; a3; is_last b; h]
  /\ landing_at b w 0 a0 /\ landing_at b w 1 a1 /\ landing_at b w 2 a2 /\ landing_at b w 3 a3 /\ (h = 1 -> open_way b w).

Lemma landing_here w (N : w <> []) : landing_at false (w ++ [empty]) 1
  (if 5 <? potential w - potential (w ++ [empty]) then 99 else Z.max (potential w - potential (w ++ [empty])) (-3)).
Proof.
  destruct (Z.ltb_spec 5 (potential w - potential (w ++ [empty]))); [now left | right].
  exists w, [empty]. split; [reflexivity |]. split; [assumption |]. split; [constructor |]. simpl. change (1 / 4) with 0. lia.
Qed.

Lemma landing_min b w r v v' : landing_at b w r v -> landing_at b w r v' -> landing_at b w r (Z.min v v').
Proof. intros H H'. destruct (Z.min_spec v v') as [[_ ->] | [_ ->]]; assumption. Qed.

Lemma landings_remembered w : w <> [] -> exists b n, remembers landings w n /\ note_of b w n.
Proof.
  induction w as [| a w IH] using rev_ind; [contradiction |]. intros _.
  destruct w as [| c w'].
  - exists (match a with stone => true | empty => false end),
      [99; 99; 99; 99; is_last (match a with stone => true | empty => false end); 1]. split.
    + apply (remembers_more landings [] [] a); [constructor |]. destruct a; now left.
    + exists 99, 99, 99, 99, 1. split; [reflexivity |]. repeat (split; [apply landing_none |]). intros _. apply (open_first a).
  - remember (c :: w') as w eqn:E. assert (N : w <> []) by (subst; discriminate). clear E.
    destruct (IH N) as (b & n & R & (a0 & a1 & a2 & a3 & h & -> & L0 & L1 & L2 & L3 & O)).
    set (f := potential w - potential (w ++ [a])).
    destruct a.
    + exists false. destruct b.
      * eexists. split; [eapply remembers_more; [eassumption |]; simpl; left; reflexivity |].
        do 5 eexists. split; [reflexivity |]. fold f.
        assert (C : forall u, cleared true u -> cleared false (u ++ [empty])) by (intros; now apply cleared_empty).
        split; [now apply (landing_shift true false w empty 3 0) |].
        split; [apply landing_min; [now apply (landing_shift true false w empty 0 1) | now apply landing_here] |].
        split; [now apply (landing_shift true false w empty 1 2) |].
        split; [now apply (landing_shift true false w empty 2 3) |].
        intros H. apply open_empty. auto.
      * eexists. split; [eapply remembers_more; [eassumption |]; simpl; left; reflexivity |].
        do 5 eexists. split; [reflexivity |]. fold f.
        split; [apply landing_none |]. split; [now apply landing_here |]. split; [apply landing_none |]. split; [apply landing_none |].
        discriminate.
    + exists true. eexists. split; [eapply remembers_more; [eassumption |]; destruct b; simpl; left; reflexivity |].
      do 5 eexists. split; [reflexivity |]. fold f.
      assert (C : forall u, cleared b u -> cleared true (u ++ [stone])) by (intros; now apply cleared_stone with b).
      split; [now apply (landing_shift b true w stone 3 0) |].
      split; [now apply (landing_shift b true w stone 0 1) |].
      split; [now apply (landing_shift b true w stone 1 2) |].
      split; [now apply (landing_shift b true w stone 2 3) |].
      intros H. apply open_stone with b. auto.
Qed.

Lemma low_zero h : low h = 0 <-> h = 0.
Proof. unfold low. lia. Qed.

(** The potential is never negative. If it is 0, there is a jump home, or a jump to a landing with a
    low potential. *)
Theorem landing_exists w : w <> [] ->
  1 <= potential w \/ potential w = 0 /\ (way_home (rev w) \/ exists w' u,
    w = w' ++ u /\ w' <> [] /\ cleared true u /\ potential w' <= Z.div (len u + 1) 4).
Proof.
  intros N. destruct (landings_remembered w N) as (b & n & R & (a0 & a1 & a2 & a3 & h & -> & L0 & L1 & L2 & L3 & O)).
  pose proof (single_checked landings landings_fine landings_checked w _ R) as F. simpl in F.
  apply orb_true_iff in F as [F | F]; [left; apply Z.leb_le in F; unfold low in F; lia | right].
  apply andb_true_iff in F as [F H]. apply andb_true_iff in F as [P B]. apply Z.eqb_eq in P. apply (proj1 (low_zero _)) in P.
  split; [exact P |]. destruct b; [| discriminate].
  assert (G : forall r v, landing_at true w r v -> 0 <= r < 4 -> v <= (if r =? 3 then 1 else 0) ->
    exists w' u, w = w' ++ u /\ w' <> [] /\ cleared true u /\ potential w' <= Z.div (len u + 1) 4).
  { intros r v [-> | (w' & u & E & N' & C & M & L)] Hr Hv; [destruct (r =? 3); lia |]. exists w', u.
    repeat split; try assumption. rewrite P in L. destruct (Z.eqb_spec r 3); lia. }
  rewrite !orb_true_iff in H. destruct H as [[[[H | H] | H] | H] | H].
  - left. apply Z.eqb_eq in H. now apply (open_way_home true), O.
  - right. apply Z.leb_le in H. now apply (G 0 a0).
  - right. apply Z.leb_le in H. now apply (G 1 a1).
  - right. apply Z.leb_le in H. now apply (G 2 a2).
  - right. apply Z.leb_le in H. now apply (G 3 a3).
Qed.

Lemma potential_natural w : 0 <= potential w.
Proof. destruct w as [| a w]; [reflexivity |]. destruct (landing_exists (a :: w)) as [H | [H _]]; [discriminate | lia | lia]. Qed.

(** ** The potential at a landing *)

Lemma chain_begins w : remembers chain w [].
Proof.
  induction w as [| a w IH] using rev_ind; [constructor |].
  eapply remembers_more; [eassumption |]. destruct a; now left.
Qed.

Lemma chain_remembered w b u : cleared b u ->
  exists n, remembers chain (w ++ u) n
  /\ (n = [is_last b] \/ exists gain, n = [gain; Z.modulo (len u) 4; is_last b]
      /\ gain <= potential w - potential (w ++ u) - Z.div (len u) 4).
Proof.
  induction 1 as [| b u _ (n & R & H) | u _ (n & R & H)].
  - eexists. split; [eapply remembers_more; [apply chain_begins |]; simpl; right; left; reflexivity |].
    right. eexists. split; [reflexivity |]. simpl. change (1 / 4) with 0. lia.
  - rewrite app_assoc. set (f := potential (w ++ u) - potential ((w ++ u) ++ [stone])).
    destruct H as [-> | (gain & -> & G)].
    + exists [1]. split; [eapply remembers_more; [eassumption |]; destruct b; simpl; now left | now left].
    + destruct (low (potential (w ++ u)) =? 0) eqn:Z.
      * exists [1]. split; [eapply remembers_more; [eassumption |]; destruct b; simpl; rewrite Z; simpl; now left | now left].
      * eexists. split; [eapply remembers_more; [eassumption |]; destruct b; simpl; rewrite Z; simpl; left; reflexivity |].
        right. eexists. rewrite app_length, Nat2Z.inj_add. change (len [stone]) with 1. split.
        { f_equal. f_equal. lia. }
        fold f. unfold mod_3. destruct (Z.eqb_spec (len u mod 4) 3); lia.
  - rewrite app_assoc. set (f := potential (w ++ u) - potential ((w ++ u) ++ [empty])).
    destruct H as [-> | (gain & -> & G)].
    + exists [0]. split; [eapply remembers_more; [eassumption |]; simpl; now left | now left].
    + destruct (low (potential (w ++ u)) =? 0) eqn:Z.
      * exists [0]. split; [eapply remembers_more; [eassumption |]; simpl; rewrite Z; simpl; now left | now left].
      * eexists. split; [eapply remembers_more; [eassumption |]; simpl; rewrite Z; simpl; left; reflexivity |].
        right. eexists. rewrite app_length, Nat2Z.inj_add. change (len [empty]) with 1. split.
        { f_equal. f_equal. lia. }
        fold f. unfold mod_3. destruct (Z.eqb_spec (len u mod 4) 3); lia.
Qed.

(** A jump gains at most 1: the potential at the landing is not much lower. *)
Theorem jump_costs w u : cleared true u ->
  (2 <= potential (w ++ u) -> potential (w ++ u) - 1 + Z.div (len u + 3) 4 <= potential w)
  /\ (potential (w ++ u) = 1 -> 1 + Z.div (len u + 1) 4 <= potential w).
Proof.
  intros C. destruct (chain_remembered w true u C) as (n & R & H).
  pose proof (single_checked chain chain_fine chain_checked _ n R) as F.
  destruct H as [-> | (gain & -> & G)]; simpl in F.
  - apply Z.eqb_eq in F. unfold low in F. lia.
  - apply orb_true_iff in F as [F | F]; [apply Z.eqb_eq in F; unfold low in F; lia |].
    destruct (Z.eqb_spec (low (potential (w ++ u))) 1) as [E | E]; unfold low in E.
    + apply Z.leb_le in F. unfold mod_3 in F. destruct (Z.eqb_spec (len u mod 4) 3); split; lia.
    + apply Z.leb_le in F. destruct (Z.eqb_spec (len u mod 4) 0); split; lia.
Qed.

(** ** Empty squares next to the ball *)

Lemma dots_begins w : remembers dots w [].
Proof.
  induction w as [| a w IH] using rev_ind; [constructor |].
  eapply remembers_more; [eassumption |]. destruct a; now left.
Qed.

Lemma dots_remembered w m : exists z k gain least, remembers dots (w ++ repeat empty (S m)) [z; k; gain; least]
  /\ (potential w = 0 -> z = 1) /\ 1 <= k <= 11 /\ Z.modulo k 4 = Z.modulo (Z.of_nat (S m)) 4 /\ (k <= 7 -> k = Z.of_nat (S m))
  /\ potential (w ++ repeat empty (S m)) - potential w - Z.div (Z.of_nat (S m)) 4 <= gain
  /\ least <= potential (w ++ repeat empty (S m)) - Z.div (Z.of_nat (S m)) 4 /\ (potential w <> 0 -> z = 0).
Proof.
  induction m as [| m (z & k & gain & least & R & Z0 & K & M & E & G & L & Z1)].
  - do 4 eexists. split; [eapply remembers_more; [apply dots_begins |]; simpl; right; left; reflexivity |].
    simpl repeat. change (Z.of_nat 1) with 1. change (1 / 4) with 0. change (1 mod 4) with 1.
    split; [intros ->; reflexivity |]. split; [lia |]. split; [reflexivity |]. split; [reflexivity |].
    split; [lia |]. split; [unfold low; lia |].
    intros N. destruct (Z.eqb_spec (low (potential w)) 0) as [H | H]; [apply (proj1 (low_zero _)) in H; contradiction | reflexivity].
  - replace (w ++ repeat empty (S (S m))) with ((w ++ repeat empty (S m)) ++ [empty])
      by (rewrite <- app_assoc, snoc_repeat; reflexivity).
    do 4 eexists. split; [eapply remembers_more; [eassumption |];
      cbn -[repeat app Z.div Z.modulo Z.add Z.sub Z.max Z.min potential low]; left; reflexivity |].
    set (p := potential (w ++ repeat empty (S m))) in *. set (p' := potential ((w ++ repeat empty (S m)) ++ [empty])).
    assert (T : Z.of_nat (S (S m)) = Z.of_nat (S m) + 1) by lia. rewrite T. set (q := Z.of_nat (S m)) in *.
    assert (Z.div (q + 1) 4 = Z.div q 4 + if (k + 1) mod 4 =? 0 then 1 else 0) by (destruct (Z.eqb_spec ((k + 1) mod 4) 0); lia).
    split; [assumption |]. split; [destruct (Z.eqb_spec k 11); lia |]. split; [destruct (Z.eqb_spec k 11); lia |].
    split; [destruct (Z.eqb_spec k 11); lia |]. split; [lia |]. split; [| assumption].
    destruct (Z.leb_spec k 7); unfold low; [rewrite (E H0) in *; lia | lia].
Qed.

(** The potential with more empty squares next to the ball. *)
Theorem squares_gain w m : let n := Z.of_nat (S m) in
  1 + Z.div (n + 1) 4 <= potential (w ++ repeat empty (S m))
  /\ (potential w = 0 -> potential (w ++ repeat empty (S m)) = 1 + Z.div (n + 1) 4)
  /\ (1 <= potential w -> potential (w ++ repeat empty (S m)) <= potential w + Z.div (n + 3) 4).
Proof.
  destruct (dots_remembered w m) as (z & k & gain & least & R & Z0 & K & M & _ & G & L & Z1). intros n. fold n in M, G, L.
  pose proof (single_checked dots dots_fine dots_checked _ _ R) as F. simpl in F. apply andb_true_iff in F as [F F'].
  apply Z.leb_le in F, F'. rewrite M in F, F'. unfold mod_3 in F, F'. split; [| split].
  - destruct (Z.eqb_spec (n mod 4) 3); lia.
  - intros P. rewrite (Z0 P) in F'. simpl in F'. destruct (Z.eqb_spec (n mod 4) 3); lia.
  - intros P. rewrite Z1 in F' by lia. simpl in F'. destruct (Z.eqb_spec (n mod 4) 0); lia.
Qed.
