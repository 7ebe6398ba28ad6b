// HeCBench's su3: on each site of a lattice the products of its four 3x3 complex matrices with four that all sites
// share. One thread for each site.

struct Complex {
  double real, imaginary;
};

__global__ void multiply_links(const Complex* a, const Complex* b, Complex* c, int sites) {
  int site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= sites) return;
  for (int link = 0; link < 4; ++link) {
    const Complex* left = a + (site * 4 + link) * 9;
    const Complex* right = b + link * 9;
    Complex* product = c + (site * 4 + link) * 9;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        Complex sum = {0.0, 0.0};
        for (int k = 0; k < 3; ++k) {
          Complex l = left[row * 3 + k];
          Complex r = right[k * 3 + column];
          sum.real += l.real * r.real - l.imaginary * r.imaginary;
          sum.imaginary += l.real * r.imaginary + l.imaginary * r.real;
        }
        product[row * 3 + column] = sum;
      }
    }
  }
}

#pragma hone kernel in(a[0 : sites * 36], b[0 : 36]) out(c[0 : sites * 36]) problem(sites = 16 * 16 * 16 * 16) \
    problem(sites = 5003) tolerance(rtol = 1e-10)
void su3(const Complex* a, const Complex* b, Complex* c, int sites) {
  multiply_links<<<(sites + 127) / 128, 128>>>(a, b, c, sites);
}
