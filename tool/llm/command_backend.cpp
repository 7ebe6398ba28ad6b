#include "tool/llm/command_backend.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tool/llm/blocking_backend.h"
#include "tool/llm/settings/clean_text.h"
#include "tool/llm/token_estimate.h"

namespace hone::llm {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// The last thing that a program complains about is what it died of.
std::string last_words(const std::string& error) {
  constexpr std::size_t kept = 300;  // a few lines: as much as a message shows
  std::size_t start = error.size() - std::min(error.size(), kept);
  while (start > 0 && start < error.size() && (static_cast<unsigned char>(error[start]) & 0xc0) == 0x80) ++start;
  const std::string line = one_line(std::string_view(error).substr(start), kept);
  return line.empty() ? "" : ": " + line;
}

class Command {
 public:
  Command(const ModelSettings& settings, Environment environment, const Scrubber& scrub, os::ProcessRunner& processes)
      : settings_(settings),
        environment_(std::move(environment)),
        scrub_(scrub),
        processes_(processes),
        name_(fmt::format("the command '{}'", one_line(settings.command.front(), 80))) {}

  Attempt operator()(const Prompt& prompt, std::stop_token stop) const {
    const Result<os::Exit> exit = processes_.run(process(prompt, std::move(stop)));
    if (!exit) return {Failure{FailureKind::unreachable, one_line(exit.error().message()), true}};
    if (exit->canceled) return cut(prompt, FailureKind::canceled, "the call was canceled");
    if (exit->truncated) {
      return cut(prompt, FailureKind::too_large,
                 fmt::format("{} said more than {} bytes", name_, settings_.reply_bytes));
    }
    if (exit->timed_out) {
      return cut(
          prompt, FailureKind::timeout,
          fmt::format("{} gave no reply within {:g} s and was killed", name_, settings_.timeout.count() / 1000.0));
    }
    if (!exit->ok()) {
      const std::string how = exit->signal != 0 ? fmt::format("was killed by signal {}", exit->signal)
                                                : fmt::format("ended with exit status {}", exit->code);
      return failed(prompt, FailureKind::exhausted, fmt::format("{} {}{}", name_, how, last_words(scrub_(exit->err))),
                    true);
    }
    if (is_blank(exit->out)) {
      return failed(prompt, FailureKind::malformed,
                    fmt::format("{} said nothing{}", name_, last_words(scrub_(exit->err))), true);
    }
    return {Reply{scrub_(valid_utf8(exit->out)), usage(prompt, exit->out), settings_.model}};
  }

 private:
  os::Process process(const Prompt& prompt, std::stop_token stop) const {
    os::Process process;
    process.arguments = settings_.command;
    process.environment = environment_;
    auto& told = *process.environment;
    if (!settings_.model.empty()) told["HONE_MODEL"] = settings_.model;
    told["HONE_MAX_TOKENS"] = fmt::to_string(prompt.max_tokens.value_or(settings_.max_tokens));
    if (const auto temperature = prompt.temperature ? prompt.temperature : settings_.temperature)
      told["HONE_TEMPERATURE"] = fmt::to_string(*temperature);
    if (!settings_.effort.empty()) told["HONE_EFFORT"] = settings_.effort;
    if (prompt.seed) told["HONE_SEED"] = fmt::to_string(*prompt.seed);
    process.input = valid_utf8(plain_text(prompt.messages));
    process.timeout = settings_.timeout;
    process.output_bytes = settings_.reply_bytes;
    process.stop_when_full = true;
    process.stop = std::move(stop);
    return process;
  }

  Usage usage(const Prompt& prompt, std::string_view reply) const {
    Usage usage{estimate_tokens(prompt.messages), estimate_tokens(reply), 0, true};
    usage.cost = cost_of(usage, settings_.price);
    return usage;
  }

  Attempt failed(const Prompt& prompt, FailureKind kind, std::string what, bool again = false) const {
    Failure failure{kind, std::move(what)};
    failure.spent = usage(prompt, "");
    return {std::move(failure), again, {}};
  }

  // Killed while it was at work: what it asked may have been answered all the same.
  Attempt cut(const Prompt& prompt, FailureKind kind, std::string what) const {
    Failure failure{kind, std::move(what)};
    failure.spent = estimate_most(prompt, settings_);
    return {std::move(failure), false, {}};
  }

  ModelSettings settings_;
  Environment environment_;
  Scrubber scrub_;
  os::ProcessRunner& processes_;
  std::string name_;
};

}  // namespace

std::string plain_text(const std::vector<Message>& messages) {
  const auto talk =
      std::count_if(messages.begin(), messages.end(), [](const Message& m) { return m.role != Role::system; });
  std::string text;
  const auto add = [&](std::string_view mark, const Message& message) {
    if (!text.empty()) text += "\n";
    text += mark;
    text += message.text;
    if (!text.ends_with('\n')) text += '\n';
  };
  for (const Message& message : messages) {
    if (message.role == Role::system) add("", message);
  }
  for (const Message& message : messages) {
    if (message.role == Role::user) add(talk > 1 ? "User:\n" : "", message);
    if (message.role == Role::assistant) add("Assistant:\n", message);
  }
  return text;
}

std::unique_ptr<Backend> make_command_backend(const ModelSettings& settings, Environment environment,
                                              const Scrubber& scrub, os::ProcessRunner& processes) {
  return std::make_unique<BlockingBackend>(Command(settings, std::move(environment), scrub, processes));
}

}  // namespace hone::llm
