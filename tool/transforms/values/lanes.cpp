// Splits the reductions of a loop over lanes: as many running values as a few vectors hold, folded at the end.
//
// A compiler may not change the order of floating additions, so a plain sum runs at the latency of one addition per
// element. With the lanes written out as an array and an inner loop of constant length, any compiler vectorizes it
// without being told to relax its arithmetic, and NaN, infinities and comparisons keep their meaning.
//
//   for (int i = 0; i < n; ++i) s += x[i];
// becomes
//   float s_lanes[32];
//   for (lane) s_lanes[lane] = 0;
//   for (int i_block = 0; i_block < i_end; i_block += 32)
//     for (int lane = 0; lane < 32; ++lane) { const int i = i_block + lane; s_lanes[lane] += x[i]; }
//   s_lanes[0..15] += s_lanes[16..31]; … s += s_lanes[0];
//   for (int i = i_end; i < n; ++i) s += x[i];

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/reduction_text.h"

namespace hone::frontend {
namespace {

std::vector<ReducedVariable> targets_of(const KernelContext& context, const Loop& loop) {
  return reduced_variables(context.ast, loop).value_or(std::vector<ReducedVariable>());
}

std::vector<Loop*> reducing_loops(LoopNest& nest, const KernelContext& context) {
  return nest.where([&](const Loop& loop) { return !targets_of(context, loop).empty(); });
}

class LanesText {
 public:
  LanesText(const KernelContext& context, const Loop& loop, const std::vector<ReducedVariable>& targets, int width)
      : context_(context), loop_(loop), targets_(targets), width_(width), body_(context.ast) {
    variable_ = loop.variable->getNameAsString();
    lane_ = fresh_name(context, "lane");
    block_ = fresh_name(context, variable_ + (context.compact ? "0" : "_block"));
    direct_ = context.compact && loop.step == 1;
  }

  // The loop in blocks of `width` lanes, and its tail; "": it cannot be written.
  std::string text() {
    std::string start, folded, joined, into;
    for (const ReducedVariable& target : targets_) {
      const std::string name = target.variable->getNameAsString(), lanes = fresh_name(context_, name + "_lanes");
      const std::string type = plain_type(context_.ast, target.variable->getType());
      if (type.empty()) return {};
      start += started(target, type, lanes);
      const auto pair = [&](const std::string& half) {
        return fold(target.kind, lanes + "[" + lane_ + "]", lanes + "[" + lane_ + " + " + half + "]") + ";\n";
      };
      for (int half = width_ / 2; half > 1 && !context_.compact; half /= 2)
        folded += each_of(std::to_string(half)) + pair(std::to_string(half));
      if (context_.compact) joined += pair(half());
      if (!context_.compact) folded += fold(target.kind, lanes + "[0]", lanes + "[1]") + ";\n";
      (context_.compact ? into : folded) += fold(target.kind, name, lanes + "[0]") + ";\n";
      body_.rename(loop_.body, target.variable, lanes + "[" + (direct_ ? variable_ + " - " + block_ : lane_) + "]");
    }
    if (context_.compact) folded = halving(joined) + into;
    std::string inside;
    for (const clang::Stmt* statement : statements_of(loop_.body)) inside += body_.text(statement) + "\n";
    const std::string original = text_of(context_.ast, loop_.body);
    if (body_.spoiled() || original.empty()) return {};
    if (written_once()) return "{\n" + start + in_function(inside) + folded + "\n}";
    return "{\n" + start + strips_header(loop_, block_, width_) + "\n" + of_block(inside, std::to_string(width_)) +
           folded + tail_header(loop_, width_) + "\n" + tail(original) + "\n}";
  }

 private:
  bool single() const { return statements_of(loop_.body).size() == 1; }
  std::string half() const { return fresh_name(context_, "half"); }
  std::string each_of(const std::string& count) const {
    return "for (int " + lane_ + " = 0; " + lane_ + " < " + count + "; ++" + lane_ + ") ";
  }

