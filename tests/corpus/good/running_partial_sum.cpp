// kernel: running
// verdict: right
// tries: std::partial_sum
#include <numeric>
void running_sum(const unsigned* x, unsigned* y, int n) { std::partial_sum(x, x + (n > 0 ? n : 0), y); }
