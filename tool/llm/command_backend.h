// A language model behind a command: the prompt as plain text on its standard input, the reply on its standard output.
//
// The command is the user's own and may be a client that needs their settings and its own key, so it runs without a
// sandbox in the given environment; whoever makes it leaves out Hone's own keys (key.h). Beside that it finds
// HONE_MODEL, HONE_MAX_TOKENS, HONE_TEMPERATURE and HONE_SEED as far as they are set. It and all that it started are
// killed when its time is over, when the call is stopped and when it says more than a reply may be long.
#pragma once

#include <memory>

#include "tool/llm/backend.h"
#include "tool/llm/settings/clean_text.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/os/process/process_runner.h"

namespace hone::llm {

std::unique_ptr<Backend> make_command_backend(const ModelSettings& settings, Environment environment,
                                              const Scrubber& scrub, os::ProcessRunner& processes);

// The text that a command reads on stdin. System messages come first and unmarked, and so does a single user's message;
// a conversation is marked "User:" and "Assistant:".
std::string plain_text(const std::vector<Message>& messages);

}  // namespace hone::llm
