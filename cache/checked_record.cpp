#include "cache/checked_record.h"

#include <algorithm>
#include <utility>

#include "cache/digest.h"

namespace hone::cache {
namespace {

constexpr std::string_view kEnd = "\n}\n";
// What stands around the digest.
constexpr std::string_view kFirst = ",\n \"digest\": \"", kLast = "\"\n}\n";
constexpr std::size_t kDigits = 64, kLength = kFirst.size() + kDigits + kLast.size();

// Members on lines of their own, the last of which is no signature.
bool takes_digest(std::string_view record) {
  if (!record.ends_with(kEnd)) return false;
  record.remove_suffix(kEnd.size());
  const std::size_t last = record.rfind('\n');
  return last != record.npos && !record.substr(last).starts_with("\n \"signed\": ");
}

}  // namespace

std::string with_digest(std::string_view record) {
  if (!takes_digest(record)) return std::string(record);
  std::string text(record.substr(0, record.size() - kEnd.size()));
  return text.append(kFirst).append(sha256(record)).append(kLast);
}

std::optional<std::string> without_digest(std::string_view stored) {
  const std::string_view tail = stored.substr(stored.size() - std::min(stored.size(), kLength));
  if (!tail.starts_with(kFirst) || !tail.ends_with(kLast)) return std::string(stored);
  std::string record(stored.substr(0, stored.size() - kLength));
  record += kEnd;
  return sha256(record) == tail.substr(kFirst.size(), kDigits) ? std::optional(std::move(record)) : std::nullopt;
}

}  // namespace hone::cache
