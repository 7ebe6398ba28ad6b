// Everything that a model's search asked, what it was answered, and what it was told, in that order: for resuming a
// killed run without paying twice, for replaying a run without a model, for training.
//
// JSON lines. The first says what the run was; the others are events in the order in which they met the search:
//   {"recording": 1, "kernel": "…", "key": "…", "seed": 1, "strategy": {…}, "written_by": "…", "models": 1,
//    "facts": {…}, "pairs": [ {"kernel": …, "original": …, "winner": …}, … ],
//    "seeds": [ {"name": …, "source": …, "verdict": {…}}, … ]}
//   {"ask": 3, "operator": "mutation", "model": 0, "digest": "<sha256>", "prompt": [ {"role": …, "text": …}, … ],
//    "advised_by": 2}                       the request whose advice it follows
//   {"sent": 3, "most": {usage}}            the most that the call can come to: what one costs that a kill leaves
//   unanswered
//   {"reply": 3, "text": "…", "model": "…", "seconds": 8.1, "usage": {"input", "output", "cost", "estimated",
//    "cached"}}
//   {"failure": 3, "what": "…", "again": true, "usage": {…}}            again: a resumed run is to make the call anew
//   {"opinion": 3, "digest": "<sha256>", "prompt": [ … ]}     what is asked about the candidate that reply 3 holds
//   {"opined": 3, "text": "…", "model": "…", "seconds": 2.0, "usage": {…}}
//   {"opined": 3, "what": "…", "again": true, "usage": {…}}                 nobody answered that
//   {"told": 3, "as": "trial", "fingerprint": "…", "name": "…", "choice": [1, 0], "duplicate_of": 1, "profile": "…",
//    "verdict": {…}}                                                      verdicts are without raw samples
//   {"told": 4, "as": "advice", "text": "…", "ok": true}
//   {"told": 5, "as": "failed"}
//   {"remembered": true}                    what was learned so far is in the memory across kernels (learned.h)
// Written durably, line by line, before the search goes on; a torn last line is dropped. It holds source and prompts,
// never a key. Not thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tool/base/result.h"
#include "tool/llm/client.h"
#include "tool/model/candidate.h"
#include "tool/model/verdict.h"
#include "tool/search/brief.h"
#include "tool/search/search.h"
#include "tool/search/verified_pair.h"

namespace hone::tune {

struct RecordingHeader {
  std::string kernel, key;
  std::uint64_t seed = 1;
  std::string strategy;    // as JSON
  std::string written_by;  // what the replies come from: "openai (model m)", "command: …"
  unsigned models = 1;     // in the ensemble; at most 1000
  std::string memory;      // what other kernels had taught (search::Memory), as JSON; "" for nothing
  search::TaskFacts facts;
  std::vector<search::VerifiedPair> pairs;  // of earlier searches, likeliest first: what prompts may show of them
  std::vector<search::Start::Known> seeds;
  bool operator==(const RecordingHeader&) const;  // by their text
};

struct Asked {
  unsigned request = 0;
  std::string operator_name;
  unsigned model = 0;
  std::string digest;  // of the prompt
  std::vector<search::PromptMessage> prompt;
  std::optional<unsigned> advised_by = {};  // an earlier request; also absent in recordings of before it was kept
};

struct Sent {
  unsigned request = 0;
  llm::Usage most;
};

struct Replied {
  unsigned request = 0;
  std::string text;
  std::string model;
  double seconds = 0;
  llm::Usage usage;
};

struct CallFailed {
  unsigned request = 0;
  std::string what;
  llm::Usage usage;
  bool again = false;  // it was stopped, or the provider ended the run: no answer, though it may have cost something
};

struct OpinionAsked {
  unsigned request = 0;
  std::string digest;
  std::vector<search::PromptMessage> prompt;
};

struct Opined {
  unsigned request = 0;
  std::string text;  // "": nobody answered
  std::string model;
  double seconds = 0;
  llm::Usage usage;
  std::string what = {};
  bool again = false;  // as CallFailed
};

struct ToldTrial {
  unsigned request = 0;
  std::string fingerprint;
  std::string name;
  std::vector<std::size_t> choice;  // of the tunables; empty without any
  std::optional<unsigned> duplicate_of;
  std::string profile;
  Verdict verdict;
};

struct ToldAdvice {
  unsigned request = 0;
  std::string text;
  bool ok = true;
};

struct ToldFailed {
  unsigned request = 0;
};

struct Remembered {};

using Event =
    std::variant<Asked, Sent, Replied, CallFailed, OpinionAsked, Opined, ToldTrial, ToldAdvice, ToldFailed, Remembered>;

struct Recording {
  RecordingHeader header;
  std::vector<Event> events;

  // Error: the file cannot be read, or its first line is none of a recording's. Lines that are no events are left out.
  static Result<Recording> read(const std::filesystem::path& file);
  static Result<Recording> parse(std::string_view text, const std::string& where);
};

// The lines of a recording's file, each without its end.
std::string line_of(const RecordingHeader& header);
std::string line_of(const Event& event);

class Recorder {
 public:
  // Starts the file anew.
  static Result<Recorder> create(const std::filesystem::path& file, const RecordingHeader& header);
  // Goes on with one that was read.
  explicit Recorder(std::filesystem::path file) : file_(std::move(file)) {}

  Result<void> append(const Event& event);

 private:
  std::filesystem::path file_;
};

std::string digest_of(const std::vector<search::PromptMessage>& prompt);

}  // namespace hone::tune
