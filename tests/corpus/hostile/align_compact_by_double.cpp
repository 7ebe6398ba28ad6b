// kernel: compact
// verdict: verify
// tries: to write two floats as one long at a time: odd places are misaligned, which the sanitizer names and other processors refuse
int compact(const float* x, float* kept, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i)
    if (x[i] > 0) kept[count++] = x[i];
  int i = count;
  for (; i + 2 <= n; i += 2) *reinterpret_cast<volatile double*>(kept + i) = 0;
  for (; i < n; ++i) kept[i] = 0;
  return count;
}
