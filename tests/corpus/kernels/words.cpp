// Lines, words and letters of a text.
#pragma hone kernel in(text [0:n])out(counts [0:3]) problem(n = 50000)
void words(const unsigned char* text, int* counts, int n) {
  int lines = 0, words = 0, letters = 0;
  bool inside = false;
  for (int i = 0; i < n; ++i) {
    const unsigned char c = text[i];
    const bool blank = c == ' ' || c == '\n' || c == '\t';
    lines += c == '\n';
    words += !blank && !inside;
    inside = !blank;
    letters += (c | 32) >= 'a' && (c | 32) <= 'z';
  }
  counts[0] = lines;
  counts[1] = words;
  counts[2] = letters;
}
