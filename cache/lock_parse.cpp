// hone.lock as it is read: LockFile::parse. lock_file.h has the grammar.
//
// simdjson reads the text, since every build that meets an annotated file reads all of it. It does not say where a text
// goes wrong, so nlohmann's parser is asked then.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "cache/json_place.h"
#include "cache/lock_file.h"
#include "tool/base/machine_kind.h"
#include "tool/diagnostics/coded_failure.h"

namespace hone::cache {
namespace {

namespace dom = simdjson::dom;
using UnknownMembers = nlohmann::ordered_json;

constexpr const char* kRestore = "restore it from version control, or delete it and tune again";
constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";
constexpr unsigned kMaxDepth = 32;

struct Mistake {
  std::string what;
};
template <class T>
using Checked = tl::expected<T, Mistake>;

tl::unexpected<Mistake> mistake_in(std::string_view member, const char* what) {
  return tl::unexpected(Mistake{"\"" + std::string(member) + "\" " + what});
}

// ---- the text ----------------------------------------------------------------------------------------------------

bool repeats_member(dom::element value) {
  if (dom::array list; value.get(list) == simdjson::SUCCESS)
    return std::any_of(list.begin(), list.end(), repeats_member);
  dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return false;
  std::vector<std::string_view> names;
  for (const dom::key_value_pair member : object) {
    if (repeats_member(member.value)) return true;
    names.push_back(member.key);
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

// Of a text that simdjson refuses for `reason`: what is wrong with it, and where.
tl::unexpected<Error> refusal(const std::string& text, const std::string& name, const char* reason) {
  const auto at = [&](std::size_t offset) { return name + ":" + line_and_column(text, offset); };
  if (const std::size_t marker = conflict_marker(text); marker != text.npos)
    return coded_failure(
        DiagnosticCode::lock_conflicts, "the lock file has unresolved merge conflicts", at(marker),
        "keep one side of each conflict (entries are independent of each other) as it is, line by line, remove the "
        "<<<<<<<, ======= and >>>>>>> lines, and build hone-tune if a kernel is left without its entry");
  if (const std::size_t deep = too_deep(text, kMaxDepth); deep != text.npos)
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file is nested too deep", at(deep), kRestore);
  try {
    [[maybe_unused]] const auto whole = UnknownMembers::parse(text);
  } catch (const UnknownMembers::parse_error& error) {
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file is not whole JSON: " + parse_reason(error.what()),
                         at(error.byte > 0 ? error.byte - 1 : 0), kRestore);
  } catch (const UnknownMembers::exception& error) {
    return coded_failure(DiagnosticCode::lock_damaged,
                         "the lock file is not usable JSON: " + parse_reason(error.what()), name, kRestore);
  }
  return coded_failure(DiagnosticCode::lock_damaged, std::string("the lock file is not usable JSON: ") + reason, name,
                       kRestore);
}

// The root lives as long as `parser`.
Result<dom::element> parse_json(dom::parser& parser, const std::string& text, const std::string& name) {
  std::string_view json = text;
  if (json.starts_with(kByteOrderMark)) json.remove_prefix(3);
  dom::element root;
  if (const auto error = parser.parse(json.data(), json.size()).get(root); error != simdjson::SUCCESS)
    return refusal(text, name, simdjson::error_message(error));
  if (too_deep(text, kMaxDepth) != text.npos) return refusal(text, name, "");
  if (repeats_member(root))
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file has a member twice",
                         name + ":" + line_and_column(text, repeated_member(text)),
                         "keep the one that belongs to the entry, or remove the entry and build hone-tune");
  return root;
}

// ---- values ------------------------------------------------------------------------------------------------------

Checked<std::string> string_in(std::string_view member, dom::element value) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return mistake_in(member, "is not a string");
  return std::string(text);
}

Checked<Digest> digest_in(std::string_view member, dom::element value) {
  auto text = string_in(member, value);
  if (text && !is_digest(*text)) return mistake_in(member, "is not a digest (64 lower-case hex digits)");
  return text;
}

Checked<double> number_in(std::string_view member, dom::element value) {
  double number = 0;
  if (value.get(number) != simdjson::SUCCESS) return mistake_in(member, "is not a number");
  return number;
}

Checked<bool> flag_in(std::string_view member, dom::element value) {
  bool flag = false;
  if (value.get(flag) != simdjson::SUCCESS) return mistake_in(member, "is not true or false");
  return flag;
}

template <class T>
Checked<void> put(Checked<T> value, T& to) {
  if (!value) return tl::unexpected(value.error());
  to = std::move(*value);
  return {};
}

UnknownMembers unknown_value(dom::element value) {
  return UnknownMembers::parse(simdjson::to_string(value));
}

// ---- an entry's members --------------------------------------------------------------------------------------------

// An entry as far as it is read, and what is in it that this Hone does not know.
struct Reading {
  LockEntry entry;
  UnknownMembers unknown = UnknownMembers::object();
};

template <std::string LockEntry::*field>
Checked<void> read_string(std::string_view member, dom::element value, Reading& reading) {
  return put(string_in(member, value), reading.entry.*field);
}

template <Digest LockEntry::*field>
Checked<void> read_digest(std::string_view member, dom::element value, Reading& reading) {
  return put(digest_in(member, value), reading.entry.*field);
}

template <bool LockEntry::*field>
Checked<void> read_flag(std::string_view member, dom::element value, Reading& reading) {
  return put(flag_in(member, value), reading.entry.*field);
}

Checked<void> read_variant(std::string_view member, dom::element value, Reading& reading) {
  if (value.is_null()) return {};
  return put(digest_in(member, value), reading.entry.variant.emplace());
}

Checked<void> read_sum(std::string_view member, dom::element value, Reading& reading) {
  return put(string_in(member, value), reading.entry.sum.text);
}

Checked<void> read_speedup(std::string_view member, dom::element value, Reading& reading) {
  dom::object speedup;
  if (value.get(speedup) != simdjson::SUCCESS) return mistake_in(member, "is not an object");
  LockEntry& entry = reading.entry;
  for (const dom::key_value_pair part : speedup) {
    double* to = part.key == "median" ? &entry.speedup
                 : part.key == "low"  ? &entry.speedup_low
                 : part.key == "high" ? &entry.speedup_high
                                      : nullptr;
    if (!to)
      reading.unknown["speedup"][std::string(part.key)] = unknown_value(part.value);
    else if (auto taken = put(number_in(part.key, part.value), *to); !taken)
      return taken;
  }
  return {};
}

Checked<void> read_tried(std::string_view member, dom::element value, Reading& reading) {
  dom::object tried;
  if (value.get(tried) != simdjson::SUCCESS) return mistake_in(member, "is not an object");
  for (const dom::key_value_pair line : tried) {
    std::string_view text;
    if (line.value.get(text) != simdjson::SUCCESS) return mistake_in(member, "has a member that is not a string");
    reading.entry.tried.emplace_back(line.key, text);
  }
  return {};
}

Checked<MachineFigure> figure_from(dom::element value) {
  dom::object parts;
  if (value.get(parts) != simdjson::SUCCESS) return mistake_in("held_on", "has a member that is not an object");
  MachineFigure figure;
  bool has_variant = false;
  for (const auto& [name, part] : parts) {
    Checked<void> taken;
    if (name == "of") {
      has_variant = true;
      taken = put(string_in(name, part), figure.of);
    } else if (name == "right" || name == "tuned") {
      taken = put(flag_in(name, part), name == "right" ? figure.right : figure.tuned);
    } else if (name == "median" || name == "low" || name == "high") {
      taken = put(number_in(name, part), name == "median" ? figure.median : name == "low" ? figure.low : figure.high);
    }
    if (!taken) return tl::unexpected(taken.error());
  }
  if (!has_variant) return mistake_in("of", "is missing");
  if (const std::string why = why_no_figure(figure); !why.empty())
    return tl::unexpected(Mistake{"\"held_on\": " + why});
  return figure;
}

Checked<void> read_held_on(std::string_view member, dom::element value, Reading& reading) {
  dom::object held;
  if (value.get(held) != simdjson::SUCCESS) return mistake_in(member, "is not an object");
  for (const dom::key_value_pair kind : held) {
    const std::string machine(kind.key);
    if (!is_machine_kind(machine))
      return tl::unexpected(Mistake{"\"held_on\" names \"" + machine + "\", which is no kind of machine"});
    if (auto taken = put(figure_from(kind.value), reading.entry.held_on[machine]); !taken) return taken;
  }
  return {};
}

struct Member {
  std::string_view name;
  Checked<void> (*read)(std::string_view member, dom::element value, Reading& reading);
  bool required = false;
};

// In the order in which they are written.
constexpr std::array kMembers{
    Member{"name", read_string<&LockEntry::name>, true},
    Member{"file", read_string<&LockEntry::file>, true},
    Member{"target", read_string<&LockEntry::target>, true},
    Member{"compiled_with", read_string<&LockEntry::compiled_with>},
    Member{"build_target", read_string<&LockEntry::build_target>},
    Member{"measured_on", read_string<&LockEntry::measured_on>},
    Member{"key", read_digest<&LockEntry::key>, true},
    Member{"variant", read_variant, true},
    Member{"seal", read_digest<&LockEntry::seal>},
    Member{"key_parts", read_digest<&LockEntry::key_parts>},
    Member{"speedup", read_speedup},
    Member{"verified", read_string<&LockEntry::evidence>},
    Member{"signed_by", read_string<&LockEntry::signed_by>},
    Member{"unconfirmed", read_flag<&LockEntry::unconfirmed>},
    Member{"unfinished", read_flag<&LockEntry::unfinished>},
    Member{"held_on", read_held_on},
    Member{"tried", read_tried},
    Member{"sum", read_sum},
};

Checked<LockEntry> entry_from(dom::element value) {
  dom::object members;
  if (value.get(members) != simdjson::SUCCESS) return tl::unexpected(Mistake{"an entry is not an object"});
  Reading reading;
  std::array<bool, kMembers.size()> seen{};
  std::size_t next = 0;  // where the written order goes on
  for (const dom::key_value_pair member : members) {
    std::size_t known = next;
    while (known < kMembers.size() && kMembers[known].name != member.key) ++known;
    for (std::size_t i = 0; known == kMembers.size() && i < next; ++i)
      if (kMembers[i].name == member.key) known = i;
    if (known == kMembers.size()) {
      reading.unknown[std::string(member.key)] = unknown_value(member.value);
      continue;
    }
    if (auto taken = kMembers[known].read(member.key, member.value, reading); !taken)
      return tl::unexpected(taken.error());
    seen[known] = true;
    next = known + 1;
  }
  for (std::size_t i = 0; i < kMembers.size(); ++i)
    if (kMembers[i].required && !seen[i]) return mistake_in(kMembers[i].name, "is missing");
  if (!reading.unknown.empty()) reading.entry.extra = reading.unknown.dump();
  return std::move(reading.entry);
}

// What makes an entry one of its own: a key is of one target.
auto identity(const LockEntry& entry) {
  return std::tie(entry.name, entry.file, entry.key, entry.measured_on);
}

}  // namespace

