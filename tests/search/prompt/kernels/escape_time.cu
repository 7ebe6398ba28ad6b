// right: cuda-divergence
// How many steps each point of the plane takes to leave a circle.
__global__ void count_steps(int* steps, int w, int h, int most) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  float cx = -2.0f + 3.0f * px / w, cy = -1.5f + 3.0f * py / h;
  float x = 0.0f, y = 0.0f;
  int step = 0;
  while (step < most && x * x + y * y < 4.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    step++;
  }
  steps[py * w + px] = step;
}
void escape_time(int* steps, int w, int h, int most) {
  dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  count_steps<<<grid, block>>>(steps, w, h, most);
}
