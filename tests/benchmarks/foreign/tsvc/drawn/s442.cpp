// s442: One of four updates, by an index.

#pragma hone kernel inout(a [0:n]) in(b [0:n], c [0:n], d [0:n], e [0:n], which [0:n])init(which            \
                                                                                           : uniform(1, 4)) \
    problem(n = 32000)
void s442(float* __restrict a, const float* __restrict b, const float* __restrict c, const float* __restrict d,
          const float* __restrict e, const int* __restrict which, int n) {
  for (int i = 0; i < n; i++) switch (which[i]) {
      case 1:
        a[i] += b[i] * b[i];
        break;
      case 2:
        a[i] += c[i] * c[i];
        break;
      case 3:
        a[i] += d[i] * d[i];
        break;
      case 4:
        a[i] += e[i] * e[i];
        break;
    }
}
