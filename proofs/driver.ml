(* Feeds a file to the extracted checker, character by character, and prints its answer. *)

open Checker

let usage () =
  prerr_endline "usage: checker N FILE [NODES RESULTS]";
  prerr_endline "       NODES, a power of two, and RESULTS bound the memory: 40 and 16 bytes for each";
  exit 2

let words = function
  | UnexpectedCharacter -> "unexpected character"
  | NumberTooLarge -> "number too large"
  | WrongNumberOfNumbers -> "more or fewer numbers than this line has"
  | OtherLength -> "this is a proof for another number of squares"
  | ChildNotSmaller -> "a child does not come before its node"
  | RepeatedNode -> "this node repeats another"
  | RootTooLarge -> "this node does not exist"
  | TextBehindTheEnd -> "text behind the end"
  | TextTooShort -> "the text is truncated"
  | StoreFull -> "too many nodes; allow more"
  | OldText -> "a text with levels, from before version 0.4: export the proof again"
  | NotDecided -> "the sets break an equation, or they leave boards undecided"

(* Room for the nodes and results of a length. *)
let default_room n =
  if n <= 64 then (1 lsl 18, 1 lsl 22)
  else if n <= 80 then (1 lsl 20, 1 lsl 24)
  else if n <= 96 then (1 lsl 21, 1 lsl 25)
  else (1 lsl 24, 1 lsl 26)

(* The keys of results have 8 bits for the number of cells behind the first and 25 for a node. *)
let most_squares = 256
let most_nodes = 1 lsl 25

let check n path (nodes, results) =
  if n > most_squares then raise (Sys_error (Printf.sprintf "%d squares are too many: at most %d" n most_squares));
  if nodes > most_nodes then raise (Sys_error (Printf.sprintf "%d nodes are too many: at most %d" nodes most_nodes));
  let file = open_in_bin path in
  let rec read reader =
    match input_char file with
    | c -> read (WithArrays.feed n reader c)
    | exception End_of_file -> reader
  in
  let reader = read (WithArrays.start { ArrayStore.for_nodes = nodes; for_results = results }) in
  match WithArrays.finish n reader with
  | None -> Printf.printf "%s: good: no draw on %d squares\n" path n
  | Some (line, why) ->
      Printf.printf "%s: WRONG: line %d: %s; this proves nothing of %d squares\n" path line (words why) n;
      exit 1

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 18; space_overhead = 200 };
  let number text = match int_of_string_opt text with Some n when n >= 0 -> n | _ -> usage () in
  try
    match Sys.argv with
    | [| _; n; path |] -> check (number n) path (default_room (number n))
    | [| _; n; path; nodes; results |] -> check (number n) path (number nodes, number results)
    | _ -> usage ()
  with
  | Sys_error why -> prerr_endline why; exit 2
  | Out_of_memory -> prerr_endline "out of memory; allow fewer nodes or results"; exit 2
