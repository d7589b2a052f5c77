(** * A stone beyond the ball wins, or the half strips are hot *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Zones Cells Automaton Classes Notes LeastPotentials Certificate.
Open Scope Z_scope.

(** The counters of the word are at the places of number 0, those of the results at 1, 2, and so on. *)
Definition place_of (i : nat) (d : Z) : place := fun j =>
  match j with 0%nat => (0%nat, 0) | 1%nat => (1%nat, d) | 2%nat => ((2 + 2 * i)%nat, 0)
    | _ => ((3 + 2 * i)%nat, 0) end.

Definition with_stone (h h' : list square) : Prop := exists l r, h = l ++ empty :: r /\ h' = l ++ stone :: r.

Fixpoint have (v : valuation) (i : nat) (h : list square) (rs : list (positive * Z)) : Prop :=
  match rs with
  | [] => True
  | (f, d) :: rs => (exists h', with_stone h h' /\ family (run h') = f /\ at_place v (place_of i d) (run h'))
    /\ have v (S i) h rs
  end.

Definition true_of (c : claim) (h : list square) : Prop := exists v, sat (bounds c) v
  /\ family (run h) = own c /\ at_place v (place_of 0 0) (run h) /\ have v 1 h (results c).

(** ** The cells of the results *)

Fixpoint split (i : nat) (rs : list (positive * Z)) (z : zone) : list (list (positive * Z) * zone) :=
  match rs with
  | [] => [([], z)]
  | (f, d) :: rs => flat_map (fun '(c, z) => map (fun '(cs, z) => ((c, d) :: cs,
    z)) (split (S i) rs z)) (pieces (place_of i d) (tree_at f) z)
  end.

Fixpoint have_cells (v : valuation) (i : nat) (h : list square) (cs : list (positive * Z)) : Prop :=
  match cs with
  | [] => True
  | (c, d) :: cs => (exists h', with_stone h h' /\ cell_of (run h') = c /\ at_place v (place_of i d) (run h'))
    /\ have_cells v (S i) h cs
  end.

Lemma split_sound v i h rs z : sat z v -> have v i h rs -> exists cs z', In (cs, z') (split i rs z) /\ sat z' v
  /\ have_cells v i h cs.
