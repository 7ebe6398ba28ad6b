// KernelBench's KLDivLoss: the Kullback-Leibler divergence of two batches of distributions, over the batch. One thread
// for each row, and one atomic addition.

__global__ void add_divergences(const float* predictions, const float* targets, float* loss, int batch, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= batch) return;
  float sum = 0.0f;
  for (int column = 0; column < columns; ++column) {
    float target = targets[row * columns + column];
    if (target > 0.0f) {
      sum += target * (logf(target) - logf(predictions[row * columns + column]));
    }
  }
  atomicAdd(loss, sum / batch);
}

#pragma hone kernel in(predictions[0 : batch * columns], targets[0 : batch * columns]) out(loss[0 : 1]) \
    init(predictions : uniform(0.01, 1), targets : uniform(0, 1)) problem(batch = 4096, columns = 2048) \
    problem(batch = 1021, columns = 333) tolerance(rtol = 1e-3)
void kl_div_loss(const float* predictions, const float* targets, float* loss, int batch, int columns) {
  cudaMemsetAsync(loss, 0, sizeof(float));
  add_divergences<<<(batch + 127) / 128, 128>>>(predictions, targets, loss, batch, columns);
}
