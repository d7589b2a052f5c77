(** * The checker as a program *)

From Coq Require Import ExtrOcamlBasic ExtrOcamlString.
From Phutball Require Import Checker.

Extraction Language OCaml.
Extraction "checker.ml" check.
