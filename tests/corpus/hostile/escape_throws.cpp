// kernel: squash
// verdict: verify "SIGABRT"
// tries: to throw an exception out of the kernel into the judge's harness
#include <vector>
void squash(const float*, float*, int n, float) { std::vector<int>(1).at(n + 2); }
