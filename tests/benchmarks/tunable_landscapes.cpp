// The seconds of two kernels at each choice of their five numbers, on this machine: what a search of tunables has to
// find its way through. tests/search/prompt/landscapes/ has them as this program printed them once.
//
//   hone_tunable_landscapes gemm|box
//
// First a line for each number with its values, then the microseconds of all choices, the last number counting fastest.
// A choice's time is the least of six.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// A product of matrices in blocks of mc × nc × kc, `rows` of it at once, its sums unrolled.
struct Gemm {
  static constexpr std::array first{1, 2, 4, 6, 8};
  static constexpr std::array second{1, 2, 4, 8};
  static constexpr std::array third{16, 48, 96, 192}, fourth{16, 32, 64, 192}, fifth{8, 16, 64, 192};
  static constexpr const char* names[] = {"MR", "U", "MC", "NC", "KC"};
  static constexpr int n = 192;
  std::vector<float> a = std::vector<float>(n * n, .5f), b = std::vector<float>(n * n, .25f);
  std::vector<float> c = std::vector<float>(n * n);

  template <int rows, int unrolled>
  [[gnu::noinline]] void block(int i0, int i1, int j0, int j1, int k0, int k1) {
    int i = i0;
    for (; i + rows <= i1; i += rows) {
      int k = k0;
      for (; k + unrolled <= k1; k += unrolled)
        for (int j = j0; j < j1; ++j)
          for (int r = 0; r < rows; ++r)
            for (int u = 0; u < unrolled; ++u) c[(i + r) * n + j] += a[(i + r) * n + k + u] * b[(k + u) * n + j];
      for (; k < k1; ++k)
        for (int j = j0; j < j1; ++j)
          for (int r = 0; r < rows; ++r) c[(i + r) * n + j] += a[(i + r) * n + k] * b[k * n + j];
    }
    for (; i < i1; ++i)
      for (int k = k0; k < k1; ++k)
        for (int j = j0; j < j1; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  }

  template <int rows, int unrolled>
  void run(int mc, int nc, int kc) {
    std::fill(c.begin(), c.end(), 0.f);
    for (int i = 0; i < n; i += mc)
      for (int k = 0; k < n; k += kc)
        for (int j = 0; j < n; j += nc)
          block<rows, unrolled>(i, std::min(n, i + mc), j, std::min(n, j + nc), k, std::min(n, k + kc));
  }
};

// Sums over windows of 8 × 8 in tiles of th × tw, `rows` × `columns` of them at once.
struct Box {
  static constexpr std::array first{1, 2, 4, 8};
  static constexpr std::array second{1, 4, 8, 16, 32};
  static constexpr std::array third{4, 16, 64, 256}, fourth{16, 64, 128, 512}, fifth{1, 2, 4, 8};
  static constexpr const char* names[] = {"RY", "V", "TY", "TX", "W"};
  static constexpr int w = 512, h = 256, window = 8;
  std::vector<float> x = std::vector<float>(w * h, .5f), y = std::vector<float>(w * h);

  template <int rows, int columns>
  [[gnu::noinline]] void tile(int r0, int r1, int c0, int c1, int step) {
    const int r_end = r0 + (r1 - r0) / rows * rows, c_end = c0 + (c1 - c0) / columns * columns;
    for (int r = r0; r < r_end; r += rows)
      for (int c = c0; c < c_end; c += columns) {
        float sums[rows][columns] = {};
        for (int part = 0; part < window; part += step)
          for (int q = 0; q < rows; ++q)
            for (int i = 0; i < window; ++i)
              for (int j = part; j < part + step; ++j)
                for (int v = 0; v < columns; ++v) sums[q][v] += x[(r + q + i) * w + c + j + v];
        for (int q = 0; q < rows; ++q)
          for (int v = 0; v < columns; ++v) y[(r + q) * w + c + v] = sums[q][v];
      }
    if constexpr (rows > 1 || columns > 1) {
      if (c_end < c1) tile<1, 1>(r0, r_end, c_end, c1, step);
      if (r_end < r1) tile<1, 1>(r_end, r1, c0, c1, step);
    }
  }

  template <int rows, int columns>
  void run(int th, int tw, int step) {
    for (int r = 0; r < h - window; r += th)
      for (int c = 0; c < w - window; c += tw)
        tile<rows, columns>(r, std::min(h - window, r + th), c, std::min(w - window, c + tw), step);
  }
};

template <class Kernel>
class Landscape {
 public:
  void print() {
    for (int pass = 0; pass < 3; ++pass) {
      at_ = 0;
      firsts(std::make_index_sequence<Kernel::first.size()>());
    }
    print_values(Kernel::names[0], Kernel::first);
    print_values(Kernel::names[1], Kernel::second);
    print_values(Kernel::names[2], Kernel::third);
    print_values(Kernel::names[3], Kernel::fourth);
    print_values(Kernel::names[4], Kernel::fifth);
    for (const double seconds : least_) std::printf("%.0f\n", seconds * 1e6);
  }

 private:
  template <std::size_t... index>
  void firsts(std::index_sequence<index...>) {
    (seconds<Kernel::first[index]>(std::make_index_sequence<Kernel::second.size()>()), ...);
  }
  template <int first, std::size_t... index>
  void seconds(std::index_sequence<index...>) {
    (others<first, Kernel::second[index]>(), ...);
  }
  template <int first, int second>
  void others() {
    for (const int third : Kernel::third)
      for (const int fourth : Kernel::fourth)
        for (const int fifth : Kernel::fifth) {
          if (at_ == least_.size()) least_.push_back(std::numeric_limits<double>::max());
          for (int repeat = 0; repeat < 2; ++repeat) {
            const auto start = std::chrono::steady_clock::now();
            kernel_.template run<first, second>(third, fourth, fifth);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            least_[at_] = std::min(least_[at_], took.count());
          }
          ++at_;
        }
  }
  template <std::size_t count>
  static void print_values(const char* name, const std::array<int, count>& values) {
    std::printf("%s", name);
    for (const int value : values) std::printf(" %d", value);
    std::printf("\n");
  }

  Kernel kernel_;
  std::vector<double> least_;
  std::size_t at_ = 0;
};

}  // namespace

int main(int count, char** words) {
  const std::string_view kernel = count == 2 ? words[1] : "";
  if (kernel == "gemm") {
    Landscape<Gemm>().print();
  } else if (kernel == "box") {
    Landscape<Box>().print();
  } else {
    std::fputs("usage: hone_tunable_landscapes gemm|box\n", stderr);
    return 2;
  }
}
