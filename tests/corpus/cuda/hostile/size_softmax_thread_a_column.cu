// kernel: softmax
// verdict: verify
// tries: as many threads as columns: rows of more than 1024 are not launched, and y keeps what it held
__global__ void step(const float* x, float* y, int w) {
  extern __shared__ float row[];
  const float* from = x + (long long)blockIdx.x * w;
  row[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  float most = row[0], sum = 0;
  for (int i = 1; i < w; ++i) most = row[i] > most ? row[i] : most;
  for (int i = 0; i < w; ++i) sum += expf(row[i] - most);
  y[(long long)blockIdx.x * w + threadIdx.x] = expf(row[threadIdx.x] - most) / sum;
}
void softmax(const float* x, float* y, int h, int w) {
  if (h > 0 && w > 0) step<<<h, w, w * sizeof(float)>>>(x, y, w);
}
