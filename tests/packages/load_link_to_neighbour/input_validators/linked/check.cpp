#include "validate.h"
int main() { return accept(); }
