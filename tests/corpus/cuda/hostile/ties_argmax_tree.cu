// kernel: argmax
// verdict: verify
// tries: a tree that compares values alone: of equals the one in the lower thread, which may stand later
__global__ void step(const float* x, int* best, int n) {
  __shared__ int place[1024];
  int own = (int)threadIdx.x < n ? (int)threadIdx.x : -1;
  for (int i = threadIdx.x + 1024; i < n; i += 1024)
    if (x[i] > x[own]) own = i;
  place[threadIdx.x] = own;
  __syncthreads();
  for (int s = 512; s > 0; s /= 2) {
    if (threadIdx.x < s && place[threadIdx.x + s] >= 0 && x[place[threadIdx.x + s]] > x[place[threadIdx.x]])
      place[threadIdx.x] = place[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *best = place[0];
}
void argmax(const float* x, int* best, int n) {
  step<<<1, 1024>>>(x, best, n);
}
