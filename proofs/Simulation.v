(** * The rule and the automaton say the same of every word *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Zones Cells Automaton Classes Notes Rule Expressions Symbols.
Open Scope Z_scope.

(** ** The symbols say what the rule says *)

Ltac cases_of :=
  cbn -[Z.ltb Z.leb Z.eqb Z.add Z.sub Z.mul]; unfold andb, orb;
  repeat (match goal with |- context [if ?b then _ else _] => lazymatch b with context [if _ then _ else _] => fail | _ => destruct b end end; try reflexivity).

Lemma after_right v s a : option_map (named v) (chosen v (after_s s a)) = Some (after (named v s) a).
Proof.
  destruct s as [H i j n mark t K]. unfold named. cbn [head_s i_s j_s n_s mark_s tail_s K_s after after_s].
  destruct a, H as [| | | | | | | | | | | c], t; try reflexivity; try solve [cases_of];
    destruct c as [| [| [| [| c]]]]; try reflexivity; cases_of.
Qed.

Lemma near_right v s : option_map (named v) (chosen v (near_s s)) = first (near (named v s)).
Proof.
  assert (E : forall l, option_map (named v) (chosen v l) = first (map (fun '(p, s) => (holds v p, named v s)) l)).
  { induction l as [| [p s'] l IH]; [reflexivity |]. simpl. destruct (holds v p); [reflexivity | assumption]. }
  rewrite E. f_equal. destruct s as [H i j n mark t K]. destruct H as [| | | | | | | | | | | c], t; try reflexivity;
    destruct c as [| [| [| [| c]]]]; reflexivity.
Qed.

Lemma value_right v s : option_map (fun '(a, t) => (number v a,
  t)) (chosen v (value_s s)) = Some (value_of (named v s)).
Proof.
  destruct s as [H i j n mark t K]. unfold named. cbn [head_s i_s j_s n_s mark_s tail_s K_s value_of value_s].
  destruct H as [| | | | | | | | | | | c], t; try reflexivity; try solve [cases_of];
    destruct c as [| [| [| c]]]; try reflexivity; cases_of.
Qed.

(** ** Both at once *)

(** The integers 1, 2, 3 are the counters of the automaton, 4, 5, 6, 7 are [i], [j], [n], [K]. *)
Record control := Control { head_c : head; mark_c : bool; tail_c : tail }.

Definition generic (c : control) : symbol := Symbol (head_c c) (Var 4) (Var 5) (Var 6) (mark_c c) (tail_c c) (Var 7).
Definition control_of (s : symbol) : control := Control (head_s s) (mark_s s) (tail_s s).
Definition numbers (s : symbol) : list atom := [norm (i_s s); norm (j_s s); norm (n_s s); norm (K_s s)].

Definition both_at (v : valuation) (c : control) (s : name) (t : Classes.state) : Prop :=
  v 0%nat = 0 /\ at_place v first_place t /\ s = named v (generic c).

Lemma named_result v u s : v 0%nat = 0 ->
  (forall i, (4 <= i < 8)%nat -> nth i u (0%nat, 0) = nth (i - 4) (numbers s) (0%nat, 0)) ->
  named (result u v) (generic (control_of s)) = named v s.
Proof.
  intros E H. unfold named, generic, control_of. cbn [head_c mark_c tail_c head_s i_s j_s n_s mark_s tail_s K_s number].
  assert (R : forall i, (4 <= i < 8)%nat -> result u v i = value v (nth (i - 4) (numbers s) (0%nat,
    0))) by (intros i L; unfold result; now rewrite H).
  rewrite !R by lia. cbn [numbers nth Nat.sub]. now rewrite !norm_value by assumption.
Qed.

(** Keys: the control and the cell, and some differences that the zone fixes. *)
Definition head_code (H : head) : Z :=
  match H with hA => 0 | hG => 1 | hT => 2 | hO => 3 | hZ => 4 | hI => 5 | hU => 6 | hE => 7 | hQ => 8 | hL => 9
    | hM => 10 | hY c => 11 + Z.of_nat c end.
Definition head_from (h : Z) : head :=
  if h <? 11 then nth (Z.to_nat h) [hA; hG; hT; hO; hZ; hI; hU; hE; hQ; hL; hM] hA else hY (Z.to_nat (h - 11)).
Definition tail_code (t : tail) : Z :=
  match t with none => 0 | o => 1 | oo => 2 | oo_ => 3 | ooo => 4 | oooo => 5 | o_ => 6 | o_o => 7 | o_oo => 8
    | o_oo_ => 9 end.
Definition tail_from (t : Z) : tail := nth (Z.to_nat t) [none; o; oo; oo_; ooo; oooo; o_; o_o; o_oo; o_oo_] none.
Definition mark_code (m : bool) : Z := if m then 1 else 0.

Definition note (z : zone) (m : Z) (a b : nat) : Z :=
  let d := diff z (a, 0) (b, 0) in if (d <=? m) && (- m <=? d) && (diff z (b, 0) (a, 0) =? - d) then d else 99.

Definition notes (z : zone) : list Z := [note z 20 7 1; note z 1 4 0; note z 1 5 0; note z 3 4 2; note z 3 5 2;
  note z 3 5 4].

Definition key (c : control) (f : positive) (z : zone) : list Z :=
  head_code (head_c c) :: mark_code (mark_c c) :: tail_code (tail_c c) :: Zpos f :: notes z.

Definition control_from (h m t : Z) : control := Control (head_from h) (m =? 1) (tail_from t).

Lemma control_from_code c : control_from (head_code (head_c c)) (mark_code (mark_c c)) (tail_code (tail_c c)) = c.
Proof.
  destruct c as [H m t]. unfold control_from. simpl. f_equal; [| now destruct m | now destruct t].
  destruct H; try reflexivity. unfold head_from, head_code. rewrite (proj2 (Z.ltb_ge _ _)) by lia. f_equal. lia.
Qed.

Fixpoint collect {A B} (f : A -> option (list B)) (l : list A) : option (list B) :=
  match l with [] => Some [] | a ::
    l => match f a, collect f l with Some m, Some n => Some (m ++ n) | _, _ => None end end.

Lemma collect_some {A B} (f : A -> option (list B)) l m a
  : collect f l = Some m -> In a l -> exists n, f a = Some n /\ incl n m.
Proof.
  revert m. induction l as [| b l IH]; intros m H I; [contradiction |]. simpl in H.
  destruct (f b) as [n |] eqn:F; [| discriminate]. destruct (collect f l) as [n' |]; [| discriminate].
    injection H as <-.
  destruct I as [-> | I]; [exists n; split; [assumption | now apply incl_appl, incl_refl] |].
  destruct (IH n' eq_refl I) as (n0 & E & J). exists n0. split; [assumption | now apply incl_appr].
Qed.

Definition kept_numbers : list atom := [(0%nat, 0); (1%nat, 0); (2%nat, 0); (3%nat, 0)].

Fixpoint settle_to (times : nat) (c : control) (f : positive) (z : zone) : option (list (list Z * zone)) :=
  match times with
  | 0%nat => None
  | S times =>
      collect (fun '(s, z) =>
        match s with
        | None => Some (map (fun '(f, z) => (key c f z, z)) (pieces first_place (tree_at f) z))
        | Some s => settle_to times (control_of s) f (image (kept_numbers ++ numbers s) z)
        end) (branches (near_s (generic c)) z)
  end.

Definition both_to (c : control) (f : cell) (z : zone) (a : square) : option (list (list Z * zone)) :=
  match move_on f a with
  | None => None
  | Some m =>
      collect (fun '(s, z) =>
        match s with
        | None => None
        | Some s => settle_to 4 (control_of s) (to m)
            (image ([(0%nat, 0); (1%nat, add_k m); lift first_place (new_x m);
              lift first_place (new_y m)] ++ numbers s) z)
        end) (branches (after_s (generic c) a) z)
  end.

Definition both_next (k : list Z) (z : zone) : option (list (list Z * zone)) :=
  match k with
  | h :: m :: t :: f :: _ =>
      let c := control_from h m t in
      match both_to c (cell_number f) z empty, both_to c (cell_number f) z stone with Some l,
        Some m => Some (l ++ m) | _, _ => None end
  | _ => None
  end.

(** Types 10, 14 and 16 of the automaton are types 9, 1 and 0 one higher. *)
Definition type_from (t : nat) : type :=
  nth t [Ta; Tb; Tc; Td; Ty; Te; Tf; Tg; Th; Tz; Tz; Ti; Tj; Tk; Tb; Tl; Ta] Ta.
Definition raised (t : nat) : Z := match t with 10%nat | 14%nat | 16%nat => 1 | _ => 0 end.

Definition same_type (t u : type) : bool :=
  match t, u with
  | Tz, Tz | Ty, Ty | Ta, Ta | Tb, Tb | Tf, Tf | Th, Th | Tj, Tj | Tc, Tc | Td, Td | Te, Te | Tg, Tg | Ti, Ti | Tk,
    Tk | Tl, Tl => true
  | _, _ => false
  end.

Definition both_good (k : list Z) (z : zone) : bool :=
  match k with
  | h :: m :: t :: f :: _ =>
      let f := cell_number f in let b := (1%nat, constant f + raised (kind f)) in
      forallb (fun '(s, z) =>
        match s with
        | None => false
        | Some (P, t) => same_type t (type_from (kind f)) && (diff z (norm P) b =? 0) && (diff z b (norm P) =? 0)
        end) (branches (value_s (generic (control_from h m t))) z)
  | _ => false
  end.

Definition first_both : list Z * zone := let z :=
  repeat (repeat 0 8) 8 in (key (Control hL false none) (cell_of start) z, z).

Definition both_table : table := find_table both_next 8 [first_both].
Definition both_check : bool := let m := both_table in closed both_next both_good m && covered m first_both.

(** ** The pieces contain what happens *)

Lemma both_at_kept v c s1 t z : both_at v c (named v (generic c)) t -> sat z v ->
  let u := kept_numbers ++ numbers s1 in both_at (result u v) (control_of s1) (named v s1) t
    /\ sat (image u z) (result u v).
Proof.
  intros (E & P & _) S u. split; [| now apply image_sound]. split; [| split].
  - unfold result, u. cbn. unfold value. simpl. lia.
  - intros i. rewrite <- (P i). destruct i as [| [| [| i]]]; unfold result, u, value; cbn; lia.
  - symmetry. apply named_result; [assumption |]. intros i L. unfold u. now rewrite app_nth2 by (simpl; lia).
Qed.

Lemma settle_to_sound times : forall c z l v s t,
  settle_to times c (family t) z = Some l -> sat z v -> both_at v c s t ->
  exists c' z' v', In (key c' (cell_of t) z',
    z') l /\ sat z' v' /\ both_at v' c' (settle times s) t /\ first (near (settle times s)) = None.
Proof.
  induction times as [| times IH]; intros c z l v s t H S B; [discriminate |]. cbn [settle_to settle] in *.
  destruct B as (E & P & ->).
  destruct (branches_sound v (near_s (generic c)) z E S) as (z1 & I & S1).
  destruct (collect_some _ _ _ _ H I) as (n & F & J). cbv beta iota in F.
  pose proof (near_right v (generic c)) as R. destruct (chosen v (near_s (generic c))) as [s1 |];
    cbn [option_map] in R; rewrite <- R.
  - destruct (both_at_kept v c s1 t z1 (conj E (conj P eq_refl)) S1) as [B' S'].
    destruct (IH _ _ _ _ _ _ F S' B') as (c' & z' & v' & I' & Q). exists c', z', v'. split; [now apply J | assumption].
  - injection F as <-. destruct (pieces_cell v first_place t z1 S1 P) as (z2 & I2 & S2). exists c, z2, v.
    split; [| split; [assumption |]].
    + apply J. apply in_map_iff. exists (cell_of t, z2). auto.
    + split; [now repeat split | now symmetry].
Qed.

Lemma both_at_moved v c s1 t m z : both_at v c (named v (generic c)) t -> sat z v ->
  let u := [(0%nat, 0); (1%nat, add_k m); lift first_place (new_x m); lift first_place (new_y m)] ++ numbers s1 in
  both_at (result u v) (control_of s1) (named v s1) (moved m t) /\ sat (image u z) (result u v).
Proof.
  intros (E & P & _) S u. split; [| now apply image_sound]. split; [| split].
  - unfold result, u. cbn. unfold value. simpl. lia.
  - intros i. rewrite <- (single_moved v m t P i). destruct i as [| [| [| i]]]; reflexivity.
  - symmetry. apply named_result; [assumption |]. intros i L. unfold u. now rewrite app_nth2 by (simpl; lia).
Qed.

Lemma some_equal {A} (x y : A) : Some x = Some y -> x = y.
Proof. congruence. Qed.

Lemma both_to_sound c z l v s t a : both_to c (cell_at (cell_of t)) z a = Some l -> sat z v -> both_at v c s t ->
  exists c' z' v', In (key c' (cell_of (Classes.step t a)) z',
    z') l /\ sat z' v' /\ both_at v' c' (next s a) (Classes.step t a) /\ first (near (next s a)) = None.
Proof.
  intros H S B. unfold both_to in H. unfold Classes.step. destruct (move_on (cell_at (cell_of t)) a) as [m |];
    [| discriminate].
  destruct B as (E & P & ->).
  destruct (branches_sound v (after_s (generic c) a) z E S) as (z1 & I & S1).
  destruct (collect_some _ _ _ _ H I) as (n & F & J). cbv beta iota in F.
  pose proof (after_right v (generic c) a) as R. destruct (chosen v (after_s (generic c) a)) as [s1 |];
    [| discriminate].
  apply some_equal in R. unfold next. rewrite <- R.
  destruct (both_at_moved v c s1 t m z1 (conj E (conj P eq_refl)) S1) as [B' S'].
  destruct (settle_to_sound 4 _ _ _ _ _ (moved m t) F S' B') as (c' & z' & v' & I' & Q). exists c', z', v'.
    split; [now apply J | assumption].
Qed.

Section Table.

Variable m : table.
Hypothesis m_closed : closed both_next both_good m = true.

Definition linked (w : list square) : Prop :=
  exists v c z, both_at v c (name_of w) (Classes.run w) /\ listed m (key c (cell_of (Classes.run w)) z) v.

Lemma name_of_snoc w a : name_of (w ++ [a]) = next (name_of w) a.
Proof. unfold name_of. now rewrite fold_left_app. Qed.

Lemma linked_step w a : linked w -> linked (w ++ [a]) /\ first (near (name_of (w ++ [a]))) = None.
Proof.
  intros (v & c & z0 & B & L). destruct (closed_sound _ _ _ _ _ m_closed L) as (z & l & S & _ & N & C).
  unfold both_next, key in N. rewrite control_from_code in N.
    change (cell_number _) with (cell_at (cell_of (Classes.run w))) in N.
  assert (Q : exists l', both_to c (cell_at (cell_of (Classes.run w))) z a = Some l' /\ incl l' l).
  { destruct (both_to c _ z empty) as [le |] eqn:E; [| discriminate]. destruct (both_to c _ z stone) as [ls |] eqn:F;
    [| discriminate].
    injection N as <-. destruct a; eexists; (split; [eassumption |]); [apply incl_appl | apply incl_appr];
      apply incl_refl. }
  destruct Q as (l' & N' & I). rewrite name_of_snoc. unfold linked. rewrite name_of_snoc, run_snoc.
  destruct (both_to_sound _ _ _ _ _ _ _ N' S B) as (c' & z' & v' & J & S' & B' & F). split; [| assumption].
  exists v', c', z'. split; [assumption |]. apply (C _ z'); [now apply I | assumption].
Qed.

Lemma linked_value w : linked w ->
  value_of (name_of w) = (potential (Classes.run w) + raised (Classes.type (Classes.run w)),
    type_from (Classes.type (Classes.run w))).
Proof.
  intros (v & c & z0 & B & L). destruct (closed_sound _ _ _ _ _ m_closed L) as (z & l & S & G & _ & _).
  unfold both_good, key in G. rewrite control_from_code in G.
    change (cell_number _) with (cell_at (cell_of (Classes.run w))) in G.
  destruct B as (E & P & N). rewrite forallb_forall in G.
  destruct (branches_sound v (value_s (generic c)) z E S) as (z1 & I & S1). specialize (G _ I). cbv beta iota zeta in G.
  pose proof (value_right v (generic c)) as R. destruct (chosen v (value_s (generic c))) as [[p t] |]; [| discriminate].
  apply some_equal in R. rewrite N, <- R.
  apply andb_true_iff in G as [G D']. apply andb_true_iff in G as [T D]. apply Z.eqb_eq in D, D'.
  unfold potential, Classes.type. set (f := cell_at (cell_of (Classes.run w))) in *. f_equal.
  - pose proof (diff_sound z1 v _ _ S1 ltac:(rewrite D; reflexivity)) as A.
    pose proof (diff_sound z1 v _ _ S1 ltac:(rewrite D'; reflexivity)) as A'.
    rewrite norm_value in * by assumption. pose proof (P 1%nat) as P1. unfold value in *. simpl in *. lia.
  - destruct t, (type_from (kind f)); try reflexivity; discriminate.
Qed.

Lemma first_linked : covered m first_both = true -> linked [].
Proof.
  intros H. exists (fun _ => 0), (Control hL false none), (repeat (repeat 0 8) 8). split.
  - split; [reflexivity |]. split; [now intros [| [| [| i]]] | reflexivity].
  - apply (covered_listed m _ (snd first_both)); [exact H |]. repeat (split; [intros _; reflexivity |]);
    repeat split; intros _; reflexivity.
Qed.

End Table.

Lemma both_checked : both_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem all_linked : exists m, closed both_next both_good m = true /\ forall w, linked m w.
Proof.
  pose proof both_checked as H. revert H. unfold both_check. generalize both_table. cbv zeta. intros m H.
  apply andb_true_iff in H as [H F]. exists m. split; [assumption |]. induction w as [| a w IH] using rev_ind;
    [now apply first_linked |].
  now apply linked_step.
Qed.

(** The potential and the type are those of the automaton. *)
Theorem value_right_for_all w :
  value_of (name_of w) = (potential (Classes.run w) + raised (Classes.type (Classes.run w)),
    type_from (Classes.type (Classes.run w))).
Proof. destruct all_linked as (m & H & L). exact (linked_value m H w (L w)). Qed.

(** No other name is left: that [settle] stops after four times changes nothing. *)
Theorem settled w : first (near (name_of w)) = None.
Proof.
  destruct w as [| a w _] using rev_ind; [reflexivity |]. destruct all_linked as (m & H & L).
    exact (proj2 (linked_step m H w a (L w))).
Qed.

(** ** The same winner *)

(** [wins_by] of the automaton is the inequality with its exceptions. *)
Definition decides (l : Z) (t u : type) : bool := (waiting u <=? 8 * l + moving t) || exception l t u.

Definition same_decision (l : Z) (t u : nat) : bool :=
  Bool.eqb (wins_by l t u) (decides (l + raised t - raised u) (type_from t) (type_from u)).

Lemma near_decisions : 
  forallb (fun l => forallb (fun t => forallb (same_decision l t) types) types) [-3; -2; -1; 0; 1; 2; 3] = true.
Proof. vm_compute. reflexivity. Qed.

Lemma raised_small t : 0 <= raised t <= 1.
Proof. unfold raised. repeat (destruct t as [| t]; [lia |]). lia. Qed.

Lemma decides_by l t u : In t types -> In u types ->
  wins_by l t u = decides (l + raised t - raised u) (type_from t) (type_from u).
Proof.
  intros T U. destruct (Z_le_gt_dec l 3) as [L | L]; [destruct (Z_le_gt_dec (-3) l) as [L' | L'] |].
  - pose proof near_decisions as H. rewrite forallb_forall in H. specialize (H l ltac:(simpl; lia)).
    rewrite forallb_forall in H. specialize (H t T). rewrite forallb_forall in H. specialize (H u U).
      now apply Bool.eqb_prop.
  - pose proof (raised_small t). pose proof (raised_small u). unfold wins_by, decides.
    rewrite (proj2 (Z.eqb_neq l 0)), (proj2 (Z.eqb_neq l (-1))), (proj2 (Z.ltb_ge 0 l)) by lia.
    symmetry. apply orb_false_iff. split.
    + apply Z.leb_gt. destruct (type_from t), (type_from u); cbn [moving waiting]; lia.
    + unfold exception. destruct (type_from t), (type_from u); try reflexivity; apply Z.eqb_neq; lia.
  - pose proof (raised_small t). pose proof (raised_small u). rewrite wins_by_positive by lia. unfold decides.
    symmetry. apply orb_true_iff. left. apply Z.leb_le. destruct (type_from t), (type_from u); cbn [moving waiting];
      lia.
Qed.

(** The rule and the automaton have the same winner for all half strips. *)
Theorem wins_rule_right g h : wins_rule g h = wins_board g h.
Proof.
  unfold wins_rule, wins_board, beats. rewrite !value_right_for_all, decides_by by apply type_small. unfold decides.
  set (t := Classes.type (Classes.run g)). set (u := Classes.type (Classes.run h)). f_equal; [| f_equal; lia].
  apply eq_true_iff_eq. rewrite !Z.leb_le. lia.
Qed.
