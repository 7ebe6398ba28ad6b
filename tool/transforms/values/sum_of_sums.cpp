// A sum of running sums in lanes, without a value that passes from one iteration to the next.
//
//   for (int i = 0; i < n; ++i) { a += x[i]; b += a; }
//
// adds a to b as often as there are iterations, and each x[i] as often as there are iterations from it on. So each of
// 32 lanes adds up its own elements, and its own running sums:
//
//   for (int i_strip = 0; i_strip < i_whole; i_strip += 32)
//     for (int lane = 0; lane < 32; ++lane) { b_lanes[lane] += a_lanes[lane]; a_lanes[lane] += x[i_strip + lane]; }
//   b += i_whole * a;  // if there is a strip at all
//   for (int lane = 0; lane < 32; ++lane) { b += 32 * b_lanes[lane] + (32 - lane) * a_lanes[lane]; a += a_lanes[lane];
//   }
//
// The values are the same in unsigned integers, which wrap around alike. In floating point the order of additions is
// another one, which only a tolerance allows. Where what is added is small, lanes are of a type half as wide or less,
// for as many strips as that holds.
#include <algorithm>

#include "tool/transforms/calls/stable_value.h"
#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/function_attribute.h"
#include "tool/transforms/code/interval.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

// What the loop does, declarations aside.
struct RunningSums {
  const clang::VarDecl* running = nullptr;  // a
  const clang::VarDecl* total = nullptr;    // b
  const clang::Stmt* first = nullptr;       // a += x[i]
  const clang::Stmt* second = nullptr;      // b += a
  const clang::Expr* added = nullptr;       // x[i]
  bool before = false;                      // b += a stands in front
};

// What is added where `statement` does nothing else: s += value, s = s + value, s = value + s.
const clang::Expr* added_by(const clang::Stmt* statement, const clang::VarDecl*& sum) {
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  sum = assignment && assignment->isAssignmentOp() ? local_variable(assignment->getLHS()) : nullptr;
  if (!sum) return nullptr;
  if (assignment->getOpcode() == clang::BO_AddAssign) return assignment->getRHS();
  const auto* value = llvm::dyn_cast<clang::BinaryOperator>(assignment->getRHS()->IgnoreParenImpCasts());
  if (assignment->getOpcode() != clang::BO_Assign || !value || value->getOpcode() != clang::BO_Add) return nullptr;
  if (local_variable(value->getLHS()) == sum) return value->getRHS();
  return local_variable(value->getRHS()) == sum ? value->getLHS() : nullptr;
}

bool adds_alike(const KernelContext& context, const clang::VarDecl* sum) {
  const clang::QualType type = sum->getType().getCanonicalType();
  if (type.isVolatileQualified() || plain_type(context.ast, type).empty()) return false;
  if (type->isRealFloatingType()) return may_round(context.spec) && context.ast.getTypeSize(type) <= 64;
  return type->isUnsignedIntegerType() && !type->isBooleanType() && context.ast.getTypeSize(type) >= 32 &&
         context.ast.getTypeSize(type) <= 64;
}

std::optional<RunningSums> running_sums_of(const KernelContext& context, const Loop& loop) {
  const Effects effects = effects_of(loop.body);
  if (!loop.innermost() || loop.step != 1 || effects.leaves || effects.continues || effects.calls_unknown)
    return std::nullopt;
  RunningSums sums;
  std::vector<std::pair<const clang::VarDecl*, const clang::Expr*>> both;
  for (const clang::Stmt* statement : statements_of(loop.body)) {
    if (llvm::isa<clang::DeclStmt>(statement)) continue;
    const clang::VarDecl* sum = nullptr;
    const clang::Expr* added = added_by(statement, sum);
    if (!added || both.size() == 2) return std::nullopt;
    (both.empty() ? sums.first : sums.second) = statement;
    both.emplace_back(sum, added);
  }
  if (both.size() != 2) return std::nullopt;
  sums.before = local_variable(both[0].second) == both[1].first;
  if (sums.before) std::swap(both[0], both[1]), std::swap(sums.first, sums.second);
  if (local_variable(both[1].second) != both[0].first) return std::nullopt;
  sums.running = both[0].first;
  sums.total = both[1].first;
  sums.added = both[0].second;
  return sums;
}

