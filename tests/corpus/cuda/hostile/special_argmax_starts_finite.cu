// kernel: argmax
// verdict: verify
// tries: to begin with the least float: of an array of minus infinities no place is found
#include <cfloat>
__global__ void step(const float* x, int* best, int n) {
  __shared__ float value[256];
  __shared__ int place[256];
  float most = -FLT_MAX;
  int own = -1;
  for (int i = threadIdx.x; i < n; i += 256)
    if (x[i] > most) most = x[i], own = i;
  value[threadIdx.x] = most;
  place[threadIdx.x] = own;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) {
      const int other = place[threadIdx.x + s], mine = place[threadIdx.x];
      const float there = value[threadIdx.x + s], here = value[threadIdx.x];
      if (other >= 0 && (mine < 0 || there > here || (there == here && other < mine)))
        value[threadIdx.x] = there, place[threadIdx.x] = other;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *best = place[0];
}
void argmax(const float* x, int* best, int n) {
  step<<<1, 256>>>(x, best, n);
}
