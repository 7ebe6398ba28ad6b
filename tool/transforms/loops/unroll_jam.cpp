// Copies of an outer loop's body, jammed into the loops inside: each value that an inner loop loads serves all copies,
// and each copy has its own registers. Iterations that fill no whole group run in a tail, which is the loop as it was.
//
// A loop inside whose bound moves with the outer one (a triangle) is jammed where all copies run; the corner, which
// only some of them have, runs by itself, each copy's part in its own order:
//   for i for j = i … n → for i by 2 { for j = i … i + 1 (first copy); for j = i + 1 … n (both); }
#include <algorithm>
#include <map>
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"
#include "tool/transforms/loops/jam_strips.h"

namespace hone::frontend {
namespace {

constexpr long long most_steps = 8;  // that a device's loop is unrolled for

class Jam {
 public:
  Jam(const KernelContext& context, LoopNest& nest, const Loop& loop, int factor)
      : context_(context), nest_(nest), loop_(loop), factor_(factor), variant_(variant_variables(loop)) {
    find_triangles(loop);
    if (!triangles_.empty()) variant_ = variant_variables(loop, triangles_);
  }

  std::optional<std::string> text() {
    if (effects_of(loop_.body).leaves) return std::nullopt;
    // In the order of the source, as pointers have another one in each run: equal names are told apart by turns.
    std::vector<const clang::ValueDecl*> variants(variant_.begin(), variant_.end());
    std::ranges::sort(variants, {}, [](auto* declaration) { return declaration->getLocation(); });
    for (auto* declaration : variants)
      for (int copy = 1; copy < factor_; ++copy)
        names_[declaration].push_back(unused(declaration->getNameAsString() + "_" + std::to_string(copy)));
    std::string inside;
    std::string variable = loop_.variable->getNameAsString();
    for (int copy = 1; copy < factor_; ++copy)
      inside += "const " + loop_.type + " " + names_[loop_.variable][copy - 1] + " = " + variable + " + " +
                std::to_string(copy * loop_.step) + ";\n";
    inside += block(loop_.body);
    Substitution plain(context_.ast);
    const auto trips = loop_.constant_trips(context_.ast);
    const bool whole = trips && *trips % factor_ == 0;
    const std::string tail = whole ? "" : "\n" + tail_header(loop_, factor_) + plain.text(loop_.body);
    if (refused_ || plain.spoiled()) return std::nullopt;
    return braces(strips_header(loop_, variable, factor_) + braces(inside) + tail);
  }

 private:
  // Nor by another copy: where copies are copied again, sum_1_2 may be of sum or of sum_1.
  std::string unused(const std::string& stem) {
    std::string name = fresh_name(context_, stem);
    while (!taken_.insert(name).second) name = fresh_name(context_, name + "_copy");
    return name;
  }

  // Does the bound of a loop inside move as the loop's variable does, and by nothing else that differs between copies?
  bool moves_along(const clang::Expr* bound) const {
    for (auto* variable : variant_)
      if (variable != loop_.variable && mentions(bound, variable)) return false;
    auto index = IndexPolynomial::of(context_.ast, bound);
    auto stride = index ? index->stride(loop_.variable) : std::nullopt;
    return stride && stride->as_constant() == 1;
  }

  bool fixed(const clang::Expr* bound) const { return !mentions_any(bound, variant_); }

  void find_triangles(const Loop& loop) {
    for (const Loop* inner : loop.children) {
      if (inner->counted && inner->step == 1 && inner->owns_variable &&
          ((moves_along(inner->lower) && fixed(inner->upper)) || (fixed(inner->lower) && moves_along(inner->upper))))
        triangles_.insert(inner->variable);
    }
  }

  std::string bound_of(const Loop& inner, bool upper, int copy) {
    const std::string text = "(" + copy_of(upper ? inner.upper : inner.lower, copy) + ")";
    return upper && inner.inclusive ? "(" + text + " + 1)" : text;
  }

  std::string triangle(const Loop& inner) {
    const bool from_below = !fixed(inner.lower);
    const std::string lower = bound_of(inner, false, 0), upper = bound_of(inner, true, 0);
    if (from_below) {
      std::string text;
      const std::string common = bound_of(inner, false, factor_ - 1);
      const std::string end = "(" + common + " < " + upper + " ? " + common + " : " + upper + ")";
      for (int copy = 0; copy + 1 < factor_; ++copy)
        text += header(inner, bound_of(inner, false, copy), end) + braces(copy_of(inner.body, copy)) + "\n";
      return text + header(inner, common, upper) + braces(block(inner.body)) + "\n";
    }
    const std::string start = "(" + upper + " > " + lower + " ? " + upper + " : " + lower + ")";
    std::string text = header(inner, lower, upper) + braces(block(inner.body)) + "\n";
    for (int copy = 1; copy < factor_; ++copy)
      text += header(inner, start, bound_of(inner, true, copy)) + braces(copy_of(inner.body, copy)) + "\n";
    return text;
  }

