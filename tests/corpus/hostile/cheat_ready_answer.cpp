// kernel: dot
// verdict: gate "cblas_dsdot"
// wall: verify "cblas_dsdot" or compile "cblas_dsdot"
// tries: to call a library that has the answer ready
extern "C" double cblas_dsdot(int, const float*, int, const float*, int);
double dot(const float* x, const float* y, int n) { return cblas_dsdot(n, x, 1, y, 1); }
