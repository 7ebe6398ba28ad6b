// KernelBench's ConvTranspose3d_Sum_LayerNorm_AvgPool_GELU: a transposed 3x3x3 convolution with stride 2, to which a
// number is added; each row of it normalised; the mean of each 2x2x2 cube; GELU. The first two leave `volume`, as
// training keeps it. One thread for each element, row and cube.

__global__ void convolve_transposed(const float* x, const float* weights, const float* bias, float added, float* volume,
                                    int batch, int in_channels, int out_channels, int depth, int height, int width) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * out_channels * 8 * depth * height * width) return;
  int k = index % (2 * width);
  int j = index / (2 * width) % (2 * height);
  int i = index / (4 * width * height) % (2 * depth);
  int out = index / (8 * width * height * depth) % out_channels;
  int image = index / (8 * width * height * depth * out_channels);
  float sum = bias[out];
  for (int in = 0; in < in_channels; ++in) {
    for (int di = 0; di < 3; ++di) {
      for (int dj = 0; dj < 3; ++dj) {
        for (int dk = 0; dk < 3; ++dk) {
          int from_i = i + 1 - di;
          int from_j = j + 1 - dj;
          int from_k = k + 1 - dk;
          if (from_i >= 0 && from_j >= 0 && from_k >= 0 && from_i % 2 == 0 && from_j % 2 == 0 && from_k % 2 == 0 &&
              from_i / 2 < depth && from_j / 2 < height && from_k / 2 < width) {
            sum += x[(((image * in_channels + in) * depth + from_i / 2) * height + from_j / 2) * width + from_k / 2] *
                   weights[(((in * out_channels + out) * 3 + di) * 3 + dj) * 3 + dk];
          }
        }
      }
    }
  }
  volume[index] = sum + added;
}

__global__ void normalise_rows(const float* gain, const float* shift, float* volume, int rows, int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float* v = volume + row * length;
  float mean = 0.0f;
  for (int i = 0; i < length; ++i) {
    mean += v[i];
  }
  mean /= length;
  float variance = 0.0f;
  for (int i = 0; i < length; ++i) {
    variance += (v[i] - mean) * (v[i] - mean);
  }
  variance /= length;
  for (int i = 0; i < length; ++i) {
    v[i] = (v[i] - mean) / sqrtf(variance + 1e-5f) * gain[i] + shift[i];
  }
}

__global__ void pool_and_activate(const float* volume, float* y, int channels, int depth, int height, int width) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= channels * depth * height * width) return;
  int k = index % width;
  int j = index / width % height;
  int i = index / (width * height) % depth;
  int channel = index / (width * height * depth);
  float sum = 0.0f;
  for (int di = 0; di < 2; ++di) {
    for (int dj = 0; dj < 2; ++dj) {
      for (int dk = 0; dk < 2; ++dk) {
        sum += volume[((channel * 2 * depth + 2 * i + di) * 2 * height + 2 * j + dj) * 2 * width + 2 * k + dk];
      }
    }
  }
  float mean = sum / 8.0f;
  y[index] = 0.5f * mean * (1.0f + erff(mean / sqrtf(2.0f)));
}

#pragma hone kernel in(x[0 : batch * in_channels * depth * height * width],                                             \
       weights[0 : in_channels * out_channels * 27], bias[0 : out_channels], gain[0 : 2 * width], shift[0 : 2 * width]) \
    out(volume[0 : batch * out_channels * 8 * depth * height * width],                                                  \
        y[0 : batch * out_channels * depth * height * width])                                                           \
    init(x : uniform(0, 1), weights : uniform(-0.03, 0.03), bias : uniform(-0.03, 0.03), gain : uniform(0.5, 1.5),      \
         added : uniform(0, 2))                                                                                         \
    problem(batch = 2, in_channels = 32, out_channels = 64, depth = 16, height = 32, width = 32, added = 1.0f)          \
    problem(batch = 1, in_channels = 3, out_channels = 5, depth = 3, height = 7, width = 9)                             \
    tolerance(rtol = 1e-3, atol = 1e-4)
void conv_transpose3d_sum_layer_norm_avg_pool_gelu(const float* x, const float* weights, const float* bias, float added,
                                                   const float* gain, const float* shift, float* volume, float* y,
                                                   int batch, int in_channels, int out_channels, int depth, int height,
                                                   int width) {
  int cubes = batch * out_channels * depth * height * width;
  int rows = batch * out_channels * 4 * depth * height;
  convolve_transposed<<<(8 * cubes + 255) / 256, 256>>>(x, weights, bias, added, volume, batch, in_channels,
                                                        out_channels, depth, height, width);
  normalise_rows<<<(rows + 127) / 128, 128>>>(gain, shift, volume, rows, 2 * width);
  pool_and_activate<<<(cubes + 255) / 256, 256>>>(volume, y, batch * out_channels, depth, height, width);
}
