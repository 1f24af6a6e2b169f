#include <string.h>
#include <unistd.h>
int main(void) {
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  for (int i = 0; i < 10240; i++) if (write(1, block, sizeof block) < 0) return 0;
  return 0;
}
