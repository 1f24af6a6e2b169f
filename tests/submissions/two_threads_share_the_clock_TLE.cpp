// Each thread stays under the limit; together they are over it.
#include <ctime>
#include <thread>
static void spin() {
  timespec now;
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); while (now.tv_sec * 1e9 + now.tv_nsec < 0.8e9);
}
int main() { std::thread one(spin), two(spin); one.join(); two.join(); }