// Nothing else looks at the two, and what is added hangs on neither. An integer to which a floating-point number is
// added is truncated each time.
bool stand_alone(const KernelContext& context, const Loop& loop, const RunningSums& sums) {
  const StableValues stable(context);
  const auto changed = changed_from_outside(loop);
  if (sums.running == sums.total || changed != std::set{sums.running, sums.total}) return false;
  const auto elsewhere = [&](const clang::VarDecl* sum) {
    return std::ranges::any_of(statements_of(loop.body), [&](const clang::Stmt* statement) {
      const bool updates = statement == sums.second || (statement == sums.first && sum == sums.running);
      return !updates && mentions(statement, sum);
    });
  };
  const auto same = [&](const clang::VarDecl* sum) {
    return sum->getType().getCanonicalType().getUnqualifiedType() ==
           sums.total->getType().getCanonicalType().getUnqualifiedType();
  };
  const bool truncates = sums.total->getType()->isIntegerType() && !sums.added->getType()->isIntegerType();
  return same(sums.running) && adds_alike(context, sums.total) && !truncates && stable.is_private(sums.running) &&
         stable.is_private(sums.total) && !elsewhere(sums.running) && !elsewhere(sums.total) &&
         !mentions(sums.added, sums.running) && !mentions(sums.added, sums.total);
}

// A type for lanes, and for how many strips; 0: for all.
struct RunningLanes {
  std::string type;
  long long strips = 0;
};

RunningLanes narrow_lanes(const KernelContext& context, const RunningSums& sums) {
  const RunningLanes wide{plain_type(context.ast, sums.total->getType()), 0};
  if (sums.total->getType()->isFloatingType()) return wide;
  const auto each = Intervals(context.ast, context.kernel).of(sums.added);
  if (!each || each->low < 0) return wide;
  static constexpr std::pair<const char*, long long> types[] = {{"unsigned short", 65535}, {"unsigned", 4294967295}};
  constexpr long long fewest = 8, most = 256;
  for (const auto& [type, all] : types) {
    if (context.ast.getTypeSize(sums.total->getType()) <= (all > 65535 ? 32 : 16) || each->high > all) continue;
    long long strips = most;
    while (strips >= fewest && each->high * strips > all / strips * 2) --strips;
    if (strips >= fewest) return {type, strips};
  }
  return wide;
}

// The loop's own, or a wider one where compilers would fear that i_strip + lane wraps around.
std::string counter_type(const KernelContext& context, const Loop& loop) {
  const clang::QualType type = loop.variable->getType();
  const auto& ast = context.ast;
  if (!type->isUnsignedIntegerType() || ast.getTypeSize(type) >= ast.getTypeSize(ast.UnsignedLongTy)) return loop.type;
  const auto names_counter = [&](const clang::Expr* one) { return local_variable(one) == loop.variable; };
  const auto references = all_of<clang::DeclRefExpr>(loop.body);
  const auto subscripts = all_of<clang::ArraySubscriptExpr>(loop.body);
  const auto only_finds = std::ranges::count_if(references, names_counter) ==
                          std::ranges::count_if(subscripts, [&](auto* one) { return names_counter(one->getIdx()); });
  return only_finds ? "unsigned long" : loop.type;
}

class RunningLanesText {
 public:
  RunningLanesText(const KernelContext& context, const Loop& loop, const RunningSums& sums, int width, bool narrow)
      : context_(context), loop_(loop), sums_(sums), count_(std::to_string(width)), width_(width) {
    NewNames names(context);
    type_ = plain_type(context.ast, sums.total->getType());
    lanes_ = narrow ? narrow_lanes(context, sums) : RunningLanes{type_, 0};
    const std::string counter = loop.variable->getNameAsString();
    running_ = sums.running->getNameAsString();
    total_ = sums.total->getNameAsString();
    running_lanes_ = names.make(running_ + "_lanes");
    total_lanes_ = names.make(total_ + "_lanes");
    lane_ = names.make("lane");
    strip_ = names.make(counter + "_strip");
    span_ = names.make(counter + "_span");
    whole_ = names.make(counter + "_whole");
    end_ = names.make(counter + "_end");
  }

  // "": it cannot be written.
  std::string text() const {
    const std::string added = lanes_added(), original = text_of(context_.ast, loop_.body);
    if (added.empty() || original.empty()) return "";
    const std::string whole = "const " + loop_.type + " " + whole_ + " = " + strips_end(loop_, width_) + ";\n",
                      rest = header(loop_, whole_, loop_.upper_text) + original;
    // An empty range may end below where it begins, and 0 times an infinite sum is no number.
    if (lanes_.strips == 0)
      return braces(whole + "if (" + loop_.lower_text + " < " + whole_ + ") " +
                    braces(arrays() + of_span(loop_.lower_text, whole_, added)) + "\n" + rest);
    const std::string span = std::to_string(lanes_.strips * width_);
    return braces(whole + "for (" + loop_.type + " " + span_ + " = " + loop_.lower_text + ", " + end_ + "; " + span_ +
                  " < " + whole_ + "; " + span_ + " = " + end_ + ") " +
                  braces(arrays() + end_ + " = " + whole_ + " - " + span_ + " < " + span + " ? " + whole_ + " : " +
                         span_ + " + " + span + ";\n" + of_span(span_, end_, added)) +
                  "\n" + rest);
  }

