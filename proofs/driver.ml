(* Passes a file to the extracted checker and prints its answer. This is the only part that is not
   proved. *)

let rec nat = function 0 -> Checker.O | n -> Checker.S (nat (n - 1))

let contents file =
  let channel = open_in_bin file in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let rec chars text at rest = if at = 0 then rest else chars text (at - 1) (text.[at - 1] :: rest)

let () =
  (* A large minor heap for short-lived values: four times as fast. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 8_000_000; space_overhead = 200 };
  match Sys.argv with
  | [| _; length; file |] when int_of_string_opt length <> None ->
      let text = contents file in
      if Checker.check (nat (int_of_string length)) (chars text (String.length text) []) then
        Printf.printf "%s: good: no draw on %s squares\n" file length
      else begin
        Printf.printf "%s: WRONG: this proves nothing of %s squares\n" file length;
        exit 1
      end
  | _ ->
      prerr_endline "usage: checker N FILE";
      exit 2
