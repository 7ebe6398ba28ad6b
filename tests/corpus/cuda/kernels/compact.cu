// Where each positive element would go, in order; -1 for the others. One block counts.
__global__ void count_positive(const float* x, int* place, int n) {
  __shared__ int sums[257];
  const int share = (n + 255) / 256, begin = threadIdx.x * share, end = min(n, begin + share);
  int own = 0;
  for (int i = begin; i < end; ++i) own += x[i] > 0;
  sums[threadIdx.x + 1] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[0] = 0;
    for (int t = 0; t < 256; ++t) sums[t + 1] += sums[t];
  }
  __syncthreads();
  int at = sums[threadIdx.x];
  for (int i = begin; i < end; ++i) {
    place[i] = x[i] > 0 ? at : -1;
    at += x[i] > 0;
  }
}
void compact(const float* x, int* place, int n) {
  if (n > 0) count_positive<<<1, 256>>>(x, place, n);
}
