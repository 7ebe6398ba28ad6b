// What the tests of tool/llm share: a prompt, and the two ways in which a call ends.
#pragma once

#include <chrono>
#include <future>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tool/llm/client.h"

namespace hone::llm {

inline Prompt asking(std::string text) {
  Prompt prompt;
  prompt.messages = {{Role::system, "You write fast code."}, {Role::user, std::move(text)}};
  return prompt;
}

inline Reply reply_of(std::future<Outcome> outcome) {
  Outcome got = outcome.get();
  if (const Failure* failure = std::get_if<Failure>(&got)) {
    ADD_FAILURE() << "no reply: " << failure->what;
    return {};
  }
  return std::get<Reply>(std::move(got));
}

inline Failure failure_of(std::future<Outcome> outcome) {
  Outcome got = outcome.get();
  if (const Reply* reply = std::get_if<Reply>(&got)) {
    ADD_FAILURE() << "a reply: " << reply->text.substr(0, 200);
    return {};
  }
  return std::get<Failure>(std::move(got));
}

}  // namespace hone::llm
