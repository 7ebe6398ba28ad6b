// s332: The first element above a threshold.

#pragma hone kernel in(a [0:n])init(a : uniform(0, 1), t : constant(0.9999)) problem(n = 32000)
float s332(const float* __restrict a, float t, int n) {
  float value = -1.f;
  for (int i = 0; i < n; i++)
    if (a[i] > t) {
      value = a[i];
      break;
    }
  return value;
}
