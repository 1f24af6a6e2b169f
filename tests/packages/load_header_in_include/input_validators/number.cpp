#include "testhelper.h"
#include <iostream>

int main() { long n; return (std::cin >> n) && n >= 0 ? VALID : 43; }
