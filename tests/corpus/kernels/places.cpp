// A prefix sum with a predicate: where each element that passes would go.
#pragma hone kernel in(x [0:n])out(place [0:n]) problem(n = 40000, limit = 100)
int places(const int* x, int* place, int n, int limit) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    place[i] = count;
    count += x[i] > limit;
  }
  return count;
}
