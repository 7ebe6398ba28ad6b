// right: cuda-shared-tiling
// A step of heat on a chip: each cell, its four neighbours and its own power.
__global__ void heat(const float* temperature, const float* power, float* next, int w, int h, float cap, float rx,
                     float ry, float rz, float ambient) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float here = temperature[y * w + x];
  float north = y > 0 ? temperature[(y - 1) * w + x] : here;
  float south = y < h - 1 ? temperature[(y + 1) * w + x] : here;
  float west = x > 0 ? temperature[y * w + x - 1] : here;
  float east = x < w - 1 ? temperature[y * w + x + 1] : here;
  next[y * w + x] = here + cap * (power[y * w + x] + (south + north - 2.0f * here) * ry +
                                  (east + west - 2.0f * here) * rx + (ambient - here) * rz);
}
void hotspot(const float* temperature, const float* power, float* next, int w, int h, float cap, float rx, float ry,
             float rz, float ambient) {
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  heat<<<grid, block>>>(temperature, power, next, w, h, cap, rx, ry, rz, ambient);
}
