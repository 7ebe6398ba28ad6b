// HeCBench's lfib4: Marsaglia's lagged Fibonacci generator with four lags, here many streams of it, each from 256 seeds
// of its own. One thread for each stream.

__global__ void run_streams(const unsigned* seeds, unsigned* numbers, int streams, int length) {
  int stream = blockIdx.x * blockDim.x + threadIdx.x;
  if (stream >= streams) return;
  const unsigned* before = seeds + stream * 256 + 256;  // before[-1] is the newest seed
  unsigned* own = numbers + stream * length;
  for (int i = 0; i < length; ++i) {
    unsigned sum = 0;
    sum += i < 55 ? before[i - 55] : own[i - 55];
    sum += i < 119 ? before[i - 119] : own[i - 119];
    sum += i < 179 ? before[i - 179] : own[i - 179];
    sum += i < 256 ? before[i - 256] : own[i - 256];
    own[i] = sum;
  }
}

#pragma hone kernel in(seeds[0 : streams * 256]) out(numbers[0 : streams * length]) \
    init(seeds : uniform(0, 4294967295)) problem(streams = 8192, length = 2048) problem(streams = 1009, length = 777)
void lfib4(const unsigned* seeds, unsigned* numbers, int streams, int length) {
  run_streams<<<(streams + 127) / 128, 128>>>(seeds, numbers, streams, length);
}
