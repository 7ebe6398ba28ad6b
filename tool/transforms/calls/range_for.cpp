#include "tool/transforms/calls/range_for.h"

#include "tool/transforms/calls/body_names.h"
#include "tool/transforms/calls/sequence.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

// The container that is walked over; null: another one, or without a name.
const clang::DeclRefExpr* range_of_loop(const KernelContext& context, const clang::CXXForRangeStmt& loop) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(as_spelled(loop.getRangeInit()));
  return name && llvm::isa<clang::VarDecl>(name->getDecl()) && element_of_container(context.ast, name->getType())
             ? name
             : nullptr;
}

bool is_in_lambda(const clang::Stmt* body, const clang::Stmt* loop) {
  for (const auto* lambda : all_of<clang::LambdaExpr>(body))
    for (const auto* inner : all_of<clang::CXXForRangeStmt>(lambda->getBody()))
      if (inner == loop) return true;
  return false;
}

}  // namespace

std::vector<const clang::CXXForRangeStmt*> loops_over_ranges(const KernelContext& context) {
  std::vector<const clang::CXXForRangeStmt*> loops;
  const clang::Stmt* body = context.kernel->getBody();
  for (const auto* loop : all_of<clang::CXXForRangeStmt>(body))
    if (range_of(context.ast, loop) && range_of(context.ast, loop->getBody()) && !loop->getInit() &&
        !loop->getCoawaitLoc().isValid() && !llvm::isa<clang::DecompositionDecl>(loop->getLoopVariable()) &&
        range_of_loop(context, *loop) && !is_in_lambda(body, loop))
      loops.push_back(loop);
  return loops;
}

std::optional<std::string> by_index(const KernelContext& context, const clang::CXXForRangeStmt* loop) {
  const clang::VarDecl* variable = loop->getLoopVariable();
  const std::string range = range_of_loop(context, *loop)->getDecl()->getNameAsString();
  const std::string declared = spelled(context.ast, variable->getType(), variable->getNameAsString());
  if (declared.empty() || variable->getNameAsString() == range) return std::nullopt;
  FreshNames fresh(context);
  const std::string index = fresh.take("i", ""), count = fresh.take("count", "");
  Edits edits(context);
  const std::string body = edits.text(*range_of(context.ast, loop->getBody()));
  edits.replace(loop, "{\nconst std::size_t " + count + " = " + range + ".size();\nfor (std::size_t " + index +
                          " = 0; " + index + " < " + count + "; ++" + index + ") {\n" + declared + " = " + range + "[" +
                          index + "];\n" + body + "\n}\n}");
  return edits.candidate();
}

}  // namespace hone::frontend
