// kernel: dot
// verdict: verify "expected" or "under the sanitizers" or "crashed" or "not written" or "did not end" or "in one run"
// tries: to return nothing, so that the register keeps what the caller left there
double dot(const float* x, const float* y, int n) {
  volatile double sum = 0;
  for (int i = 0; i < n; ++i) sum = sum + static_cast<double>(x[i]) * y[i];
}
