// Sums of small numbers in types that hold no more than a strip of them, so that a vector takes more of them at once.
//
//   for (int i = 0; i < n; ++i) s += x[i];        // bytes
// becomes
//   for (int i_strip = 0; i_strip < end; i_strip += 256) {
//     unsigned short s_part = 0;                  // 256 * 255 is below 65536
//     for (int i = i_strip; i < i_strip + 256; ++i) s_part += x[i];
//     s += s_part;
//   }
//   for (int i = end; i < n; ++i) s += x[i];
//
// A sum of products of bytes becomes one of 16-bit numbers that stand side by side, which processors multiply and add
// in one instruction:
//
//     short s_left[128], s_right[128];
//     for (int i = i_strip; i < i_strip + 128; ++i) { s_left[i - i_strip] = x[i]; s_right[i - i_strip] = y[i]; }
//     int s_part = 0;
//     for (int lane = 0; lane < 128; ++lane) s_part += s_left[lane] * s_right[lane];
//     s += s_part;
//
// What fits is shown by the types that are read and by constants, for any data.
#include <algorithm>
#include <limits>
#include <map>

#include "tool/transforms/calls/stable_value.h"
#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/interval.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"
#include "tool/transforms/code/reduction_text.h"

namespace hone::frontend {
namespace {

constexpr long long longest_strip = 256;  // numbers
constexpr long long shortest_strip = 32;  // below, adding the parts up costs what is gained

// What a sum's part needs.
struct Narrow {
  const char* type = "";
  long long width = 0;
};

// The narrowest type for a strip of at most `most` numbers, and how long the strip then is.
std::optional<Narrow> narrow_for(const Interval& each, long long most) {
  static constexpr struct {
    const char* type;
    Interval all;
    long long least;  // as many numbers: the vectors are full then
  } types[] = {{"unsigned char", {0, 255}, 64},
               {"signed char", {-128, 127}, 64},
               {"unsigned short", {0, 65535}, shortest_strip},
               {"short", {-32768, 32767}, shortest_strip}};
  for (const auto& [type, all, least] : types)
    for (long long width = most; width >= least; width /= 2)
      if (Interval{each.low * width, each.high * width}.within(all)) return Narrow{type, width};
  return std::nullopt;
}

// Is it done for its effect alone?
bool is_statement(const clang::ASTContext& ast, const clang::Stmt* update, const clang::Stmt* body) {
  if (update == body) return true;
  for (const auto& parent : const_cast<clang::ASTContext&>(ast).getParents(*update)) {
    const auto* branch = parent.get<clang::IfStmt>();
    if (parent.get<clang::CompoundStmt>() || (branch && branch->getCond() != update)) return true;
  }
  return false;
}

class Sums {
 public:
  Sums(const KernelContext& context, const Loop& loop)
      : context_(context), loop_(loop), intervals_(context.ast, context.kernel), stable_(context) {
    if (!loop.counted || !loop.innermost() || loop.step != 1 || effects_of(loop.body).calls_unknown) return;
    const auto reduced = reduced_variables(context.ast, loop);
    if (!reduced) return;
    for (const ReducedVariable& one : *reduced)
      if (one.kind == ReductionKind::sum && is_wide(one.variable)) add(one.variable);
  }

  // What one iteration brings each sum.
  const std::map<const clang::VarDecl*, Interval>& each() const { return each_; }
  // Two factors of 16 bits whose products the loop does nothing with but to add them up.
  const clang::BinaryOperator* product() const { return product_; }
  const clang::VarDecl* sum_of_products() const { return sum_of_products_; }
  long long largest_product() const { return largest_product_; }

 private:
  bool is_wide(const clang::VarDecl* variable) const {
    return variable->getType()->isIntegerType() && context_.ast.getTypeSize(variable->getType()) >= 32 &&
           !plain_type(context_.ast, variable->getType()).empty() && stable_.is_private(variable) &&
           !variable->getType().isVolatileQualified() && !has_another_name(variable, context_.kernel->getBody());
  }

