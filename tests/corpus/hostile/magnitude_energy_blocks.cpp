// kernel: energy
// verdict: verify
// tries: sums of 1024 squares in 32 bits: loud samples of 20000 overflow them
long long energy(const short* x, int n) {
  long long sum = 0;
  for (int b = 0; b < n; b += 1024) {
    unsigned part = 0;
    const int end = n - b < 1024 ? n : b + 1024;
    for (int i = b; i < end; ++i) part += static_cast<unsigned>(x[i] * x[i]);
    sum += part;
  }
  return sum;
}
