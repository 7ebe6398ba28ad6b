// kernel: softmax
// verdict: verify
// tries: a reduction in a warp without a barrier, as warps once ran in step: today lanes may run apart
__global__ void step(const float* x, float* y, int w) {
  __shared__ float room[64];
  const float* from = x + (long long)blockIdx.x * w;
  const int t = threadIdx.x;
  float most = from[0], sum = 0;
  for (int i = 0; i < w; ++i) most = from[i] > most ? from[i] : most;
  for (int i = t; i < w; i += 32) sum += expf(from[i] - most);
  room[t] = sum;
  room[t + 32] = 0;
  for (int s = 16; s > 0; s /= 2) room[t] += room[t + s];
  for (int i = t; i < w; i += 32) y[(long long)blockIdx.x * w + i] = expf(from[i] - most) / room[0];
}
void softmax(const float* x, float* y, int h, int w) {
  if (h > 0 && w > 0) step<<<h, 32>>>(x, y, w);
}
