#include "tool/transforms/cuda/loop_dealer.h"

#include <algorithm>
#include <set>

#include "tool/transforms/code/dependences.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/group_reduction.h"

namespace hone::frontend {
namespace {

bool writes_outer_locals(const clang::Stmt* statement) {
  const auto own = declared_in(statement);
  for (const auto* reference : all_of<clang::DeclRefExpr>(statement)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable->hasLocalStorage() && std::find(own.begin(), own.end(), variable) == own.end() &&
        writes_variable(statement, variable))
      return true;
  }
  return false;
}

// Is it the same for all threads? It mentions parameters and numbers alone, and no memory.
bool is_uniform(const clang::Expr* expression) {
  const auto references = all_of<clang::DeclRefExpr>(expression);
  const auto unary = all_of<clang::UnaryOperator>(expression);
  const bool reads = std::ranges::any_of(unary, [](auto* one) { return one->getOpcode() == clang::UO_Deref; });
  return !reads && all_of<clang::ArraySubscriptExpr>(expression).empty() &&
         all_of<clang::CallExpr>(expression).empty() && std::ranges::all_of(references, [](auto* reference) {
           return llvm::isa<clang::ParmVarDecl>(reference->getDecl());
         });
}

}  // namespace

bool writes_memory(const clang::ASTContext& ast, const clang::Stmt* statement) {
  for (const Access& access : accesses_in(ast, statement)) {
    if (!access.writes) continue;
    const auto* array = llvm::dyn_cast_or_null<clang::VarDecl>(access.base);
    if (!array || !array->hasLocalStorage() || !array->getType()->isArrayType()) return true;
  }
  const auto calls = all_of<clang::CallExpr>(statement);
  return std::any_of(calls.begin(), calls.end(), [](const clang::CallExpr* call) {
    const auto* function = call->getDirectCallee();
    return !function || (function->getIdentifier() && function->getName().starts_with("atomic"));
  });
}

bool is_dealable(const clang::ASTContext& ast, const Loop& loop) {
  if (!loop.counted || !loop.owns_variable || !loop.as_for() || effects_of(loop.body).leaves) return false;
  for (const Reduction& reduction : reductions_of(ast, loop))
    if (!reduction.variable || !can_shuffle(ast, reduction.variable->getType())) return false;
  return likely_independent(ast, loop);
}

bool is_shareable(const clang::ASTContext& ast, const Loop& loop) {
  constexpr long long least_rounds = 8;  // iterations that must be able to run at once
  const auto distance = dependence_distance(ast, loop);
  return is_dealable(ast, loop) || prefix_sum_of(ast, loop) || (distance && *distance >= least_rounds);
}

LoopDealer::LoopDealer(const KernelContext& context, Edits& edits, Substitution& changes, Team team)
    : context_(context), edits_(edits), changes_(changes), team_(std::move(team)), nest_(context) {
  lane_ = fresh_name(context, "lane");
}

bool LoopDealer::deal(const std::vector<const clang::Stmt*>& statements) {
  return std::all_of(statements.begin(), statements.end(), [&](auto* statement) { return deal(statement); });
}

bool LoopDealer::may_deal_out(const Loop& loop) const {
  return is_dealable(context_.ast, loop) && !(team_.waits_for_others && writes_memory(context_.ast, loop.body));
}

std::optional<PrefixSum> LoopDealer::prefix_sum(const Loop& loop) const {
  return team_.waits_for_others || !team_.is_one_block ? std::nullopt : prefix_sum_of(context_.ast, loop);
}

bool LoopDealer::deal(const clang::Stmt* statement) {
  if (const Loop* loop = nest_.of(statement)) {
    if (may_deal_out(*loop)) return deal_out(*loop);
    if (const auto scan = prefix_sum(*loop)) return deal_out(*loop, *scan);
    if (may_deal_in_rounds(*loop)) return deal_out_in_rounds(*loop);
    if (!loop->counted || effects_of(loop->body).leaves) return leave_to_one(statement);
    const bool all_reach = is_uniform(loop->lower) && is_uniform(loop->upper);
    return may_hold_dealt(loop->body, all_reach) && deal(statements_of(loop->body));
  }
  if (llvm::isa<clang::CompoundStmt>(statement)) return deal(statements_of(statement));
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement); branch && holds_dealable(branch))
    return may_hold_dealt(branch, is_uniform(branch->getCond())) && deal(statements_of(branch->getThen())) &&
           deal(statements_of(branch->getElse()));
  return leave_to_one(statement);
}

bool LoopDealer::may_hold_dealt(const clang::Stmt* statement, bool all_reach) {
  return !team_.waits_for_others || all_reach || !holds_dealable(statement);
}

bool LoopDealer::holds_dealable(const clang::Stmt* statement) {
  return std::ranges::any_of(nest_.counted(), [&](const Loop* loop) {
    return (may_deal_out(*loop) || prefix_sum(*loop) || may_deal_in_rounds(*loop)) && holds(statement, loop->statement);
  });
}

