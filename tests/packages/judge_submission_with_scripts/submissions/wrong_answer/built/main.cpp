#include <cstdio>
#include <word.hpp>
int main() { std::puts(WORD); }
