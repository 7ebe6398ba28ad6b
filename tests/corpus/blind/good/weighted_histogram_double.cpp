// kernel: weighted_histogram
// verdict: right
// tries: four histograms in double on the stack, added up at the end
void weighted_histogram(const unsigned char* label, const float* weight, float* total, int n) {
  if (n < 1) return;
  double part[4][256] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    part[0][label[i]] += weight[i];
    part[1][label[i + 1]] += weight[i + 1];
    part[2][label[i + 2]] += weight[i + 2];
    part[3][label[i + 3]] += weight[i + 3];
  }
  for (; i < n; ++i) part[0][label[i]] += weight[i];
  for (int b = 0; b < 256; ++b)
    total[b] = static_cast<float>(total[b] + ((part[0][b] + part[1][b]) + (part[2][b] + part[3][b])));
}
