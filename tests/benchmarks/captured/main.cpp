#include <cstdio>
#include <random>
#include <vector>
void first_above(const float* x, int* at, int rows, int columns, float limit);
void soft_clip(const float* x, float* y, int n);
void count_words(const int* words, int* counts, int n, int m);
int main() {
  std::mt19937 random(7);
  const int n = 262144, m = 32768;
  long sum = 0;
  std::vector<float> x(n), y(n);
  std::vector<int> words(n), counts(m);
  std::normal_distribution<float> quiet(0, 0.12f);
  std::geometric_distribution<int> rank(0.7);
  for (int call = 0; call < 200; ++call) {
    for (float& v : x) v = quiet(random);
    soft_clip(x.data(), y.data(), n);
    for (float& v : x) v = std::abs(quiet(random));
    std::vector<int> at(n / 256);
    first_above(x.data(), at.data(), n / 256, 256, 0.15f);
    sum += at[3];
    for (int& w : words) w = rank(random) % m;
    count_words(words.data(), counts.data(), n, m);
  }
  std::printf("%ld %g %d\n", sum, double(y[5]), counts[0]);
}
