#include <cmath>

bool near(double one, double other) { return std::abs(one - other) < 1e-3; }
