let () = Scanf.scanf " %d" (fun n -> Printf.printf "%d\n" (2*n))
