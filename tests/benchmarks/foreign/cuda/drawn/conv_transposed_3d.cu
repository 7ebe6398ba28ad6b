// KernelBench's conv_transposed_3D with an asymmetric input and a square kernel, strided, padded and grouped: 3x3x3
// taps, stride 2, padding 1. One thread for each element of the result looks for the taps that reach it.

__global__ void convolve_transposed(const float* x, const float* weights, float* y, int batch, int groups,
                                    int per_group, int depth, int height, int width) {
  int d = 2 * depth - 1, h = 2 * height - 1, w = 2 * width - 1;
  int channels = groups * per_group;
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * channels * d * h * w) return;
  int k = index % w;
  int j = index / w % h;
  int i = index / (w * h) % d;
  int out = index / (w * h * d) % channels;
  int image = index / (w * h * d * channels);
  int group = out / per_group;
  float sum = 0.0f;
  for (int in = group * per_group; in < (group + 1) * per_group; ++in) {
    for (int di = 0; di < 3; ++di) {
      for (int dj = 0; dj < 3; ++dj) {
        for (int dk = 0; dk < 3; ++dk) {
          int from_i = i + 1 - di;
          int from_j = j + 1 - dj;
          int from_k = k + 1 - dk;
          if (from_i < 0 || from_j < 0 || from_k < 0 || from_i % 2 != 0 || from_j % 2 != 0 || from_k % 2 != 0) continue;
          from_i /= 2;
          from_j /= 2;
          from_k /= 2;
          if (from_i < depth && from_j < height && from_k < width) {
            sum += x[(((image * channels + in) * depth + from_i) * height + from_j) * width + from_k] *
                   weights[(((in * per_group + out % per_group) * 3 + di) * 3 + dj) * 3 + dk];
          }
        }
      }
    }
  }
  y[index] = sum;
}

#pragma hone kernel in(x[0 : batch * groups * per_group * depth * height * width],                \
       weights[0 : groups * per_group * per_group * 27])                                          \
    out(y[0 : batch * groups * per_group * (2 * depth - 1) * (2 * height - 1) * (2 * width - 1)]) \
    init(x : uniform(0, 1), weights : uniform(-0.07, 0.07))                                       \
    problem(batch = 1, groups = 4, per_group = 8, depth = 16, height = 32, width = 64)            \
    problem(batch = 2, groups = 3, per_group = 2, depth = 5, height = 11, width = 13)             \
    requires(depth >= 1 && height >= 1 && width >= 1) tolerance(rtol = 1e-4)
void conv_transposed_3d(const float* x, const float* weights, float* y, int batch, int groups, int per_group, int depth,
                        int height, int width) {
  int elements = batch * groups * per_group * (2 * depth - 1) * (2 * height - 1) * (2 * width - 1);
  convolve_transposed<<<(elements + 255) / 256, 256>>>(x, weights, y, batch, groups, per_group, depth, height, width);
}
