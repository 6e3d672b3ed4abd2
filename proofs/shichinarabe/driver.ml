(* Reads one position per line.
   "LRL,RRL,;L"       suits separated by commas (a suit may be empty), player to move;
                      prints "winner;winning moves" (indices of suits) or "invalid".
                      Three decision functions (records, totals, six cases) are compared.
   "G;0 3;1;2>0 0>1;3:0>1;2;L"
                      graph: vertices of L, of R, arcs u>v, added arcs l:u>v, white
                      vertices, player to move; prints the winner. The game itself and
                      the decision by values are compared.
   Everything except reading and printing is extracted code. *)
open Shichinarabe_decide

exception Bad

let letter = function 'L' -> true | 'R' -> false | _ -> raise Bad
let player s = if String.length s = 1 then letter s.[0] else raise Bad
let name p = if p then "L" else "R"
let suit s = List.init (String.length s) (fun i -> letter s.[i])
let words s = List.filter (fun w -> w <> "") (String.split_on_char ' ' s)

let suits p m =
  let p = List.map suit (String.split_on_char ',' p) and m = player m in
  match answer m p with
  | None -> "invalid"
  | Some (w, moves) ->
    let running = List.exists (List.mem true) p && List.exists (List.mem false) p in
    if decide m p <> w || (running && paper m p <> w) then "disagreement"
    else name w ^ ";" ^ String.concat " " (List.map string_of_int moves)

let graph l r arcs adds whites m =
  let l = List.map int_of_string (words l) and r = List.map int_of_string (words r) in
  let own p = if p then l else r in
  let arc s = Scanf.sscanf s "%d>%d" (fun u v -> (u, v)) in
  let add s = Scanf.sscanf s "%d:%d>%d" (fun x u v -> (x, (u, v))) in
  let arcs = List.map arc (words arcs) and adds = List.map add (words adds) in
  let w = List.fold_left (fun w v -> w lor (1 lsl int_of_string v)) 0 (words whites) in
  let m = player m in
  let a = graph_game own arcs adds m w in
  if graph_decide own arcs adds m w <> a then "disagreement" else name a

let reply line =
  match String.split_on_char ';' line with
  | [p; m] -> suits p m
  | ["G"; l; r; arcs; adds; whites; m] -> graph l r arcs adds whites m
  | _ -> raise Bad

let () =
  try
    while true do
      let line = input_line stdin in
      print_endline (try reply line with Bad -> "invalid")
    done
  with End_of_file -> ()
