#include "tool/tune/model/learned.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include <nlohmann/json.hpp>

#include "cache/store.h"
#include "tool/os/files/files.h"

namespace hone::tune {
namespace {

namespace fs = std::filesystem;
using search::Experience;
using search::Memory;

const Experience* find(const Memory& memory, const Experience& like) {
  const auto found = std::ranges::find_if(memory.entries(), [&](const Experience& one) {
    return one.technique == like.technique && one.state == like.state;
  });
  return found == memory.entries().end() ? nullptr : &*found;
}

// What a run added to `before` put on top of what others made of the entry meanwhile.
Experience combined(const Experience& now, const Experience& before, const Experience& after) {
  Experience result = after;
  const unsigned uses = after.uses - std::min(after.uses, before.uses);
  result.uses = now.uses + uses;
  result.failures = now.failures + after.failures - std::min(after.failures, before.failures);
  const double all = std::max(result.uses, 1u), mine = uses;
  result.actual = std::exp((std::log(now.actual) * (all - mine) + std::log(after.actual) * mine) / all);
  result.confidence = std::max(now.confidence, after.confidence);
  if (result.note.empty()) result.note = now.note;
  return result;
}

// The memory's own form: a value of which the entries can be set.
nlohmann::json entry_json(const Experience& entry) {
  return {{"bottleneck", entry.state.bottleneck},
          {"axes", entry.state.axes},
          {"technique", entry.technique},
          {"predicted", entry.predicted},
          {"actual", entry.actual},
          {"confidence", entry.confidence},
          {"uses", entry.uses},
          {"failures", entry.failures},
          {"note", entry.note}};
}

Result<Memory> merged(const Memory& now, const Memory& before, const Memory& after) {
  nlohmann::json entries = nlohmann::json::array();
  for (const Experience& entry : now.entries()) {
    const Experience *mine = find(after, entry), *old = find(before, entry);
    const bool changed = mine && (!old || !(*mine == *old));
    if (!changed)
      entries.push_back(entry_json(entry));
    else if (old && *old == entry)
      entries.push_back(entry_json(*mine));
    else
      entries.push_back(entry_json(combined(entry, old ? *old : Experience{}, *mine)));
  }
  for (const Experience& entry : after.entries())
    if (!find(now, entry) && !find(before, entry)) entries.push_back(entry_json(entry));
  return Memory::parse(nlohmann::json{{"memory", 1}, {"entries", entries}}.dump());
}

}  // namespace

Result<fs::path> memory_file() {
  HONE_TRY(const fs::path folder, cache::user_folder());
  return folder / "memory.json";
}

Result<Memory> read_memory(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return Memory{};
  HONE_TRY(const std::string text, os::read_file(file));
  auto memory = Memory::parse(text);
  if (!memory) memory.error().where = file.string() + ": " + memory.error().where;
  return memory;
}

Result<void> add_to_memory(const fs::path& file, const Memory& before, const Memory& after) {
  if (before.entries() == after.entries()) return {};
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  HONE_TRY(const os::FileLock lock, os::FileLock::acquire(file.string() + ".lock"));
  auto now = read_memory(file);
  if (!now) {  // what is no memory is kept for its owner to look at
    fs::rename(file, file.string() + ".corrupt", error);
    now = Memory{};
  }
  HONE_TRY(const Memory all, merged(*now, before, after));
  return os::write_file_atomically(file, all.serialize());
}

}  // namespace hone::tune
