// kernel: known
// verdict: right
// tries: to compare a value with itself, which only what is no number is unequal to
void known(const float* x, float* y, int* count, int n) {
  int found = 0;
  for (int i = 0; i < n; ++i) {
    const bool number = x[i] == x[i];
    y[i] = number ? 2.0f * x[i] : 0.0f;
    found += number;
  }
  *count = found;
}
