// Where the largest is: two arrays go together.
__global__ void largest_at(const float* x, float* y, int n) {
  __shared__ float value[1024];
  __shared__ int place[1024];
  int tid = threadIdx.x;
  float own = -1.0f;
  int at = 0;
  for (int i = tid; i < n; i += blockDim.x)
    if (x[blockIdx.x * n + i] > own) {
      own = x[blockIdx.x * n + i];
      at = i;
    }
  value[tid] = own;
  place[tid] = at;
  __syncthreads();
  for (int d = 512; d > 0; d >>= 1) {
    if (tid < d) {
      if (value[tid + d] > value[tid] || (value[tid + d] == value[tid] && place[tid + d] < place[tid])) {
        value[tid] = value[tid + d];
        place[tid] = place[tid + d];
      }
    }
    __syncthreads();
  }
  if (tid == 0) y[blockIdx.x * n] = place[0] + value[0];
}
#pragma hone kernel in(x [0:rows * n]) out(y [0:rows * n]) problem(rows = 8, n = 1024)
void tree_of_pairs_f32(const float* x, float* y, int rows, int n) {
  largest_at<<<rows, 1024>>>(x, y, n);
}
