// hone.lock as it is written: LockFile::text. lock_file.h has the grammar.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "cache/lock_file.h"

namespace hone::cache {
namespace {

using Json = nlohmann::ordered_json;

  if (const std::size_t deep = too_deep(text, kMaxDepth); deep != text.npos)
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file is nested too deep", at(deep), kRestore);
  try {
    Json parsed = Json::parse(text);
    if (const std::size_t twice = repeated_member(text); twice != text.npos)
      return coded_failure(DiagnosticCode::lock_damaged, "the lock file has a member twice", at(twice),
                           "keep the one that belongs to the entry, or remove the entry and build hone-tune");
    return parsed;
  } catch (const Json::parse_error& error) {
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file is not whole JSON: " + parse_reason(error.what()),
                         at(error.byte > 0 ? error.byte - 1 : 0), kRestore);
  } catch (const Json::exception& error) {
    return coded_failure(DiagnosticCode::lock_damaged,
                         "the lock file is not usable JSON: " + parse_reason(error.what()), name, kRestore);
  }
}

// Takes the member out of `from`, so that what is left in the end is unknown.
Checked<Json> take(Json& from, const char* member) {
  const auto found = from.find(member);
  if (found == from.end()) return tl::unexpected(Mistake{std::string("\"") + member + "\" is missing"});
  Json value = std::move(*found);
  from.erase(found);
  return value;
}

Checked<std::string> take_string(Json& from, const char* member) {
  auto value = take(from, member);
  if (!value) return tl::unexpected(value.error());
  if (!value->is_string()) return tl::unexpected(Mistake{std::string("\"") + member + "\" is not a string"});
  return value->get<std::string>();
}

Checked<Digest> take_digest(Json& from, const char* member) {
  auto text = take_string(from, member);
  if (text && !is_digest(*text))
    return tl::unexpected(Mistake{std::string("\"") + member + "\" is not a digest (64 lower-case hex digits)"});
  return text;
}

// Absent is 1; a number it must be otherwise.
Checked<void> take_number(Json& from, const char* member, double& to) {
  if (!from.contains(member)) return {};
  const auto value = take(from, member);
  if (!value->is_number()) return tl::unexpected(Mistake{std::string("\"") + member + "\" is not a number"});
  to = value->get<double>();
  return {};
}

Checked<void> take_speedup(Json& from, LockEntry& entry) {
  if (!from.contains("speedup")) return {};
  auto speedup = take(from, "speedup");
  if (!speedup->is_object()) return tl::unexpected(Mistake{"\"speedup\" is not an object"});
  for (const auto& [member, to] :
       {std::pair{"median", &entry.speedup}, {"low", &entry.speedup_low}, {"high", &entry.speedup_high}})
    if (auto taken = take_number(*speedup, member, *to); !taken) return taken;
  if (!speedup->empty()) from["speedup"] = std::move(*speedup);
  return {};
}

// Absent is false.
Checked<bool> take_flag(Json& from, const char* member) {
  if (!from.contains(member)) return false;
  const auto value = take(from, member);
  if (!value->is_boolean()) return tl::unexpected(Mistake{std::string("\"") + member + "\" is not true or false"});
  return value->get<bool>();
}

#define HONE_TAKE(to, ...)               \
  if (auto taken = (__VA_ARGS__); taken) \
    to = std::move(*taken);              \
  else                                   \
    return tl::unexpected(taken.error())

Checked<MachineFigure> figure_from(Json json) {
  if (!json.is_object()) return tl::unexpected(Mistake{"\"held_on\" has a member that is not an object"});
  MachineFigure figure;
  HONE_TAKE(figure.of, take_string(json, "of"));
  if (json.contains("right")) {
    HONE_TAKE(figure.right, take_flag(json, "right"));
  }
  HONE_TAKE(figure.tuned, take_flag(json, "tuned"));
  for (const auto& [member, to] : {std::pair{"median", &figure.median}, {"low", &figure.low}, {"high", &figure.high}})
    if (auto taken = take_number(json, member, *to); !taken) return tl::unexpected(taken.error());
  if (const std::string why = why_no_figure(figure); !why.empty())
    return tl::unexpected(Mistake{"\"held_on\": " + why});
  return figure;
}

