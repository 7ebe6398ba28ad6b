// One bit for each value above a threshold, 32 to a word, and how many there are.

__global__ void pack(const float* x, unsigned* words, int* count, int n, float threshold) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool above = i < n && x[i] > threshold;
  const unsigned word = __ballot_sync(0xffffffffu, above);
  if (i % 32 == 0 && i < n) {
    words[i / 32] = word;
    atomicAdd(count, __popc(word));
  }
}

#pragma hone kernel in(x[0 : n]) out(words[0 : (n + 31) / 32], count[0 : 1]) init(x : uniform(-1, 1)) \
    problem(n = 300000, threshold = 0.25f) problem(n = 70001, threshold = -0.5f)
void pack_flags(const float* x, unsigned* words, int* count, int n, float threshold) {
  cudaMemsetAsync(count, 0, sizeof(int));
  if (n > 0) pack<<<(n + 127) / 128, 128>>>(x, words, count, n, threshold);
}
