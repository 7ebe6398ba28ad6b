// kernel: argmax
// verdict: right
// tries: shuffles with all lanes there, values and then places
__device__ void take_better(float& value, int& place, float there, int other) {
  if (other >= 0 && (place < 0 || there > value || (there == value && other < place))) value = there, place = other;
}
__global__ void step(const float* x, int* best, int n) {
  __shared__ float values[32];
  __shared__ int places[32];
  int place = -1;
  float value = 0;
  for (int i = threadIdx.x; i < n; i += 1024)
    if (place < 0 || x[i] > value) place = i, value = x[i];
  for (int s = 16; s > 0; s /= 2)
    take_better(value, place, __shfl_down_sync(0xffffffffu, value, s), __shfl_down_sync(0xffffffffu, place, s));
  if (threadIdx.x % 32 == 0) values[threadIdx.x / 32] = value, places[threadIdx.x / 32] = place;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  value = values[threadIdx.x], place = places[threadIdx.x];
  for (int s = 16; s > 0; s /= 2)
    take_better(value, place, __shfl_down_sync(0xffffffffu, value, s), __shfl_down_sync(0xffffffffu, place, s));
  if (threadIdx.x == 0) *best = place;
}
void argmax(const float* x, int* best, int n) {
  step<<<1, 1024>>>(x, best, n);
}
