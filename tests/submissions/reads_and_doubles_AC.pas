var n: int64; begin readln(n); writeln(2*n); end.