  // The running values' declaration.
  std::string started(const ReducedVariable& target, const std::string& type, const std::string& lanes) const {
    const std::string neutral = neutral_value(target.kind, target.variable->getNameAsString());
    const bool zeros = context_.compact && neutral == "0";
    const std::string declared =
        type + " " + lanes + "[" + std::to_string(width_) + "]" + (zeros ? " = {0};\n" : ";\n");
    return declared + (zeros ? "" : each_of(std::to_string(width_)) + lanes + "[" + lane_ + "] = " + neutral + ";\n");
  }

  // All pairs of halves, in one loop over ever smaller ones.
  std::string halving(const std::string& pairs) const {
    return "for (int " + half() + " = " + std::to_string(width_ / 2) + "; " + half() + " > 0; " + half() + " /= 2)\n" +
           each_of(half()) + (targets_.size() == 1 ? pairs : braces(pairs) + "\n");
  }

  std::string of_block(const std::string& inside, const std::string& width) const {
    if (direct_) return header(loop_, block_, block_ + " + " + width) + (single() ? inside : braces(inside) + "\n");
    const std::string offset = loop_.step == 1 ? lane_ : lane_ + " * " + std::to_string(loop_.step);
    return each_of(width) + "{\nconst " + loop_.type + " " + variable_ + " = " + block_ + " + " + offset + ";\n" +
           inside + "}\n";
  }

  std::string tail(const std::string& original) const {
    if (!direct_ || !single()) return original;
    return text_of(context_.ast, statements_of(loop_.body).front());
  }

  // A body of several statements stands once, in a function of a block's place and width.
  bool written_once() const {
    return direct_ && !is_c(context_.ast) && statements_of(loop_.body).size() > 2 && loop_.lower_text == "0" &&
           !effects_of(loop_.body).continues;
  }
  std::string in_function(const std::string& inside) const {
    const std::string function = fresh_name(context_, variable_ + "_lanes"), width = fresh_name(context_, "width");
    const std::string whole = std::to_string(width_);
    return "const auto " + function + " = [&](" + loop_.type + " " + block_ + ", " + loop_.type + " " + width +
           ") __attribute__((always_inline)) " + braces(of_block(inside, width)) + ";\n" +
           strips_header(loop_, block_, width_) + function + "(" + block_ + ", " + whole + ");\n" + function + "(" +
           strips_end(loop_, width_) + ", " + loop_.upper_text + " % " + whole + ");\n";
  }

  const KernelContext& context_;
  const Loop& loop_;
  const std::vector<ReducedVariable>& targets_;
  const int width_;
  Substitution body_;
  std::string variable_, lane_, block_;
  bool direct_ = false;  // lanes count by the loop's own variable
};

class ReductionLanes final : public Transformation {
 public:
  std::string_view name() const override { return "lanes"; }

  unsigned sites(const KernelContext& context) const override {
    LoopNest nest(context);
    return static_cast<unsigned>(reducing_loops(nest, context).size());
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{32, 16, 64, 128, 8}};
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    const auto all = places(context);
    return site < all.size() ? all[site] : nullptr;
  }

  std::vector<const clang::Stmt*> places(const KernelContext& context) const override {
    LoopNest nest(context);
    std::vector<const clang::Stmt*> all;
    for (const Loop* loop : reducing_loops(nest, context)) all.push_back(loop->statement);
    return all;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>& arguments) const override {
    LoopNest nest(context);
    auto loops = reducing_loops(nest, context);
    if (site >= loops.size()) return std::nullopt;
    int width = argument(arguments, 0, 32, 2, 256);
    while (width & (width - 1)) width &= width - 1;
    const Loop& loop = *loops[site];
    if (loop.constant_trips(context.ast).value_or(width) < width || loop.step > 1024) return std::nullopt;
    const std::vector<ReducedVariable> targets = targets_of(context, loop);
    const std::string text = LanesText(context, loop, targets, width).text();
    if (text.empty()) return std::nullopt;
    Edits edits(context);
    edits.replace(range_with_pragmas(context.ast, loop.statement), text);
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_reduction_lanes() {
  return std::make_unique<ReductionLanes>();
}

}  // namespace hone::frontend
