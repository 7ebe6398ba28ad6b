// Where the largest stands first: one block, the lower place of equals.
__global__ void find_most(const float* x, int* best, int n) {
  __shared__ float value[256];
  __shared__ int place[256];
  int own = -1;
  for (int i = threadIdx.x; i < n; i += 256)
    if (own < 0 || x[i] > x[own]) own = i;
  value[threadIdx.x] = own < 0 ? 0 : x[own];
  place[threadIdx.x] = own;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      const int other = place[threadIdx.x + step], mine = place[threadIdx.x];
      const float there = value[threadIdx.x + step], here = value[threadIdx.x];
      if (other >= 0 && (mine < 0 || there > here || (there == here && other < mine))) {
        value[threadIdx.x] = there;
        place[threadIdx.x] = other;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *best = place[0];
}
void argmax(const float* x, int* best, int n) {
  find_most<<<1, 256>>>(x, best, n);
}
