// kernel: words
// verdict: verify
// tries: all that is not above a blank as a blank: a tab is one, but so are a form feed and a zero byte
void words(const unsigned char* text, int* counts, int n) {
  int lines = 0, words = 0, letters = 0, inside = 0;
  for (int i = 0; i < n; ++i) {
    const int c = text[i], black = c > ' ';
    lines += c == '\n';
    words += black & ~inside & 1;
    inside = black;
    letters += static_cast<unsigned>((c | 32) - 'a') < 26;
  }
  counts[0] = lines;
  counts[1] = words;
  counts[2] = letters;
}
