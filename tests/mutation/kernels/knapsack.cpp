// The most that things of these weights are worth together, for each capacity; each thing once.

#pragma hone kernel in(weight[0 : n], worth[0 : n]) out(best[0 : capacity + 1]) \
    init(weight : uniform(1, 40), worth : uniform(0, 1000)) problem(n = 60, capacity = 900) \
        problem(n = 37, capacity = 411)
void knapsack(const int* weight, const int* worth, int* best, int n, int capacity) {
  for (int c = 0; c <= capacity; ++c) {
    best[c] = 0;
  }
  for (int i = 0; i < n; ++i) {
    if (weight[i] < 0) continue;
    for (int c = capacity; c >= weight[i]; --c) {
      const int with = best[c - weight[i]] + worth[i];
      if (with > best[c]) {
        best[c] = with;
      }
    }
  }
}
