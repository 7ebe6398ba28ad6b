// The smallest and the largest of each row and where the smallest comes first, one block for each.

__global__ void find_extremes(const float* x, float* low, float* high, int* where, int columns) {
  __shared__ float lows[128];
  __shared__ float highs[128];
  __shared__ int places[128];
  const int t = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float smallest = row[0];
  float largest = row[0];
  int place = 0;
  for (int c = t; c < columns; c += 128) {
    if (row[c] < smallest || (row[c] == smallest && c < place)) {
      smallest = row[c];
      place = c;
    }
    largest = row[c] > largest ? row[c] : largest;
  }
  lows[t] = smallest;
  highs[t] = largest;
  places[t] = place;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) {
      if (lows[t + half] < lows[t] || (lows[t + half] == lows[t] && places[t + half] < places[t])) {
        lows[t] = lows[t + half];
        places[t] = places[t + half];
      }
      if (highs[t + half] > highs[t]) highs[t] = highs[t + half];
    }
    __syncthreads();
  }
  if (t == 0) {
    low[blockIdx.x] = lows[0];
    high[blockIdx.x] = highs[0];
    where[blockIdx.x] = places[0];
  }
}

#pragma hone kernel in(x[0 : rows][0 : columns]) out(low[0 : rows], high[0 : rows], where[0 : rows]) \
    init(x : uniform(-5, 5)) problem(rows = 300, columns = 1000) problem(rows = 77, columns = 333)
void row_extremes(const float* x, float* low, float* high, int* where, int rows, int columns) {
  if (rows > 0 && columns > 0) find_extremes<<<rows, 128>>>(x, low, high, where, columns);
}
