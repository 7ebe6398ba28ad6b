#include "tool/transforms/calls/range_for.h"

#include "tool/transforms/calls/body_names.h"
#include "tool/transforms/calls/sequence.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

// The container that is walked over, where it has a name.
const clang::DeclRefExpr* named_range(const clang::CXXForRangeStmt& loop) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(as_spelled(loop.getRangeInit()));
  return name && llvm::isa<clang::VarDecl>(name->getDecl()) ? name : nullptr;
}

// What stands for a structured binding, as a part of `element`; "": no plain part of it.
std::string part_of(const clang::BindingDecl& binding, unsigned number, const std::string& element) {
  const auto* variable = llvm::cast<clang::DecompositionDecl>(binding.getDecomposedDecl());
  if (binding.getHoldingVar()) {
    const auto* record = variable->getType().getNonReferenceType()->getAsCXXRecordDecl();
    const std::string name = record && record->isInStdNamespace() ? record->getNameAsString() : "";
    if (name == "pair") return element + (number == 0 ? ".first" : ".second");
    return name == "array" ? element + "[" + std::to_string(number) + "]" : "";
  }
  const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(binding.getBinding());
  const auto* field = member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && field->getIdentifier() && !field->isBitField() ? element + "." + field->getNameAsString() : "";
}

// Each binding as its part of `element`. False: one has none.
bool write_bindings(const KernelContext& context, Edits& edits, const clang::CXXForRangeStmt& loop,
                    const clang::DecompositionDecl& bound, const std::string& element) {
  if (!all_of<clang::LambdaExpr>(loop.getBody()).empty()) return false;
  unsigned number = 0;
  for (const clang::BindingDecl* binding : bound.bindings()) {
    const std::string part = part_of(*binding, number++, element);
    if (part.empty()) return false;
    for (const auto* use : all_of<clang::DeclRefExpr>(loop.getBody()))
      if (use->getDecl() == binding) edits.replace(range_of(context.ast, use->getSourceRange()), part);
  }
  return true;
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
        !loop->getCoawaitLoc().isValid() && element_of_container(context.ast, loop->getRangeInit()->getType()) &&
        !is_in_lambda(body, loop))
      loops.push_back(loop);
  return loops;
}

std::optional<std::string> by_index(const KernelContext& context, const clang::CXXForRangeStmt* loop) {
  const clang::VarDecl* variable = loop->getLoopVariable();
  const auto* bound = llvm::dyn_cast<clang::DecompositionDecl>(variable);
  FreshNames fresh(context);
  Edits edits(context);
  std::string in_front, range;
  if (const auto* name = named_range(*loop)) {
    range = name->getDecl()->getNameAsString();
  } else {
    range = fresh.take("range", "");
    in_front = "auto&& " + range + " = " + text_of(context.ast, loop->getRangeInit()) + ";\n";
  }
  const std::string index = fresh.take("i", ""), count = fresh.take("count", "");
  const std::string element = bound ? fresh.take("element", "") : variable->getNameAsString();
  const std::string declared = spelled(context.ast, variable->getType(), element);
  if (declared.empty() || element == range || text_of(context.ast, loop->getRangeInit()).empty()) return std::nullopt;
  if (bound && !write_bindings(context, edits, *loop, *bound, element)) return std::nullopt;
  const std::string body = edits.text(*range_of(context.ast, loop->getBody()));
  edits.replace(loop, "{\n" + in_front + "const std::size_t " + count + " = " + range + ".size();\nfor (std::size_t " +
                          index + " = 0; " + index + " < " + count + "; ++" + index + ") {\n" + declared + " = " +
                          range + "[" + index + "];\n" + body + "\n}\n}");
  return edits.candidate();
}

}  // namespace hone::frontend
