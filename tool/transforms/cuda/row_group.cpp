// From one thread for each item (a row, mostly) to a group of threads: part of a warp, a warp, or a block. The loops
// over the item's elements are dealt out, so that neighboring threads read neighboring elements; what the loops sum
// up is combined by shuffles, and every thread of the group goes on with the result.
//
// A loop that writes down a running sum goes a group's width at a time: each thread learns by shuffles what those in
// front of it add.
//
// What a loop has written to memory may be read by the next one: the group waits for each other in between.
#include <bit>
#include <set>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"
#include "tool/transforms/cuda/group_reduction.h"
#include "tool/transforms/cuda/prefix_sum.h"

namespace hone::frontend {
namespace {

constexpr int least_threads = 128;  // of a block

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

// Can its iterations be dealt out? Reductions into locals of a kind that shuffles carry are all that it carries over.
bool is_dealable(const clang::ASTContext& ast, const Loop& loop) {
  if (!loop.counted || !loop.owns_variable || !loop.as_for() || effects_of(loop.body).leaves) return false;
  for (const Reduction& reduction : reductions_of(ast, loop))
    if (!reduction.variable || !can_shuffle(ast, reduction.variable->getType())) return false;
  return likely_independent(ast, loop);
}

// Can a group share it, in one way or the other?
bool is_shareable(const clang::ASTContext& ast, const Loop& loop) {
  return is_dealable(ast, loop) || prefix_sum_of(ast, loop);
}

// Deals out the loops of a work's statements, recursively.
class Dealer {
 public:
  Dealer(const KernelContext& context, Edits& edits, Substitution& changes, int lanes)
      : context_(context), edits_(edits), changes_(changes), nest_(context), lanes_(lanes) {
    lane_ = fresh_name(context, "lane");
  }

  // False: something that a group cannot do together.
  bool deal(const std::vector<const clang::Stmt*>& statements) {
    return std::all_of(statements.begin(), statements.end(), [&](auto* statement) { return deal(statement); });
  }

  unsigned dealt() const { return dealt_; }
  const std::string& lane() const { return lane_; }

 private:
  bool deal(const clang::Stmt* statement) {
    if (const Loop* loop = nest_.of(statement)) {
      if (is_dealable(context_.ast, *loop)) return deal_out(*loop);
      if (const auto scan = prefix_sum_of(context_.ast, *loop)) return deal_out(*loop, *scan);
      if (!loop->counted || effects_of(loop->body).leaves) return leave_to_one(statement);
      return deal(statements_of(loop->body));
    }
    if (llvm::isa<clang::CompoundStmt>(statement)) return deal(statements_of(statement));
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement); branch && holds_dealable(branch))
      return deal(statements_of(branch->getThen())) && deal(statements_of(branch->getElse()));
    return leave_to_one(statement);
  }

  bool holds_dealable(const clang::Stmt* statement) {
    for (const Loop* loop : nest_.counted())
      if (is_shareable(context_.ast, *loop) && contains(statement, loop->statement)) return true;
    return false;
  }

  static bool contains(const clang::Stmt* statement, const clang::Stmt* inner) {
    if (statement == inner) return true;
    for (const clang::Stmt* child : statement->children())
      if (child && contains(child, inner)) return true;
    return false;
  }

  // All threads compute what is local, each for itself; one of them writes.
  bool leave_to_one(const clang::Stmt* statement) {
    if (!writes_memory(context_.ast, statement)) return true;
    if (llvm::isa<clang::DeclStmt>(statement) || writes_outer_locals(statement)) return false;
    changes_.insert_before(statement, "if (" + lane_ + " == 0) {\n");
    changes_.insert_after(statement, "\n}");
    return true;
  }

