// Of each row the smallest, the largest and where the smallest comes first.

#pragma hone kernel in(x[0 : rows][0 : columns]) out(low[0 : rows], high[0 : rows], where[0 : rows]) \
    problem(rows = 60, columns = 500) problem(rows = 33, columns = 77)
void extremes(const float* x, float* low, float* high, int* where, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    const float* row = x + r * columns;
    float smallest = row[0];
    float largest = row[0];
    int first = 0;
    for (int c = 1; c < columns; ++c) {
      if (row[c] < smallest) {
        smallest = row[c];
        first = c;
      }
      if (row[c] > largest) {
        largest = row[c];
      }
    }
    low[r] = smallest;
    high[r] = largest;
    where[r] = first;
  }
}
