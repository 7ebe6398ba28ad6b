// How many of each row are above its threshold. Rows are `stride` apart.
#pragma hone kernel in(x[0:rows:stride][0:columns], threshold[0:rows]) out(count[0:rows]) \
    problem(rows = 512, columns = 160, stride = 200) problem(rows = 31, columns = 17, stride = 19) requires(stride >= columns)
void marks(const float* x, const float* threshold, int* count, int rows, int columns, int stride) {
  for (int r = 0; r < rows; ++r) {
    count[r] = 0;
    for (int c = 0; c < columns; ++c) count[r] += x[static_cast<long>(r) * stride + c] > threshold[r];
  }
}
