// Runs of equal bytes as pairs of the byte and how often it comes, at most 255 times; behind the pairs there are zeros.
#pragma hone kernel in(src[0:n]) out(dst[0:2*n]) problem(n = 100000) init(src: uniform(0, 2))
int rle_pack(const unsigned char* src, unsigned char* dst, int n) {
  int pairs = 0;
  for (int i = 0; i < n;) {
    int run = 1;
    while (run < 255 && i + run < n && src[i + run] == src[i]) ++run;
    dst[2 * pairs] = src[i];
    dst[2 * pairs + 1] = static_cast<unsigned char>(run);
    ++pairs;
    i += run;
  }
  for (int i = 2 * pairs; i < 2 * n; ++i) dst[i] = 0;
  return pairs;
}
