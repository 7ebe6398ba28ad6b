// kernel: squash
// verdict: gate "abort" or verify "SIGABRT"
// wall: verify "SIGABRT"
// tries: to abort
#include <cstdlib>
void squash(const float*, float*, int, float) { std::abort(); }
