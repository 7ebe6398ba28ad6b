// kernel: product
// verdict: right
// tries: tensor cores in PTX: a warp a tile, whose next operands are copied while it multiplies
static __device__ unsigned place_of(const float* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
// An element, or a zero beyond the matrix.
static __device__ void copy(float* to, const float* from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(place_of(to)), "l"(from), "r"(inside ? 4 : 0)
               : "memory");
}
static __device__ unsigned rounded(unsigned bits) {
  unsigned result;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(result) : "f"(__uint_as_float(bits)));
  return result;
}
static __global__ void step(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float left[2][16][20], right[2][16][16];
  const int lane = threadIdx.x, top = blockIdx.y * 16, start = blockIdx.x * 16, tiles = (n + 15) / 16;
  const auto fetch = [&](int tile) {
    for (int e = lane; e < 256; e += 32) {
      const int row = e / 16, column = e % 16, k = tile * 16 + column, l = tile * 16 + row;
      const bool in_a = top + row < n && k < n, in_b = l < n && start + column < n;
      copy(&left[tile % 2][row][column], in_a ? a + (top + row) * n + k : a, in_a);
      copy(&right[tile % 2][row][column], in_b ? b + l * n + start + column : b, in_b);
    }
  };
  float sum[2][4] = {};
  fetch(0);
  asm volatile("cp.async.commit_group;" ::: "memory");
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) fetch(tile + 1);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group %0;" ::"n"(1) : "memory");
    __syncthreads();
    for (int k = 0; k < 16; k += 8) {
      unsigned x[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                   : "r"(place_of(&left[tile % 2][lane % 16][k + lane / 16 * 4]))
                   : "memory");
      for (unsigned& one : x) one = rounded(one);
      for (int half = 0; half < 2; ++half) {
        const float* column = &right[tile % 2][k + lane % 4][half * 8 + lane / 4];
        const unsigned low = rounded(__float_as_uint(column[0])), high = rounded(__float_as_uint(column[4 * 16]));
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(sum[half][0]), "+f"(sum[half][1]), "+f"(sum[half][2]), "+f"(sum[half][3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(low), "r"(high));
      }
    }
    __syncthreads();
  }
  for (int e = 0; e < 8; ++e) {
    const int row = top + lane / 4 + e % 4 / 2 * 8, column = start + e / 4 * 8 + lane % 4 * 2 + e % 2;
    if (row < n && column < n) c[row * n + column] = sum[e / 4][e % 4];
  }
}
void product(const float* a, const float* b, float* c, int n) {
  step<<<dim3((n + 15) / 16, (n + 15) / 16), 32>>>(a, b, c, n);
}
