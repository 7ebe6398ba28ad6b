// Runs of equal bytes: what and how many; then zeros.
#pragma hone kernel in(x [0:n])out(value [0:n], length [0:n]) problem(n = 20000)
int runs(const unsigned char* x, unsigned char* value, int* length, int n) {
  int count = 0;
  for (int i = 0; i < n;) {
    int end = i + 1;
    while (end < n && x[end] == x[i]) ++end;
    value[count] = x[i];
    length[count++] = end - i;
    i = end;
  }
  for (int i = count; i < n; ++i) value[i] = 0, length[i] = 0;
  return count;
}
