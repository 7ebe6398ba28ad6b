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

// Whether verdicts that were written under `header` count in `run`.
bool serves(const std::string& header, const RunIdentity& run) {
  const json written = json::parse(header, nullptr, false);
  json wanted = json::parse(header_of(run));
  if (!written.is_object()) return false;
  wanted["strategy"] = written.value("strategy", json());
  return written == wanted;
}

std::filesystem::path beside(const std::filesystem::path& file, const char* extension) {
  return file.string() + extension;
}

}  // namespace

Result<Journal> Journal::open(const std::filesystem::path& file, const RunIdentity& run, bool resume,
                              std::stop_token stop, const std::function<void(const std::string&)>& waiting) {
  bool waited = false;
  HONE_TRY(auto lock, os::FileLock::try_acquire(beside(file, ".lock")));
  while (!lock) {
    if (!waited) {
      const auto owner = os::read_file(beside(file, ".owner"));
      waiting(fmt::format("another tuning of this kernel is running (process {}): waiting for it",
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
  const auto text = os::read_file(file);
  if (resume && text && journal.replay(*text, run)) {
    // What follows a torn line would be glued to it.
    const std::size_t whole = text->rfind('\n') + 1;
    if (whole != text->size()) HONE_CHECK(os::write_file_atomically(file, std::string_view(*text).substr(0, whole)));
  } else {
    HONE_CHECK(os::write_file_atomically(file, header_of(run)));
  }
  return journal;
}

bool Journal::replay(const std::string& text, const RunIdentity& run) {
  std::size_t at = text.find('\n') + 1;
  if (at == 0 || !serves(text.substr(0, at), run)) return false;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const json line = json::parse(text.begin() + at, text.begin() + end, nullptr, false);
    if (!line.is_object() || !line.contains("fingerprint") || !line["fingerprint"].is_string() ||
        !line.contains("verdict"))
      continue;
    auto verdict = bundle::parse_verdict(line["verdict"].dump());
    const json object = line.value("object", json(""));
    if (verdict && object.is_string())
      entries_.insert_or_assign(line["fingerprint"].get<std::string>(),
                                Entry{object.get<std::string>(), std::move(*verdict)});
  }
  return true;
}

const Journal::Entry* Journal::find(const std::string& fingerprint) const {
  const auto known = entries_.find(fingerprint);
  return known == entries_.end() ? nullptr : &known->second;
}

Result<void> Journal::append(const std::string& fingerprint, const std::string& name, const std::string& source_digest,
                             const std::string& object_digest, const Verdict& verdict) {
  json serialized = json::parse(bundle::serialize(verdict), nullptr, false);
  return os::append_durably(file_, line_of({{"fingerprint", fingerprint},
                                            {"name", name},
                                            {"source", source_digest},
                                            {"object", object_digest},
                                            {"verdict", std::move(serialized)}}));
}

}  // namespace hone::tune
