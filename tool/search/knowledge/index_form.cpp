#include "tool/search/knowledge/index_form.h"

#include <algorithm>
#include <utility>

namespace hone::search {
namespace {

constexpr unsigned deepest_name = 5;    // names written out within names: text can define a name by itself
constexpr unsigned most_factors = 500;  // of one subscript: names within names grow fast
constexpr std::size_t most_terms = 64;  // of a product of sums, which grows with each factor
constexpr std::string_view no_sum = "<>?&|^=!:,";

std::string joined(const IndexForm::Product& factors, std::string_view without) {
  std::string text;
  bool left_out = false;
  for (const std::string& factor : factors) {
    if (factor == without && !std::exchange(left_out, true)) continue;
    text += (text.empty() ? "" : "*") + factor;
  }
  return text;
}

bool is_index(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx";
}

}  // namespace

struct IndexReader::Reading {
  IndexForm form;
  unsigned left = most_factors;

  // Whether a name is written out: not too deep within others, and not too often.
  bool goes_on(unsigned depth) {
    if (depth >= deepest_name || left == 0) return false;
    --left;
    return true;
  }
};

std::optional<std::string> IndexForm::step_of(std::string_view counter) const {
  for (const Product& term : terms)
    if (std::ranges::find(term, counter) != term.end()) return joined(term, counter);
  return std::nullopt;
}

IndexForm IndexReader::read(TokenRange tokens) const {
  Reading reading;
  IndexForm& form = reading.form;
  form.terms = sum(tokens, reading, 0);
  for (IndexForm::Product& term : form.terms) std::ranges::sort(term);
  std::ranges::sort(form.terms);
  return std::move(form);
}

IndexReader::Terms IndexReader::sum(TokenRange tokens, Reading& reading, unsigned depth) const {
  if (split(code_, tokens, no_sum).size() > 1) return whole(tokens, reading, depth);
  Terms terms;
  for (const TokenRange& part : split(code_, tokens, "+-")) {
    if (part.begin >= part.end) continue;
    const bool minus = part.begin > tokens.begin && code_.is(part.begin - 1, "-");
    for (IndexForm::Product& term : product(part, reading, depth)) {
      if (minus) term.push_back("-1");
      terms.push_back(std::move(term));
    }
  }
  return terms;
}

IndexReader::Terms IndexReader::product(TokenRange tokens, Reading& reading, unsigned depth) const {
  if (split(code_, tokens, "/%").size() > 1) return whole(tokens, reading, depth);
  Terms all{{}};
  for (const TokenRange& part : split(code_, tokens, "*")) {
    Terms longer;
    for (const IndexForm::Product& more : factor(part, reading, depth))
      for (IndexForm::Product term : all) {
        term.insert(term.end(), more.begin(), more.end());
        longer.push_back(std::move(term));
      }
    if (longer.empty() || longer.size() > most_terms) return whole(tokens, reading, depth);
    all = std::move(longer);
  }
  return all;
}

// "(long long)row" and "static_cast<int>(x)" are row and x.
TokenRange IndexReader::without_casts(TokenRange tokens) const {
  if (tokens.end - tokens.begin > 3 && code_.is(tokens.begin, "static_cast")) {
    std::size_t open = tokens.begin;
    while (open < tokens.end && !code_.is(open, "(")) ++open;
    if (open < tokens.end) return {open, tokens.end};
  }
  if (!code_.is(tokens.begin, "(")) return tokens;
  const std::size_t close = code_.closing(tokens.begin);
  return close != CodeText::npos && close + 1 < tokens.end ? TokenRange{close + 1, tokens.end} : tokens;
}

IndexReader::Terms IndexReader::factor(TokenRange tokens, Reading& reading, unsigned depth) const {
  if (tokens.begin >= tokens.end) return {};
  tokens = without_casts(tokens);
  if (code_.is(tokens.begin, "(") && code_.closing(tokens.begin) + 1 == tokens.end)
    return sum({tokens.begin + 1, tokens.end - 1}, reading, depth);
  if (tokens.end - tokens.begin > 1) return whole(tokens, reading, depth);
  const std::string name(code_.spelling(tokens.begin));
  if (code_.tokens()[tokens.begin].kind != CodeTokenKind::identifier) return {{name}};
  reading.form.names.insert(name);
  if (const auto meant = reading.goes_on(depth) ? meaning_(name) : std::nullopt) return sum(*meant, reading, depth + 1);
  return {{name}};
}

// One factor; what its names stand for is looked through for other names and for elements of arrays.
IndexReader::Terms IndexReader::whole(TokenRange tokens, Reading& reading, unsigned depth) const {
  std::string text;
  for (std::size_t i = tokens.begin; i < tokens.end; ++i) {
    std::string name(code_.spelling(i));
    if (is_index(name) && i + 2 < tokens.end) name += "." + std::string(code_.spelling(i += 2));
    text += (text.empty() ? "" : " ") + name;
    if (name == "[") reading.form.looked_up = true;
    const bool member = i > 0 && code_.is(i - 1, ".") && !is_index(name.substr(0, name.find('.')));
    if (code_.tokens()[i].kind != CodeTokenKind::identifier || member) continue;
    if (!reading.form.names.insert(name).second) continue;
    if (const auto meant = reading.goes_on(depth) ? meaning_(name) : std::nullopt) whole(*meant, reading, depth + 1);
  }
  return {{text}};
}

}  // namespace hone::search
