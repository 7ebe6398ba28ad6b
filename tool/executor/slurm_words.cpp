#include "tool/executor/slurm_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace hone::executor {
namespace {

using Kind = Meaning::Kind;

struct Saying {
  std::string_view words;
  Kind kind;
  std::string_view what, advice;
};

// The first that is said counts: of a canceled step Slurm says why behind the word.
constexpr std::array sayings = {
    Saying{"DUE TO TIME LIMIT", Kind::timed_out, "the time limit of its job is over",
           "ask for more time with --time, if the partition gives more"},
    Saying{"DUE TO PREEMPTION", Kind::taken, "its job was preempted", ""},
    Saying{"DUE TO JOB REQUEUE", Kind::taken, "its job was requeued", ""},
    Saying{"DUE TO NODE FAILURE", Kind::unknown, "its node failed", ""},
    Saying{"oom_kill", Kind::unknown, "its job was out of memory", "ask for more memory with --mem"},
    Saying{"oom-kill", Kind::unknown, "its job was out of memory", "ask for more memory with --mem"},
    Saying{"CANCELLED AT", Kind::unknown, "its job was canceled", ""},
    Saying{"has been revoked", Kind::unknown, "its job was canceled before it began", ""},
    Saying{"Invalid feature specification", Kind::unknown, "no node has the feature that --constraint asks for", ""},
    Saying{"Invalid generic resource (gres)", Kind::unknown, "Slurm knows no such device as --gres asks for", ""},
    Saying{"Requested node configuration is not available", Kind::unknown,
           "no node of the partition has what is asked for", ""},
    Saying{"Requested time limit is invalid", Kind::unknown, "the partition gives no job so much time",
           "ask for less with --time; `sinfo -o '%P %l'` lists the limits"},
    Saying{"Invalid account", Kind::unknown, "the partition takes no jobs of this account",
           "name another with --account, or another partition"},
    Saying{"Invalid qos", Kind::unknown, "this account may not use that quality of service", "name another with --qos"},
};

struct Reason {
  std::string_view name, remark;
};
constexpr std::array reasons = {
    Reason{"PartitionTimeLimit", "it asks for more time than the partition gives: ask for less with --time"},
    Reason{"AssocMaxWallDurationPerJobLimit", "it asks for more time than the site allows: ask for less with --time"},
    Reason{"QOSMaxWallDurationPerJobLimit", "it asks for more time than the site allows: ask for less with --time"},
    Reason{"PartitionDown", "the partition is down"},
    Reason{"PartitionInactive", "the partition is inactive"},
    Reason{"PartitionConfig", "the partition takes no such jobs; it may ask for too much time (--time)"},
    Reason{"BadConstraints", "no node has what it asks for"},
    Reason{"AccountNotAllowed", "the partition takes no jobs of this account: name another with --account"},
    Reason{"QOSNotAllowed", "the partition takes no jobs of this quality of service: name another with --qos"},
    Reason{"ReqNodeNotAvail", "a node that it asks for is down or reserved"},
    Reason{"Licenses", "its licenses are in use"},
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// A limit of a site's accounting, by its name: "QOSMaxSubmitJobPerUserLimit". "": none is named.
std::string_view limit_in(std::string_view words) {
  for (std::size_t begin = 0; begin < words.size();) {
    std::size_t end = begin;
    while (end < words.size() && is_letter(words[end])) ++end;
    const std::string_view word = words.substr(begin, end - begin);
    for (const std::string_view prefix : {"AssocMax", "AssocGrp", "QOSMax", "QOSGrp", "QOSMin"})
      if (word.starts_with(prefix) && word.size() > prefix.size()) return word;
    begin = std::max(end, begin + 1);
  }
  return {};
}

// A limit on jobs that are submitted is free again once others end. Any other holds for each job by itself: Slurm would
// have queued it else.
Meaning meaning_of_limit(std::string_view limit) {
  if (limit.find("Submit") != std::string_view::npos)
    return {Kind::full, fmt::format("the site allows no more jobs at once ({})", limit),
            "let other jobs end, or judge in one job of several tasks: docs/scale.md, \"Where a site limits jobs\""};
  return {Kind::unknown, fmt::format("a job may not ask for so much ({})", limit),
          "ask for less: --time, --cpus-per-task, --mem, --gres"};
}

std::optional<long> number(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t found = 0; (found = text.find(at)) != std::string_view::npos; text.remove_prefix(found + 1))
    parts.push_back(text.substr(0, found));
  parts.push_back(text);
  return parts;
}

}  // namespace

Meaning meaning_of_srun(std::string_view words) {
  if (const std::string_view limit = limit_in(words); !limit.empty()) return meaning_of_limit(limit);
  for (const Saying& saying : sayings)
    if (words.find(saying.words) != std::string_view::npos)
      return {saying.kind, std::string(saying.what), std::string(saying.advice)};
  if (words.find("Job violates accounting/QOS policy") != std::string_view::npos)
    return {Kind::unknown, "a limit of the site is met, which Slurm does not name", "ask its administrators for it"};
  return {};
}

bool is_about_nodes(std::string_view words) {
  return std::ranges::any_of(
      std::array{"Invalid feature specification", "Invalid generic resource", "node configuration is not available"},
      [&](const char* said) { return words.find(said) != std::string_view::npos; });
}

std::string_view meaning_of_pending(std::string_view reason) {
  const std::string_view name = reason.substr(0, reason.find(','));  // "ReqNodeNotAvail, UnavailableNodes:node3"
  for (const Reason& known : reasons)
    if (known.name == name) return known.remark;
  return limit_in(name).empty() ? "" : "a limit of the site is met";
}

std::optional<std::chrono::seconds> read_slurm_time(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  long days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto read = number(text.substr(0, dash));
    if (!read) return std::nullopt;
    days = *read;
    text.remove_prefix(dash + 1);
  }
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3 || days > 36'500) return std::nullopt;
  long seconds = 0;
  for (const std::string_view part : parts) {
    const auto read = number(part);
    if (!read || *read > 10'000) return std::nullopt;
    seconds = seconds * 60 + *read;
  }
  return std::chrono::seconds(days * 86'400 + seconds);
}

}  // namespace hone::executor
