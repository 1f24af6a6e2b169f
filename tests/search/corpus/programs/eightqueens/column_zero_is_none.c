/* Row by row; column 0 means that no queen is given. */
#include <stdio.h>
#include <stdlib.h>
static int col[8], fixed[8];
static int fits(int a) {
    for (int r = 0; r < a; r++) if (col[r] == col[a] || abs(col[r] - col[a]) == a - r) return 0;
    return 1;
}
static int go(int r) {
    if (r == 8) return 1;
    if (fixed[r]) { col[r] = fixed[r]; return fits(r) && go(r + 1); }
    for (int c = 0; c < 8; c++) { col[r] = c; if (fits(r) && go(r + 1)) return 1; }
    return 0;
}
int main(void) {
    int given = 0;
    char row[16];
    for (int r = 0; r < 8; r++) {
        scanf("%s", row);
        for (int c = 0; c < 8; c++) if (row[c] == 'Q') { fixed[r] = c; given++; }
    }
    int two_in_a_row = 0, k = 0;
    for (int r = 0; r < 8; r++) if (fixed[r]) k++;
    if (k < given - 1) two_in_a_row = 1;
    if (two_in_a_row || !go(0)) { printf("No Answer\n"); return 0; }
    for (int r = 0; r < 8; r++) for (int c = 0; c < 9; c++) putchar(c == 8 ? '\n' : c == col[r] ? 'Q' : '.');
    return 0;
}
