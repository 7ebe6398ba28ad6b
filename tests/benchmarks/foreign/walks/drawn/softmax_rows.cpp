// Softmax of each row of a matrix, by pointers from row start to row end, and three inner loops: maximum, exponentials, scale.
#include <cmath>

#pragma hone kernel in(logits[0:rows*cols]) out(probs[0:rows*cols]) problem(rows=37, cols=101) tolerance(rtol=1e-4)
void softmax_rows(const float* logits, float* probs, int rows, int cols) {
  if (cols <= 0) return;
  const float* const last = logits + rows * cols;
  while (logits != last) {
    const float* const row_end = logits + cols;

    const float* p = logits;
    float peak = *p++;
    while (p != row_end) {
      if (*p > peak) peak = *p;
      ++p;
    }

    float total = 0.0f;
    float* q = probs;
    for (p = logits; p != row_end; ++p, ++q) {
      *q = std::exp(*p - peak);
      total += *q;
    }

    const float inv = 1.0f / total;
    while (probs != q)
      *probs++ *= inv;
    logits = row_end;
  }
}
