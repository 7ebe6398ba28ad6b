#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/mutation/mutator.h"
#include "tests/mutation/unit_parse.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::mutation {
namespace {

using namespace clang;
using frontend::TextRange;

class Names : public frontend::SyntaxVisitor {
 public:
  std::vector<DeclRefExpr*> found;
  bool VisitDeclRefExpr(DeclRefExpr* node) override { return found.push_back(node), true; }
};

std::vector<DeclRefExpr*> names_in(FunctionDecl* function) {
  Names names;
  names.TraverseDecl(function);
  return names.found;
}

// A function's definition with the words in front of it that Clang counts elsewhere: __global__, template <…>.
TextRange whole(const std::string& text, TextRange definition) {
  const auto line_before = [&](std::size_t at) { return at == 0 ? 0 : text.rfind('\n', at - 1) + 1; };
  std::size_t begin = text.rfind('\n', definition.begin) + 1;
  while (begin > 0) {
    const std::size_t previous = line_before(begin - 1);
    const std::string line = text.substr(previous, begin - 1 - previous);
    const std::size_t last = line.find_last_not_of(" \t");
    if (last == std::string::npos || line[last] == '}' || line[last] == ';' || line[last] == '{' ||
        line.find_first_of("#") == line.find_first_not_of(" ") || line.find("//") == line.find_first_not_of(" "))
      break;
    begin = previous;
  }
  return {begin, definition.end};
}

// What the kernel calls of the functions in front of it, at any depth, in their order.
class Helpers {
 public:
  explicit Helpers(const UnitParse& unit) : known_(unit.functions_before()) {
    for (FunctionDecl* function : unit.functions()) follow(function);
  }

  std::vector<FunctionDecl*> in_order() const {
    std::vector<FunctionDecl*> ordered;
    for (FunctionDecl* function : known_)
      if (reached_.contains(function)) ordered.push_back(function);
    return ordered;
  }

 private:
  void follow(FunctionDecl* from) {
    for (const DeclRefExpr* name : names_in(from))
      for (FunctionDecl* function : known_)
        if (name->getDecl()->getCanonicalDecl() == function->getCanonicalDecl() && reached_.insert(function).second)
          follow(function);
  }

  const std::vector<FunctionDecl*> known_;
  std::set<FunctionDecl*> reached_;
};

// The text of a range in which functions go by other names.
class Renamed {
 public:
  Renamed(const UnitParse& unit, const std::vector<FunctionDecl*>& functions) : unit_(unit) {
    for (FunctionDecl* function : functions) note(function->getLocation());
    std::vector<FunctionDecl*> all = unit.functions();
    all.insert(all.end(), functions.begin(), functions.end());
    for (FunctionDecl* from : all)
      for (const DeclRefExpr* name : names_in(from))
        if (std::ranges::any_of(functions, [&](const FunctionDecl* function) {
              return function->getCanonicalDecl() == name->getDecl()->getCanonicalDecl();
            }))
          note(name->getLocation());
  }

  std::string text(TextRange range) const {
    std::string out;
    std::size_t at = range.begin;
    const std::string& all = unit_.parsed().text();
    for (std::size_t end : ends_)
      if (end > range.begin && end <= range.end) {
        out += all.substr(at, end - at) + "_again";
        at = end;
      }
    return out + all.substr(at, range.end - at);
  }

 private:
  void note(SourceLocation name) {
    if (const auto range = frontend::range_of(unit_.parsed().context(), name)) ends_.insert(range->end);
  }
  const UnitParse& unit_;
  std::set<std::size_t> ends_;  // of the names
};

}  // namespace

Result<std::string> original_as_candidate(const KernelSpec& spec, const CompileCommand& command) {
  HONE_TRY(const UnitParse unit, UnitParse::create(spec.unit.definition, spec, command));
  const std::vector<FunctionDecl*> helpers = Helpers(unit).in_order();
  const Renamed renamed(unit, helpers);
  std::string candidate;
  for (const FunctionDecl* helper : helpers) {
    const auto range = frontend::range_of(unit.parsed().context(), helper->getSourceRange());
    if (!range) continue;
    const std::string text = renamed.text(whole(unit.parsed().text(), *range));
    // A candidate's own functions are no other file's.
    const bool shared = helper->isExternallyVisible() && !helper->getDescribedFunctionTemplate();
    candidate += (shared ? "static " : "") + text + "\n\n";
  }
  return candidate + renamed.text(unit.candidate());
}

}  // namespace hone::mutation
