#include <fstream>
#include <iostream>

bool near(double one, double other);

int main(int, char** argv) {
    std::ifstream answer(argv[2]);
    double wanted, given;
    return answer >> wanted && std::cin >> given && near(wanted, given) ? 42 : 43;
}
