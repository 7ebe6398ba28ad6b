// WHERE value BETWEEN lo AND hi over one column of a table; a column without NULLs has no bitmap.
#include <cstdint>

struct Column {
  const int32_t* values;
  const uint8_t* valid;  // bit i: row i is not NULL; no bitmap: no row is
  int n;
};

#pragma hone kernel in(c.values[0:c.n], c.valid[0:(c.n+7)/8]|null) out(rows[0:c.n]) \
    problem(c.n=100000, lo=-100, hi=100) problem(c.n=2048, lo=0, hi=500)
int select_range(const Column& c, int32_t lo, int32_t hi, uint32_t* rows) {
  int k = 0;
  for (int i = 0; i < c.n; ++i) {
    if (c.valid && !(c.valid[i >> 3] >> (i & 7) & 1)) continue;
    if (c.values[i] >= lo && c.values[i] <= hi) rows[k++] = static_cast<uint32_t>(i);
  }
  return k;
}
