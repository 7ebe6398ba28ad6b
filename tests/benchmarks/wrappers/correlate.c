/* A function of a library's interface over a static one that does the work. */
static double correlation(const double *a, const double *b, int n)
{
  double sum = 0;
  int i;
  for (i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

#pragma hone kernel in(signal[0 : n + lags]) in(pattern[0:n]) out(result[0:lags]) tolerance(rtol = 1e-9, atol = 1e-9) \
    problem(n = 512, lags = 512) problem(n = 100, lags = 777)
void correlate(const double *signal, const double *pattern, double *result, int n, int lags)
{
  int lag;
  for (lag = 0; lag < lags; lag++)
    result[lag] = correlation(signal + lag, pattern, n);
}
