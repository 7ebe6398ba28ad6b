#include "cache/bound_source.h"

namespace hone::cache {
namespace {

constexpr std::string_view kBefore = "\n// hone: a variant for the request key ";
constexpr std::size_t kDigest = 64;

}  // namespace

std::string bound_blob(std::string_view source, const Digest& key) {
  return std::string(source).append(kBefore).append(key) + '\n';
}

BoundSource read_bound(std::string_view blob) {
  const std::size_t line = kBefore.size() + kDigest + 1;
  if (blob.size() < line || blob.back() != '\n') return {std::string(blob), ""};
  const std::string_view last = blob.substr(blob.size() - line);
  const std::string_view key = last.substr(kBefore.size(), kDigest);
  if (!last.starts_with(kBefore) || !is_digest(key)) return {std::string(blob), ""};
  return {std::string(blob.substr(0, blob.size() - line)), std::string(key)};
}

}  // namespace hone::cache
