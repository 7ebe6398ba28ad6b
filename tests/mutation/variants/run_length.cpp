// One look at each byte.
int run_length(const unsigned char* bytes, unsigned char* values, unsigned char* lengths, int n) {
  if (n <= 0) return 0;
  int runs = 0, length = 1;
  unsigned char value = bytes[0];
  for (int i = 1; i < n; ++i) {
    if (bytes[i] == value && length < 255) {
      ++length;
    } else {
      values[runs] = value;
      lengths[runs++] = static_cast<unsigned char>(length);
      value = bytes[i];
      length = 1;
    }
  }
  values[runs] = value;
  lengths[runs++] = static_cast<unsigned char>(length);
  return runs;
}
