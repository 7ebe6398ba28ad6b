// Generalized advantage estimation of reinforcement learning: backwards through each environment's steps. An episode
// that is done takes nothing over from what comes after it. values has one step more than the others.

__global__ void advantages_kernel(const float* rewards, const float* values, const unsigned char* done,
                                  float* advantage, int environments, int steps, float gamma, float lambda) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= environments) {
    return;
  }
  const float* v = values + (size_t)e * (steps + 1);
  float running = 0.0f;
  for (int t = steps - 1; t >= 0; --t) {
    size_t i = (size_t)e * steps + t;
    if (done[i]) {
      running = rewards[i] - v[t];
    } else {
      running = rewards[i] + gamma * v[t + 1] - v[t] + gamma * lambda * running;
    }
    advantage[i] = running;
  }
}

#pragma hone kernel in(rewards[0 : environments][0 : steps], values[0 : environments][0 : steps + 1]) \
    in(done[0 : environments][0 : steps]) out(advantage[0 : environments][0 : steps]) \
    problem(environments = 4096, steps = 512) problem(environments = 129, steps = 203) \
    init(done : uniform(0, 1), gamma : uniform(0.9, 1), lambda : uniform(0.8, 1)) stream(s)
void advantages(const float* rewards, const float* values, const unsigned char* done, float* advantage,
                int environments, int steps, float gamma, float lambda, cudaStream_t s) {
  if (environments == 0) {
    return;
  }
  advantages_kernel<<<(environments + 255) / 256, 256, 0, s>>>(rewards, values, done, advantage, environments, steps,
                                                              gamma, lambda);
}
