#include "testlib.h"
int main(int argc, char *argv[]) {
    registerInteraction(argc, argv);
    std::cout << inf.readInt() << std::endl;
    tout << ouf.readInt() << std::endl;
    quitf(_ok, "heard");
}
