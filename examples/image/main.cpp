// Blurs a picture, finds its edges, and finds a piece of it again; prints what each took and what came out.
//
//   image PICTURE.pgm [EDGES.pgm]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "filters.h"
#include "picture.h"

namespace {

// Milliseconds of the fastest of some calls.
template <class Call>
double fastest(Call call) {
  double best = 1e9;
  for (int i = 0; i < 15; ++i) {
    auto start = std::chrono::steady_clock::now();
    call();
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// A reordered float sum differs in the last digits, so a mean is shown with the digits that do not.
template <class T>
double mean(const std::vector<T>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<float> cut_out(const std::vector<float>& gray, int width, int left, int top, int size) {
  std::vector<float> piece;
  for (int y = top; y < top + size; ++y)
    for (int x = left; x < left + size; ++x) piece.push_back(gray[static_cast<std::size_t>(y * width + x)]);
  return piece;
}

void process(const Picture& picture, const char* edges_path) {
  const int w = picture.width, h = picture.height, k = 24;

  Picture blurred{w, h, std::vector<unsigned char>(picture.pixels.size())};
  double took = fastest([&] { filters::blur(picture.pixels.data(), blurred.pixels.data(), w, h); });
  std::printf("blur      %8.3f ms   mean %.3f\n", took, mean(blurred.pixels));

  std::vector<float> gray(blurred.pixels.begin(), blurred.pixels.end());
  std::vector<float> edges(gray.size());
  took = fastest([&] { filters::gradient(gray.data(), edges.data(), w, h); });
  std::printf("gradient  %8.3f ms   mean %.3f\n", took, mean(edges));

  const int left = 5 * w / 8, top = h / 2;
  std::vector<float> piece = cut_out(gray, w, left, top, k);
  std::vector<float> score(static_cast<std::size_t>((w - k + 1) * (h - k + 1)));
  took = fastest([&] { filters::match(gray.data(), piece.data(), score.data(), w, h, k); });
  long best = std::min_element(score.begin(), score.end()) - score.begin();
  std::printf("match     %8.3f ms   found at %ld,%ld\n", took, best % (w - k + 1), best / (w - k + 1));

  if (!edges_path) return;
  Picture drawn{w, h, {}};
  for (float edge : edges) drawn.pixels.push_back(static_cast<unsigned char>(std::min(255.f, std::round(edge))));
  write_pgm(edges_path, drawn);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: image PICTURE.pgm [EDGES.pgm]\n"), 2;
  try {
    Picture picture = read_pgm(argv[1]);
    if (picture.width < 64 || picture.height < 64) throw std::runtime_error("the picture is under 64 by 64 pixels");
    process(picture, argc > 2 ? argv[2] : nullptr);
  } catch (const std::exception& problem) {
    return std::fprintf(stderr, "image: %s\n", problem.what()), 1;
  }
}
