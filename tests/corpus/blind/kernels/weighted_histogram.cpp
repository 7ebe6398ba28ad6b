// Weights added up by label, on top of what is there already; labels come mostly in order.
#pragma hone kernel in(label [0:n], weight [0:n])inout(total [0:256]) problem(n = 40000) \
    init(label : sorted(0, 11)) tolerance(rtol = 1e-4)
void weighted_histogram(const unsigned char* label, const float* weight, float* total, int n) {
  for (int i = 0; i < n; ++i) total[label[i]] += weight[i];
}
