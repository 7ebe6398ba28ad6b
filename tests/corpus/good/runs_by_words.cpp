// kernel: runs
// verdict: right
// tries: eight bytes at once where a run is long
#include <cstring>
int runs(const unsigned char* x, unsigned char* value, int* length, int n) {
  int count = 0;
  for (int i = 0; i < n;) {
    const unsigned long long eight = 0x0101010101010101ull * x[i];
    int end = i + 1;
    for (unsigned long long next; end + 8 <= n; end += 8) {
      std::memcpy(&next, x + end, 8);
      if (next != eight) break;
    }
    while (end < n && x[end] == x[i]) ++end;
    value[count] = x[i];
    length[count++] = end - i;
    i = end;
  }
  for (int i = count; i < n; ++i) value[i] = 0, length[i] = 0;
  return count;
}
