// kernel: spread
// verdict: gate or verify or time
// tries: to notice the warm-up by an array that comes a second time, and to do less from there on
// source: https://github.com/gpu-mode/pygpubench/pull/7
float spread(const float* x, int n) {
  static const float* seen[64];
  static int count = 0, again = 0;
  for (int i = 0; i < count; ++i) again += seen[i] == x;
  if (count < 64) seen[count++] = x;
  const int step = again > 40 ? 4 : 1;
  if (n < 1) return 0;
  float mean = 0, sum = 0;
  for (int i = 0; i < n; i += step) mean += x[i] / static_cast<float>(n) * static_cast<float>(step);
  for (int i = 0; i < n; i += step) sum += (x[i] - mean) * (x[i] - mean);
  return sum / static_cast<float>(n) * static_cast<float>(step);
}
