#include "tool/transforms/cuda/array_scan.h"

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/block_walk.h"
#include "tool/transforms/cuda/block_words.h"
#include "tool/transforms/cuda/prefix_sum.h"

namespace hone::frontend {
namespace {

// Which of threadIdx, blockIdx and whole indices a test holds at zero.
void read_zeros(const KernelContext& context, const clang::Expr* test, std::string& zeros) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test->IgnoreParenImpCasts());
  if (!binary) return;
  if (binary->getOpcode() == clang::BO_LAnd) {
    read_zeros(context, binary->getLHS(), zeros);
    read_zeros(context, binary->getRHS(), zeros);
  } else if (binary->getOpcode() == clang::BO_EQ && is_number(context.ast, binary->getRHS(), 0)) {
    if (const auto index = builtin_index(binary->getLHS()); index && index->dimension == 'x')
      zeros += std::string(index->variable) + " ";
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(binary->getLHS()->IgnoreParenImpCasts());
    const auto* local = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (local && local->hasInit() && !writes_variable(context.kernel->getBody(), local))
      if (const auto index = builtin_index(local->getInit()->IgnoreParenCasts()); index && index->dimension == 'x')
        zeros += std::string(index->variable) + " ";
  }
}

bool has_one(const std::optional<std::array<long long, 3>>& shape, bool along_x_too) {
  return shape && (*shape)[1] == 1 && (*shape)[2] == 1 && (!along_x_too || (*shape)[0] == 1);
}

// The statements that one thread of the launch alone executes; empty: several do.
std::vector<const clang::Stmt*> lone_statements(const KernelContext& context, const Launch& launch) {
  auto statements = statements_of(context.kernel->getBody());
  const auto grid = constant_shape(context, launch, 0), block = constant_shape(context, launch, 1);
  if (has_one(grid, true) && has_one(block, true)) return statements;
  while (!statements.empty() && llvm::isa<clang::DeclStmt>(statements.front())) statements.erase(statements.begin());
  const auto* branch = statements.size() == 1 ? llvm::dyn_cast<clang::IfStmt>(statements[0]) : nullptr;
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable()) return {};
  std::string zeros;
  read_zeros(context, branch->getCond(), zeros);
  const bool thread = zeros.find("threadIdx") != std::string::npos || has_one(block, true);
  const bool first_block = zeros.find("blockIdx") != std::string::npos || has_one(grid, true);
  return thread && first_block && has_one(block, false) && has_one(grid, false) ? statements_of(branch->getThen())
                                                                                : std::vector<const clang::Stmt*>{};
}

// The first statement that writes an element of its own each time.
void find_written(const KernelContext& context, const clang::VarDecl* index,
                  const std::vector<const clang::Stmt*>& statements, ArrayScan& scan) {
  for (const clang::Stmt* statement : statements) {
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
    if (!assignment || assignment->getOpcode() != clang::BO_Assign) continue;
    const clang::Expr* place = assignment->getLHS()->IgnoreParens();
    const auto accesses = accesses_in(context.ast, place);
    if (accesses.empty() || accesses[0].expression != place || accesses[0].stride(index) != Stride::one) continue;
    scan.written = place;
    scan.written_text = text_of(context.ast, place);
    return;
  }
}

// One thread goes through the array.
std::optional<ArrayScan> by_one_thread(const KernelContext& context, const Launch& launch) {
  const auto statements = lone_statements(context, launch);
  if (statements.empty() || synchronizes(context.kernel->getBody())) return std::nullopt;
  LoopNest nest(context);
  const Loop* loop = nest.of(statements.back());
  if (!loop || uses_builtin_indices(loop->statement)) return std::nullopt;
  const auto found = prefix_sum_of(context.ast, *loop);
  if (!found || loop->step != 1 || !loop->lower || !is_number(context.ast, loop->lower, 0)) return std::nullopt;
  ArrayScan scan;
  for (const clang::Stmt* statement : statements) {
    if (statement == loop->statement) break;
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (!declared || uses_builtin_indices(statement)) return std::nullopt;
    const auto* only = declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    if (only == found->sum) {
      if (!only->hasInit()) return std::nullopt;
      scan.initial = text_of(context.ast, only->getInit());
    } else {
      scan.before += text_of(context.ast, statement) + "\n";
    }
  }
  scan.index = loop->variable->getNameAsString();
  scan.index_type = loop->type;
  scan.count = loop->upper;
  scan.inclusive_count = loop->inclusive;
  scan.type = plain_type(context.ast, found->sum->getType().getCanonicalType());
  scan.sum = found->sum->getNameAsString();
  scan.own = fresh_name(context, "own");
  scan.increment = increment_text(context.ast, *found, scan.own);
  scan.body = body_text(context.ast, *found, scan.own);
  if (scan.initial.empty() || scan.type.empty()) return std::nullopt;
  find_written(context, loop->variable, found->statements, scan);
  return scan;
}

}  // namespace

std::optional<ArrayScan> array_scan_of(const KernelContext& context) {
  const auto launch = launch_of(context);
  if (!launch || !context.kernel->getBody()) return std::nullopt;
  if (auto scan = by_one_thread(context, *launch)) return scan;
  return by_one_block(context, *launch);
}

}  // namespace hone::frontend
