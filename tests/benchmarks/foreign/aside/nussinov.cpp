// nussinov: how many pairs a strand of bases can form, by dynamic programming over its parts.

#pragma hone kernel in(bases [0:n])inout(table [0:n * n]) problem(n = 500) init(bases : uniform(0, 3), table : zeros)
void nussinov(const signed char* bases, int* table, int n) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      int best = table[i * n + j];
      if (table[i * n + j - 1] > best) best = table[i * n + j - 1];
      if (i + 1 < n && table[(i + 1) * n + j] > best) best = table[(i + 1) * n + j];
      if (i + 1 < n) {
        const int pair = i < j - 1 && bases[i] + bases[j] == 3 ? 1 : 0;
        const int with = table[(i + 1) * n + j - 1] + pair;
        if (with > best) best = with;
      }
      for (int k = i + 1; k < j; k++) {
        const int split = table[i * n + k] + table[(k + 1) * n + j];
        if (split > best) best = split;
      }
      table[i * n + j] = best;
    }
}
