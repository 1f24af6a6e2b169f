long long twice(long long number) { return 2 * number; }
