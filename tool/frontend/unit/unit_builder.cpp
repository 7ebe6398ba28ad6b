#include "tool/frontend/unit/unit_builder.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/line_directive.h"

namespace hone::frontend {
namespace {

using namespace clang;

struct Range {
  std::size_t begin = 0, end = 0;
};

struct DirectiveLine : Range {
  std::string word;    // include, pragma, …
  std::string second;  // of a pragma: omp, GCC, …
};

std::vector<DirectiveLine> directives_of(const SourceTokens& tokens) {
  std::vector<DirectiveLine> lines;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].directive) continue;
    if (tokens[i].line_start) {
      lines.emplace_back();
      lines.back().begin = tokens[i].begin;
      const auto word = [&](std::size_t at) {
        return at < tokens.size() && tokens[at].directive && !tokens[at].line_start ? tokens.spelling(at)
                                                                                    : std::string();
      };
      lines.back().word = word(i + 1);
      lines.back().second = word(i + 2);
    }
    lines.back().end = tokens[i].end;
  }
  return lines;
}

void blank(std::string& text, Range range) {
  for (std::size_t i = range.begin; i < std::min(range.end, text.size()); ++i)
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
}

class Reducer {
 public:
  Reducer(const TranslationUnit& unit, const Outline& outline, const Closure& closure, Blanking blanking)
      : unit_(unit),
        outline_(outline),
        closure_(closure),
        blanking_(blanking),
        text_(unit.text()),
        directives_(directives_of(unit.tokens())) {}

  std::string run() {
    if (text_.starts_with("\xEF\xBB\xBF")) blank(text_, {0, 3});  // a byte order mark behind #line is an error
    blank_annotations();
    if (blanking_ == Blanking::all_but_closure) blank_includes();
    std::size_t previous_end = 0;
    for (std::size_t i = 0; i < outline_.items().size(); ++i) {
      const Item& item = outline_.items()[i];
      if (!keeps(static_cast<int>(i), item)) drop(item, previous_end);
      previous_end = item.end;
    }
    return std::move(text_);
  }

 private:
  bool keeps(int index, const Item& item) const {
    if (closure_.items.contains(index)) return true;
    const Decl* first = item.declarations.front();
    const auto* function = llvm::dyn_cast<FunctionDecl>(first);
    switch (blanking_) {
      case Blanking::only_main:
        return !(function && function->isMain());
      case Blanking::other_functions:
        return !(function && item.function_body && !function->isConstexpr());
      case Blanking::all_but_closure:
        break;
    }
    const auto* directive = llvm::dyn_cast<UsingDirectiveDecl>(first);
    return directive && is_alive(*directive->getNominatedNamespace());
  }

  // Something that declares the namespace stays.
  bool is_alive(const NamespaceDecl& space) const {
    return std::ranges::any_of(space.redecls(), [&](const NamespaceDecl* one) {
      if (!unit_.sources().isInSystemHeader(one->getLocation())) return true;
      const int include = unit_.include_of(one->getLocation());
      return include < 0 || closure_.includes.contains(include) || condition_includes_.contains(include);
    });
  }

  void blank_annotations() {
    for (const Annotation& annotation : unit_.annotations()) {
      Range range{annotation.begin, annotation.end};
      if (annotation.is_operator) {  // only where it is written as such; a macro's stays, and is ignored
        const SourceTokens& tokens = unit_.tokens();
        const std::size_t index = tokens.at_or_after(annotation.begin);
        if (!tokens.is(index, "_Pragma") || !tokens.is(index + 1, "(")) continue;
        range.end = tokens[tokens.behind_brackets(index + 1) - 1].end;
      }
      blank(text_, range);
    }
  }

