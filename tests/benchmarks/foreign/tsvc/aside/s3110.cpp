// s3110: The largest element of a matrix and where it stands.

#pragma hone kernel in(a [0:n * n]) problem(n = 256) requires(n >= 1)
float s3110(const float* __restrict a, int n) {
  float most = a[0];
  int x = 0, y = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (a[i * n + j] > most) {
        most = a[i * n + j];
        x = i;
        y = j;
      }
  return most + x + 1 + y + 1;
}
