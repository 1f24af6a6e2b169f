#include "reading.h"

#include <iostream>
#include <string>

bool read_line() {
    std::string line;
    return static_cast<bool>(std::getline(std::cin, line));
}
