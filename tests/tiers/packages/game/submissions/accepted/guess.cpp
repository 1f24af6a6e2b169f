#include <iostream>
int main() {
    int low = 0, high = 1000;
    for (std::string said; said != "=";) {
        int middle = (low + high) / 2;
        std::cout << middle << std::endl;
        if (!(std::cin >> said)) return 1;
        if (said == "<") high = middle - 1;
        if (said == ">") low = middle + 1;
    }
}
