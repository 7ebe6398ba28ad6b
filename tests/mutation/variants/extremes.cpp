// Four columns at once, each with a place of its own; of equals the first one counts.
void extremes(const float* x, float* low, float* high, int* where, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    const float* row = x + r * columns;
    float smallest[4] = {row[0], row[0], row[0], row[0]}, largest = row[0];
    int first[4] = {};
    int c = 0;
    for (; c + 4 <= columns; c += 4) {
      for (int k = 0; k < 4; ++k) {
        const float value = row[c + k];
        if (value < smallest[k]) {
          smallest[k] = value;
          first[k] = c + k;
        }
        if (value > largest) largest = value;
      }
    }
    for (; c < columns; ++c) {
      if (row[c] < smallest[0]) {
        smallest[0] = row[c];
        first[0] = c;
      }
      if (row[c] > largest) largest = row[c];
    }
    int best = 0;
    for (int k = 1; k < 4; ++k) {
      if (smallest[k] < smallest[best] || (smallest[k] == smallest[best] && first[k] < first[best])) best = k;
    }
    low[r] = smallest[best];
    high[r] = largest;
    where[r] = first[best];
  }
}
