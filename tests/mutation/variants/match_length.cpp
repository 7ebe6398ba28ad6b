// From the end on: a match is one longer than that of the next place.
void match_length(const unsigned char* bytes, int* lengths, int n, int distance, int longest) {
  int length = 0;
  for (int i = n - 1; i >= 0; --i) {
    if (distance > 0 && i >= distance && bytes[i] == bytes[i - distance]) {
      ++length;
    } else {
      length = 0;
    }
    lengths[i] = length < longest ? length : longest > 0 ? longest : 0;
  }
}
