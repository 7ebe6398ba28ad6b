// hone.lock as it is written: LockFile::text. lock_file.h has the grammar.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "cache/lock_file.h"
#include "cache/seal.h"

namespace hone::cache {
namespace {

using Json = nlohmann::ordered_json;

// File names need not be UTF-8; JSON must be.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json object_from(const std::string& text) {
  Json json = text.empty() ? Json::object() : Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

std::string speedup_text(const LockEntry& entry, const Json& unknown) {
  std::string text = "{ \"median\": " + dump(entry.speedup) + ", \"low\": " + dump(entry.speedup_low) +
                     ", \"high\": " + dump(entry.speedup_high);
  if (unknown.is_object())
    for (const auto& [name, value] : unknown.items()) text += ", " + dump(name) + ": " + dump(value);
  return text + " }";
}

// A line each: what changed is what a diff shows.
std::string tried_text(const LockEntry& entry) {
  std::string text = "{";
  for (const auto& [label, line] : entry.tried)
    text += (text.size() > 1 ? ",\n        " : "\n        ") + dump(label) + ": " + dump(line);
  return text + "\n      }";
}

// A kind a line, so that two people's figures seldom meet in one.
std::string held_on_text(const LockEntry& entry) {
  std::string text = "{";
  for (const auto& [machine, figure] : entry.held_on) {
    text += (text.size() > 1 ? ",\n        " : "\n        ") + dump(machine) + ": { \"of\": " + dump(figure.of);
    if (figure.right)
      text += ", \"median\": " + dump(figure.median) + ", \"low\": " + dump(figure.low) +
              ", \"high\": " + dump(figure.high);
    else
      text += ", \"right\": false";
    text += figure.tuned ? ", \"tuned\": true }" : " }";
  }
  return text + "\n      }";
}

std::string entry_text(const LockEntry& entry) {
  Json unknown = object_from(entry.extra);
  std::string text = "    {\n";
  const auto member = [&](const std::string& name, const std::string& value) {
    text += (text.size() > 6 ? ",\n      " : "      ") + dump(name) + ": " + value;
  };
  member("name", dump(entry.name));
  member("file", dump(entry.file));
  member("target", dump(entry.target));
  if (!entry.compiled_with.empty()) member("compiled_with", dump(entry.compiled_with));
  if (!entry.build_target.empty()) member("build_target", dump(entry.build_target));
  if (!entry.measured_on.empty()) member("measured_on", dump(entry.measured_on));
  member("key", dump(entry.key));
  const auto beside = [&](const std::string& name, const std::string& value) {
    text += ", " + dump(name) + ": " + value;
  };
  beside("variant", entry.variant ? dump(*entry.variant) : "null");
  if (!entry.seal.empty()) beside("seal", dump(entry.seal));
  if (!entry.key_parts.empty()) member("key_parts", dump(entry.key_parts));
  member("speedup", speedup_text(entry, unknown.value("speedup", Json())));
  member("verified", dump(entry.evidence));
  if (!entry.signed_by.empty()) member("signed_by", dump(entry.signed_by));
  if (entry.unconfirmed) member("unconfirmed", "true");
  if (entry.unfinished) member("unfinished", "true");
  if (!entry.held_on.empty()) member("held_on", held_on_text(entry));
  if (!entry.tried.empty()) member("tried", tried_text(entry));
  if (!entry.sum.text.empty()) member("sum", dump(entry.sum.broken ? entry.sum.text : sum_of(entry)));
  for (const char* known :
       {"name", "file", "key", "target", "compiled_with", "build_target", "measured_on", "variant", "seal", "key_parts",
        "speedup", "verified", "signed_by", "unconfirmed", "unfinished", "held_on", "tried", "sum"})
    unknown.erase(known);
  for (const auto& [name, value] : unknown.items()) member(name, dump(value));
  return text + "\n    }";
}

auto place(const LockEntry& entry) {
  return std::tie(entry.name, entry.file, entry.target, entry.compiled_with, entry.key, entry.measured_on);
}

bool sorts_before(const LockEntry& a, const LockEntry& b) {
  return place(a) < place(b);
}

}  // namespace

std::string LockFile::text() const {
  std::vector<LockEntry> ordered = entries;
  std::sort(ordered.begin(), ordered.end(), sorts_before);
  Json unknown = object_from(extra);
  unknown.erase("version");
  unknown.erase("kernels");

  std::string text = "{\n  \"version\": 1,\n";
  for (const auto& [name, value] : unknown.items()) text += "  " + dump(name) + ": " + dump(value) + ",\n";
  text += "  \"kernels\": [";
  for (std::size_t i = 0; i < ordered.size(); ++i) text.append(i ? ",\n" : "\n").append(entry_text(ordered[i]));
  return text + (ordered.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace hone::cache
