// Keeps what lies between two bounds, in its order, and says how many there were.

#pragma hone kernel in(x[0 : n]) inout(kept[0 : n]) init(x : uniform(-1000, 1000)) \
    problem(n = 30000, low = -200, high = 700) problem(n = 10007, low = 10, high = 11)
int compaction(const int* x, int* kept, int n, int low, int high) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] >= low && x[i] < high) {
      kept[count] = x[i];
      ++count;
    }
  }
  return count;
}
