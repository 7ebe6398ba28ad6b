// What is positive in its order, then zeros.
#pragma hone kernel in(x [0:n])out(kept [0:n]) problem(n = 20000)
int compact(const float* x, float* kept, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i)
    if (x[i] > 0) kept[count++] = x[i];
  for (int i = count; i < n; ++i) kept[i] = 0;
  return count;
}
