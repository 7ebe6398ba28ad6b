// Three functions whose best variant depends on their data. `run` judges one variant of each on drawn and on captured
// data; drawn.sed adds the clauses that a user might write who has not looked at the data.
#include <cmath>

// In each row the first element above the limit: a trigger in a signal.
#pragma hone kernel in(x[0:rows*columns]) out(at[0:rows])
void first_above(const float* x, int* at, int rows, int columns, float limit) {
  for (int r = 0; r < rows; ++r) {
    const float* row = x + static_cast<long>(r) * columns;
    int c = 0;
    while (c < columns && !(row[c] > limit)) ++c;
    at[r] = c;
  }
}

// Samples above the limit are compressed; nearly none are.
#pragma hone kernel in(x[0:n]) out(y[0:n])
void soft_clip(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float v = x[i];
    if (v > 0.5f) {
      for (int k = 0; k < 12; ++k) v = 0.5f * (v + 0.6f / v);
    }
    y[i] = v;
  }
}

// How often each word comes.
#pragma hone kernel in(words[0:n]) inout(counts[0:m])
void count_words(const int* words, int* counts, int n, int m) {
  for (int i = 0; i < n; ++i) counts[words[i]] += 1;
}
