(** * The checker with arrays, for long strips *)

From Coq Require Import String.
From Phutball Require Import Rules Text LawN ArrayStore.

Module WithArrays.
Include Text ArrayStore.
End WithArrays.

(** The axioms are those of Coq's library about primitive integers and arrays. *)
Theorem arrays_sound sizes n text : WithArrays.check sizes n text = true -> decided n.
Proof. apply WithArrays.check_sound. Qed.

Theorem arrays_law_N sizes n text : WithArrays.check sizes n text = true -> law_N n.
Proof. apply WithArrays.check_law_N. Qed.

Print Assumptions arrays_sound.
