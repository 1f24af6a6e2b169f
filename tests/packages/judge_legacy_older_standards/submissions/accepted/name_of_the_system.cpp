// On other systems <bits/stdc++.h> brings no function of this name.
#include <unistd.h>
#include <iostream>
int link[3];
int main() {
    std::cin >> link[1];
    std::cout << 2 * link[1] + link[0] << std::endl;
}
