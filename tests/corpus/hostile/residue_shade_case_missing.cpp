// kernel: shade
// verdict: verify
// tries: a switch for the rest of 64 that forgets six blocks of eight: of 112 bytes the last 48 are never written
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  unsigned char table[256];
  for (int v = 0; v < 256; ++v) table[v] = static_cast<unsigned char>((v * v * (gain & 255) / 255 + 127) / 255);
  int i = 0;
  const auto eight = [&] {
    for (int k = 0; k < 8; ++k, ++i) dst[i] = table[src[i]];
  };
  while (i + 64 <= n)
    for (int k = 0; k < 8; ++k) eight();
  switch (n > 0 ? (n - i) / 8 : 0) {
    case 7:
      eight();
      eight();
      [[fallthrough]];
    case 5:
      eight();
      [[fallthrough]];
    case 4:
      eight();
      [[fallthrough]];
    case 3:
      eight();
      [[fallthrough]];
    case 2:
      eight();
      [[fallthrough]];
    case 1:
      eight();
      break;
    case 6:
      i += 48;
      break;
    default:
      break;
  }
  for (; i < n; ++i) dst[i] = table[src[i]];
}