  void blank_includes() {
    for (const MacroUse& use : unit_.condition_macros()) keep_include_of(use);
    for (const MacroUse& use : unit_.macro_uses()) {  // in the condition of an #if
      if (use.file != unit_.main_file()) continue;
      const std::size_t token = unit_.tokens().at_or_after(use.offset);
      if (token < unit_.tokens().size() && unit_.tokens()[token].directive) keep_include_of(use);
    }
    for (std::size_t i = 0; i < unit_.includes().size(); ++i) {
      const IncludeLine& line = unit_.includes()[i];
      const int index = static_cast<int>(i);
      // Clang reads some of CUDA's own headers in front of every file, where nvcc does not.
      if (line.repeated && unit_.parsed().language().CUDA) continue;
      if (line.system && !closure_.includes.contains(index) && !condition_includes_.contains(index))
        blank(text_, {line.begin, line.end});
    }
  }

  void keep_include_of(const MacroUse& use) {
    if (const int include = unit_.include_of(use.macro->getDefinitionLoc()); include >= 0)
      condition_includes_.insert(include);
  }

  // Directives stay but for pragmas, which belong to the code they stand in or above.
  void drop(const Item& item, std::size_t previous_end) {
    std::size_t at = item.begin;
    for (const DirectiveLine& line : directives_) {
      if (line.word == "pragma" && line.second == "omp" && line.begin >= previous_end && line.end <= item.begin)
        blank(text_, line);
      if (line.begin < item.begin || line.begin >= item.end) continue;
      blank(text_, {at, line.begin});
      if (line.word == "pragma") blank(text_, line);
      at = line.end;
    }
    blank(text_, {at, item.end});
  }

  const TranslationUnit& unit_;
  const Outline& outline_;
  const Closure& closure_;
  const Blanking blanking_;
  std::string text_;
  std::vector<DirectiveLine> directives_;
  std::set<int> condition_includes_;
};

unsigned line_of(const std::string& text, std::size_t at) {
  return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::size_t line_start(const std::string& text, std::size_t at) {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
}

std::string from_here(const std::string& text, const std::string& original, std::size_t begin, std::size_t end,
                      const std::string& file) {
  return line_directive(line_of(original, begin), file) + padding(original, line_start(original, begin), begin) +
         text.substr(begin, end - begin);
}

void end_line(std::string& text) {
  if (!text.empty() && text.back() != '\n') text.push_back('\n');
}

}  // namespace

std::string reduced_text(const TranslationUnit& unit, const Outline& outline, const Closure& closure,
                         Blanking blanking) {
  return Reducer(unit, outline, closure, blanking).run();
}

Placement place(const TranslationUnit& unit, const Outline& outline, const Attachment& attachment, std::string file) {
  Placement placement;
  placement.file = std::move(file);
  placement.begin = attachment.begin;
  placement.end = attachment.end;
  placement.begin_line = line_of(unit.text(), placement.begin);
  placement.end_line = line_of(unit.text(), placement.end);
  const Scope* scope = outline.outermost_scope(placement.begin);
  placement.includes_at = scope ? scope->begin : placement.begin;
  placement.includes_line = line_of(unit.text(), placement.includes_at);
  return placement;
}

KernelUnit cut(const std::string& text, const Placement& placement, const std::string& original) {
  KernelUnit unit;
  unit.prologue = line_directive(1, placement.file) + text.substr(0, placement.includes_at);
  end_line(unit.prologue);
  if (placement.includes_at < placement.begin)
    unit.opening = from_here(text, original, placement.includes_at, placement.begin, placement.file);
  end_line(unit.opening);
  unit.definition = original.substr(placement.begin, placement.end - placement.begin);
  unit.definition_line = placement.begin_line;
  unit.closing = from_here(text, original, placement.end, text.size(), placement.file);
  end_line(unit.closing);
  return unit;
}

std::string assembled(const KernelUnit& unit, const std::string& file) {
  return unit.prologue + unit.opening + line_directive(unit.definition_line, file) + unit.definition + "\n" +
         unit.closing + unit.harness;
}

}  // namespace hone::frontend
