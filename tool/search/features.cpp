#include "tool/search/features.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace hone::search {
namespace {

struct Mark {
  std::string_view technique;
  std::string_view text;
};

constexpr Mark marks[] = {
    {"simd", "_mm"},        {"simd", "vector_size"},  {"simd", "omp simd"},     {"threads", "std::thread"},
    {"threads", "jthread"}, {"threads", "omp paral"}, {"prefetch", "prefetch"}, {"unroll", "unroll"},
    {"stream", "_stream_"}, {"shared", "__shared__"}, {"warp", "__shfl"},       {"table", "static constexpr"},
    {"pack", "alignas"},    {"tensor", "wmma"},
};

std::string length_of(const std::string& source) {
  const auto inked = std::count_if(source.begin(), source.end(), [](unsigned char c) { return c > ' '; });
  return std::to_string(std::bit_width(static_cast<std::size_t>(inked)));
}

std::string technique_of(const std::string& source) {
  std::string found;
  std::string_view last;
  for (const Mark& mark : marks) {
    if (mark.technique == last || source.find(mark.text) == std::string::npos) continue;
    last = mark.technique;
    if (!found.empty()) found += '+';
    found += mark.technique;
  }
  return found.empty() ? "plain" : found;
}

std::string speed_of(const Verdict& verdict) {
  if (!verdict.right) return "failed";
  const double median = std::clamp(verdict.measurement.speedup.median, 1e-3, 1e6);
  return std::to_string(static_cast<int>(std::floor(std::log2(median) * 4)));
}

}  // namespace

Cell cell_of(std::span<const Feature> features, const Candidate& candidate, const Verdict& verdict) {
  Cell cell;
  for (const Feature feature : features) switch (feature) {
      case Feature::length:
        cell.push_back(length_of(candidate.source));
        break;
      case Feature::operator_name:
        cell.push_back(candidate.operator_name);
        break;
      case Feature::speed:
        cell.push_back(speed_of(verdict));
        break;
      case Feature::technique:
        cell.push_back(technique_of(candidate.source));
        break;
    }
  return cell;
}

std::size_t distance(const Cell& one, const Cell& other) {
  assert(one.size() == other.size() && "cells of one grid");
  std::size_t apart = 0;
  for (std::size_t i = 0; i < one.size(); ++i) apart += one[i] != other[i];
  return apart;
}

}  // namespace hone::search