  bool deal_out(const Loop& loop) {
    const std::string name = loop.variable->getNameAsString(), step = std::to_string(loop.step);
    const std::string offset = loop.step == 1 ? lane_ : lane_ + " * " + step;
    const std::string header = "for (" + loop.type + " " + name + " = " + loop.lower_text + " + " + offset + "; " +
                               name + " < " + loop.upper_text + "; " + name +
                               " += " + std::to_string(lanes_ * loop.step) + ")";
    changes_.replace(
        range_of(context_.ast, clang::SourceRange(loop.as_for()->getForLoc(), loop.as_for()->getRParenLoc())), header);
    std::string before, after;
    std::set<const clang::VarDecl*> seen;
    for (const Reduction& reduction : reductions_of(context_.ast, loop)) {
      if (!seen.insert(reduction.variable).second) continue;
      const std::string variable = reduction.variable->getNameAsString(), identity = identity_of(reduction.kind);
      if (!identity.empty()) before += "if (" + lane_ + " != 0) " + variable + " = " + identity + ";\n";
      after += variable + " = " + over_group(edits_, context_, reduction.kind, lanes_, variable) + ";\n";
    }
    if (writes_memory(context_.ast, loop.body)) after += lanes_ > 32 ? "__syncthreads();\n" : "__syncwarp();\n";
    changes_.insert_before(loop.statement, "{\n" + before);
    changes_.insert_after(loop.statement, "\n" + after + "}");
    ++dealt_;
    return true;
  }

  // All threads of the group go through as many rounds, those beyond the end with nothing to add.
  bool deal_out(const Loop& loop, const PrefixSum& scan) {
    const std::string sum = scan.sum->getNameAsString(), name = loop.variable->getNameAsString();
    const std::string type = plain_type(context_.ast, scan.sum->getType()), step = std::to_string(loop.step);
    const std::string first = fresh_name(context_, name + "_first"), own = fresh_name(context_, sum + "_own");
    const std::string carried = fresh_name(context_, sum + "_carried"), all = fresh_name(context_, sum + "_all");
    const std::string before = fresh_name(context_, sum + "_before");
    const std::string inside = "if (" + name + " < " + loop.upper_text + ") ";
    if (type.empty()) return false;
    std::string text = "{\n" + type + " " + carried + " = " + sum + ";\nfor (" + loop.type + " " + first + " = " +
                       loop.lower_text + "; " + first + " < " + loop.upper_text + "; " + first +
                       " += " + std::to_string(lanes_ * loop.step) + ") {\n";
    text += "const " + loop.type + " " + name + " = " + first + " + " + lane_ + (loop.step == 1 ? "" : " * " + step) +
            ";\n" + type + " " + own + " = 0, " + all + ";\n";
    text += inside + braces(increment_text(context_.ast, scan, own)) + "\n";
    text += "const " + type + " " + before + " = " + prefix_over_group(edits_, context_, lanes_, own, all) + ";\n";
    text += inside + braces(sum + " = " + carried + " + " + before + ";\n" + body_text(context_.ast, scan, own));
    text += "\n" + carried + " += " + all + ";\n}\n" + sum + " = " + carried + ";\n";
    text += lanes_ > 32 ? "__syncthreads();\n}" : "__syncwarp();\n}";
    changes_.replace(range_with_pragmas(context_.ast, loop.statement), text);
    ++dealt_;
    return true;
  }

  const KernelContext& context_;
  Edits& edits_;
  Substitution& changes_;
  LoopNest nest_;
  std::string lane_;
  int lanes_;
  unsigned dealt_ = 0;
};

class RowGroup final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "row_group"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{32, 128, 256, 64, 512, 16, 8, 1024}};
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    if (kernel.items.size() != 1 || !kernel.along('x')) return false;
    LoopNest nest(context);
    const auto loops = nest.where([&](const Loop& loop) { return is_shareable(context.ast, loop); });
    return !loops.empty();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const int lanes = static_cast<int>(std::bit_floor(static_cast<unsigned>(argument(arguments, 0, 32, 2, 1024))));
    const int rows = lanes > 32 ? 1 : least_threads / lanes;
    Substitution changes(context.ast);
    Dealer dealer(context, edits, changes, lanes);
    if (!dealer.deal(kernel.work) || dealer.dealt() == 0) return false;

    const std::string in_group = rows == 1 ? "threadIdx.x" : "threadIdx.x % " + std::to_string(lanes);
    const std::string row =
        rows == 1 ? "blockIdx.x" : "blockIdx.x * " + std::to_string(rows) + " + threadIdx.x / " + std::to_string(lanes);
    replace_body(edits, context,
                 index_declaration(kernel.items.front(), row) + "const int " + dealer.lane() + " = " + in_group +
                     ";\n" + item_text(changes, kernel));
    relaunch(edits, kernel.launch, covering_grid(edits, context, kernel.launch, std::to_string(rows)),
             std::to_string(lanes * rows));
    return !changes.spoiled();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_row_group() {
  return std::make_unique<RowGroup>();
}

}  // namespace hone::frontend
