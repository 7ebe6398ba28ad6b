// kernel: softmax
// verdict: verify
// tries: a row a block along y, of which there are 65535: 70000 rows are not launched at all
__global__ void step(const float* x, float* y, int w) {
  __shared__ float room[32];
  const float* from = x + (long long)blockIdx.y * w;
  float* to = y + (long long)blockIdx.y * w;
  float most = from[0], sum = 0;
  for (int i = 0; i < w; ++i) most = from[i] > most ? from[i] : most;
  for (int i = threadIdx.x; i < w; i += 32) sum += expf(from[i] - most);
  room[threadIdx.x] = sum;
  __syncwarp();
  float all = 0;
  for (int k = 0; k < 32; ++k) all += room[k];
  for (int i = threadIdx.x; i < w; i += 32) to[i] = expf(from[i] - most) / all;
}
void softmax(const float* x, float* y, int h, int w) {
  if (h > 0 && w > 0) step<<<dim3(1, h), 32>>>(x, y, w);
}
