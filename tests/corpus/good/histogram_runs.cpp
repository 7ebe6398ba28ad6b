// kernel: histogram
// verdict: right
// tries: runs of equal bytes counted at once
void histogram(const unsigned char* data, int* counts, int n) {
  for (int i = 0; i < n;) {
    const unsigned char v = data[i];
    int run = 1;
    while (i + run < n && data[i + run] == v) run++;
    counts[v] += run;
    i += run;
  }
}
