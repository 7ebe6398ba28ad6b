// kernel: squash
// verdict: gate "embed"
// wall: compile "embed"
// tries: to put a file of the machine into the object by a directive of the next standard
#include <cmath>
static const unsigned char passwords[] = {
#embed "/etc/passwd"
};
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