 private:
  std::string lanes_added() const {
    Substitution none(context_.ast);
    std::string text;
    for (const clang::Stmt* statement : statements_of(loop_.body))
      if (llvm::isa<clang::DeclStmt>(statement)) text += none.text(statement) + "\n";
    text += total_lanes_ + "[" + lane_ + "] += " + running_lanes_ + "[" + lane_ + "];\n" + running_lanes_ + "[" +
            lane_ + "] += " + none.text(sums_.added) + ";\n";
    return none.spoiled() ? "" : text;
  }

  // In a block of its own, since in C89 what a loop's header declares is declared in the block around the loop.
  std::string each_lane(const std::string& inside) const {
    const std::string text =
        "for (int " + lane_ + " = 0; " + lane_ + " < " + count_ + "; ++" + lane_ + ") " + braces(inside) + "\n";
    return is_c(context_.ast) ? braces(text) + "\n" : text;
  }

  // Multiplied in the sums' own type.
  std::string wide(const std::string& lanes) const {
    const std::string lane = lanes + "[" + lane_ + "]";
    return lanes_.type == type_ ? lane : converted(context_.ast, type_, lane);
  }

  // How often the running sum of a lane is added. What is infinite must not be multiplied by the last lane's 0.
  std::string weighted(const std::string& last) const {
    const std::string times = "(" + last + " - " + lane_ + ") * " + wide(running_lanes_);
    return sums_.before && sums_.total->getType()->isFloatingType()
               ? "(" + lane_ + " < " + last + " ? " + times + " : 0)"
               : times;
  }

  std::string arrays() const {
    return lanes_.type + " " + running_lanes_ + "[" + count_ + "] = {0}, " + total_lanes_ + "[" + count_ + "] = {0};\n";
  }

  std::string of_span(const std::string& from, const std::string& to, const std::string& added) const {
    const std::string last = sums_.before ? std::to_string(width_ - 1) : count_,
                      length = from == "0" ? to : to + " - " + from;
    const std::string type = counter_type(context_, loop_), counter = "const " + type + " " +
                                                                      loop_.variable->getNameAsString() + " = " +
                                                                      strip_ + " + " + lane_ + ";\n";
    return "for (" + type + " " + strip_ + " = " + from + "; " + strip_ + " < " + to + "; " + strip_ + " += " + count_ +
           ") " + each_lane((mentions(loop_.body, loop_.variable) ? counter : "") + added) + total_ +
           " += " + converted(context_.ast, type_, length) + " * " + running_ + ";\n" +
           each_lane(total_ + " += " + count_ + " * " + wide(total_lanes_) + " + " + weighted(last) + ";\n" + running_ +
                     " += " + running_lanes_ + "[" + lane_ + "];\n");
  }

  const KernelContext& context_;
  const Loop& loop_;
  const RunningSums& sums_;
  const std::string count_;
  const int width_;
  RunningLanes lanes_;
  std::string type_, running_, total_, running_lanes_, total_lanes_, lane_, strip_, span_, whole_, end_;
};

class SumOfSums final : public LoopTransformation {
 public:
  std::string_view name() const override { return "sum_of_sums"; }

  // How many lanes, and whether they may be narrow.
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{32, 64, 16, 128}, {1, 0}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    constexpr long long fewest = 32;
    if (loop.constant_trips(context.ast).value_or(fewest) < fewest) return false;
    const auto sums = running_sums_of(context, loop);
    return sums && stand_alone(context, loop, *sums);
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    int width = argument(arguments, 0, 32, 4, 256);
    while (width & (width - 1)) width &= width - 1;
    if (loop.constant_trips(context.ast).value_or(width) < width) return std::nullopt;
    const auto sums = running_sums_of(context, loop);
    const bool narrow = argument(arguments, 1, 1, 0, 1) == 1;
    const std::string text = RunningLanesText(context, loop, *sums, width, narrow).text();
    return text.empty() ? std::nullopt : std::optional(text);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_sum_of_sums() {
  return std::make_unique<SumOfSums>();
}

}  // namespace hone::frontend
