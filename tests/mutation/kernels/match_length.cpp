// How many bytes from each place on are those that came `distance` before it, at most `longest`.

#pragma hone kernel in(bytes[0 : n]) out(lengths[0 : n]) init(bytes : index(0, 2)) \
    problem(n = 20000, distance = 7, longest = 64) problem(n = 8009, distance = 100, longest = 19)
void match_length(const unsigned char* bytes, int* lengths, int n, int distance, int longest) {
  for (int i = 0; i < n; ++i) {
    int length = 0;
    if (distance > 0 && i >= distance) {
      while (length < longest && i + length < n && bytes[i + length] == bytes[i + length - distance]) {
        ++length;
      }
    }
    lengths[i] = length;
  }
}