  std::string copy_of(const clang::Stmt* statement, int copy) {
    Substitution substitution(context_.ast);
    if (copy > 0)
      for (const auto& [declaration, names] : names_) substitution.rename(statement, declaration, names[copy - 1]);
    std::string text = substitution.text(statement);
    refused_ |= substitution.spoiled();
    return text;
  }

  std::string copies_of(const clang::Stmt* statement) {
    refused_ |= effects_of(statement).continues;  // one copy's continue would skip the others
    std::string text;
    for (int copy = 0; copy < factor_; ++copy) text += copy_of(statement, copy) + "\n";
    return text;
  }

  std::string declaration(const clang::DeclStmt* statement) {
    bool varies = false;
    for (const clang::Decl* inner : statement->decls()) {
      auto* value = llvm::dyn_cast<clang::ValueDecl>(inner);
      varies |= !value || variant_.contains(value);
    }
    if (!varies) return copy_of(statement, 0) + "\n";
    // What does not vary is declared once, so it cannot share a declaration with what does.
    for (const clang::Decl* inner : statement->decls()) {
      auto* value = llvm::dyn_cast<clang::ValueDecl>(inner);
      if (value && !variant_.contains(value)) refused_ = true;
    }
    return copies_of(statement);
  }

  std::string block(const clang::Stmt* body) {
    std::string text;
    for (const clang::Stmt* statement : statements_of(body)) text += jammed(statement);
    return text;
  }

  // On a device, whose copies of a few steps have more loads in common than those of one step.
  std::string unrolled(const Loop& inner) const {
    const auto trips = inner.constant_trips(context_.ast);
    return context_.launcher && inner.innermost() && trips && *trips <= most_steps ? "#pragma unroll\n" : "";
  }

  std::string jammed(const clang::Stmt* statement) {
    if (auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) return declaration(declared);
    if (llvm::isa<clang::CompoundStmt>(statement)) return braces(block(statement)) + "\n";
    const Loop* inner = nest_.of(statement);
    if (inner && inner->counted && !mentions_any(inner->lower, variant_) && !mentions_any(inner->upper, variant_))
      return unrolled(*inner) + header(*inner) + braces(block(inner->body)) + "\n";
    if (inner && inner->parent == &loop_ && triangles_.contains(inner->variable) && !effects_of(inner->body).continues)
      return triangle(*inner);
    if (auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
        branch && !branch->getConditionVariable() && !branch->getInit() && !mentions_any(branch->getCond(), variant_)) {
      std::string text = "if (" + copy_of(branch->getCond(), 0) + ") " + braces(block(branch->getThen()));
      if (branch->getElse()) text += " else " + braces(block(branch->getElse()));
      return text + "\n";
    }
    if (!mentions_any(statement, variant_) && llvm::isa<clang::ContinueStmt>(statement)) return "continue;\n";
    return copies_of(statement);
  }

  const KernelContext& context_;
  LoopNest& nest_;
  const Loop& loop_;
  int factor_;
  bool refused_ = false;
  std::set<const clang::ValueDecl*> variant_;
  std::set<const clang::ValueDecl*> triangles_;  // counters of loops whose bound moves with the loop
  std::map<const clang::ValueDecl*, std::vector<std::string>> names_;
  std::set<std::string> taken_;
};

class UnrollJam final : public LoopTransformation {
 public:
  std::string_view name() const override { return "unroll_jam"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{4, 2, 8, 6, 3}};
  }

 protected:
  // Not across barriers, which order what the copies do.
  bool fits(const KernelContext&, LoopNest&, const Loop& loop) const override {
    return !loop.innermost() && !synchronizes(loop.body) && !moves_pointers(loop);
  }
  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    const int factor = argument(arguments, 0, 4, 2, 64);
    if (auto once = jammed_strips(context, nest, loop, factor)) return once;
    return Jam(context, nest, loop, factor).text();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_unroll_jam() {
  return std::make_unique<UnrollJam>();
}

}  // namespace hone::frontend
