#include "cache/seal.h"

#include <nlohmann/json.hpp>

#include "cache/key_builder.h"

namespace hone::cache {
namespace {

// As the file holds it: what is no UTF-8 there is replaced when it is written.
std::string as_written(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Digest seal_of(const LockEntry& entry) {
  KeyBuilder fields;
  fields.add("name", as_written(entry.name));
  fields.add("file", as_written(entry.file));
  fields.add("key", entry.key);
  fields.add("target", as_written(entry.target));
  if (!entry.compiled_with.empty()) fields.add("compiled_with", as_written(entry.compiled_with));
  fields.add("measured_on", as_written(entry.measured_on));
  fields.add("variant", entry.variant.value_or("none"));
  return fields.key();
}

}  // namespace hone::cache
