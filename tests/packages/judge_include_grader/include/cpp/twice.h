long long twice(long long number);
