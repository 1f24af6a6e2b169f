bool equal(const char *answer);