Proof.
  revert i z. induction rs as [| [f d] rs IH]; intros i z S H; simpl in *; [exists [], z; simpl; auto |].
  destruct H as [(h' & W & F & P) H]. destruct (pieces_cell v _ _ z S P) as (z1 & I & S1). rewrite F in I.
  destruct (IH _ _ S1 H) as (cs & z2 & I2 & S2 & H2). exists ((cell_of (run h'), d) :: cs), z2.
  split; [| split; [assumption |]; split; [exists h'; auto | assumption]].
  apply in_flat_map. exists (cell_of (run h'), z1). split; [assumption |]. apply in_map_iff. exists (cs, z2). auto.
Qed.

(** ** One more square *)

(** A result: its family, the difference of [k], and its [x] and [y]. *)
Definition candidate := (positive * Z * (atom * atom))%type.

Fixpoint moved_results (i : nat) (k : Z) (a : square) (cs : list (positive * Z)) : option (list candidate) :=
  match cs with
  | [] => Some []
  | (c, d) :: cs =>
      match move_on (cell_at c) a, moved_results (S i) k a cs with
      | Some m, Some l => Some ((to m, d + add_k m - k,
        (lift (place_of i d) (new_x m), lift (place_of i d) (new_y m))) :: l)
      | _, _ => None
      end
  end.

Definition new_result (k : Z) (a : square) (c : positive) : option (list candidate) :=
  match a with
  | stone => Some []
  | empty =>
      match move_on (cell_at c) stone with
      | Some m => Some [(to m, add_k m - k, (lift (place_of 0 0) (new_x m), lift (place_of 0 0) (new_y m)))]
      | None => None
      end
  end.

Fixpoint selections (rs : list (positive * Z)) (l : list candidate) : list (list atom) :=
  match rs with
  | [] => [[]]
  | (f, d) :: rs =>
      flat_map (fun '(f', d', (x, y)) => if (f' =? f)%positive
        && (d' =? d) then map (fun s => x :: y :: s) (selections rs l) else []) l
  end.

Definition follows (by_family : Map.t (list claim)) (c : positive) (cs : list (positive * Z)) (z : zone) (a : square)
  : bool :=
  match move_on (cell_at c) a with
  | None => false
  | Some m =>
      match moved_results 1 (add_k m) a cs, new_result (add_k m) a c with
      | Some l, Some l' =>
          let base := [(0%nat, 0); (1%nat, add_k m); lift (place_of 0 0) (new_x m); lift (place_of 0 0) (new_y m)] in
          existsb (fun d => (own d =? to m)%positive
            && existsb (fun s => within (image (base ++ s) z) (bounds d)) (selections (results d) (l ++ l')))
            (match Map.find (to m) by_family with Some l => l | None => [] end)
      | _, _ => false
      end
  end.

(** ** The check *)

Definition stone_fine (c : positive) (cs : list (positive * Z)) (z : zone) : bool :=
  if (c =? cell_of start)%positive then true
  else
    let k := cell_at c in
    let most := diff z (1%nat, constant k) (0%nat, 0) in
    let ds := map (fun '(c, d) => (d + constant (cell_at c) - constant k, kind (cell_at c))) cs in
    existsb (fun '(d, _) => d <=? 2) ds
    && forallb (fun u => forallb (fun l =>
      negb (wins_by l u (kind k)) || existsb (fun '(d, t) => negb (wins_by (d - l) t u)) ds || hot l u (kind k)
      || (most <? inf) && (most + l <? least_potential u)) [-1; 0; 1; 2; 3]) types.

Definition claim_good (by_family : Map.t (list claim)) (c : claim) : bool :=
  forallb (fun '(k, z) => forallb (fun '(cs, z) => stone_fine k cs z && follows by_family k cs z empty
    && follows by_family k cs z stone)
    (split 1 (results c) z)) (pieces (place_of 0 0) (tree_at (own c)) (bounds c)).

Definition grouped (l : list claim) : Map.t (list claim) :=
  fold_right (fun c m => Map.add (own c) (c :: match Map.find (own c) m with Some l => l
    | None => [] end) m) (Map.empty _) l.

Definition claims_closed (m : Map.t (list claim)) : bool :=
  forallb (fun '(_, l) => forallb (claim_good m) l) (Map.elements m).

Definition claims_first (m : Map.t (list claim)) : bool :=
  existsb (fun c => (own c =? family start)%positive && match results c with [] => true | _ => false end
    && within first_zone (bounds c))
    (match Map.find (family start) m with Some l => l | None => [] end).

Definition stone_check : bool := let m := grouped claims in claims_closed m && claims_first m.

Lemma stone_checked : stone_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** *** It is sound *)

Lemma with_stone_more h h' a : with_stone h h' -> with_stone (h ++ [a]) (h' ++ [a]).
Proof. intros (l & r & -> & ->). exists l, (r ++ [a]). now rewrite <- !app_assoc. Qed.

Lemma run_moved w a m : move_on (cell_at (cell_of (run w))) a = Some m -> run (w ++ [a]) = moved m (run w).
Proof. intros E. rewrite run_snoc. unfold step. now rewrite E. Qed.

(** A candidate describes a result of the longer word; [k] is that of the longer word. *)
Definition describes (v : valuation) (k : Z) (h : list square) (c : candidate) : Prop :=
  let '(f, d, (x, y)) := c in exists h', with_stone h h' /\ family (run h') = f /\ count_k (run h') = k + d
    /\ count_x (run h') = value v x /\ count_y (run h') = value v y.

Lemma moved_results_sound v i h a cs k l : have_cells v i h cs -> moved_results i k a cs = Some l ->
  forall c, In c l -> describes v (v 1%nat + k) (h ++ [a]) c.
Proof.
  revert i l. induction cs as [| [c d] cs IH]; intros i l H E; simpl in E; [injection E as <-; intros e [] |].
  destruct H as [(h' & W & C & P) H]. destruct (move_on (cell_at c) a) as [m |] eqn:M; [| discriminate].
  destruct (moved_results (S i) k a cs) as [l' |] eqn:E'; [| discriminate]. injection E as <-.
  intros e [<- | I]; [| now apply (IH (S i) l')].
  exists (h' ++ [a]). rewrite <- C in M. rewrite (run_moved h' a m M). pose proof (P 1%nat) as P1. unfold value in P1.
  simpl in P1.
  split; [now apply with_stone_more |]. split; [reflexivity |]. cbn [moved count_k count_x count_y]. split; [lia |].
  split; symmetry; now apply value_lift.
Qed.

Lemma new_result_sound v h a k l : at_place v (place_of 0 0) (run h) -> new_result k a (cell_of (run h)) = Some l ->
  forall c, In c l -> describes v (v 1%nat + k) (h ++ [a]) c.
Proof.
  intros P E c I. destruct a; cbn [new_result] in E; [| injection E as <-; contradiction].
  destruct (move_on (cell_at (cell_of (run h))) stone) as [m |] eqn:M; [| discriminate]. injection E as <-.
  destruct I as [<- | []].
  exists (h ++ [stone]). rewrite (run_moved h stone m M). pose proof (P 1%nat) as P1. unfold value in P1. simpl in P1.
  split; [exists h, []; auto |]. split; [reflexivity |]. cbn [moved count_k count_x count_y]. split; [lia |].
  split; symmetry; now apply value_lift.
Qed.

Lemma selected v h l rs k : v 0%nat = 0 -> (forall c, In c l -> describes v (v 1%nat + k) h c) -> forall i pre s,
  In s (selections rs l) -> length pre = (2 + 2 * i)%nat -> nth 0 (pre ++ s) (0%nat, 0) = (0%nat, 0) ->
    nth 1 (pre ++ s) (0%nat, 0) = (1%nat, k) ->
  have (result (pre ++ s) v) i h rs.
Proof.
  intros Z D. induction rs as [| [f d] rs IH]; intros i pre s I L A B; simpl; [trivial |].
  simpl in I. apply in_flat_map in I as ([[f' d'] [x y]] & J & I).
  destruct (Pos.eqb_spec f' f) as [-> |]; [| contradiction].
  destruct (Z.eqb_spec d' d) as [-> |]; [| contradiction]. simpl in I. apply in_map_iff in I as (s' & <- & I). split.
  - destruct (D _ J) as (h' & W & F & K & X & Y). exists h'. split; [assumption |]. split; [assumption |].
    assert (Nx : nth (2 + 2 * i) (pre ++ x :: y :: s') (0%nat, 0) = x)
      by (rewrite app_nth2, L, Nat.sub_diag by lia; reflexivity).
    assert (Ny : nth (3 + 2 * i) (pre ++ x :: y :: s') (0%nat, 0) = y).
    { rewrite app_nth2, L by lia. replace (3 + 2 * i - (2 + 2 * i))%nat with 1%nat by lia. reflexivity. }
    intros j. destruct j as [| [| [| j]]]; unfold value at 1, result; cbn [place_of fst snd].
    + rewrite A. unfold value. simpl. lia.
    + rewrite B. unfold value. simpl. lia.
    + rewrite Nx. cbn [local]. lia.
    + rewrite Ny. cbn [local]. lia.
  - replace (pre ++ x :: y :: s') with ((pre ++ [x; y]) ++ s') in * by now rewrite <- app_assoc.
    apply IH; try assumption. rewrite app_length, L. simpl. lia.
Qed.

Section Sound.

Variable m : Map.t (list claim).
Hypothesis m_closed : claims_closed m = true.
Hypothesis m_first : claims_first m = true.

Definition in_map (c : claim) : Prop := exists f l, Map.find f m = Some l /\ In c l.

Lemma in_map_good c : in_map c -> claim_good m c = true.
Proof.
  intros (f & l & F & I). pose proof m_closed as H. unfold claims_closed in H. rewrite forallb_forall in H.
  specialize (H _ (Map.elements_correct _ _ F)). cbv beta iota in H. rewrite forallb_forall in H. auto.
Qed.

Lemma follows_sound v h cs z a : sat z v -> at_place v (place_of 0 0) (run h) -> have_cells v 1 h cs ->
  follows m (cell_of (run h)) cs z a = true -> exists c, in_map c /\ true_of c (h ++ [a]).
Proof.
  intros S P H F. unfold follows in F.
  destruct (move_on (cell_at (cell_of (run h))) a) as [mv |] eqn:M; [| discriminate].
  destruct (moved_results 1 (add_k mv) a cs) as [l |] eqn:E; [| discriminate].
  destruct (new_result (add_k mv) a (cell_of (run h))) as [l' |] eqn:E'; [| discriminate].
  set (base := [(0%nat, 0); (1%nat, add_k mv); lift (place_of 0 0) (new_x mv); lift (place_of 0 0) (new_y mv)]) in F.
  destruct (Map.find (to mv) m) as [cl |] eqn:Fm; [| discriminate].
  apply existsb_exists in F as (d & I & F). apply andb_true_iff in F as [O F]. apply Pos.eqb_eq in O.
  apply existsb_exists in F as (s & J & F).
  exists d. split; [now exists (to mv), cl |]. exists (result (base ++ s) v).
  pose proof (P 0%nat) as P0. pose proof (P 1%nat) as P1. unfold value in P0, P1. simpl in P0, P1.
  rewrite (run_moved h a mv M). split; [apply within_sound with (image (base ++ s) z);
    [assumption | now apply image_sound] |].
  split; [now rewrite O |]. split.
  - pose proof (value_lift v _ (new_x mv) _ P) as X. pose proof (value_lift v _ (new_y mv) _ P) as Y.
    intros j. destruct j as [| [| [| j]]]; unfold value at 1, result;
      cbn [place_of fst snd Nat.mul Nat.add base app nth local moved count_k count_x count_y].
    + unfold value. simpl. lia.
    + unfold value. simpl. lia.
    + rewrite X. lia.
    + rewrite Y. lia.
  - apply (selected v (h ++ [a]) (l ++ l') (results d) (add_k mv)); try assumption; try reflexivity; [lia |].
    intros c Ic. apply in_app_or in Ic as [Ic | Ic];
      [now apply (moved_results_sound v 1 h a cs (add_k mv) l) | now apply (new_result_sound v h a (add_k mv) l')].
Qed.

Lemma claim_parts c h : in_map c -> true_of c h -> exists v cs z, sat z v /\ at_place v (place_of 0 0) (run h)
  /\ have_cells v 1 h cs
  /\ stone_fine (cell_of (run h)) cs z = true /\ forall a, follows m (cell_of (run h)) cs z a = true.
Proof.
  intros I (v & S & F & P & H). pose proof (in_map_good c I) as G. unfold claim_good in G. rewrite forallb_forall in G.
  destruct (pieces_cell v _ _ _ S P) as (z & J & S'). rewrite F in J. specialize (G _ J). cbv beta iota in G.
  rewrite forallb_forall in G.
  destruct (split_sound v 1 h (results c) z S' H) as (cs & z' & J' & S'' & H'). specialize (G _ J'). cbv beta iota in G.
  rewrite !andb_true_iff in G. destruct G as [[G1 G2] G3]. exists v, cs, z'. repeat (split; [assumption |]).
  intros [|]; assumption.
Qed.

Lemma some_claim h : exists c, in_map c /\ true_of c h.
Proof.
  induction h as [| a h (c & I & T)] using rev_ind.
  - pose proof m_first as H. unfold claims_first in H.
    destruct (Map.find (family start) m) as [l |] eqn:F; [| discriminate].
    apply existsb_exists in H as (c & I & H). rewrite !andb_true_iff in H. destruct H as [[O R] W].
    apply Pos.eqb_eq in O.
    exists c. split; [now exists (family start), l |]. exists (fun _ => 0). split.
    + apply within_sound with first_zone; [assumption |]. repeat split; intros _; reflexivity.
    + split; [now rewrite O |]. split; [now intros [| [| [| j]]] |]. now destruct (results c).
  - destruct (claim_parts c h I T) as (v & cs & z & S & P & H & _ & N). now apply (follows_sound v h cs z a S P H).
Qed.

End Sound.

(** Some result is one of a list of cells. *)
Lemma have_cells_in v i h cs c d : have_cells v i h cs -> In (c, d) cs -> exists h' j, with_stone h h'
  /\ cell_of (run h') = c /\ at_place v (place_of j d) (run h').
Proof.
  revert i. induction cs as [| [c' d'] cs IH]; intros i H I; [contradiction |]. destruct H as [(h' & H) H'].
  destruct I as [[= <- <-] | I]; [exists h', i; exact H | eauto].
Qed.

Theorem stone_or_hot g h : cell_of (run h) <> cell_of start -> wins_board g h = true ->
  (exists l r, h = l ++ empty :: r /\ wins_board (l ++ stone :: r) g = false)
  \/ hot (potential (run g) - potential (run h)) (type (run g)) (type (run h)) = true.
Proof.
  intros C W. pose proof stone_checked as X. revert X. unfold stone_check. generalize (grouped claims). cbv zeta.
  intros m X. apply andb_true_iff in X as [A B].
  destruct (some_claim m A B h) as (c & I & T).
  destruct (claim_parts m A c h I T) as (v & cs & z & S & P & H & F & _). clear c I T.
  unfold stone_fine in F. destruct (Pos.eqb_spec (cell_of (run h)) (cell_of start)); [contradiction |].
  set (k := cell_at (cell_of (run h))) in *.
  apply andb_true_iff in F as [F1 F2].
  assert (R : forall d t, In (d, t) (map (fun '(c, d) => (d + constant (cell_at c) - constant k,
    kind (cell_at c))) cs) ->
    exists l r, h = l ++ empty :: r /\ potential (run (l ++ stone :: r)) = potential (run h) + d
      /\ type (run (l ++ stone :: r)) = t).
  { intros d t J. apply in_map_iff in J as ([c d'] & [= <- <-] & J). destruct (have_cells_in v 1 h cs c d' H J) as
      (h' & j & (l & r & E & E') & Cc & P').
    exists l, r. split; [assumption |]. rewrite <- E'. unfold potential, type. rewrite Cc. fold k.
    pose proof (P 1%nat) as P1. pose proof (P' 1%nat) as P1'. unfold value in P1, P1'. simpl in P1, P1'.
    split; [lia | reflexivity]. }
  unfold wins_board, beats in W. set (l := potential (run g) - potential (run h)) in *.
  destruct (Z_le_gt_dec l (-2)) as [L | L]; [rewrite wins_by_negative in W by lia; discriminate |].
  destruct (Z_le_gt_dec 4 l) as [L' | L'].
  - left. apply existsb_exists in F1 as ([d t] & J & D). apply Z.leb_le in D.
    destruct (R d t J) as (l' & r & E & E1 & E2).
    exists l', r. split; [assumption |]. unfold wins_board, beats. rewrite E1. apply wins_by_negative. lia.
  - rewrite forallb_forall in F2. specialize (F2 _ (type_small (run g))). rewrite forallb_forall in F2.
    specialize (F2 l ltac:(simpl; lia)).
    change (kind k) with (type (run h)) in F2. rewrite W in F2. cbn [negb orb] in F2. rewrite !orb_true_iff in F2.
    destruct F2 as [[F2 | F2] | F2].
    + left. apply existsb_exists in F2 as ([d t] & J & D). destruct (R d t J) as (l' & r & E & E1 & E2).
      apply negb_true_iff in D.
      exists l', r. split; [assumption |]. unfold wins_board, beats. rewrite E1, E2.
      replace (potential (run h) + d - potential (run g)) with (d - l) by lia. assumption.
    + now right.
    + exfalso. apply andb_true_iff in F2 as [F2 F3]. apply Z.ltb_lt in F2, F3.
      pose proof (diff_sound z v _ _ S F2) as D.
      pose proof (P 0%nat) as P0. pose proof (P 1%nat) as P1. unfold value in D, P0, P1. simpl in D, P0, P1.
      pose proof (least_potential_right g) as Lg. unfold l, potential at 2 in F3. unfold potential in Lg at 1.
      unfold l, potential in *. fold k in F3. lia.
Qed.
