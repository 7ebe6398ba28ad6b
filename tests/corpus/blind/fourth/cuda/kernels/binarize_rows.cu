// One bit for each element of a matrix: whether it is above its row's threshold. Rows of the matrix are `stride`
// apart; each row of bits begins with a new word, and what is left of the last word is zero.

__global__ void binarize_rows_kernel(const float* x, const float* threshold, unsigned* bits, int rows, int columns,
                                     int stride) {
  int words = (columns + 31) / 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * words) {
    return;
  }
  int r = i / words;
  int first = i % words * 32;
  unsigned word = 0;
  for (int b = 0; b < 32 && first + b < columns; ++b) {
    if (x[(size_t)r * stride + first + b] > threshold[r]) {
      word |= 1u << b;
    }
  }
  bits[i] = word;
}

#pragma hone kernel in(x[0 : rows : stride][0 : columns], threshold[0 : rows]) \
    out(bits[0 : rows][0 : (columns + 31) / 32]) problem(rows = 8192, columns = 2048, stride = 2048) \
    problem(rows = 301, columns = 517, stride = 519) requires(stride >= columns) stream(s)
void binarize_rows(const float* x, const float* threshold, unsigned* bits, int rows, int columns, int stride,
                   cudaStream_t s) {
  int count = rows * ((columns + 31) / 32);
  binarize_rows_kernel<<<(count + 255) / 256, 256, 0, s>>>(x, threshold, bits, rows, columns, stride);
}
