// Recorded exchanges as JSON lines that fine-tuning and reinforcement learning read without conversion.
//
//   chat               {"messages": [system, user, assistant], …}
//   prompt_completion  {"prompt": [system, user], "completion": [assistant], …}
//   preference         {"prompt": [system, user], "chosen": [assistant], "rejected": [assistant], …}
// where each message is {"role": …, "content": …}. Behind them, in each line of the first two:
//   "reward": 1.02,                    exchange.h says what it is
//   "verdict": {"stage", "right", "faster", "reason", "detail", "speedup": {"median", "low", "high"},
//   "tolerance_used"}, "kernel", "key", "strategy", "operator", "kind": "candidate" or "advice", "name", "model",
//   "seed", "call", "duplicate", "usage": {"input_tokens", "output_tokens"}
// and in each preference "score_chosen", "score_rejected" (rewards), "kernel", "key", "strategy", "operator".
//
// Every line has every member and none is null, so that loaders that take a column's type from the first lines read
// all of them; a figure that was not measured is 0. The names are chosen such that no line is of two of these types.
// No line holds a path, a command line or a key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/tune/model/recording.h"

namespace hone::tune {

enum class TrainingFormat { chat, prompt_completion, preference };
// Error: no such format, with those that there are.
Result<TrainingFormat> parse_training_format(std::string_view name);

struct TrainingText {
  std::string text;
  std::size_t lines = 0;
  std::size_t unjudged = 0;  // replies without a verdict, left out
};

// `least_reward`: only what has it; of a preference the chosen reply.
//
// A preference needs two replies to the very same prompt, of which one is right and beyond doubt better: the other is
// not right, or was not accepted as faster, or its whole interval lies below. The best reply of each prompt is chosen
// over each that it beats.
TrainingText training_text(const std::vector<Recording>& recordings, TrainingFormat format, double least_reward = 0);

}  // namespace hone::tune
