// One step of the five-point heat equation; the border keeps its values. The first index of a thread is taken for the
// row, as in the loops it was made of.

__global__ void diffuse(const float* u, float* v, int w, int h, float alpha) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  int x = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= 1 && y < h - 1 && x >= 1 && x < w - 1) {
    v[y * w + x] = u[y * w + x] + alpha * (u[(y - 1) * w + x] + u[(y + 1) * w + x] + u[y * w + x - 1] +
                                           u[y * w + x + 1] - 4.0f * u[y * w + x]);
  }
}

#pragma hone kernel in(u[0 : w * h]) inout(v[0 : w * h]) init(u : uniform(0, 1), v : uniform(0, 1)) \
    problem(w = 4096, h = 4096, alpha = 0.1f) problem(w = 4001, h = 2333, alpha = 0.2f) tolerance(rtol = 1e-5)
void stencil(const float* u, float* v, int w, int h, float alpha) {
  dim3 block(16, 16);
  dim3 grid((h + 15) / 16, (w + 15) / 16);
  diffuse<<<grid, block>>>(u, v, w, h, alpha);
}
