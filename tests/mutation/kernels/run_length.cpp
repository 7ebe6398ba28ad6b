// Run-length encoding: a byte and how often it comes, at most 255 times; the result is the number of runs.

#pragma hone kernel in(bytes[0 : n]) inout(values[0 : n], lengths[0 : n]) init(bytes : index(0, 3)) \
    problem(n = 40000) problem(n = 9973)
int run_length(const unsigned char* bytes, unsigned char* values, unsigned char* lengths, int n) {
  int runs = 0;
  int i = 0;
  while (i < n) {
    const unsigned char value = bytes[i];
    int length = 1;
    while (i + length < n && length < 255 && bytes[i + length] == value) {
      ++length;
    }
    values[runs] = value;
    lengths[runs] = static_cast<unsigned char>(length);
    ++runs;
    i += length;
  }
  return runs;
}
