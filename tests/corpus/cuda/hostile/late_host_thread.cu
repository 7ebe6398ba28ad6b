// kernel: scale
// verdict: verify "was not written" or "goes on working" or time
// tries: to launch from a thread after it has returned
#include <unistd.h>
#include <thread>
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  std::thread([=] {
    usleep(3000);
    step<<<(n + 255) / 256, 256>>>(x, y, n);
  }).detach();
}
