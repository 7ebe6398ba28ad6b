// A client whose replies come from a function: for tests, and for whoever plays recorded replies.
#pragma once

#include <functional>
#include <memory>

#include "tool/llm/client.h"

namespace hone::llm {

// `answer` is called once for each call, on a thread of the client's, up to `concurrency` at once; it may block, and
// should look at the token when it does. Its outcome is passed on as it is: nothing is tried again.
std::unique_ptr<Client> make_scripted_client(std::function<Outcome(const Prompt&, std::stop_token)> answer,
                                             unsigned concurrency = 1);

}  // namespace hone::llm
