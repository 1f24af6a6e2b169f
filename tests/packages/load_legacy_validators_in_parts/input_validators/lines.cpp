#include "reading.h"

int main() { return read_line() ? 42 : 43; }