  void add(const clang::VarDecl* variable) {
    Interval all;
    for (const Reduction& update : updates_in(context_.ast, loop_.body)) {
      if (update.variable != variable) continue;
      const auto brought = brought_by(update.update, variable);
      if (!brought || !is_statement(context_.ast, update.update, loop_.body)) return;
      find_product(update.update, variable);
      all = {all.low + std::min(brought->low, 0LL), all.high + std::max(brought->high, 0LL)};
    }
    if (narrow_for(all, shortest_strip)) each_.emplace(variable, all);
  }

  // nullopt: too much for 32 bits.
  std::optional<Interval> brought_by(const clang::Stmt* update, const clang::VarDecl* variable) const {
    std::optional<Interval> value;
    bool minus = false;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(update)) {
      value = {1, 1};
      minus = unary->isDecrementOp();
    } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(update)) {
      value = intervals_.of(assignment->getRHS(), variable);
      minus = assignment->getOpcode() == clang::BO_SubAssign;
    }
    constexpr Interval small{-(1LL << 31), 1LL << 31};
    if (!value || !value->within(small)) return std::nullopt;
    return minus ? Interval{-value->high, -value->low} : *value;
  }

  // s += a * b; s = s + a * b; as the only thing that the loop does.
  void find_product(const clang::Stmt* update, const clang::VarDecl* variable) {
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(update);
    if (!assignment || assignment->getOpcode() == clang::BO_SubAssign) return;
    for (const clang::Stmt* statement : statements_of(loop_.body))
      if (statement != update && !llvm::isa<clang::DeclStmt>(statement)) return;
    if (std::ranges::count(statements_of(loop_.body), update) != 1 || !accesses_only_read()) return;
    const auto* added = llvm::dyn_cast<clang::BinaryOperator>(assignment->getRHS()->IgnoreParenImpCasts());
    if (added && added->getOpcode() == clang::BO_Add && assignment->getOpcode() == clang::BO_Assign) {
      const bool first = local_variable(added->getLHS()) == variable;
      added = llvm::dyn_cast<clang::BinaryOperator>((first ? added->getRHS() : added->getLHS())->IgnoreParenImpCasts());
    }
    if (!added || added->getOpcode() != clang::BO_Mul || mentions(added, variable)) return;
    const auto left = intervals_.of(added->getLHS()), right = intervals_.of(added->getRHS()),
               both = intervals_.of(added);
    constexpr Interval half{-32768, 32767};
    if (!left || !right || !both || !left->within(half) || !right->within(half)) return;
    largest_product_ = std::max(-both->low, both->high);
    const long long exact = std::max(-left->low, left->high) * std::max(-right->low, right->high);
    const bool wide_already = bits_of(added->getLHS()) == 16 && bits_of(added->getRHS()) == 16;
    if (largest_product_ > exact || wide_already) return;  // it may wrap around, or compilers see it by themselves
    product_ = added;
    sum_of_products_ = variable;
  }

  bool accesses_only_read() const {
    return std::ranges::none_of(accesses_in(context_.ast, loop_.body), &Access::writes);
  }

  std::uint64_t bits_of(const clang::Expr* factor) const {
    return context_.ast.getTypeSize(factor->IgnoreParenImpCasts()->getType());
  }

  const KernelContext& context_;
  const Loop& loop_;
  Intervals intervals_;
  StableValues stable_;
  std::map<const clang::VarDecl*, Interval> each_;
  const clang::BinaryOperator* product_ = nullptr;
  const clang::VarDecl* sum_of_products_ = nullptr;
  long long largest_product_ = 0;
};

class StripText {
 public:
  StripText(const KernelContext& context, const Loop& loop, long long width)
      : context_(context), loop_(loop), body_(context.ast), width_(width), name_(loop.variable->getNameAsString()) {
    strip_ = fresh_name(context, name_ + "_strip");
  }

