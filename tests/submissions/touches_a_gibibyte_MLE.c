// Page by page: no allocation fails, only the limit stops it.
#include <sys/mman.h>
int main(void) {
  unsigned long size = 1ul << 30;
  char *block = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (unsigned round = 0; round < 100; round++)
    for (unsigned long at = 0; at < size; at += 4096) block[at] = (char)round;
  return 0;
}
