#include <cstdio>
int main() {
    int n; float sum = 0; scanf("%d", &n);
    for (int i = 0; i < n; i++) { float x; scanf("%f", &x); sum += x; }
    printf("%.9f\n", sum / n);
}
