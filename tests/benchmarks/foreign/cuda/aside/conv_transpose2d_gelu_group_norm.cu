// KernelBench's ConvTranspose2d_GELU_GroupNorm: a transposed 3x3 convolution with stride 1 and GELU, one thread for
// each element; then each group of channels of an image is normalised in place by one block.

__global__ void convolve_transposed(const float* x, const float* weights, const float* bias, float* y, int batch,
                                    int in_channels, int out_channels, int height, int width) {
  int rows = height + 2, columns = width + 2;
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * out_channels * rows * columns) return;
  int column = index % columns;
  int row = index / columns % rows;
  int out = index / (columns * rows) % out_channels;
  int image = index / (columns * rows * out_channels);
  float sum = bias[out];
  for (int in = 0; in < in_channels; ++in) {
    for (int dy = 0; dy < 3; ++dy) {
      for (int dx = 0; dx < 3; ++dx) {
        int from_row = row - dy;
        int from_column = column - dx;
        if (from_row >= 0 && from_row < height && from_column >= 0 && from_column < width) {
          sum += x[((image * in_channels + in) * height + from_row) * width + from_column] *
                 weights[((in * out_channels + out) * 3 + dy) * 3 + dx];
        }
      }
    }
  }
  y[index] = 0.5f * sum * (1.0f + erff(sum / sqrtf(2.0f)));
}

__device__ float sum_of_block(float own) {
  __shared__ float sums[256];
  sums[threadIdx.x] = own;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    __syncthreads();
  }
  float sum = sums[0];
  __syncthreads();
  return sum;
}

// A block's group is `per_group` neighbouring channels, so its elements are neighbours, too.
__global__ void normalise_groups(const float* gain, const float* shift, float* y, int groups, int per_group,
                                 int pixels) {
  int size = per_group * pixels;
  int first_channel = blockIdx.x % groups * per_group;
  float* group = y + blockIdx.x * size;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    sum += group[i];
  }
  float mean = sum_of_block(sum) / size;
  float squares = 0.0f;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    float d = group[i] - mean;
    squares += d * d;
  }
  float variance = sum_of_block(squares) / size;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    int channel = first_channel + i / pixels;
    group[i] = (group[i] - mean) / sqrtf(variance + 1e-5f) * gain[channel] + shift[channel];
  }
}

#pragma hone kernel in(x[0 : batch * in_channels * height * width], weights[0 : in_channels * groups * per_group * 9], \
       bias[0 : groups * per_group], gain[0 : groups * per_group], shift[0 : groups * per_group])                      \
    out(y[0 : batch * groups * per_group * (height + 2) * (width + 2)])                                                \
    init(x : uniform(0, 1), weights : uniform(-0.04, 0.04), bias : uniform(-0.04, 0.04), gain : uniform(0.5, 1.5))     \
    problem(batch = 16, in_channels = 64, groups = 8, per_group = 8, height = 64, width = 64)                          \
    problem(batch = 3, in_channels = 5, groups = 2, per_group = 3, height = 17, width = 29)                            \
    requires(height >= 1 && width >= 1) tolerance(rtol = 1e-3, atol = 1e-4)
void conv_transpose2d_gelu_group_norm(const float* x, const float* weights, const float* bias, const float* gain,
                                      const float* shift, float* y, int batch, int in_channels, int groups,
                                      int per_group, int height, int width) {
  int pixels = (height + 2) * (width + 2);
  int elements = batch * groups * per_group * pixels;
  convolve_transposed<<<(elements + 255) / 256, 256>>>(x, weights, bias, y, batch, in_channels, groups * per_group,
                                                       height, width);
  normalise_groups<<<batch * groups, 256>>>(gain, shift, y, groups, per_group, pixels);
}
