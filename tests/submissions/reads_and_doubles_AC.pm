my $n=<STDIN>; print 2*$n, "\n";
