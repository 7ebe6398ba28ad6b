// The most value that items of each total weight up to a limit can have; each item is taken once or not at all.
#pragma hone kernel in(weight[0:n], value[0:n]) out(best[0:limit+1]) problem(n = 60, limit = 20000) \
    init(weight: uniform(1, 1500), value: uniform(0, 1000)) requires(limit >= 0)
void knapsack(const unsigned short* weight, const unsigned short* value, int* best, int n, int limit) {
  for (int c = 0; c <= limit; ++c) best[c] = 0;
  for (int i = 0; i < n; ++i)
    for (int c = limit; c >= weight[i]; --c) {
      const int with = best[c - weight[i]] + value[i];
      if (with > best[c]) best[c] = with;
    }
}
