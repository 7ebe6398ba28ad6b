#include "tool/tune/trial/journal.h"

#include <thread>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "tool/bundle/bundle.h"

namespace hone::tune {
namespace {

using nlohmann::json;

constexpr int version = 1;

std::string line_of(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::string header_of(const RunIdentity& run) {
  return line_of({{"journal", version},
                  {"key", run.key},
                  {"seed", run.seed},
                  {"strategy", run.strategy},
                  {"compiler", run.compiler}});
}

// Why verdicts that were written under `header` do not count in `run`; "": they do.
std::string why_not_of(const std::string& header, const RunIdentity& run) {
  const json written = json::parse(header, nullptr, false);
  json wanted = json::parse(header_of(run));
  const auto says = [&](const char* member) { return written.is_object() && written.contains(member); };
  if (!says("journal") || !says("compiler")) return "its first line is damaged";
  if (written["journal"] != wanted["journal"]) return "another version of Hone wrote it";
  if (written.value("compiler", json()) != wanted["compiler"])
    return fmt::format("it was judged with another compiler ({})", written.value("compiler", json()).dump());
  wanted["strategy"] = written.value("strategy", json());
  return written == wanted ? "" : "its first line is of another run";
}

// Where the last whole line is this one, the run before has come to its end.
const std::string done_line = "{\"done\":true}\n";

std::filesystem::path beside(const std::filesystem::path& file, const char* extension) {
  return file.string() + extension;
}

}  // namespace

Result<Journal> Journal::open(const std::filesystem::path& file, const RunIdentity& run, Start start,
                              std::stop_token stop, const std::function<void(const std::string&)>& say) {
  bool waited = false;
  HONE_TRY(auto lock, os::FileLock::try_acquire(beside(file, ".lock")));
  while (!lock) {
    if (!waited) {
      const auto owner = os::read_file(beside(file, ".owner"));
      say(fmt::format("another tuning of this kernel is running (process {}): waiting for it",
                      owner.value_or("unknown")));
    }
    waited = true;
    if (stop.stop_requested()) return failure("stopped while waiting for another tuning", file.string());
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    HONE_TRY(lock, os::FileLock::try_acquire(beside(file, ".lock")));
  }
  HONE_CHECK(os::write_file_atomically(beside(file, ".owner"), std::to_string(getpid())));

  Journal journal(file, std::move(*lock));
  journal.waited_ = waited;
  HONE_TRY(journal.goes_on_, journal.take_over(run, start, say));
  if (!journal.goes_on_) HONE_CHECK(os::write_file_atomically(file, header_of(run)));
  return journal;
}

// Whether the file is gone on with.
Result<bool> Journal::take_over(const RunIdentity& run, Start start, const Say& say) {
  const auto text = os::read_file(file_);
  if (!text || text->empty() || start == Start::anew) return false;
  // What follows a torn line would be glued to it.
  const std::string_view whole = std::string_view(*text).substr(0, text->rfind('\n') + 1);
  if (start == Start::unless_done && whole.ends_with(done_line)) return false;
  const std::size_t first = whole.find('\n') + 1;
  const std::string why = why_not_of(std::string(whole.substr(0, first)), run);
  if (!why.empty()) {
    HONE_CHECK(set_aside(why, say));
    return false;
  }
  if (const unsigned damaged = replay(whole.substr(first)); damaged > 0)
    say(fmt::format("{} lines of the journal {} are damaged: what they said is judged again", damaged, file_.string()));
  if (whole.size() != text->size()) HONE_CHECK(os::write_file_atomically(file_, whole));
  return true;
}

Result<void> Journal::set_aside(const std::string& why, const Say& say) const {
  const std::filesystem::path aside = beside(file_, ".aside");
  std::error_code error;
  std::filesystem::rename(file_, aside, error);
  if (error) return failure("cannot set the journal aside: " + error.message(), file_.string());
  say(fmt::format("the journal of an earlier run is not used: {}; it is set aside as {}, and all is judged again", why,
                  aside.string()));
  return {};
}

// How many lines say nothing.
unsigned Journal::replay(std::string_view lines) {
  unsigned damaged = 0;
  for (std::size_t at = 0, end; (end = lines.find('\n', at)) != lines.npos; at = end + 1) {
    const json line = json::parse(lines.begin() + at, lines.begin() + end, nullptr, false);
    if (line.is_object() && line.contains("done")) continue;
    const bool usable =
        line.is_object() && line.contains("fingerprint") && line["fingerprint"].is_string() && line.contains("verdict");
    auto verdict = usable ? bundle::parse_verdict(line["verdict"].dump()) : Result<Verdict>(failure("damaged"));
    const json object = usable ? line.value("object", json("")) : json();
    damaged += !verdict || !object.is_string();
    // To ask the gate again costs little, and a later Hone may answer otherwise.
    if (verdict && verdict->stage == Stage::gate) continue;
    if (verdict && object.is_string())
      entries_.insert_or_assign(line["fingerprint"].get<std::string>(),
                                Entry{object.get<std::string>(), std::move(*verdict)});
  }
  return damaged;
}

Result<void> Journal::finish() {
  return os::append_durably(file_, done_line);
}

const Journal::Entry* Journal::find(const std::string& fingerprint) const {
  const auto known = entries_.find(fingerprint);
  return known == entries_.end() ? nullptr : &known->second;
}

Result<void> Journal::append(const std::string& fingerprint, const std::string& name, const std::string& source_digest,
                             const std::string& object_digest, const Verdict& verdict, const JournaledOrigin& origin) {
  json line{{"fingerprint", fingerprint},
            {"name", name},
            {"source", source_digest},
            {"object", object_digest},
            {"verdict", json::parse(bundle::serialize(verdict), nullptr, false)}};
  if (!origin.operator_name.empty()) line["operator"] = origin.operator_name;
  if (!origin.parents.empty()) line["parents"] = origin.parents;
  if (!origin.text.empty()) line["text"] = origin.text;
  return os::append_durably(file_, line_of(line));
}

}  // namespace hone::tune
