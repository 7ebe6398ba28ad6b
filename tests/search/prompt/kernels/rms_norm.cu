// right: cuda-warp-shuffle
// Rows divided by their root mean square, one thread for each row.
__global__ void scale_rows(const float* x, const float* gain, float* y, int rows, int columns) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float squares = 0.0f;
  for (int c = 0; c < columns; c++) squares += x[r * columns + c] * x[r * columns + c];
  float inverse = rsqrtf(squares / columns + 1e-6f);
  for (int c = 0; c < columns; c++) y[r * columns + c] = x[r * columns + c] * inverse * gain[c];
}
void rms_norm(const float* x, const float* gain, float* y, int rows, int columns) {
  scale_rows<<<(rows + 255) / 256, 256>>>(x, gain, y, rows, columns);
}
