// Seven bits a byte, the highest bit says that more follow; then zeros.
#pragma hone kernel in(values [0:n])out(bytes [0:5 * n]) problem(n = 8000)
int varint(const unsigned* values, unsigned char* bytes, int n) {
  int at = 0;
  for (int i = 0; i < n; ++i) {
    unsigned v = values[i];
    for (; v > 127; v >>= 7) bytes[at++] = static_cast<unsigned char>(v | 128);
    bytes[at++] = static_cast<unsigned char>(v);
  }
  for (int i = at; i < 5 * n; ++i) bytes[i] = 0;
  return at;
}
