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

// The loop in blocks of `width` lanes, and its tail.
std::string write(const KernelContext& context, const Loop& loop, const std::vector<ReducedVariable>& targets,
                  int width) {
  const std::string variable = loop.variable->getNameAsString();
  const std::string lane = fresh_name(context, "lane"), block = fresh_name(context, variable + "_block");
  const auto each_of = [&](const std::string& count) {
    return "for (int " + lane + " = 0; " + lane + " < " + count + "; ++" + lane + ") ";
  };
  const auto each = [&](int count) { return each_of(std::to_string(count)); };
  const std::string apart = context.compact ? fresh_name(context, "half") : "";
  Substitution body(context.ast);
  std::string start, folded, inside;
  for (const ReducedVariable& target : targets) {
    std::string name = target.variable->getNameAsString(), lanes = fresh_name(context, name + "_lanes");
    std::string mine = lanes + "[" + lane + "]", type = plain_type(context.ast, target.variable->getType());
    if (type.empty()) return {};
    const std::string neutral = neutral_value(target.kind, name);
    const bool zeros = context.compact && neutral == "0";
    start += type + " " + lanes + "[" + std::to_string(width) + "]" + (zeros ? " = {0};\n" : ";\n");
    if (!zeros) start += each(width) + mine + " = " + neutral + ";\n";
    if (context.compact)
      folded += "for (int " + apart + " = " + std::to_string(width / 2) + "; " + apart + " > 0; " + apart + " /= 2)\n" +
                each_of(apart) + fold(target.kind, mine, lanes + "[" + lane + " + " + apart + "]") + ";\n";
    for (int half = width / 2; half > 1 && !context.compact; half /= 2)
      folded += each(half) + fold(target.kind, mine, lanes + "[" + lane + " + " + std::to_string(half) + "]") + ";\n";
    if (!context.compact) folded += fold(target.kind, lanes + "[0]", lanes + "[1]") + ";\n";
    folded += fold(target.kind, name, lanes + "[0]") + ";\n";
    body.rename(loop.body, target.variable, mine);
  }
  for (const clang::Stmt* statement : statements_of(loop.body)) inside += body.text(statement) + "\n";
  std::string original = text_of(context.ast, loop.body);
  if (body.spoiled() || original.empty()) return {};
  std::string offset = loop.step == 1 ? lane : lane + " * " + std::to_string(loop.step);
  return "{\n" + start + strips_header(loop, block, width) + "\n" + each(width) + "{\nconst " + loop.type + " " +
         variable + " = " + block + " + " + offset + ";\n" + inside + "}\n" + folded + tail_header(loop, width) + "\n" +
         original + "\n}";
}

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
    LoopNest nest(context);
    auto loops = reducing_loops(nest, context);
    return site < loops.size() ? loops[site]->statement : nullptr;
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
    std::string text = write(context, loop, targets_of(context, loop), width);
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
