#include "cases.h"

#include "launchers.h"

namespace {

using Pointers = std::vector<void*>;

Array in(std::size_t count, float low = 0, float high = 1) {
  return {Array::Role::in, count, Array::Element::real, low, high};
}
Array out(std::size_t count) {
  return {Array::Role::out, count};
}
Array inout(std::size_t count) {
  return {Array::Role::inout, count};
}
float* real(void* pointer) {
  return static_cast<float*>(pointer);
}

template <class Launcher>
Launcher* as(void* launcher) {
  return reinterpret_cast<Launcher*>(launcher);
}

std::string by(std::initializer_list<int> sizes) {
  std::string text;
  for (const int size : sizes) text += (text.empty() ? "" : "×") + std::to_string(size);
  return text;
}

Case vector_add_of(int n) {
  const std::size_t count = n;
  return {"vector_add",
          by({n}),
          {in(count), in(count), out(count)},
          1.0 * n,
          1e-6,
          0,
          [=](void* f, const Pointers& p) { as<decltype(vector_add)>(f)(real(p[0]), real(p[1]), real(p[2]), n); },
          true};
}

Case saxpy_of(int n, float a) {
  const std::size_t count = n;
  return {"saxpy",
          by({n}),
          {in(count), inout(count)},
          2.0 * n,
          1e-6,
          0,
          [=](void* f, const Pointers& p) { as<decltype(saxpy)>(f)(a, real(p[0]), real(p[1]), n); },
          true};
}

Case gemm_of(int m, int n, int k) {
  const std::size_t rows = m, columns = n, depth = k;
  return {"gemm",
          by({m, n, k}),
          {in(rows * depth, -1, 1), in(depth * columns, -1, 1), out(rows * columns)},
          2.0 * m * n * k,
          1e-4,
          0,
          [=](void* f, const Pointers& p) { as<decltype(gemm)>(f)(real(p[0]), real(p[1]), real(p[2]), m, n, k); }};
}

Case gemv_of(int rows, int columns) {
  const std::size_t m = rows, n = columns;
  return {
      "gemv",
      by({rows, columns}),
      {in(m * n), in(n), out(m)},
      2.0 * rows * columns,
      1e-4,
      0,
      [=](void* f, const Pointers& p) { as<decltype(gemv)>(f)(real(p[0]), real(p[1]), real(p[2]), rows, columns); }};
}

Case transpose_of(int rows, int columns) {
  const std::size_t count = static_cast<std::size_t>(rows) * columns;
  return {"transpose", by({rows, columns}), {in(count), out(count)}, 0, 0, 0, [=](void* f, const Pointers& p) {
            as<decltype(transpose)>(f)(real(p[0]), real(p[1]), rows, columns);
          }};
}

Case reduction_of(int n) {
  const std::size_t count = n;
  return {"reduction", by({n}), {in(count), out(1)}, 1.0 * n, 1e-3, 0, [=](void* f, const Pointers& p) {
            as<decltype(reduction)>(f)(real(p[0]), real(p[1]), n);
          }};
}

Case softmax_of(int rows, int columns) {
  const std::size_t count = static_cast<std::size_t>(rows) * columns;
  return {"softmax",
          by({rows, columns}),
          {in(count, -4, 4), out(count)},
          4.0 * rows * columns,
          1e-4,
          0,
          [=](void* f, const Pointers& p) { as<decltype(softmax)>(f)(real(p[0]), real(p[1]), rows, columns); }};
}

Case layer_norm_of(int rows, int columns) {
  const std::size_t n = columns, count = static_cast<std::size_t>(rows) * columns;
  return {"layer_norm",
          by({rows, columns}),
          {in(count), in(n), in(n), out(count)},
          7.0 * rows * columns,
          1e-4,
          1e-4,
          [=](void* f, const Pointers& p) {
            as<decltype(layer_norm)>(f)(real(p[0]), real(p[1]), real(p[2]), real(p[3]), rows, columns);
          }};
}

Case gelu_bias_of(int rows, int columns) {
  const std::size_t n = columns, count = static_cast<std::size_t>(rows) * columns;
  return {"gelu_bias",
          by({rows, columns}),
          {in(count, -3, 3), in(n, -1, 1), out(count)},
          8.0 * rows * columns,
          1e-4,
          1e-5,
          [=](void* f, const Pointers& p) {
            as<decltype(gelu_bias)>(f)(real(p[0]), real(p[1]), real(p[2]), rows, columns);
          }};
}

Case convolution_1d_of(int n, int taps) {
  const std::size_t count = n, weights = taps;
  return {"convolution_1d",
          by({n, taps}),
          {in(count), in(weights), out(count)},
          2.0 * n * taps,
          1e-4,
          0,
          [=](void* f, const Pointers& p) {
            as<decltype(convolution_1d)>(f)(real(p[0]), real(p[1]), real(p[2]), n, taps);
          }};
}

Case convolution_2d_of(int w, int h, int size) {
  const std::size_t count = static_cast<std::size_t>(w) * h, weights = static_cast<std::size_t>(size) * size;
  return {"convolution_2d",
          by({w, h, size}),
          {in(count), in(weights), out(count)},
          2.0 * w * h * size * size,
          1e-4,
          0,
          [=](void* f, const Pointers& p) {
            as<decltype(convolution_2d)>(f)(real(p[0]), real(p[1]), real(p[2]), w, h, size);
          }};
}

Case stencil_of(int w, int h, float alpha) {
  const std::size_t count = static_cast<std::size_t>(w) * h;
  return {"stencil", by({w, h}), {in(count), inout(count)}, 6.0 * w * h, 1e-5, 0, [=](void* f, const Pointers& p) {
            as<decltype(stencil)>(f)(real(p[0]), real(p[1]), w, h, alpha);
          }};
}

Case histogram_of(int n) {
  const Array bytes{Array::Role::in, static_cast<std::size_t>(n), Array::Element::byte};
  const Array bins{Array::Role::out, 256, Array::Element::integer};
  return {"histogram", by({n}), {bytes, bins}, 0, 0, 0, [=](void* f, const Pointers& p) {
            as<decltype(histogram)>(f)(static_cast<unsigned char*>(p[0]), static_cast<int*>(p[1]), n);
          }};
}

Case scan_of(int n) {
  const std::size_t count = n;
  return {"scan", by({n}), {in(count), out(count)}, 1.0 * n, 1e-4, 0, [=](void* f, const Pointers& p) {
            as<decltype(scan)>(f)(real(p[0]), real(p[1]), n);
          }};
}

Case batched_matmul_of(int batch, int size) {
  const std::size_t count = static_cast<std::size_t>(batch) * size * size;
  return {"batched_matmul",
          by({batch, size}),
          {in(count), in(count), out(count)},
          2.0 * count * size,
          1e-4,
          0,
          [=](void* f, const Pointers& p) {
            as<decltype(batched_matmul)>(f)(real(p[0]), real(p[1]), real(p[2]), batch, size);
          }};
}

}  // namespace

