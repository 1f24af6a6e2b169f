// The memory limit is passed when a little more than the time limit has been used: too slow, whichever stops it.
#include <string.h>
#include <sys/mman.h>
#include <time.h>
int main(void) {
  unsigned long most = 1ul << 30, first = 200ul << 20;
  char *block = mmap(0, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) {
    most = 300ul << 20;
    block = mmap(0, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  memset(block, 1, first);
  while (clock() < 103 * (CLOCKS_PER_SEC / 100)) {}
  memset(block + first, 1, most - first);
  for (;;) {}
}
