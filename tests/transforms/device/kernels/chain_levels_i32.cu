// A sum by levels, each of half as many elements as the one before, and back down: running sums in place.
__global__ void up(int* y, int count, int distance) {
  long long i = (blockIdx.x * blockDim.x + threadIdx.x + 1LL) * 2 * distance - 1;
  if (i < count) y[i] += y[i - distance];
}
__global__ void down(int* y, int count, int distance) {
  long long i = (blockIdx.x * blockDim.x + threadIdx.x + 1LL) * 2 * distance - 1 + distance;
  if (i < count) y[i] += y[i - distance];
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 100, n = 1000)
void chain_levels_i32(const int* x, int* y, int rows, int n) {
  int count = rows * n, distance = 1;
  for (; distance < count; distance *= 2) up<<<count / (2 * distance) / 128 + 1, 128>>>(y, count, distance);
  for (; distance > 0; distance /= 2) {
    int blocks = count / (2 * distance) / 128 + 1;
    down<<<blocks, 128>>>(y, count, distance);
  }
}
