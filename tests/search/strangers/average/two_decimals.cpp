#include <cstdio>
int main() {
    int n; double sum = 0; scanf("%d", &n);
    for (int i = 0; i < n; i++) { double x; scanf("%lf", &x); sum += x; }
    printf("%.4f\n", sum / n);
}
