// HeCBench's pointwise: what an LSTM computes for each element once the products of its gates are there. A launch for
// each time step, one thread for each unit of each sequence.

__device__ float sigmoid(float x) {
  return 1.0f / (1.0f + expf(-x));
}

__global__ void step(const float* gates, const float* bias, float* cell, float* hidden, int batch, int units) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * units) return;
  int unit = index % units;
  const float* own = gates + index / units * 4 * units + unit;
  float in_gate = sigmoid(own[0] + bias[unit]);
  float forget_gate = sigmoid(own[units] + bias[units + unit]);
  float candidate = tanhf(own[2 * units] + bias[2 * units + unit]);
  float out_gate = sigmoid(own[3 * units] + bias[3 * units + unit]);
  cell[index] = forget_gate * cell[index] + in_gate * candidate;
  hidden[index] = out_gate * tanhf(cell[index]);
}

#pragma hone kernel in(gates[0 : steps * batch * 4 * units], bias[0 : 4 * units]) inout(cell[0 : batch * units]) \
    out(hidden[0 : steps * batch * units]) init(gates : uniform(-3, 3), bias : uniform(-1, 1))                   \
    problem(steps = 100, batch = 64, units = 512) problem(steps = 11, batch = 7, units = 101)                    \
    tolerance(rtol = 1e-4, atol = 1e-5)
void pointwise(const float* gates, const float* bias, float* cell, float* hidden, int steps, int batch, int units) {
  int elements = batch * units;
  for (int t = 0; t < steps; ++t) {
    step<<<(elements + 255) / 256, 256>>>(gates + t * 4 * elements, bias, cell, hidden + t * elements, batch, units);
  }
}
