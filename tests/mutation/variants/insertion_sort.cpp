// The place is found by halving, then what is larger moves up.
void insertion_sort(int* keys, int rows, int width) {
  for (int r = 0; r < rows; ++r) {
    int* row = keys + r * width;
    for (int i = 1; i < width; ++i) {
      const int key = row[i];
      int low = 0, high = i;
      while (low < high) {
        const int middle = (low + high) / 2;
        if (row[middle] <= key)
          low = middle + 1;
        else
          high = middle;
      }
      for (int j = i; j > low; --j) row[j] = row[j - 1];
      row[low] = key;
    }
  }
}
