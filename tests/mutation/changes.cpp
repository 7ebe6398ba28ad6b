#include "tests/mutation/changes.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::mutation {

Changes::Changes(const clang::ASTContext& ast, const std::string& text, TextRange candidate, std::string includes)
    : ast_(ast), text_(text), candidate_(candidate), includes_(std::move(includes)) {
  seen_.insert(this->text(candidate));
}

std::string Changes::text(const clang::Stmt* node) const {
  const auto range = this->range(node);
  return range ? text(*range) : std::string();
}

std::string Changes::text(clang::SourceRange tokens) const {
  const auto range = frontend::range_of(ast_, tokens);
  return range ? text(*range) : std::string();
}

bool Changes::in_candidate(const clang::Stmt* node) const {
  const auto range = this->range(node);
  return range && candidate_.contains(*range);
}

void Changes::replace(const char* kind, const clang::Stmt* node, const std::string& after) {
  replace(kind, range(node), after);
}

void Changes::replace(const char* kind, clang::SourceRange tokens, const std::string& after) {
  replace(kind, frontend::range_of(ast_, tokens), after);
}

void Changes::replace(const char* kind, std::optional<TextRange> range, const std::string& after) {
  if (!range || !candidate_.contains(*range)) return;
  const std::string changed = text({candidate_.begin, range->begin}) + after + text({range->end, candidate_.end});
  if (!seen_.insert(changed).second) return;
  const std::string front = includes_ + text({candidate_.begin, range->begin});
  const auto line = static_cast<unsigned>(1 + std::ranges::count(front, '\n'));
  mutants_.push_back({.kind = kind,
                      .line = line,
                      .before = text(*range),
                      .after = after,
                      .text = fmt::format("// mutant: {}, line {}\n", kind, line) + includes_ + changed});
}

}  // namespace hone::mutation
