// How many replacement characters a decoder of UTF-8 would put out: one for each maximal ill-formed part.
#pragma hone kernel in(s[0:n]) problem(n = 20000)
int utf8_bad(const unsigned char* s, int n) {
  int bad = 0;
  for (int i = 0; i < n;) {
    const unsigned char c = s[i++];
    if (c < 0x80) continue;
    int need = 0;
    unsigned char low = 0x80, high = 0xBF;
    if (c >= 0xC2 && c <= 0xDF) need = 1;
    else if (c >= 0xE0 && c <= 0xEF) need = 2;
    else if (c >= 0xF0 && c <= 0xF4) need = 3;
    else {
      ++bad;
      continue;
    }
    if (c == 0xE0) low = 0xA0;
    if (c == 0xED) high = 0x9F;
    if (c == 0xF0) low = 0x90;
    if (c == 0xF4) high = 0x8F;
    while (need > 0 && i < n && s[i] >= low && s[i] <= high) {
      ++i;
      --need;
      low = 0x80;
      high = 0xBF;
    }
    if (need > 0) ++bad;
  }
  return bad;
}
