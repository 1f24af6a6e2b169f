#include "frame.h"

int check() { return 42; }
