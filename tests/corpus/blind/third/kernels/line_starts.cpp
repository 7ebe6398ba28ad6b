// Where the lines of an editor's UTF-16 text begin. "\n", "\r" and "\r\n" each end one line.
#include <cstdint>

#pragma hone kernel in(text[0:n]) out(starts[0:n+1]) problem(n=65536) problem(n=1000)
int line_starts(const uint16_t* text, int n, int* starts) {
  int k = 0;
  starts[k++] = 0;
  for (int i = 0; i < n; ++i) {
    if (text[i] == '\n')
      starts[k++] = i + 1;
    else if (text[i] == '\r' && !(i + 1 < n && text[i + 1] == '\n'))
      starts[k++] = i + 1;
  }
  return k;
}
