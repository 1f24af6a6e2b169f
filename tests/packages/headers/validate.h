#pragma once
#include <cstdlib>
inline int accept() { return 42; }
