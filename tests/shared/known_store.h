// Test vocabulary: a shared store in memory that notes what it is asked for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/shared/shared_store.h"

namespace hone::shared {

struct KnownStore final : SharedStore {
  std::map<cache::Digest, std::string> blobs, records;
  std::vector<std::string> asked;
  std::optional<Error> trouble;

  std::string place() const override { return "https://cache.example"; }
  Result<std::optional<std::string>> get(Kind kind, const cache::Digest& name) override {
    asked.push_back((kind == Kind::record ? "ac/" : "cas/") + name);
    if (trouble) return tl::unexpected(*trouble);
    const auto& held = kind == Kind::record ? records : blobs;
    return held.contains(name) ? std::optional(held.at(name)) : std::nullopt;
  }
  Result<void> put(Kind, const cache::Digest&, const std::string&) override { return {}; }
};

}  // namespace hone::shared
