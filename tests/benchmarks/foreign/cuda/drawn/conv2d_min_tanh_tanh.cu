// KernelBench's Conv2d_Min_Tanh_Tanh: a 3x3 convolution without padding, the least over its channels, tanh twice. One
// thread for each pixel of the result computes all channels.

__global__ void least_channel(const float* x, const float* weights, const float* bias, float* y, int batch,
                              int in_channels, int out_channels, int height, int width) {
  int rows = height - 2, columns = width - 2;
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * rows * columns) return;
  int column = index % columns;
  int row = index / columns % rows;
  int image = index / (rows * columns);
  float least = INFINITY;
  for (int out = 0; out < out_channels; ++out) {
    float sum = bias[out];
    for (int in = 0; in < in_channels; ++in) {
      for (int dy = 0; dy < 3; ++dy) {
        for (int dx = 0; dx < 3; ++dx) {
          sum += x[((image * in_channels + in) * height + row + dy) * width + column + dx] *
                 weights[((out * in_channels + in) * 3 + dy) * 3 + dx];
        }
      }
    }
    least = fminf(least, sum);
  }
  y[index] = tanhf(tanhf(least));
}

#pragma hone kernel in(x[0 : batch * in_channels * height * width], weights[0 : out_channels * in_channels * 9],       \
       bias[0 : out_channels]) out(y[0 : batch * (height - 2) * (width - 2)])                                          \
    init(x : uniform(0, 1), weights : uniform(-0.08, 0.08), bias : uniform(-0.08, 0.08))                               \
    problem(batch = 8, in_channels = 16, out_channels = 64, height = 256, width = 256)                                 \
    problem(batch = 3, in_channels = 5, out_channels = 7, height = 33, width = 47) requires(height >= 3 && width >= 3) \
    tolerance(rtol = 1e-4, atol = 1e-5)
void conv2d_min_tanh_tanh(const float* x, const float* weights, const float* bias, float* y, int batch, int in_channels,
                          int out_channels, int height, int width) {
  int pixels = batch * (height - 2) * (width - 2);
  least_channel<<<(pixels + 255) / 256, 256>>>(x, weights, bias, y, batch, in_channels, out_channels, height, width);
}
