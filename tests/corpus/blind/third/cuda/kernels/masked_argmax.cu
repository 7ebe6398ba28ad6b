// Greedy decoding under a grammar: of each row the allowed token with the largest logit, of equal ones the first. NaN and
// minus infinity are never chosen; where nothing is left the token is -1. One block for each row.

__global__ void choose_token(const float* logits, const bool* allowed, int* token, float* logit, int columns) {
  __shared__ float value[256];
  __shared__ int where[256];
  size_t row = blockIdx.x;
  float best = -INFINITY;
  int at = -1;
  for (int c = threadIdx.x; c < columns; c += 256) {
    if (allowed[row * columns + c] && logits[row * columns + c] > best) {
      best = logits[row * columns + c];
      at = c;
    }
  }
  value[threadIdx.x] = best;
  where[threadIdx.x] = at;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 256; ++i) {
      if (value[i] > best || (value[i] == best && where[i] >= 0 && (at < 0 || where[i] < at))) {
        best = value[i];
        at = where[i];
      }
    }
    token[row] = at;
    logit[row] = best;
  }
}

#pragma hone kernel in(logits[0 : (size_t)rows * columns], allowed[0 : (size_t)rows * columns]) \
    out(token[0 : rows], logit[0 : rows]) tolerance(logit : rtol = 1e-5) problem(rows = 200, columns = 32000) problem(rows = 7, columns = 1003)
void masked_argmax(const float* logits, const bool* allowed, int* token, float* logit, int rows, int columns) {
  if (rows == 0) return;
  choose_token<<<rows, 256>>>(logits, allowed, token, logit, columns);
}
