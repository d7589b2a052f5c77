(** * The checker, evaluated by Coq's kernel *)

From Coq Require Import String.
From Phutball Require Import Rules Text TrieStore LawN.

Module InKernel.
Include Text TrieStore.
End InKernel.

Definition check : nat -> string -> bool := InKernel.check tt.

Theorem check_sound n text : check n text = true -> decided n.
Proof. apply InKernel.check_sound. Qed.

Corollary check_no_draw n text : check n text = true -> forall b q, playing b -> size b = n -> ~ draw q b.
Proof. apply InKernel.check_no_draw. Qed.

Theorem check_law_N n text : check n text = true -> law_N n.
Proof. apply InKernel.check_law_N. Qed.

Print Assumptions check_sound.
Print Assumptions check_law_N.
Print Assumptions check_no_draw.
