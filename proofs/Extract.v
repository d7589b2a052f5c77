(** * The checker as a program

    [nat] and primitive integers are both OCaml's [int]: the checker counts cells and lines with
    [nat], never beyond 63 bits. arrays.ml has the arrays. *)

From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlString Uint63.
From Phutball Require Import Ints ArrayStore ArrayChecker.

Extraction Language OCaml.

Extract Inlined Constant PrimInt63.int => "int".
Extract Inlined Constant PrimInt63.add => "(+)".
Extract Inlined Constant PrimInt63.sub => "(-)".
Extract Inlined Constant PrimInt63.mul => "( * )".
Extract Inlined Constant PrimInt63.land => "(land)".
Extract Inlined Constant PrimInt63.lxor => "(lxor)".
Extract Inlined Constant PrimInt63.lor => "(lor)".
Extract Inlined Constant PrimInt63.lsl => "(lsl)".
Extract Inlined Constant PrimInt63.lsr => "(lsr)".
Extract Inlined Constant PrimInt63.eqb => "Int.equal".
Extract Inlined Constant PrimInt63.ltb => "Arrays.less".

Extract Inlined Constant Ints.ints => "Arrays.ints".
Extract Inlined Constant Ints.make_ints => "Arrays.make".
Extract Inlined Constant Ints.read => "Arrays.read".
Extract Inlined Constant Ints.write => "Arrays.write".
Extract Inlined Constant Ints.size => "Arrays.size".

Extract Inlined Constant Nat.leb => "(<=)".
Extract Inlined Constant negb => "not".
Extract Inlined Constant ArrayStore.of_nat => "(fun m -> m)".
Extract Inlined Constant ArrayStore.to_nat => "(fun m -> m)".

Extraction "checker.ml" WithArrays.start WithArrays.feed WithArrays.finish.