bool LoopDealer::leave_to_one(const clang::Stmt* statement) {
  if (!writes_memory(context_.ast, statement)) return true;
  if (llvm::isa<clang::DeclStmt>(statement) || writes_outer_locals(statement)) return false;
  const std::string also = team_.also_writes.empty() ? "" : " && " + team_.also_writes;
  changes_.insert_before(statement, "if (" + lane_ + " == 0" + also + ") {\n");
  changes_.insert_after(statement, "\n}");
  return true;
}

bool LoopDealer::deal_out(const Loop& loop) {
  const std::string name = loop.variable->getNameAsString(), step = std::to_string(loop.step);
  const std::string offset = loop.step == 1 ? lane_ : lane_ + " * " + step;
  const std::string header = "for (" + loop.type + " " + name + " = " + loop.lower_text + " + " + offset + "; " + name +
                             " < " + loop.upper_text + "; " + name + " += " + std::to_string(team_.lanes * loop.step) +
                             ")";
  changes_.replace(
      range_of(context_.ast, clang::SourceRange(loop.as_for()->getForLoc(), loop.as_for()->getRParenLoc())), header);
  std::string before, after;
  std::set<const clang::VarDecl*> seen;
  for (const Reduction& reduction : reductions_of(context_.ast, loop)) {
    if (!seen.insert(reduction.variable).second) continue;
    const std::string variable = reduction.variable->getNameAsString(), identity = identity_of(reduction.kind);
    if (!identity.empty()) before += "if (" + lane_ + " != 0) " + variable + " = " + identity + ";\n";
    after += variable + " = " + team_.combined(reduction.kind, variable) + ";\n";
  }
  if (writes_memory(context_.ast, loop.body)) after += team_.barrier + "\n";
  changes_.insert_before(loop.statement, "{\n" + before);
  changes_.insert_after(loop.statement, "\n" + after + "}");
  ++dealt_;
  return true;
}

// What an iteration needs was written by one that is no closer than the team has threads.
bool LoopDealer::may_deal_in_rounds(const Loop& loop) const {
  if (team_.waits_for_others || !loop.owns_variable || !loop.as_for()) return false;
  const auto distance = dependence_distance(context_.ast, loop);
  return distance && *distance >= team_.lanes;
}

// An iteration for each thread, then all wait for what the others wrote.
bool LoopDealer::deal_out_in_rounds(const Loop& loop) {
  const std::string name = loop.variable->getNameAsString(), first = fresh_name(context_, name + "_first");
  const std::string offset = loop.step == 1 ? lane_ : lane_ + " * " + std::to_string(loop.step);
  const Substitution plain(context_.ast);
  const std::string text = "for (" + loop.type + " " + first + " = " + loop.lower_text + "; " + first + " < " +
                           loop.upper_text + "; " + first + " += " + std::to_string(team_.lanes * loop.step) +
                           ") {\nconst " + loop.type + " " + name + " = " + first + " + " + offset + ";\nif (" + name +
                           " < " + loop.upper_text + ") " + braces(text_of(plain, statements_of(loop.body))) + "\n" +
                           team_.barrier + "\n}";
  changes_.replace(range_with_pragmas(context_.ast, loop.statement), text);
  ++dealt_;
  return !plain.spoiled();
}

// All threads of the group go through as many rounds, those beyond the end with nothing to add.
bool LoopDealer::deal_out(const Loop& loop, const PrefixSum& scan) {
  const std::string sum = scan.sum->getNameAsString(), name = loop.variable->getNameAsString();
  const std::string type = plain_type(context_.ast, scan.sum->getType()), step = std::to_string(loop.step);
  const std::string first = fresh_name(context_, name + "_first"), own = fresh_name(context_, sum + "_own");
  const std::string carried = fresh_name(context_, sum + "_carried"), all = fresh_name(context_, sum + "_all");
  const std::string before = fresh_name(context_, sum + "_before");
  const std::string inside = "if (" + name + " < " + loop.upper_text + ") ";
  if (type.empty()) return false;
  std::string text = "{\n" + type + " " + carried + " = " + sum + ";\nfor (" + loop.type + " " + first + " = " +
                     loop.lower_text + "; " + first + " < " + loop.upper_text + "; " + first +
                     " += " + std::to_string(team_.lanes * loop.step) + ") {\n";
  text += "const " + loop.type + " " + name + " = " + first + " + " + lane_ + (loop.step == 1 ? "" : " * " + step) +
          ";\n" + type + " " + own + " = 0, " + all + ";\n";
  text += inside + braces(increment_text(context_.ast, scan, own)) + "\n";
  text += "const " + type + " " + before + " = " + prefix_over_group(edits_, context_, team_.lanes, own, all) + ";\n";
  text += inside + braces(sum + " = " + carried + " + " + before + ";\n" + body_text(context_.ast, scan, own));
  text += "\n" + carried + " += " + all + ";\n}\n" + sum + " = " + carried + ";\n";
  text += team_.barrier + "\n}";
  changes_.replace(range_with_pragmas(context_.ast, loop.statement), text);
  ++dealt_;
  return true;
}

}  // namespace hone::frontend
