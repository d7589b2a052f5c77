(** * Tables with keys of three numbers *)

From Coq Require Import PArith FMapPositive.
Module Map := PositiveMap.

Definition table (A : Type) := Map.t (Map.t (Map.t A)).

Definition or_new {A} (o : option (Map.t A)) : Map.t A := match o with Some t => t | None => Map.empty A end.

Definition table_get {A} (t : table A) (i j k : positive) : option A :=
  match Map.find i t with
  | Some t => match Map.find j t with Some t => Map.find k t | None => None end
  | None => None
  end.

Definition table_put {A} (t : table A) (i j k : positive) (x : A) : table A :=
  let t1 := or_new (Map.find i t) in
  let t2 := or_new (Map.find j t1) in
  Map.add i (Map.add j (Map.add k x t2) t1) t.

Lemma table_get_put {A} (t : table A) i j k x i' j' k' y : table_get (table_put t i j k x) i' j' k' = Some y ->
  (i' = i /\ j' = j /\ k' = k /\ y = x) \/ table_get t i' j' k' = Some y.
Proof.
  unfold table_get, table_put. destruct (Pos.eq_dec i' i) as [-> | N]; [| rewrite Map.gso by assumption; auto].
  rewrite Map.gss. destruct (Pos.eq_dec j' j) as [-> | N].
  - rewrite Map.gss. destruct (Pos.eq_dec k' k) as [-> | N].
    + rewrite Map.gss. intros [= ->]. auto.
    + rewrite Map.gso by assumption. unfold or_new. destruct (Map.find i t) as [t1 |].
      * destruct (Map.find j t1); [auto | rewrite Map.gempty; discriminate].
      * rewrite !Map.gempty. discriminate.
  - rewrite Map.gso by assumption. unfold or_new. destruct (Map.find i t) as [t1 |]; [auto | rewrite Map.gempty; discriminate].
Qed.

Definition empty_table {A} : table A := Map.empty _.

Lemma table_get_empty {A} i j k : table_get (@empty_table A) i j k = None.
Proof. unfold table_get, empty_table. now rewrite Map.gempty. Qed.