Checked<void> take_held_on(Json& from, LockEntry& entry) {
  if (!from.contains("held_on")) return {};
  const auto held = take(from, "held_on");
  if (!held->is_object()) return tl::unexpected(Mistake{"\"held_on\" is not an object"});
  for (const auto& [machine, text] : held->items()) {
    if (!is_machine_kind(machine))
      return tl::unexpected(Mistake{"\"held_on\" names \"" + machine + "\", which is no kind of machine"});
    HONE_TAKE(entry.held_on[machine], figure_from(text));
  }
  return {};
}

Checked<void> take_tried(Json& from, LockEntry& entry) {
  if (!from.contains("tried")) return {};
  const auto tried = take(from, "tried");
  if (!tried->is_object()) return tl::unexpected(Mistake{"\"tried\" is not an object"});
  for (const auto& [label, text] : tried->items()) {
    if (!text.is_string()) return tl::unexpected(Mistake{"\"tried\" has a member that is not a string"});
    entry.tried.emplace_back(label, text.get<std::string>());
  }
  return {};
}

Checked<LockEntry> entry_from(Json json) {
  if (!json.is_object()) return tl::unexpected(Mistake{"an entry is not an object"});
  LockEntry entry;
  HONE_TAKE(entry.name, take_string(json, "name"));
  HONE_TAKE(entry.file, take_string(json, "file"));
  HONE_TAKE(entry.key, take_digest(json, "key"));
  HONE_TAKE(entry.target, take_string(json, "target"));
  if (json.contains("build_target")) {
    HONE_TAKE(entry.build_target, take_string(json, "build_target"));
  }
  if (json.contains("compiled_with")) {
    HONE_TAKE(entry.compiled_with, take_string(json, "compiled_with"));
  }
  if (json.contains("measured_on")) {
    HONE_TAKE(entry.measured_on, take_string(json, "measured_on"));
  }
  if (json.contains("variant") && json["variant"].is_null())
    json.erase("variant");
  else
    HONE_TAKE(entry.variant, take_digest(json, "variant"));
  if (json.contains("seal")) {
    HONE_TAKE(entry.seal, take_digest(json, "seal"));
  }
  if (json.contains("key_parts")) {
    HONE_TAKE(entry.key_parts, take_digest(json, "key_parts"));
  }
  if (json.contains("verified")) {
    HONE_TAKE(entry.evidence, take_string(json, "verified"));
  }
  if (json.contains("signed_by")) {
    HONE_TAKE(entry.signed_by, take_string(json, "signed_by"));
  }
  HONE_TAKE(entry.unconfirmed, take_flag(json, "unconfirmed"));
  HONE_TAKE(entry.unfinished, take_flag(json, "unfinished"));
  if (auto taken = take_tried(json, entry); !taken) return tl::unexpected(taken.error());
  if (auto taken = take_held_on(json, entry); !taken) return tl::unexpected(taken.error());
  if (auto taken = take_speedup(json, entry); !taken) return tl::unexpected(taken.error());
  if (!json.empty()) entry.extra = json.dump();
  return entry;
}
#undef HONE_TAKE

// What makes an entry one of its own: a key is of one target.
auto identity(const LockEntry& entry) {
  return std::tie(entry.name, entry.file, entry.key, entry.measured_on);
}

// ---- writing -----------------------------------------------------------------------------------------------------

>>>>>>> C/line-C
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
  for (const char* known :
       {"name", "file", "key", "target", "compiled_with", "build_target", "measured_on", "variant", "seal", "key_parts",
        "speedup", "verified", "signed_by", "unconfirmed", "unfinished", "held_on", "tried"})
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
