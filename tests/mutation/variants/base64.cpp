// Whole groups first, what is left behind them.
void base64(const unsigned char* bytes, char* text, int n) {
  const int whole = n > 0 ? n / 3 : 0;
  for (int g = 0; g < whole; ++g) {
    const unsigned group = bytes[3 * g] << 16 | bytes[3 * g + 1] << 8 | bytes[3 * g + 2];
    char* to = text + 4 * g;
    to[0] = alphabet[group >> 18];
    to[1] = alphabet[group >> 12 & 63];
    to[2] = alphabet[group >> 6 & 63];
    to[3] = alphabet[group & 63];
  }
  const int rest = n - 3 * whole;
  if (rest <= 0) return;
  char* to = text + 4 * whole;
  const unsigned first = bytes[3 * whole], second = rest == 2 ? bytes[3 * whole + 1] : 0;
  to[0] = alphabet[first >> 2];
  to[1] = alphabet[(first << 4 | second >> 4) & 63];
  to[2] = rest == 2 ? alphabet[second << 2 & 63] : '=';
  to[3] = '=';
}