// The stencil's border is neither read back nor written, which the count leaves aside.
double Case::bytes() const {
  double sum = 0;
  for (const Array& array : arrays)
    sum += static_cast<double>(array.bytes()) * (array.role == Array::Role::inout && kernel != "stencil" ? 2 : 1);
  return sum;
}

// The problems that the annotations declare.
std::vector<Case> cases() {
  return {vector_add_of(1 << 24),
          vector_add_of(9999991),
          saxpy_of(1 << 24, 2.5f),
          saxpy_of(9999991, -0.75f),
          gemm_of(1024, 1024, 1024),
          gemm_of(1003, 517, 771),
          gemv_of(8192, 8192),
          gemv_of(4001, 2989),
          transpose_of(8192, 4096),
          transpose_of(4003, 3109),
          reduction_of(1 << 24),
          reduction_of(2999999),
          softmax_of(8192, 4096),
          softmax_of(4001, 777),
          layer_norm_of(8192, 4096),
          layer_norm_of(4001, 777),
          gelu_bias_of(8192, 4096),
          gelu_bias_of(2047, 3001),
          convolution_1d_of(1 << 22, 129),
          convolution_1d_of(2999999, 63),
          convolution_2d_of(2048, 2048, 7),
          convolution_2d_of(1921, 1081, 5),
          stencil_of(4096, 4096, 0.1f),
          stencil_of(4001, 2333, 0.2f),
          histogram_of(1 << 27),
          histogram_of(9999991),
          scan_of(1 << 24),
          scan_of(1000003),
          batched_matmul_of(8192, 32),
          batched_matmul_of(4001, 27)};
}

std::vector<Case> large_cases() {
  return {gemv_of(32768, 8192),          transpose_of(32768, 4096),  reduction_of(1 << 28),
          softmax_of(32768, 4096),       layer_norm_of(32768, 4096), gelu_bias_of(32768, 4096),
          stencil_of(16384, 8192, 0.1f), histogram_of(1 << 30),      scan_of(1 << 27)};
}
