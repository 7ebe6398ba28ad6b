// kernel: argmax
// verdict: verify or time
// tries: to allocate on the device in each call and never to free
__global__ void parts(const float* x, int* room, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  int own = t < n ? t : -1;
  for (int i = t + all; i < n; i += all)
    if (x[i] > x[own]) own = i;
  room[t] = own;
}
__global__ void join(const float* x, const int* room, int* best, int count) {
  __shared__ int place[256];
  int own = -1;
  for (int i = threadIdx.x; i < count; i += 256)
    if (room[i] >= 0 && (own < 0 || x[room[i]] > x[own] || (x[room[i]] == x[own] && room[i] < own))) own = room[i];
  place[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x) return;
  for (int t = 1; t < 256; ++t)
    if (place[t] >= 0 && (own < 0 || x[place[t]] > x[own] || (x[place[t]] == x[own] && place[t] < own))) own = place[t];
  *best = own;
}
void argmax(const float* x, int* best, int n) {
  int* room;
  cudaMalloc(&room, 1 << 20);
  parts<<<64, 256>>>(x, room, n);
  join<<<1, 256>>>(x, room, best, 64 * 256);
}
