(** * Facts about the potential, for all words

    Each fact is a property that evaluation checks for a closed list of configurations
    (Families.v). *)

From Coq Require Import ZArith List Bool Lia FMapPositive.
From Phutball Require Import Rules Potential Families.
Open Scope Z_scope.

(** A note is a list of numbers. *)
Fixpoint same_note (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | m :: a, n :: b => (m =? n) && same_note a b
  | _, _ => false
  end.

Lemma same_note_equal a b : same_note a b = true -> a = b.
Proof.
  revert b. induction a as [| m a IH]; intros [| n b] H; simpl in H; try discriminate; [reflexivity |].
  apply andb_true_iff in H as [M H]. apply Z.eqb_eq in M as ->. now rewrite (IH b).
Qed.

Definition note_key (a : list Z) : Z := fold_left hash a 0.

Notation configuration := (configuration (list Z)).
Notation Configuration := (Configuration (list Z)).
Notation list_of_all := (Map.t (list configuration)).

(** ** Large counts are equivalent *)

Inductive clipped := Clip (count value : form) | Halve (u : nat).

Definition first_unknown (f : form) : nat := if 0 <? of_x f then 0%nat else if 0 <? of_y f then 1%nat else 2%nat.

Definition clip (bound : Z) (variable f : form) : clipped :=
  if fixed f <? bound then if known f then Clip f (exactly 0) else Halve (first_unknown f)
  else Clip (plus (exactly bound) variable) (minus f (exactly bound)).

Definition zero_form (f : form) : bool := known f && (fixed f =? 0).

(** Counts of fours from [many] on, and repetitions from [few] on, are treated as equal. *)
Definition propose_main (few many : Z) (f : family) (rest : family -> list family) (n : list Z) : proposal (list Z) :=
  if zero_form (of_i f) then
    match clip many var_x (of_k f) with
    | Clip k value =>
        let g := Family (of_control f) k (exactly 0) in
        Instance _ (Configuration n g (rest g)) (Substitution value (exactly 0) (exactly 0))
    | Halve u => Split _ u
    end
  else
    match clip few var_y (of_i f), clip many var_x (minus (of_k f) (of_i f)) with
    | Clip i for_i, Clip j for_j =>
        let g := Family (of_control f) (plus j i) i in
        Instance _ (Configuration n g (rest g)) (Substitution for_j for_i (exactly 0))
    | Halve u, _ => Split _ u
    | _, Halve u => Split _ u
    end.

(** The configuration of the empty word, and all that are reachable from it. *)
Definition first : configuration := Configuration [] (Family E0 (exactly 0) (exactly 0)) [].

Definition search propose next : list_of_all :=
  explore _ same_note note_key propose next (Z.to_nat 200000) [first] (Map.empty _).

(** ** One state at a time *)

Section Single.

(** The notes after one more cell, from the potentials before and after it (4 stands for 4 or more)
    and their difference; and the property. *)
Variable moves : list Z -> square -> Z -> Z -> Z -> list (list Z).
Variable fine : list Z -> Z -> bool.

Definition low (h : Z) : Z := Z.min h 4.

Definition low_all (h : form) : option Z :=
  if known h then Some (low (fixed h)) else if rising h && (4 <=? fixed h) then Some 4 else None.

Lemma low_all_sound h p v : low_all h = Some p -> natural v -> low (value_of h v) = p.
Proof.
  unfold low_all. destruct (known h) eqn:K; [intros [= <-] _; now rewrite value_known |].
  destruct (rising h) eqn:R; [| discriminate]. simpl. destruct (4 <=? fixed h) eqn:F; [| discriminate].
  intros [= <-] V. apply Z.leb_le in F. pose proof (value_rising h v R V). unfold low. lia.
Qed.

Definition single_step (c : configuration) (a : square) : option (list configuration) :=
  match step_all (main _ c) a with
  | None => None
  | Some g =>
      match height_all (main _ c), height_all g with
      | Some h, Some h' =>
          match low_all h, low_all h' with
          | Some p, Some p' =>
              if known (minus h h') then Some (map (fun n => Configuration n g []) (moves (note _ c) a p p' (fixed (minus h h'))))
              else None
          | _, _ => None
          end
      | _, _ => None
      end
  end.

Definition single_next (c : configuration) : option (list configuration) :=
  match single_step c empty, single_step c stone with Some l, Some m => Some (l ++ m) | _, _ => None end.

Definition single_good (c : configuration) : bool :=
  match height_all (main _ c) with
  | Some h => match low_all h with Some p => fine (note _ c) p | None => false end
  | None => false
  end.

Definition single_propose (c : configuration) : proposal (list Z) := propose_main 4 8 (main _ c) (fun _ => []) (note _ c).

Definition single_list : list_of_all := search single_propose single_next.

Variable seen : list_of_all.
Hypothesis seen_closed : closed _ same_note note_key single_propose single_next single_good seen = true.
Hypothesis seen_start : listed _ same_note note_key seen first = true.

(** A note that a word can have. *)
Inductive remembers : list square -> list Z -> Prop :=
| remembers_start : remembers [] []
| remembers_more w n a n' : remembers w n ->
    In n' (moves n a (low (potential w)) (low (potential (w ++ [a]))) (potential w - potential (w ++ [a]))) ->
    remembers (w ++ [a]) n'.

Lemma single_step_sound c a l v n s : single_step c a = Some l -> natural v -> s = member (main _ c) v ->
  In n (moves (note _ c) a (low (height s)) (low (height (step s a))) (height s - height (step s a))) ->
  exists d, In d l /\ note _ d = n /\ member (main _ d) v = step s a.
Proof.
  unfold single_step. intros H V S I.
  destruct (step_all (main _ c) a) as [g |] eqn:G; [| discriminate].
  destruct (height_all (main _ c)) as [h |] eqn:Eh; [| discriminate].
  destruct (height_all g) as [h' |] eqn:Eh'; [| discriminate].
  destruct (low_all h) as [p |] eqn:P; [| discriminate]. destruct (low_all h') as [p' |] eqn:P'; [| discriminate].
  destruct (known (minus h h')) eqn:K; [| discriminate]. injection H as <-.
  pose proof (step_all_sound _ _ _ v G V) as T. rewrite <- S in T.
  rewrite T in I |- *. rewrite (height_all_sound g h' v Eh' V) in I. rewrite S in I. rewrite (height_all_sound _ h v Eh V) in I.
  rewrite (low_all_sound h p v P V), (low_all_sound h' p' v P' V), <- value_minus, (value_known _ v K) in I.
  eexists. split; [apply in_map; eassumption |]. split; reflexivity.
Qed.

Lemma single_step_others c a l d : single_step c a = Some l -> In d l -> others _ d = [].
Proof.
  unfold single_step. intros H I.
  destruct (step_all _ _); [| discriminate]. destruct (height_all (main _ c)); [| discriminate].
  destruct (height_all _); [| discriminate]. destruct (low_all _); [| discriminate].
  destruct (low_all _); [| discriminate]. destruct (known _); [| discriminate]. injection H as <-.
  apply in_map_iff in I as (? & <- & _). reflexivity.
Qed.

Lemma remembered w n : remembers w n -> described _ same_note note_key seen n (run w) [].
Proof.
  induction 1 as [| w n a n' _ IH I].
  - exists first, (Unknowns 0 0 0). split; [assumption |]. split; [unfold natural; simpl; lia |].
    split; [reflexivity |]. split; [reflexivity | intros t []].
  - destruct IH as (c & v & L & V & N & M & O).
    destruct (closed_sound _ _ same_note_equal _ _ _ _ _ _ seen_closed L) as [_ (l & X & D)].
    unfold single_next in X. destruct (single_step c empty) as [le |] eqn:E; [| discriminate].
    destruct (single_step c stone) as [ls |] eqn:F; [| discriminate]. injection X as <-.
    unfold potential in I. rewrite run_snoc, <- M, <- N in I. rewrite run_snoc, <- M.
    assert (Q : exists d, In d (le ++ ls) /\ note _ d = n' /\ member (main _ d) v = step (member (main _ c) v) a).
    { destruct a; [destruct (single_step_sound c empty le v n' _ E V eq_refl I) as (d & J & Q)
                  | destruct (single_step_sound c stone ls v n' _ F V eq_refl I) as (d & J & Q)];
        exists d; (split; [apply in_or_app; auto | assumption]). }
    destruct Q as (d & J & Nd & Md). destruct (D d J v V) as (c' & v' & L' & V' & N' & M' & O').
    exists c', v'. repeat split; try assumption; try apply V'; [congruence | congruence |].
    intros t T. apply O' in T.
    assert (Z : others _ d = []).
    { apply in_app_or in J as [J | J]; [now apply (single_step_others _ _ _ _ E) | now apply (single_step_others _ _ _ _ F)]. }
    rewrite Z in T. contradiction.
Qed.

Theorem single_sound w n : remembers w n -> fine n (low (potential w)) = true.
Proof.
  intros H. destruct (remembered w n H) as (c & v & L & V & N & M & _).
  destruct (closed_sound _ _ same_note_equal _ _ _ _ _ _ seen_closed L) as [G _]. unfold single_good in G.
  destruct (height_all (main _ c)) as [h |] eqn:Eh; [| discriminate]. destruct (low_all h) as [p |] eqn:P; [| discriminate].
  unfold potential. rewrite <- M, (height_all_sound _ h v Eh V), (low_all_sound h p v P V), <- N. exact G.
Qed.

End Single.

(** ** Checks *)

Definition single_check moves fine : bool :=
  let seen := single_list moves in
  closed _ same_note note_key single_propose (single_next moves) (single_good fine) seen && listed _ same_note note_key seen first.

Theorem single_checked moves fine : single_check moves fine = true ->
  forall w n, remembers moves w n -> fine n (low (potential w)) = true.
Proof.
  unfold single_check. generalize (single_list moves) as seen. cbv zeta. intros seen H.
  apply andb_true_iff in H as [H S]. now apply single_sound with seen.
Qed.

(** ** Empty squares next to the ball *)

Definition mod_3 (r : Z) : Z := if r =? 3 then 1 else 0.

(** Notes: 1 if the potential was 0 before the empty squares, otherwise 0; their number, modulo 4
    from 8 on; an upper bound of the gain in potential and a lower bound of the potential, both less
    one for every four empty squares. *)
Definition dots (n : list Z) (a : square) (p p' fall : Z) : list (list Z) :=
  match a, n with
  | _, [] => [] :: match a with empty => [[if p =? 0 then 1 else 0; 1; Z.max (- fall) (-3); p']] | stone => [] end
  | empty, [z; m; gain; least] =>
      let four := if Z.modulo (m + 1) 4 =? 0 then 1 else 0 in
      let least := least - fall - four in
      let least := if m <=? 7 then Z.max least (p' - Z.div (m + 1) 4) else least in
      [[z; if m =? 11 then 8 else m + 1; Z.max (gain - fall - four) (-3); Z.min least 3]]
  | _, _ => []
  end.

Definition dots_fine (n : list Z) (p : Z) : bool :=
  match n with
  | [z; m; gain; least] =>
      let r := Z.modulo m 4 in
      (1 + mod_3 r <=? least) && (gain <=? if z =? 1 then 1 + mod_3 r else if r =? 0 then 0 else 1)
  | _ => true
  end.

Lemma dots_checked : single_check dots dots_fine = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** ** Squares that a jump clears *)

(** Notes: a lower bound of the fall in potential since the landing, less one for every four cells;
    their number modulo 4; 1 if the last cell has a stone. After the potential was 0, only the last.
    *)
Definition chain (n : list Z) (a : square) (p p' fall : Z) : list (list Z) :=
  match n, a with
  | [], stone => [[]]
  | [], empty => [[]; [fall; 1; 0]]
  | [last], _ =>
      match last, a with 0, empty => [] | _, empty => [[0]] | _, stone => [[1]] end
  | [gain; r; last], _ =>
      match last, a with
      | 0, empty => []
      | _, _ =>
          let next := match a with stone => 1 | empty => 0 end in
          if p =? 0 then [[next]] else [[Z.min (gain + fall - mod_3 r) 6; Z.modulo (r + 1) 4; next]]
      end
  | _, _ => []
  end.

Definition chain_fine (n : list Z) (p : Z) : bool :=
  match n with
  | [last] => if last =? 1 then p =? 0 else true
  | [gain; r; last] =>
      if last =? 1 then (p =? 0) || (if p =? 1 then mod_3 r <=? gain else (if r =? 0 then -1 else 0) <=? gain) else true
  | _ => true
  end.

Lemma chain_checked : single_check chain chain_fine = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** ** A landing for a jump when the potential is 0 *)

(** Notes: for each remainder modulo 4 of the number of cells since a possible landing, an upper
    bound of the fall in potential since then, less one for every four cells, or 99 without such a
    landing; 1 if the last cell has a stone; 1 if no two adjacent cells are empty. *)
Definition shift (v r fall : Z) : Z :=
  if v =? 99 then 99 else let v := v + fall - mod_3 r in if 5 <? v then 99 else Z.max v (-3).

Definition landings (n : list Z) (a : square) (p p' fall : Z) : list (list Z) :=
  match n, a with
  | [], stone => [[99; 99; 99; 99; 1; 1]]
  | [], empty => [[99; 99; 99; 99; 0; 1]]
  | [a0; a1; a2; a3; _; home], stone => [[shift a3 3 fall; shift a0 0 fall; shift a1 1 fall; shift a2 2 fall; 1; home]]
  | [a0; a1; a2; a3; 1; home], empty =>
      [[shift a3 3 fall; Z.min (shift a0 0 fall) (if 5 <? fall then 99 else Z.max fall (-3)); shift a1 1 fall; shift a2 2 fall; 0; home]]
  | [a0; a1; a2; a3; 0; home], empty => [[99; if 5 <? fall then 99 else Z.max fall (-3); 99; 99; 0; 0]]
  | _, _ => []
  end.

Definition landings_fine (n : list Z) (p : Z) : bool :=
  match n with
  | [a0; a1; a2; a3; last; home] =>
      (1 <=? p) || (p =? 0) && (last =? 1) && ((home =? 1) || (a0 <=? 0) || (a1 <=? 0) || (a2 <=? 0) || (a3 <=? 1))
  | _ => p =? 0
  end.

Lemma landings_checked : single_check landings landings_fine = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** ** One stone more

    A configuration has the state of a word with an empty square and the state of the same word with
    a stone on it. *)

Definition bounds (f : form) : bool := rising f && (0 <=? fixed f).

(** Two states; the count [i] of the second is larger by the form [d]. *)
Definition propose_uneven (small large : family) (d : form) 
    (finish : family -> family -> substitution -> proposal (list Z)) : proposal (list Z) :=
  let dk := minus (of_k large) (of_k small) in
  let j := minus (of_k large) (of_i large) in
  if negb (known dk) then Unable _
  else
    match clip 4 var_y (of_i small), clip 8 var_x j with
    | Halve u, _ => Split _ u
    | _, Halve u => Split _ u
    | Clip i for_i, Clip j8 for_j8 =>
        let far := Z.max 5 (8 + fixed dk - fixed j8) in
        let build j d for_j for_d :=
          let k := plus j (plus i d) in
          finish (Family (of_control small) (minus k dk) i) (Family (of_control large) k (plus i d)) (Substitution for_j for_i for_d) in
        if known d && (fixed d <? far) then
          match clip (8 + Z.max 0 (fixed dk - fixed d)) var_x j with
          | Clip j for_j => build j d for_j (exactly 0)
          | Halve u => Split _ u
          end
        else if fixed d <? far then Split _ (first_unknown d)
        else build j8 (plus (exactly far) var_z) for_j8 (minus d (exactly far))
    end.

Definition propose_pair (c : configuration) : proposal (list Z) :=
  let f := main _ c in
  match others _ c with
  | [g] =>
      let finish f g s := Instance _ (Configuration (note _ c) f [g]) s in
      let dk := minus (of_k g) (of_k f) in
      if negb (known dk) then Unable _
      else if zero_form (of_i f) then
        if zero_form (of_i g) then
          match clip (8 + Z.max 0 (- fixed dk)) var_x (of_k f) with
          | Clip k for_k =>
              finish (Family (of_control f) k (exactly 0)) (Family (of_control g) (plus k dk) (exactly 0))
                (Substitution for_k (exactly 0) (exactly 0))
          | Halve u => Split _ u
          end
        else
          match clip 4 var_y (of_i g), clip (8 + Z.max 0 (fixed dk)) var_x (minus (of_k g) (of_i g)) with
          | Halve u, _ => Split _ u
          | _, Halve u => Split _ u
          | Clip i for_i, Clip j for_j =>
              finish (Family (of_control f) (minus (plus i j) dk) (exactly 0)) (Family (of_control g) (plus i j) i)
                (Substitution for_j for_i (exactly 0))
          end
      else if zero_form (of_i g) then
          match clip 4 var_y (of_i f), clip (8 + Z.max 0 (- fixed dk)) var_x (minus (of_k f) (of_i f)) with
          | Halve u, _ => Split _ u
          | _, Halve u => Split _ u
          | Clip i for_i, Clip j for_j =>
              finish (Family (of_control f) (plus i j) i) (Family (of_control g) (plus (plus i j) dk) (exactly 0))
                (Substitution for_j for_i (exactly 0))
          end
      else
        let d := minus (of_i f) (of_i g) in
        if bounds d then propose_uneven g f d (fun g f => finish f g)
        else if bounds (times (-1) d) then propose_uneven f g (times (-1) d) finish
        else if known d then Unable _ else Split _ (first_unknown (if rising d then d else times (-1) d))
  | _ => propose_main 4 8 f (fun _ => []) (note _ c)
  end.

Definition pair_step (c : configuration) (a : square) : option (list configuration) :=
  match step_all (main _ c) a, others _ c with
  | Some f, [] => Some [Configuration (note _ c) f []]
  | Some f, [g] => match step_all g a with Some g => Some [Configuration (note _ c) f [g]] | None => None end
  | _, _ => None
  end.

Definition pair_next (c : configuration) : option (list configuration) :=
  match pair_step c empty, pair_step c stone with
  | Some l, Some m =>
      match note _ c, step_all (main _ c) empty, step_all (main _ c) stone with
      | [], Some f, Some g => Some (Configuration [1] f [g] :: l ++ m)
      | [], _, _ => None
      | _, _, _ => Some (l ++ m)
      end
  | _, _ => None
  end.

Definition pair_good (c : configuration) : bool :=
  match note _ c, others _ c with
  | [], [] => true
  | [_], [g] =>
      match height_all (main _ c), height_all g with
      | Some h, Some h' => known (minus h h') && (Z.abs (fixed (minus h h')) <=? 1)
      | _, _ => false
      end
  | _, _ => false
  end.

Section Pair.

Variable seen : list_of_all.
Hypothesis seen_closed : closed _ same_note note_key propose_pair pair_next pair_good seen = true.
Hypothesis seen_start : listed _ same_note note_key seen first = true.

Lemma pair_step_sound c a l v : pair_step c a = Some l -> natural v ->
  exists d, In d l /\ note _ d = note _ c /\ member (main _ d) v = step (member (main _ c) v) a
  /\ forall t, In t (others _ d) -> exists g, In g (others _ c) /\ member t v = step (member g v) a.
Proof.
  unfold pair_step. intros H V. destruct (step_all (main _ c) a) as [f |] eqn:F; [| discriminate].
  destruct (others _ c) as [| g [|]]; [| | discriminate].
  - injection H as <-. eexists. split; [now left |]. split; [reflexivity |].
    split; [symmetry; now apply step_all_sound | intros t []].
  - destruct (step_all g a) as [g' |] eqn:G; [| discriminate]. injection H as <-.
    eexists. split; [now left |]. split; [reflexivity |]. split; [symmetry; now apply step_all_sound |].
    intros t [<- | []]. exists g. split; [now left | symmetry; now apply step_all_sound].
Qed.

Lemma pair_advances n s l a : described _ same_note note_key seen n s l ->
  described _ same_note note_key seen n (step s a) (map (fun t => step t a) l).
Proof.
  intros (c & v & L & V & N & M & O).
  destruct (closed_sound _ _ same_note_equal _ _ _ _ _ _ seen_closed L) as [_ (m & X & D)].
  unfold pair_next in X. destruct (pair_step c empty) as [le |] eqn:E; [| discriminate].
  destruct (pair_step c stone) as [ls |] eqn:F; [| discriminate].
  assert (I : incl (le ++ ls) m).
  { destruct (note _ c); [destruct (step_all _ _); [destruct (step_all _ _); [| discriminate] | discriminate] |];
      injection X as <-; [apply incl_tl |]; apply incl_refl. }
  assert (Q : exists d, In d m /\ note _ d = note _ c /\ member (main _ d) v = step (member (main _ c) v) a
    /\ forall t, In t (others _ d) -> exists g, In g (others _ c) /\ member t v = step (member g v) a).
  { destruct a; [destruct (pair_step_sound c empty le v E V) as (d & J & Q) | destruct (pair_step_sound c stone ls v F V) as (d & J & Q)];
      exists d; (split; [apply I, in_or_app; auto | assumption]). }
  destruct Q as (d & J & Nd & Md & Od). destruct (D d J v V) as (c' & v' & L' & V' & N' & M' & O').
  exists c', v'. split; [assumption |]. split; [assumption |]. split; [congruence |]. split; [congruence |].
  intros t T. apply O', in_map_iff in T as (t' & <- & T). apply Od in T as (g & G & ->).
  apply O in G. now apply (in_map (fun t => step t a)) in G.
Qed.

Lemma pair_word n s l w : described _ same_note note_key seen n s l ->
  described _ same_note note_key seen n (fold_left step w s) (map (fun t => fold_left step w t) l).
Proof.
  revert s l. induction w as [| a w IH]; intros s l H; simpl; [now rewrite map_id |].
  apply (pair_advances n s l a), IH in H. now rewrite map_map in H.
Qed.

Lemma pair_begins s : described _ same_note note_key seen [] s [] ->
  described _ same_note note_key seen [1] (step s empty) [step s stone].
Proof.
  intros (c & v & L & V & N & M & O).
  destruct (closed_sound _ _ same_note_equal _ _ _ _ _ _ seen_closed L) as [_ (m & X & D)].
  unfold pair_next in X. destruct (pair_step c empty); [| discriminate]. destruct (pair_step c stone); [| discriminate].
  rewrite N in X. destruct (step_all (main _ c) empty) as [f |] eqn:F; [| discriminate].
  destruct (step_all (main _ c) stone) as [g |] eqn:G; [| discriminate]. injection X as <-.
  apply (step_all_sound _ _ _ v) in F, G; try assumption. rewrite <- M, F, G. exact (D _ (or_introl eq_refl) v V).
Qed.

Theorem pair_sound w v : Z.abs (potential (w ++ empty :: v) - potential (w ++ stone :: v)) <= 1.
Proof.
  assert (S : described _ same_note note_key seen [] start []).
  { exists first, (Unknowns 0 0 0). split; [assumption |]. split; [unfold natural; simpl; lia |].
    split; [reflexivity |]. split; [reflexivity | intros t []]. }
  apply (pair_word [] start [] w), pair_begins, (pair_word [1] _ _ v) in S. simpl in S. unfold potential. rewrite !run_app. simpl.
  change (fold_left step w start) with (run w) in S. destruct S as (c & u & L & V & N & M & O).
  destruct (closed_sound _ _ same_note_equal _ _ _ _ _ _ seen_closed L) as [G _]. unfold pair_good in G. rewrite N in G.
  destruct (others _ c) as [| g [|]] eqn:Eo; try discriminate.
  destruct (O g (or_introl eq_refl)) as [E | []]. rewrite E, <- M.
  destruct (height_all (main _ c)) as [h |] eqn:Eh; [| discriminate]. destruct (height_all g) as [h' |] eqn:Eh'; [| discriminate].
  apply andb_true_iff in G as [K G]. apply Z.leb_le in G.
  now rewrite (height_all_sound _ h u Eh V), (height_all_sound _ h' u Eh' V), <- value_minus, (value_known _ u K).
Qed.

End Pair.

Definition pair_list : list_of_all := search propose_pair pair_next.

Definition pair_check : bool :=
  let seen := pair_list in
  closed _ same_note note_key propose_pair pair_next pair_good seen && listed _ same_note note_key seen first.

Lemma pair_checked : pair_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** One stone more changes the potential by at most 1. *)
Theorem one_stone w v : Z.abs (potential (w ++ empty :: v) - potential (w ++ stone :: v)) <= 1.
Proof.
  pose proof pair_checked as H. revert H. unfold pair_check. generalize pair_list. cbv zeta. intros seen H.
  apply andb_true_iff in H as [H S]. now apply pair_sound with seen.
Qed.

(** ** Some stone lowers the potential *)

(** Of the states after one more stone, the list keeps those that are near and not higher, sorted
    and without duplicates. *)
Definition near (f g t : family) : list family :=
  let dk := minus (of_k t) (of_k f) in
  let di := minus (of_i t) (of_i f) in
  match height_all f, height_all t with
  | Some h, Some h' =>
      if known dk && (-2 <=? fixed dk) && known (minus h' h) && (fixed (minus h' h) <=? 0) then
        let k := plus (of_k g) dk in
        if zero_form (of_i t) then [Family (of_control t) k (exactly 0)]
        else if known di && negb (zero_form (of_i f)) && (Z.abs (fixed di) <=? 1) then [Family (of_control t) k (plus (of_i g) di)]
        else if known (of_i t) && (fixed (of_i t) =? 1) then [Family (of_control t) k (exactly 1)]
        else []
      else []
  | _, _ => []
  end.

Definition rank (f : family) : Z := (number (of_control f) * 1000 + fixed (of_k f)) * 1000 + fixed (of_i f) * 4 + of_y (of_i f).

Fixpoint insert (f : family) (l : list family) : list family :=
  match l with
  | [] => [f]
  | g :: m => if same_family f g then l else if rank f <? rank g then f :: l else g :: insert f m
  end.

Definition propose_stone (c : configuration) : proposal (list Z) :=
  propose_main 2 5 (main _ c) (fun g => fold_right insert [] (flat_map (near (main _ c) g) (others _ c))) (note _ c).

Definition step_some (a : square) (t : family) : list family := match step_all t a with Some t => [t] | None => [] end.

Definition stone_next (c : configuration) : option (list configuration) :=
  match step_all (main _ c) empty, step_all (main _ c) stone with
  | Some e, Some s =>
      Some [Configuration (note _ c) e (s :: flat_map (step_some empty) (others _ c));
            Configuration (note _ c) s (flat_map (step_some stone) (others _ c))]
  | _, _ => None
  end.

Definition lower (h : form) (t : family) : bool :=
  match height_all t with Some h' => known (minus h' h) && (fixed (minus h' h) <=? -1) | None => false end.

Definition stone_good (c : configuration) : bool :=
  match height_all (main _ c) with Some h => zero_form h || existsb (lower h) (others _ c) | None => false end.

Section Stone.

Variable seen : list_of_all.
Hypothesis seen_closed : closed _ same_note note_key propose_stone stone_next stone_good seen = true.
Hypothesis seen_start : listed _ same_note note_key seen first = true.

(** The state after one stone more. *)
Definition with_stone (w : list square) (t : state) : Prop := exists u v, w = u ++ empty :: v /\ run (u ++ stone :: v) = t.

Lemma with_stone_snoc w t a : with_stone w t -> with_stone (w ++ [a]) (step t a).
Proof.
  intros (u & v & -> & <-). exists u, (v ++ [a]). split; [now rewrite <- app_assoc |].
  now rewrite app_comm_cons, app_assoc, run_snoc.
Qed.

Lemma with_stone_last w : with_stone (w ++ [empty]) (step (run w) stone).
Proof. exists w, []. split; [reflexivity | now rewrite run_snoc]. Qed.

Lemma step_some_sound a t l v : In t (flat_map (step_some a) l) -> natural v -> exists t', In t' l /\ member t v = step (member t' v) a.
Proof.
  intros I V. apply in_flat_map in I as (t' & I & J). exists t'. split; [assumption |].
  unfold step_some in J. destruct (step_all t' a) as [g |] eqn:G; [| contradiction]. destruct J as [<- | []].
  symmetry. now apply step_all_sound.
Qed.

Lemma stone_described w : exists c v, listed _ same_note note_key seen c = true /\ natural v /\ member (main _ c) v = run w
  /\ forall t, In t (others _ c) -> with_stone w (member t v).
Proof.
  induction w as [| a w (c & v & L & V & M & O)] using rev_ind.
  - exists first, (Unknowns 0 0 0). split; [assumption |]. split; [unfold natural; simpl; lia |].
    split; [reflexivity | intros t []].
  - destruct (closed_sound _ _ same_note_equal _ _ _ _ _ _ seen_closed L) as [_ (m & X & D)].
    unfold stone_next in X. destruct (step_all (main _ c) empty) as [e |] eqn:E; [| discriminate].
    destruct (step_all (main _ c) stone) as [s |] eqn:F; [| discriminate].
    pose proof (step_all_sound _ _ _ v E V) as E'. pose proof (step_all_sound _ _ _ v F V) as F'. rewrite M in E', F'.
    assert (Q : exists d, In d m /\ member (main _ d) v = step (run w) a
      /\ forall t, In t (others _ d) -> with_stone (w ++ [a]) (member t v)).
    { injection X as <-. destruct a.
      - eexists. split; [now left |]. split; [now symmetry |]. intros t [<- | T].
        + rewrite <- F'. apply with_stone_last.
        + apply (step_some_sound _ _ _ v) in T as (t' & T & ->); [| assumption]. now apply with_stone_snoc, O.
      - eexists. split; [right; now left |]. split; [now symmetry |]. intros t T.
        apply (step_some_sound _ _ _ v) in T as (t' & T & ->); [| assumption]. now apply with_stone_snoc, O. }
    destruct Q as (d & J & Md & Od). destruct (D d J v V) as (c' & v' & L' & V' & _ & M' & O').
    exists c', v'. split; [assumption |]. split; [assumption |]. split; [rewrite run_snoc; congruence |].
    intros t T. apply O', in_map_iff in T as (t' & <- & T). now apply Od.
Qed.

Theorem stone_sound w : 1 <= potential w -> exists u v, w = u ++ empty :: v /\ potential (u ++ stone :: v) < potential w.
Proof.
  intros H. destruct (stone_described w) as (c & v & L & V & M & O).
  destruct (closed_sound _ _ same_note_equal _ _ _ _ _ _ seen_closed L) as [G _]. unfold stone_good in G.
  destruct (height_all (main _ c)) as [h |] eqn:Eh; [| discriminate].
  pose proof (height_all_sound _ h v Eh V) as P. rewrite M in P. apply orb_true_iff in G as [G | G].
  - apply andb_true_iff in G as [K Z]. apply Z.eqb_eq in Z. rewrite (value_known _ v K) in P. unfold potential in H. lia.
  - apply existsb_exists in G as (t & T & G). unfold lower in G. destruct (height_all t) as [h' |] eqn:Et; [| discriminate].
    apply andb_true_iff in G as [K G]. apply Z.leb_le in G. destruct (O t T) as (u & u' & -> & R). exists u, u'.
    split; [reflexivity |]. unfold potential. rewrite R, P, (height_all_sound _ h' v Et V).
    pose proof (value_known _ v K) as E. rewrite value_minus in E. lia.
Qed.

End Stone.

Definition stone_list : list_of_all := search propose_stone stone_next.

Definition stone_check : bool :=
  let seen := stone_list in
  closed _ same_note note_key propose_stone stone_next stone_good seen && listed _ same_note note_key seen first.

Lemma stone_checked : stone_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** Unless the potential is 0, some stone lowers it. *)
Theorem some_stone w : 1 <= potential w -> exists u v, w = u ++ empty :: v /\ potential (u ++ stone :: v) < potential w.
Proof.
  pose proof stone_checked as H. revert H. unfold stone_check. generalize stone_list. cbv zeta. intros seen H.
  apply andb_true_iff in H as [H S]. now apply stone_sound with seen.
Qed.
