// For each binary descriptor of 256 bits the first of the nearest ones in a set, and how far it is; -1 if the set is empty.
#pragma hone kernel in(query[0:n][0:32], set[0:k][0:32]) out(which[0:n], distance[0:n]) problem(n = 120, k = 150)
void hamming_nearest(const unsigned char* query, const unsigned char* set, int* which, int* distance, int n, int k) {
  for (int i = 0; i < n; ++i) {
    int best = -1, least = 0;
    for (int j = 0; j < k; ++j) {
      int d = 0;
      for (int b = 0; b < 32; ++b) d += __builtin_popcount(static_cast<unsigned>(query[32 * i + b] ^ set[32 * j + b]));
      if (best < 0 || d < least) best = j, least = d;
    }
    which[i] = best;
    distance[i] = least;
  }
}