Result<LockFile> LockFile::parse(const std::string& text, const std::string& name) {
  dom::parser parser;
  HONE_TRY(const dom::element json, parse_json(parser, text, name));
  dom::object root;
  if (json.get(root) != simdjson::SUCCESS)
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file is not a JSON object", name + ":1:1", kRestore);
  dom::element version;
  if (root["version"].get(version) != simdjson::SUCCESS || !(version.is_int64() || version.is_uint64()))
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file has no \"version\"", name, kRestore);
  if (std::int64_t number = 0; version.get(number) != simdjson::SUCCESS || number != 1)
    return coded_failure(DiagnosticCode::lock_newer,
                         "the lock file has version " + simdjson::to_string(version) + ", and this Hone knows 1", name,
                         "use a newer Hone");
  dom::array kernels;
  if (root["kernels"].get(kernels) != simdjson::SUCCESS)
    return coded_failure(DiagnosticCode::lock_damaged, "the lock file has no list \"kernels\"", name, kRestore);

  LockFile file;
  file.entries.reserve(kernels.size());  // `seen` refers to them
  std::set<decltype(identity(std::declval<const LockEntry&>()))> seen;
  std::size_t index = 0;
  for (const dom::element kernel : kernels) {
    const auto unusable = [&](const std::string& what) {
      const std::string where = name + ":" + line_and_column(text, element_offset(text, "kernels", index));
      return coded_failure(DiagnosticCode::lock_entry, "this lock entry is not usable: " + what, where,
                           "remove the entry and tune the kernel again, or restore the file from version control");
    };
    auto entry = entry_from(kernel);
    if (!entry) return unusable(entry.error().what);
    file.entries.push_back(std::move(*entry));
    if (!seen.insert(identity(file.entries.back())).second)
      return unusable("'" + file.entries.back().name + "' is in the file twice for one key");
    ++index;
  }
  UnknownMembers unknown = UnknownMembers::object();
  for (const dom::key_value_pair member : root)
    if (member.key != "version" && member.key != "kernels")
      unknown[std::string(member.key)] = unknown_value(member.value);
  if (!unknown.empty()) file.extra = unknown.dump();
  return file;
}

}  // namespace hone::cache
