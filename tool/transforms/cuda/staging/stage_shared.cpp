// What all threads of a block read at the same places (a filter's weights) passes through shared memory: for some
// iterations of a loop at a time the threads load it together, and read it from there, side by side.
//
//   for in { for tap { for row { sum[row] += x[…] * w[(row * n + in) * 9 + tap]; } } }
//   → for in by 8 { wait; staged[in][tap][row] = w[…] for all of them, dealt out to the threads; wait;
//                   for in { for tap { for row { sum[row] += x[…] * staged[in - first][tap][row]; } } } }
//
// `inward`: where the loops and questions inside do not know the loop's variable (taps of a filter, borders), the loop
// runs within them, so that they are asked once a strip. Sums then add up in another order.
//
// Neighbors of the innermost loop come to lie side by side, so that the compiler loads four at once. The loop must be
// one that all threads run together, as register_tile leaves it; nothing is asked of what they do inside.
//
// A place that is guarded by what all threads have in common is loaded under that guard. What a thread asks of its own
// place (is my neighbor inside?) is taken to guard other arrays: it says nothing of a place that all threads share.
#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"
#include "tool/transforms/cuda/device_text.h"
#include "tool/transforms/cuda/staging/block_value.h"
#include "tool/transforms/cuda/staging/staged_places.h"

namespace hone::frontend {
namespace {

constexpr long long most_bytes = 16 * 1024;  // of shared memory for one loop: others need some, too

// Nothing but sums, whose order rounding alone tells.
bool only_sums_up(LoopNest& nest, const std::vector<const clang::Stmt*>& statements) {
  return std::ranges::all_of(statements, [&](const clang::Stmt* statement) {
    const auto assignments = all_of<clang::BinaryOperator>(statement);
    const auto steps = all_of<clang::UnaryOperator>(statement);
    return std::ranges::all_of(
               assignments,
               [](auto* one) { return !one->isAssignmentOp() || one->getOpcode() == clang::BO_AddAssign; }) &&
           std::ranges::all_of(steps, [&](const clang::UnaryOperator* step) {
             const auto* variable = step->isIncrementDecrementOp() ? local_variable(step->getSubExpr()) : nullptr;
             return !step->isIncrementDecrementOp() || std::ranges::any_of(nest.loops(), [&](const Loop& loop) {
               return loop.counted && variable && loop.variable == variable;
             });
           });
  });
}

// Where a loop could run within the loops and questions that it is around; nullopt: nowhere but where it is.
std::optional<TextRange> innermost_place(const KernelContext& context, LoopNest& nest, const Loop& loop) {
  const auto mentions_loop = [&](const clang::Stmt* part) { return mentions(part, loop.variable); };
  const auto written = written_in(loop.body);
  const auto stays_outside = [&](const clang::Stmt* statement) {
    return llvm::isa<clang::DeclStmt>(statement) && !mentions_loop(statement) &&
           accesses_in(context.ast, statement).empty() &&
           std::ranges::none_of(declared_in(statement), [&](auto* variable) { return written.contains(variable); });
  };
  std::vector<const clang::Stmt*> inside = statements_of(loop.body);
  bool moved = false;
  for (bool deeper = true; deeper;) {
    deeper = false;
    if (inside.empty() || !std::all_of(inside.begin(), inside.end() - 1, stays_outside)) break;
    const clang::Stmt* last = without_attributes(inside.back());
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(last);
    const Loop* inner = nest.of(last);
    if (branch && !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
        !mentions_loop(branch->getCond())) {
      inside = statements_of(branch->getThen());
      deeper = true;
    } else if (inner && inner->counted && !mentions_loop(inner->lower) && !mentions_loop(inner->upper) &&
               !inner->innermost()) {
      inside = statements_of(inner->body);
      deeper = true;
    }
    moved |= deeper;
  }
  if (!moved || inside.empty() || !only_sums_up(nest, inside)) return std::nullopt;
  const auto begin = range_with_pragmas(context.ast, without_attributes(inside.front()));
  const auto end = range_of(context.ast, without_attributes(inside.back()));
  return begin && end ? std::optional(TextRange{begin->begin, end->end}) : std::nullopt;
}

// Writes the loop in strips, in front of each of which its places are loaded.
class StageWriter {
 public:
  StageWriter(const KernelContext& context, const Loop& loop, std::vector<StagedPlace> places, long long chunk)
      : context_(context), loop_(loop), places_(std::move(places)), chunk_(chunk), changes_(context.ast) {
    NewNames names(context);
    variable_ = loop.variable->getNameAsString();
    first_ = names.make(variable_ + "_first");
    end_ = names.make(variable_ + "_end");
    number_ = names.make("stage");
    for (const StagedPlace& place : places_) arrays_.push_back(array_of(place, names));
  }

