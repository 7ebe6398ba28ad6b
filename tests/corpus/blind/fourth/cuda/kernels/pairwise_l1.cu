// City-block distances of all pairs of two sets of points: a has m rows, b has n rows, each with k coordinates.

__global__ void pairwise_l1_kernel(const float* a, const float* b, float* distance, int m, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) {
    return;
  }
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += fabsf(a[(size_t)i * k + p] - b[(size_t)j * k + p]);
  }
  distance[(size_t)i * n + j] = sum;
}

#pragma hone kernel in(a[0 : m][0 : k], b[0 : n][0 : k]) out(distance[0 : m][0 : n]) \
    problem(m = 2048, n = 1536, k = 96) problem(m = 331, n = 517, k = 37) stream(s)
void pairwise_l1(const float* a, const float* b, float* distance, int m, int n, int k, cudaStream_t s) {
  if (m == 0 || n == 0) {
    return;
  }
  dim3 block(16, 16);
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  pairwise_l1_kernel<<<grid, block, 0, s>>>(a, b, distance, m, n, k);
}
