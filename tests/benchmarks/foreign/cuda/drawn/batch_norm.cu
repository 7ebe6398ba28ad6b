// KernelBench's BatchNorm in training: each feature's mean and variance over the batch by one block, a tree in shared
// memory at its end; then one thread for each element.

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

__global__ void feature_statistics(const float* x, float* mean, float* variance, int batch, int features, int pixels) {
  int feature = blockIdx.x;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < batch * pixels; i += blockDim.x) {
    sum += x[(i / pixels * features + feature) * pixels + i % pixels];
  }
  float middle = sum_of_block(sum) / (batch * pixels);
  float squares = 0.0f;
  for (int i = threadIdx.x; i < batch * pixels; i += blockDim.x) {
    float d = x[(i / pixels * features + feature) * pixels + i % pixels] - middle;
    squares += d * d;
  }
  float spread = sum_of_block(squares) / (batch * pixels);
  if (threadIdx.x == 0) {
    mean[feature] = middle;
    variance[feature] = spread;
  }
}

__global__ void normalise(const float* x, const float* gain, const float* shift, const float* mean,
                          const float* variance, float* y, int batch, int features, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * features * pixels) return;
  int feature = i / pixels % features;
  y[i] = (x[i] - mean[feature]) / sqrtf(variance[feature] + 1e-5f) * gain[feature] + shift[feature];
}

#pragma hone kernel in(x[0 : batch * features * pixels], gain[0 : features], shift[0 : features])          \
    out(mean[0 : features], variance[0 : features], y[0 : batch * features * pixels])                      \
    init(x : uniform(0, 1), gain : uniform(0.5, 1.5)) problem(batch = 16, features = 64, pixels = 96 * 96) \
    problem(batch = 5, features = 11, pixels = 37 * 41) requires(batch > 0 && pixels > 0)                  \
    tolerance(rtol = 1e-4, atol = 1e-5)
void batch_norm(const float* x, const float* gain, const float* shift, float* mean, float* variance, float* y,
                int batch, int features, int pixels) {
  feature_statistics<<<features, 256>>>(x, mean, variance, batch, features, pixels);
  int elements = batch * features * pixels;
  normalise<<<(elements + 255) / 256, 256>>>(x, gain, shift, mean, variance, y, batch, features, pixels);
}
