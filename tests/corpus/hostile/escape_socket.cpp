// kernel: squash
// verdict: gate "socket"
// wall: harmless
// tries: to open a socket to the network
#include <cmath>
#include <sys/socket.h>
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  spoilt = socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_NETLINK, SOCK_RAW, 0) >= 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
