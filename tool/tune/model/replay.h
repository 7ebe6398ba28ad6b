// A recording played to a search: the same questions, the recorded replies, the recorded verdicts, in the recorded
// order.
//
// Afterwards the search is where it was when the recording ended. What was asked and answered but never told is handed
// back. Nothing is judged and nobody is called.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "tool/tune/model/dialogue.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/trial/search_outcome.h"

namespace hone::tune {

struct ScriptedTrial {
  unsigned trial = 0;
  std::string operator_name;
  Proposal proposal;  // the candidate has the recorded choice of the tunables
  ToldTrial told;
  Provenance provenance;
  std::optional<search::Opinion> opinion = {};  // of a model, before it was judged
};

struct OpenCall {
  std::string prompt;                                       // the digest
  std::optional<llm::Usage> sent;                           // and not heard of since: what it may have cost
  std::optional<std::variant<Replied, CallFailed>> answer;  // none: still being waited for
  std::optional<Opined> opinion;                            // of the candidate that the answer holds; none: not yet
};

struct Played {
  std::vector<Asked> asked;                               // as the search asks now, in order
  std::vector<ScriptedTrial> trials;                      // in the order in which they were told
  std::map<unsigned, OpenCall> open;                      // by request
  std::vector<std::pair<std::string, llm::Usage>> spent;  // operator and what the call came to, in order
  search::Memory remembered;                              // what the memory across kernels has of this search already
  std::optional<unsigned> different_prompt;               // first request whose prompt is not the recorded one
};

// What the recorded search started from; the search itself, as it was then. Error: its strategy is none for a model.
search::Start start_of(const RecordingHeader& header);
Result<std::unique_ptr<search::Search>> search_of(const RecordingHeader& header);

// What counts the calls for opinions in what was spent.
inline constexpr const char* opinion_calls = "opinion";

// What a search is charged for a call: money, or tokens where money is unknown.
double charge_of(const llm::Usage& usage);

// Error: the recording does not fit the search (it asks for other requests than were recorded).
Result<Played> play(const Recording& recording, Dialogue& dialogue);

}  // namespace hone::tune
