#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char want[100] = "", got[100] = "";
    FILE *answer = argc > 3 ? fopen(argv[2], "r") : NULL;
    if (answer == NULL || fscanf(answer, "%99s", want) != 1) return 1;
    return scanf("%99s", got) == 1 && strcmp(want, got) == 0 ? 42 : 43;
}
