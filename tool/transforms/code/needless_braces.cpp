#include "tool/transforms/code/needless_braces.h"

#include <algorithm>
#include <map>
#include <set>

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/StringExtras.h>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

using Names = std::set<std::string>;

void add_declared(const clang::Stmt* statement, Names& names) {
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(statement);
  if (!declared) return;
  for (const clang::Decl* one : declared->decls())
    if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(one)) names.insert(named->getNameAsString());
}

bool disjoint(const Names& these, const Names& those) {
  return std::ranges::none_of(these, [&](const std::string& name) { return those.contains(name); });
}

// How often each identifier stands in a text.
std::map<std::string, unsigned> identifiers_in(llvm::StringRef text) {
  std::map<std::string, unsigned> count;
  const auto part_of_name = [](char byte) { return llvm::isAlnum(byte) || byte == '_'; };
  while (!text.empty()) {
    const llvm::StringRef name = text.take_while(part_of_name);
    if (!name.empty()) ++count[name.str()];
    text = text.drop_front(name.empty() ? 1 : name.size());
  }
  return count;
}

class Flattening {
 public:
  Flattening(const KernelContext& context, Edits& edits)
      : ast_(context.ast), edits_(edits), everywhere_(identifiers_in(text_between(context.kernel->getSourceRange()))) {}

  // What the block declares once its needless braces are gone. `around`: names that its own declarations may not have.
  Names flatten(const clang::CompoundStmt* block, const Names& around) {
    Names names;
    for (const clang::Stmt* child : block->body()) add_declared(child, names);
    clang::SourceLocation before = block->getLBracLoc();
    for (const clang::Stmt* child : block->body()) {
      if (const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(child)) {
        const Names inside = flatten(inner, {});
        const bool last = child == block->body_back();
        const bool apart =
            inside.empty() || (last && disjoint(inside, names) && disjoint(inside, around)) || are_of(inner, inside);
        if (apart && take_out(inner, before)) names.insert(inside.begin(), inside.end());
      } else {
        look_into(child);
      }
      before = child->getEndLoc();
    }
    return names;
  }

 private:
  llvm::StringRef text_between(clang::SourceRange range) const {
    const clang::SourceManager& sources = ast_.getSourceManager();
    const auto place = range_of(ast_, range);
    return place ? sources.getBufferData(sources.getMainFileID()).slice(place->begin, place->end) : llvm::StringRef();
  }

  // Nothing outside of the block bears one of these names, and nothing happens where its variables end.
  bool are_of(const clang::CompoundStmt* block, const Names& names) const {
    for (const auto* declared : all_of<clang::DeclStmt>(block))
      for (const clang::Decl* one : declared->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
        if (!variable || variable->getType().isDestructedType() || variable->isStaticLocal()) return false;
      }
    const auto inside = identifiers_in(text_between(block->getSourceRange()));
    return !everywhere_.empty() && std::ranges::all_of(names, [&](const std::string& name) {
      const auto here = inside.find(name), all = everywhere_.find(name);
      return here != inside.end() && all != everywhere_.end() && here->second == all->second;
    });
  }

  void look_into(const clang::Stmt* statement) {
    if (!statement || llvm::isa<clang::StmtExpr, clang::CXXTryStmt, clang::SwitchStmt>(statement)) return;
    Names around;
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) add_declared(loop->getInit(), around);
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) {
      add_declared(loop->getInit(), around);
      add_declared(loop->getLoopVarStmt(), around);
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
      add_declared(branch->getInit(), around);
      add_declared(branch->getConditionVariableDeclStmt(), around);
    }
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement))
      add_declared(loop->getConditionVariableDeclStmt(), around);
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement))
      for (const auto* parameter : lambda->getCallOperator()->parameters()) around.insert(parameter->getNameAsString());
    for (const clang::Stmt* child : statement->children()) {
      const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(child);
      block ? void(flatten(block, around)) : look_into(child);
    }
  }

  // Not where a directive stands in front: it may speak of the block, as OpenMP's do.
  bool take_out(const clang::CompoundStmt* block, clang::SourceLocation before) {
    const auto open = range_of(ast_, clang::SourceRange(block->getLBracLoc(), block->getLBracLoc()));
    const auto close = range_of(ast_, clang::SourceRange(block->getRBracLoc(), block->getRBracLoc()));
    if (!open || !close || before.isMacroID()) return false;
    const clang::SourceManager& sources = ast_.getSourceManager();
    const std::size_t from = sources.getFileOffset(before);
    const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
    if (from > open->begin || text.slice(from, open->begin).contains('#')) return false;
    edits_.replace(with_line(*open, text), "");
    edits_.replace(with_line(*close, text), "");
    return true;
  }

  // The line, too, where a brace is all that stands in it.
  static TextRange with_line(TextRange brace, llvm::StringRef text) {
    const std::size_t before = text.find_last_not_of(" \t", brace.begin),
                      after = text.find_first_not_of(" \t", brace.end);
    const bool alone = before != llvm::StringRef::npos && text[before] == '\n' && after != llvm::StringRef::npos &&
                       text[after] == '\n';
    return alone ? TextRange{before, after} : brace;
  }

  const clang::ASTContext& ast_;
  Edits& edits_;
  const std::map<std::string, unsigned> everywhere_;
};

}  // namespace

std::string without_needless_braces(const std::vector<KernelContext>& functions) {
  const KernelContext& first = functions.front();
  Edits edits(first);
  for (const KernelContext& function : functions) {
    const auto* body = llvm::dyn_cast<clang::CompoundStmt>(function.kernel->getBody());
    if (!body || !all_of<clang::LabelStmt>(body).empty()) continue;
    Names parameters;
    for (const auto* parameter : function.kernel->parameters()) parameters.insert(parameter->getNameAsString());
    Flattening(function, edits).flatten(body, parameters);
  }
  return edits.candidate().value_or(first.candidate);
}

}  // namespace hone::frontend
