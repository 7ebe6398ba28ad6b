#include "cache/seal.h"

#include <nlohmann/json.hpp>

#include "cache/key_builder.h"

namespace hone::cache {
namespace {

// As the file holds it: what is no UTF-8 there is replaced when it is written.
std::string as_written(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

constexpr std::size_t digits_of_seal = 8, digits_of_sum = 16;

std::string as_written(double number) {
  return nlohmann::json(number).dump();
}

std::string as_written(const MachineFigure& figure) {
  return figure.of + (figure.right ? " right " : " wrong ") + as_written(figure.median) + " " + as_written(figure.low) +
         " " + as_written(figure.high) + (figure.tuned ? " tuned" : "");
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

std::string sum_of(const LockEntry& entry) {
  KeyBuilder fields;
  fields.add("build_target", as_written(entry.build_target));
  fields.add("key_parts", entry.key_parts);
  fields.add("speedup",
             as_written(entry.speedup) + " " + as_written(entry.speedup_low) + " " + as_written(entry.speedup_high));
  fields.add("verified", as_written(entry.evidence));
  fields.add("signed_by", as_written(entry.signed_by));
  fields.add("unconfirmed", entry.unconfirmed ? "true" : "");
  fields.add("unfinished", entry.unfinished ? "true" : "");
  for (const auto& [machine, figure] : entry.held_on) fields.add("held_on " + machine, as_written(figure));
  for (const auto& [label, line] : entry.tried) fields.add("tried " + as_written(label), as_written(line));
  return entry.seal.substr(0, digits_of_seal) + fields.key().substr(0, digits_of_sum);
}

bool has_other_sum(const LockEntry& entry) {
  const std::string& sum = entry.sum.text;
  return !sum.empty() && entry.seal.starts_with(sum.substr(0, digits_of_seal)) && sum != sum_of(entry);
}

}  // namespace hone::cache
