// kernel: varint
// verdict: right
// tries: the length by the highest bit, then that many bytes
int varint(const unsigned* values, unsigned char* bytes, int n) {
  int at = 0;
  for (int i = 0; i < n; ++i) {
    const unsigned v = values[i];
    const int more = (31 - __builtin_clz(v | 1)) / 7;
    for (int k = 0; k < more; ++k) bytes[at++] = static_cast<unsigned char>(v >> 7 * k | 128);
    bytes[at++] = static_cast<unsigned char>(v >> 7 * more);
  }
  for (int i = at; i < 5 * n; ++i) bytes[i] = 0;
  return at;
}
