// What a language model wrote, read for what it means: a candidate, or advice.
//
// Models are asked for `name:`, one fenced block with the complete definition, `thought:`. They also write several
// blocks, none, diffs, search/replace blocks, JSON, HTML entities, their thinking, or stop in the middle. All of that
// is read as long as what comes out is plainly code that defines the kernel; raw prose is never submitted as code. What
// cannot be read is data (Unreadable), one sentence that the next prompt shows. Pure; any bytes are welcome.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace hone::search {

struct Reply {
  std::string name;    // short, one line; "" when none was given
  std::string source;  // #include lines, helpers, the complete definition; \n line ends
  std::string thought;
  std::optional<double> predicted_gain;  // of `predicted: 1.8x`
  std::string note;  // how it was read where it was not as asked: "applied as a diff to trial 3"; "" if it was
};

struct Unreadable {
  std::string why;  // one sentence for the model: what was wrong and what to write instead
};

struct ReplyExpectation {
  std::string function;              // unqualified name that the code must define; "" where any will do
  std::vector<std::string> parents;  // sources that a diff may apply to, likeliest first
};

tl::expected<Reply, Unreadable> parse_reply(std::string_view text, const ReplyExpectation& expected);

// Advice is JSON with members that depend on who was asked; a list of it for those that propose several.
enum class AdviceKind {
  repair,       // judge, of a failed parent: critical_issue, why_it_matters, minimal_fix_hint
  optimize,     // judge, of a right one: bottleneck, optimisation_method, modification_plan
  plan,         // action, region, reason
  proposal,     // propose: name, idea, predicted; several
  techniques,   // technique, predicted; several
  post_mortem,  // lesson; plain prose will do
  opinion,      // right, reason
};
// The kind of advice of an operator that answers with advice (model_operators.h), or of "opinion".
AdviceKind advice_kind(std::string_view operator_name, bool parent_is_right);

// The members that each item must have, in the order of the prompt.
const std::vector<std::string>& advice_members(AdviceKind kind);

struct AdviceItem {
  std::vector<std::pair<std::string, std::string>> members;  // all of advice_members(), by those names, values as text
  std::string get(std::string_view member) const;            // "" when there is none
};

struct Advice {
  AdviceKind kind = AdviceKind::repair;
  std::vector<AdviceItem> items;  // at least one
  std::string text() const;       // for a prompt: "critical issue: …" lines; several items are numbered
  std::string told() const;       // what Search::tell_advice() wants: a post-mortem's words, else json()
  std::string json() const;       // the items and nothing else: an object, or a list where several were asked for
};

tl::expected<Advice, Unreadable> parse_advice(std::string_view text, AdviceKind kind);

// What a model thinks of a candidate that nobody has judged.
struct Opinion {
  bool right = true;
  std::string reason;
};
// nullopt: the text says neither yes nor no.
std::optional<Opinion> read_opinion(std::string_view text);

}  // namespace hone::search
