// One root and one division for each row.
void layer_norm(const float* x, const float* gain, const float* bias, float* y, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    const float* in = x + r * columns;
    float* out = y + r * columns;
    float sums[8] = {};
    int c = 0;
    for (; c + 8 <= columns; c += 8) {
      for (int k = 0; k < 8; ++k) sums[k] += in[c + k];
    }
    float sum = 0.0f;
    for (; c < columns; ++c) sum += in[c];
    for (int k = 0; k < 8; ++k) sum += sums[k];
    const float mean = sum / columns;
    float squares = 0.0f;
    for (c = 0; c < columns; ++c) {
      const float d = in[c] - mean;
      squares += d * d;
    }
    const float scale = 1.0f / std::sqrt(squares / columns + 1e-5f);
    for (c = 0; c < columns; ++c) out[c] = (in[c] - mean) * scale * gain[c] + bias[c];
  }
}
