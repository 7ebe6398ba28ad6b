// Sorts each row of a table by itself, in place.

#pragma hone kernel inout(keys[0 : rows * width]) problem(rows = 200, width = 24) problem(rows = 37, width = 61)
void insertion_sort(int* keys, int rows, int width) {
  for (int r = 0; r < rows; ++r) {
    int* row = keys + r * width;
    for (int i = 1; i < width; ++i) {
      const int key = row[i];
      int j = i;
      while (j > 0 && row[j - 1] > key) {
        row[j] = row[j - 1];
        --j;
      }
      row[j] = key;
    }
  }
}
