// Squares of 16 bits, summed in 64.
#pragma hone kernel in(x [0:n])problem(n = 30000)
long long energy(const short* x, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}
