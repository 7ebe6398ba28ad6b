#include "tool/search/knowledge/near_pairs.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tool/model/kernel_language.h"
#include "tool/search/text/code_text.h"

namespace hone::search {
namespace {

const std::set<std::string_view>& instruction_sets() {
  static const std::set<std::string_view> sets{"x86", "avx2", "avx512", "neon", "cuda"};
  return sets;
}

double weight_of(const Traits::value_type& trait) {
  if (instruction_sets().contains(trait.first)) return 0;
  return shape_tags().contains(trait.first) ? 2 * trait.second : trait.second;
}

double length_of(const Traits& traits) {
  double squares = 0;
  for (const auto& trait : traits) squares += weight_of(trait) * weight_of(trait);
  return std::sqrt(squares);
}

bool is_cuda(std::string_view language) {
  return language.starts_with("cuda");
}

// C++ takes most of what C writes, and not the other way round.
bool can_show(const std::string& written, const std::string& wanted) {
  return is_cuda(written) == is_cuda(wanted) && (!is_c_name(wanted) || is_c_name(written));
}

// A text without layout and comments.
std::string tokens_of(std::string_view text) {
  const CodeText code(text);
  std::string tokens;
  for (std::size_t i = 0; i < code.tokens().size(); ++i) tokens.append(code.spelling(i)).append(" ");
  return tokens;
}

Traits traits_of(const std::string& text, const std::string& closure, const std::string& language) {
  TaskFacts facts;
  facts.definition = text;
  facts.closure = closure;
  facts.language = language;
  return classify(facts);
}

struct Ranked {
  double worth = 0;
  VerifiedPair pair;
};

}  // namespace

double likeness(const Traits& one, const Traits& other) {
  double shared = 0;
  for (const auto& trait : one)
    if (const auto same = other.find(trait.first); same != other.end()) shared += weight_of(trait) * weight_of(*same);
  const double lengths = length_of(one) * length_of(other);
  return lengths > 0 ? shared / lengths : 0;
}

std::vector<VerifiedPair> near_pairs(std::vector<VerifiedPair> pairs, const TaskFacts& facts,
                                     const PairChoice& choice) {
  const Traits wanted = traits_of(facts.definition, facts.closure, facts.language);
  const std::string own = tokens_of(facts.definition);
  std::vector<Ranked> ranked;
  for (VerifiedPair& pair : pairs) {
    if (pair.gain <= 1 || !can_show(pair.language, facts.language)) continue;
    if (pair.original.size() + pair.winner.size() > choice.most_code) continue;
    const std::string tokens = tokens_of(pair.original);
    if (!choice.own && (pair.key == choice.key || tokens.ends_with(own))) continue;
    const double alike = likeness(traits_of(pair.original, "", pair.language), wanted);
    if (alike >= choice.least_likeness) ranked.push_back({alike * alike * std::log(pair.gain), std::move(pair)});
  }
  std::ranges::sort(ranked, [](const Ranked& a, const Ranked& b) {
    return a.worth != b.worth ? a.worth > b.worth : a.pair.key < b.pair.key;
  });
  std::vector<VerifiedPair> near;
  std::set<std::string> texts;
  for (Ranked& one : ranked)
    if (near.size() < choice.most && texts.insert(tokens_of(one.pair.original)).second)
      near.push_back(std::move(one.pair));
  return near;
}

}  // namespace hone::search