  std::string of_parts(const Sums& sums) {
    std::string parts, joined;
    for (const auto& [variable, each] : sums.each()) {
      const auto narrow = narrow_for(each, width_);
      if (!narrow) return "";
      width_ = narrow->width;
    }
    for (const auto& [variable, each] : sums.each()) {
      const std::string name = variable->getNameAsString(), part = fresh_name(context_, name + "_part");
      parts += std::string(narrow_for(each, width_)->type) + " " + part + " = 0;\n";
      joined += name + " += " + part + ";\n";
      body_.rename(loop_.body, variable, part);
    }
    return text(parts + in_strip(braces(inside())) + joined);
  }

  std::string of_products(const Sums& sums) {
    while (width_ > shortest_strip && width_ * sums.largest_product() > std::numeric_limits<int>::max()) width_ /= 2;
    if (width_ * sums.largest_product() > std::numeric_limits<int>::max()) return "";
    const std::string name = sums.sum_of_products()->getNameAsString(), number = std::to_string(width_);
    const std::string left = fresh_name(context_, name + "_left"), right = fresh_name(context_, name + "_right"),
                      part = fresh_name(context_, name + "_part"), lane = fresh_name(context_, "lane");
    const std::string a = text_of(context_.ast, sums.product()->getLHS()),
                      b = text_of(context_.ast, sums.product()->getRHS()), at = "[" + name_ + " - " + strip_ + "] = ";
    if (a.empty() || b.empty()) return "";
    std::string factors;
    for (const clang::Stmt* statement : statements_of(loop_.body))
      if (llvm::isa<clang::DeclStmt>(statement)) factors += body_.text(statement) + "\n";
    factors += left + at + a + ";\n" + (a == b ? "" : right + at + b + ";\n");
    const std::string arrays = "short " + left + "[" + number + "]" + (a == b ? "" : ", " + right + "[" + number + "]");
    return text(arrays + ";\n" + in_strip(braces(factors)) + "int " + part + " = 0;\nfor (int " + lane + " = 0; " +
                lane + " < " + number + "; ++" + lane + ") " + part + " += " + left + "[" + lane + "] * " +
                (a == b ? left : right) + "[" + lane + "];\n" + name + " += " + part + ";\n");
  }

 private:
  std::string inside() const {
    std::string text;
    for (const clang::Stmt* statement : statements_of(loop_.body)) text += body_.text(statement) + "\n";
    return text;
  }

  std::string in_strip(const std::string& work) const {
    return header(loop_, strip_, strip_ + " + " + std::to_string(width_)) + work + "\n";
  }

  std::string text(const std::string& strip) const {
    const std::string original = text_of(context_.ast, loop_.body);
    if (original.empty() || body_.spoiled()) return "";
    return braces(strips_header(loop_, strip_, width_) + braces(strip) + "\n" + tail_header(loop_, width_) + original);
  }

  const KernelContext& context_;
  const Loop& loop_;
  Substitution body_;
  long long width_;
  const std::string name_;
  std::string strip_;
};

class NarrowSums final : public LoopTransformation {
 public:
  std::string_view name() const override { return "narrow_sums"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{128, 64, 256}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    if (loop.constant_trips(context.ast).value_or(shortest_strip) < shortest_strip) return false;
    const Sums sums(context, loop);
    return !sums.each().empty() || sums.product();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    long long width = argument(arguments, 0, 128, shortest_strip, longest_strip);
    while (width & (width - 1)) width &= width - 1;
    while (width > loop.constant_trips(context.ast).value_or(width)) width /= 2;
    const Sums sums(context, loop);
    StripText strips(context, loop, width);
    const std::string text = sums.each().empty() ? strips.of_products(sums) : strips.of_parts(sums);
    return text.empty() ? std::nullopt : std::optional(text);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_narrow_sums() {
  return std::make_unique<NarrowSums>();
}

}  // namespace hone::frontend
