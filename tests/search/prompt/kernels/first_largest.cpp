// right: argmax
// Where the largest element stands first.
int first_largest(const float* x, int n) {
  int place = 0;
  float largest = x[0];
  for (int i = 1; i < n; ++i) {
    if (x[i] > largest) {
      largest = x[i];
      place = i;
    }
  }
  return place;
}
