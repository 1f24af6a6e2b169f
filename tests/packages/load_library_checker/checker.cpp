#include <cstdio>
int main(int, char* argv[]) {
    long long answer, output;
    std::FILE* file = std::fopen(argv[2], "r");
    if (!file || std::fscanf(file, "%lld", &answer) != 1) return 1;
    return std::scanf("%lld", &output) == 1 && output == answer ? 42 : 43;
}
