// kernel: marks
// verdict: right
// tries: a row by its own pointer, its count in a register
void marks(const float* x, const float* threshold, int* count, int rows, int columns, int stride) {
  for (int r = 0; r < rows; ++r, x += stride) {
    int above = 0;
    for (int c = 0; c < columns; ++c) above += x[c] > threshold[r];
    count[r] = above;
  }
}
