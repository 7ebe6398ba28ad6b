// KernelBench's conv_standard_3D with a square input and an asymmetric kernel: 3x5x7 taps, no padding. One thread for
// each element of the result.

constexpr int taps_x = 3, taps_y = 5, taps_z = 7;

__global__ void convolve(const float* x, const float* weights, float* y, int batch, int in_channels, int out_channels,
                         int width, int height, int depth) {
  int w = width - taps_x + 1, h = height - taps_y + 1, d = depth - taps_z + 1;
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * out_channels * w * h * d) return;
  int k = index % d;
  int j = index / d % h;
  int i = index / (d * h) % w;
  int out = index / (d * h * w) % out_channels;
  int image = index / (d * h * w * out_channels);
  float sum = 0.0f;
  for (int in = 0; in < in_channels; ++in) {
    for (int di = 0; di < taps_x; ++di) {
      for (int dj = 0; dj < taps_y; ++dj) {
        for (int dk = 0; dk < taps_z; ++dk) {
          sum += x[(((image * in_channels + in) * width + i + di) * height + j + dj) * depth + k + dk] *
                 weights[(((out * in_channels + in) * taps_x + di) * taps_y + dj) * taps_z + dk];
        }
      }
    }
  }
  y[index] = sum;
}

#pragma hone kernel in(x[0 : batch * in_channels * width * height * depth],                                \
       weights[0 : out_channels * in_channels * taps_x * taps_y * taps_z])                                 \
    out(y[0 : batch * out_channels * (width - taps_x + 1) * (height - taps_y + 1) * (depth - taps_z + 1)]) \
    init(x : uniform(0, 1), weights : uniform(-0.06, 0.06))                                                \
    problem(batch = 1, in_channels = 3, out_channels = 64, width = 64, height = 64, depth = 64)            \
    problem(batch = 2, in_channels = 3, out_channels = 5, width = 17, height = 19, depth = 23)             \
    requires(width >= taps_x && height >= taps_y && depth >= taps_z) tolerance(rtol = 1e-4)
void conv_standard_3d(const float* x, const float* weights, float* y, int batch, int in_channels, int out_channels,
                      int width, int height, int depth) {
  int elements = batch * out_channels * (width - taps_x + 1) * (height - taps_y + 1) * (depth - taps_z + 1);
  convolve<<<(elements + 255) / 256, 256>>>(x, weights, y, batch, in_channels, out_channels, width, height, depth);
}
