// Three bytes become four letters; what is missing at the end becomes '='.

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

#pragma hone kernel in(bytes[0 : n]) out(text[0 : (n + 2) / 3 * 4]) problem(n = 30000) problem(n = 10001)
void base64(const unsigned char* bytes, char* text, int n) {
  int at = 0;
  for (int i = 0; i < n; i += 3) {
    unsigned group = bytes[i] << 16;
    if (i + 1 < n) group |= bytes[i + 1] << 8;
    if (i + 2 < n) group |= bytes[i + 2];
    text[at] = alphabet[group >> 18 & 63];
    text[at + 1] = alphabet[group >> 12 & 63];
    text[at + 2] = i + 1 < n ? alphabet[group >> 6 & 63] : '=';
    text[at + 3] = i + 2 < n ? alphabet[group & 63] : '=';
    at += 4;
  }
}
