long long solve(long long n);