  // `inside`: where in the loop's body it runs; nullopt: around it.
  std::optional<std::string> text(std::optional<TextRange> inside) {
    std::string declared, loads;
    for (std::size_t at = 0; at < places_.size(); ++at) {
      changes_.replace(range_of(context_.ast, places_[at].expression->getSourceRange()),
                       arrays_[at] + "[" + index(places_[at]) + "]");
      if (std::ranges::find(arrays_.begin(), arrays_.begin() + static_cast<std::ptrdiff_t>(at), arrays_[at]) !=
          arrays_.begin() + static_cast<std::ptrdiff_t>(at))
        continue;
      declared += "__shared__ __align__(16) " + places_[at].type + " " + arrays_[at] + "[" +
                  std::to_string(chunk_ * places_[at].elements()) + "];\n";
      loads += load(places_[at], arrays_[at]);
    }
    const std::string last = first_ + " + " + std::to_string(chunk_), upper = loop_.upper_text;
    const std::string within = "for (" + loop_.type + " " + variable_ + " = " + first_ + "; " + variable_ + " < " +
                               end_ + "; ++" + variable_ + ") ";
    if (inside) {
      changes_.insert(inside->begin, within + "{\n");
      changes_.insert(inside->end, "\n}\n");
    }
    const std::string body = changes_.text(loop_.body);
    if (changes_.spoiled() || body.empty()) return std::nullopt;
    return braces(declared + "for (" + loop_.type + " " + first_ + " = " + loop_.lower_text + "; " + first_ + " < " +
                  loop_.upper_text + "; " + first_ + " += " + std::to_string(chunk_) + ") " +
                  braces("__syncthreads();\n" + loads + "__syncthreads();\nconst " + loop_.type + " " + end_ + " = " +
                         last + " < " + upper + " ? " + last + " : " + upper + ";\n" + (inside ? "" : within) + body));
  }

 private:
  // Equal places have one array.
  std::string array_of(const StagedPlace& place, NewNames& names) const {
    const std::string text = text_of(context_.ast, place.expression);
    for (std::size_t at = 0; at < arrays_.size(); ++at)
      if (places_[at].locals == place.locals && text_of(context_.ast, places_[at].expression) == text &&
          places_[at].guards == place.guards)
        return arrays_[at];
    const auto* element = llvm::cast<clang::ArraySubscriptExpr>(place.expression->IgnoreParens());
    return names.make(text_of(context_.ast, element->getBase()) + "_staged");
  }

  std::string index(const StagedPlace& place) const {
    std::string text = chunk_ > 1 ? "(" + variable_ + " - " + first_ + ")" : "0";
    for (const StagedCounter& counter : place.counters) {
      std::string value = counter.loop->variable->getNameAsString();
      if (counter.first != 0) value = "(" + value + " - " + std::to_string(counter.first) + ")";
      if (counter.step * counter.divisor != 1) value += " / " + std::to_string(counter.step * counter.divisor);
      text = "(" + text + ") * " + std::to_string(counter.count) + " + " + value;
    }
    return text;
  }

  // The threads load all that a place comes to in a strip.
  std::string load(const StagedPlace& place, const std::string& array) const {
    std::string text, guard = variable_ + " < " + loop_.upper_text, rest = number_;
    for (auto counter = place.counters.rbegin(); counter != place.counters.rend(); ++counter) {
      const std::string count = std::to_string(counter->count);
      const long long step = counter->step * counter->divisor;
      text += "const " + counter->loop->type + " " + counter->loop->variable->getNameAsString() + " = " +
              (counter->first ? std::to_string(counter->first) + " + " : "") + rest + " % " + count +
              (step != 1 ? " * " + std::to_string(step) : "") + ";\n";
      rest += " / " + count;
    }
    text += "const " + loop_.type + " " + variable_ + " = " + first_ + (chunk_ > 1 ? " + " + rest : "") + ";\n";
    std::string inside;
    for (const clang::VarDecl* local : place.locals)
      inside += "const " + plain_type(context_.ast, local->getType()) + " " + local->getNameAsString() + " = " +
                changes_.text(local->getInit()) + ";\n";
    for (const auto& [test, negated] : place.guards)
      guard += std::string(" && ") + (negated ? "!" : "") + "(" + changes_.text(test) + ")";
    const Substitution plain(context_.ast);
    text += inside + "if (" + guard + ") " + array + "[" + number_ + "] = " + plain.text(place.expression) + ";";
    return "#pragma unroll 4\nfor (int " + number_ + " = " + thread_of_block + "; " + number_ + " < " +
           std::to_string(chunk_ * place.elements()) + "; " + number_ + " += " + threads_of_block + ") " +
           braces(text) + "\n";
  }

  const KernelContext& context_;
  const Loop& loop_;
  const std::vector<StagedPlace> places_;
  const long long chunk_;
  std::string variable_, first_, end_, number_;
  std::vector<std::string> arrays_;
  Substitution changes_;
};

class StageShared final : public LoopTransformation {
 public:
  std::string_view name() const override { return "stage_shared"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{4, 8, 1, 2, 16}, {0, 1}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    return context.launcher && loop.counted && loop.owns_variable && loop.step == 1 && !loop.innermost() &&
           !synchronizes(loop.body) && is_run_together(context, nest, loop) &&
           chunk_of(staged_places(context, nest, loop), 1) > 0;
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    auto places = staged_places(context, nest, loop);
    const long long chunk = chunk_of(places, argument(arguments, 0, 4, 1, 64));
    if (chunk == 0) return std::nullopt;
    const bool inward = argument(arguments, 1, 0, 0, 1) == 1;
    return StageWriter(context, loop, std::move(places), chunk)
        .text(inward ? innermost_place(context, nest, loop) : std::nullopt);
  }

 private:
  // As many iterations as fit; 0: nothing is to be staged, or too much.
  static long long chunk_of(const std::vector<StagedPlace>& places, long long wanted) {
    long long bytes = 0;
    for (const StagedPlace& place : places) bytes += place.elements() * place.bytes;
    return bytes == 0 ? 0 : std::min(wanted, most_bytes / bytes);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_stage_shared() {
  return std::make_unique<StageShared>();
}

}  // namespace hone::frontend
