(* Coq's primitive integers and arrays of integers, as the extracted checker uses them (Extract.v).

   An integer is an OCaml int, which has 63 bits on a machine of 64. An array is changed in place;
   Coq's arrays are values that never change, so each change makes a new version, and the use of an
   older one stops the program. *)

module Uint63 = struct
  external of_int : int -> int = "%identity"
end

(* Unsigned. *)
let less (a : int) (b : int) = a + min_int < b + min_int

open Bigarray

type cells = { words : (int, int_elt, c_layout) Array1.t; rest : int; mutable latest : int }
type ints = { cells : cells; version : int }

let make size rest =
  let words = Array1.create int c_layout size in
  Array1.fill words rest;
  { cells = { words; rest; latest = 0 }; version = 0 }

let cells t = if t.version = t.cells.latest then t.cells else failwith "an old version of an array was used"
let size t = Array1.dim t.cells.words

(* Reading outside of an array returns [rest], writing there changes nothing. *)
let inside words i = i >= 0 && i < Array1.dim words

let read t i =
  let { words; rest; _ } = cells t in
  if inside words i then Array1.unsafe_get words i else rest

let write t i x =
  let cells = cells t in
  if inside cells.words i then begin
    Array1.unsafe_set cells.words i x;
    cells.latest <- cells.latest + 1;
    { cells; version = cells.latest }
  end
  else t
