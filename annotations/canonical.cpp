// canonical(): clause order fixed, what a clause holds sorted where its order means nothing, one blank between the
// tokens of an expression, defaults written out. name() is a label for reports and no part of the meaning: left out.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "annotations/parser.h"
#include "annotations/tokens.h"

namespace hone::annotations {
namespace {

using Words = std::vector<std::string>;

std::string join(const Words& words, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text.append(i ? separator : "").append(words[i]);
  return text;
}

std::string sorted(Words words, std::string_view separator) {
  std::sort(words.begin(), words.end());
  return join(words, separator);
}

std::string tokens_of(const Expression& expression) {
  const auto tokens = tokenize(expression.text, expression.location);
  if (!std::holds_alternative<Tokens>(tokens)) return expression.text;  // it was put together by hand
  Words words;
  for (const Token& token : std::get<Tokens>(tokens).list)
    if (token.kind != Token::Kind::end) words.emplace_back(token.text);
  return join(words, " ");
}

Words texts(const std::vector<Name>& names) {
  Words words;
  for (const Name& name : names) words.push_back(name.text);
  return words;
}

Words texts(const std::vector<Expression>& expressions) {
  Words words;
  for (const Expression& expression : expressions) words.push_back(tokens_of(expression));
  return words;
}

Words texts(const std::vector<Assignment>& assignments) {
  Words words;
  for (const Assignment& assignment : assignments)
    words.push_back(assignment.name.text + "=" + tokens_of(assignment.value));
  return words;
}

const char* word(Role role) {
  return role == Role::in ? "in" : role == Role::out ? "out" : "inout";
}

const char* word(Distribution distribution) {
  constexpr const char* kWords[] = {"uniform", "normal", "index", "sorted", "permutation", "constant", "zeros", "file"};
  return kWords[static_cast<unsigned>(distribution)];
}

std::string text(const Section& section) {
  const bool member = !section.structs.empty();
  std::string out = std::string(word(section.role)) + "(" + (member ? section.structs : section.name.text);
  for (const Dimension& d : section.dimensions) {
    out.append("[")
        .append(d.start ? tokens_of(*d.start) : "0")
        .append(" : ")
        .append(tokens_of(d.length))
        .append(d.stride ? " : " + tokens_of(*d.stride) : "")
        .append("]");
    if (member && &d == section.dimensions.data()) out += section.name.text.substr(section.structs.size());
  }
  return out + (section.null ? "|null)" : ")");
}

std::string text(const Problem& problem) {
  return "problem(" + sorted(texts(problem.values), ", ") +
         ", weight=" + (problem.weight ? tokens_of(*problem.weight) : "1") + ")";
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string text(const Init& init) {
  std::string out = "init(" + init.name.text + ": " + word(init.distribution);
  if (init.distribution == Distribution::file) return out.append("(").append(in_quotes(init.path)).append("))");
  if (!init.arguments.empty()) out.append("(").append(join(texts(init.arguments), ", ")).append(")");
  return out + ")";
}

std::string text(const Tolerance& tolerance) {
  Words parts;
  if (tolerance.exact) parts.push_back("exact");
  if (tolerance.rtol) parts.push_back("rtol=" + tokens_of(*tolerance.rtol));
  if (tolerance.atol) parts.push_back("atol=" + tokens_of(*tolerance.atol));
  if (tolerance.ulp) parts.push_back("ulp=" + tokens_of(*tolerance.ulp));
  const std::string names = tolerance.names.empty() ? "" : sorted(texts(tolerance.names), ", ") + ": ";
  return "tolerance(" + names + join(parts, ", ") + ")";
}

std::string text(const Launch& launch) {
  const auto dimensions = [](const std::vector<Expression>& expressions) {
    Words words = texts(expressions);
    words.resize(3, "1");
    return join(words, ", ");
  };
  return "launch(grid(" + dimensions(launch.grid) + "), block(" + dimensions(launch.block) + "), shared(" +
         (launch.shared ? tokens_of(*launch.shared) : "0") + "))";
}

std::string text(const Instantiate& instance) {
  return "instantiate(" + sorted(texts(instance.arguments), ", ") + ")";
}
std::string text(const Alias& alias) {
  return "alias(" + sorted(texts(alias.names), ", ") + ")";
}

template <class Clause>
void append(Words& to, const std::vector<Clause>& clauses) {
  Words words;
  for (const Clause& clause : clauses) words.push_back(text(clause));
  std::sort(words.begin(), words.end());
  to.insert(to.end(), words.begin(), words.end());
}

}  // namespace

std::string canonical(const Directive& directive) {
  Words words = {"kernel"};
  append(words, directive.sections);
  append(words, directive.problems);
  append(words, directive.inits);
  append(words, directive.tolerances);
  if (directive.launch) words.push_back(text(*directive.launch));
  append(words, directive.instantiations);
  append(words, directive.aliases);
  words.push_back("threads(" + (directive.threads ? tokens_of(*directive.threads) : "1") + ")");
  if (directive.stream) words.push_back("stream(" + directive.stream->text + ")");
  if (directive.workload) words.push_back("workload(" + directive.workload->text + ")");
  if (!directive.fixed.empty()) words.push_back("fixed(" + sorted(texts(directive.fixed), ", ") + ")");
  if (!directive.conditions.empty()) words.push_back("requires(" + sorted(texts(directive.conditions), ", ") + ")");
  return join(words, " ");
}

}  // namespace hone::annotations
