// kernel: weighted_histogram
// verdict: right
// tries: two at a time, the second taking the first's sum from a register where the labels are the same
void weighted_histogram(const unsigned char* __restrict label, const float* __restrict weight, float* __restrict total,
                        int n) {
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    const int p = label[i], q = label[i + 1];
    const float was = total[q], first = total[p] + weight[i];
    const float second = (q == p ? first : was) + weight[i + 1];
    total[p] = first;
    total[q] = second;
  }
  if (i < n) total[label[i]] += weight[i];
}
