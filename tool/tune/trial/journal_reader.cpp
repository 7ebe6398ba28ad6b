#include "tool/tune/trial/journal_reader.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tool/bundle/bundle.h"

namespace hone::tune {
namespace {

using Line = nlohmann::json;

std::string text_in(const Line& line, const char* member) {
  const auto found = line.find(member);
  return found != line.end() && found->is_string() ? found->get<std::string>() : "";
}

// Most of a journal is samples, and reading numbers takes most of the time. In a JSON text the words that begin them
// can stand in no string, where their quotes would be escaped.
std::string without_samples(std::string_view line) {
  constexpr std::string_view begin = "_samples\":[";
  std::string text;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t found = line.find(begin, at);
    const std::size_t from = found == line.npos ? line.size() : found + begin.size();
    text.append(line, at, from - at);
    at = std::min(line.find(']', from), line.size());
  }
  return text;
}

JournaledOrigin origin_in(const Line& line) {
  JournaledOrigin origin{text_in(line, "operator"), {}, text_in(line, "text")};
  const auto parents = line.find("parents");
  if (parents == line.end() || !parents->is_array()) return origin;
  for (const Line& parent : *parents)
    if (parent.is_number_unsigned()) origin.parents.push_back(parent.get<unsigned>());
  return origin;
}

void read_line(Line line, JournaledRun& run) {
  if (!line.is_object()) return;
  if (line.contains("done")) run.done = true;
  const auto verdict = line.find("verdict");
  // Those that go by another name than a candidate's fingerprint: the original, and what was known before.
  if (verdict == line.end() || !verdict->is_object() || text_in(line, "fingerprint").size() != 64) return;
  auto read = bundle::parse_verdict(verdict->dump(-1, ' ', false, Line::error_handler_t::replace));
  if (!read) return;
  run.done = false;
  run.trials.push_back({text_in(line, "name"), text_in(line, "source"), origin_in(line), std::move(*read)});
}

}  // namespace

Result<JournaledRun> parse_journal(std::string_view text, const std::string& where) {
  JournaledRun run;
  bool first = true;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    Line line = Line::parse(without_samples(text.substr(at, end - at)), nullptr, false);
    if (first && !(line.is_object() && line.contains("journal")))
      return failure("its first line is none of a journal's", where);
    if (first)
      run.run = {text_in(line, "key"),
                 line.value("seed", Line()).is_number_unsigned() ? line["seed"].get<std::uint64_t>() : 1,
                 text_in(line, "strategy"), text_in(line, "compiler")};
    else
      read_line(std::move(line), run);
    first = false;
  }
  if (first) return failure("it is empty", where);
  return run;
}

Result<JournaledRun> read_journal(const std::filesystem::path& file) {
  HONE_TRY(const std::string text, os::read_file(file));
  return parse_journal(text, file.string());
}

bool is_written(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path lock = file.string() + ".lock";
  if (!std::filesystem::exists(lock, error)) return false;
  const auto free = os::FileLock::try_acquire(lock);
  return free && !*free;
}

}  // namespace hone::tune
