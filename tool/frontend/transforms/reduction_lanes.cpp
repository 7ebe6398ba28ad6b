// Splits the reductions of a loop over lanes: as many running values as a few vectors hold, folded at the end.
//
// A compiler may not change the order of floating additions, so a plain sum runs at the latency of one addition per
// element. With the lanes written out as an array and an inner loop of constant length, any compiler vectorises it
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

#include "tool/frontend/transforms/accesses.h"
#include "tool/frontend/transforms/edits.h"
#include "tool/frontend/transforms/loop_text.h"

namespace hone::frontend {
namespace {

struct Target {
  const clang::VarDecl* variable;
  ReductionKind kind;
};

// The loop's reductions into local scalars; empty where something else is carried from one iteration to the next.
std::vector<Target> targets_of(const KernelContext& context, const Loop& loop) {
  if (!loop.counted) return {};
  Effects effects = effects_of(loop.body);
  if (effects.leaves) return {};
  std::vector<Target> targets;
  for (const Reduction& reduction : reductions_of(context.ast, loop)) {
    if (!reduction.variable || reduction.variable->getType()->isReferenceType() ||
        !reduction.variable->getType()->isArithmeticType())
      continue;
    bool known = false;
    for (const Target& target : targets) known |= target.variable == reduction.variable;
    if (!known) targets.push_back({reduction.variable, reduction.kind});
  }
  if (targets.empty()) return {};
  auto declared_inside = [&](const clang::ValueDecl* declaration) {
    for (auto* statement : all_of<clang::DeclStmt>(loop.statement))
      for (const clang::Decl* inner : statement->decls())
        if (inner == declaration) return true;
    return false;
  };
  for (auto* reference : all_of<clang::DeclRefExpr>(loop.body)) {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || variable == loop.variable || declared_inside(variable)) continue;
    bool reduced = false;
    for (const Target& target : targets) reduced |= target.variable == variable;
    if (!reduced && writes_variable(loop.body, variable)) return {};
  }
  return targets;
}

std::vector<Loop*> reducing_loops(LoopNest& nest, const KernelContext& context) {
  return nest.where([&](const Loop& loop) { return !targets_of(context, loop).empty(); });
}

// What a lane starts with, so that folding it in changes nothing: the running value itself for minimum and maximum.
std::string start_of(const Target& target) {
  switch (target.kind) {
    case ReductionKind::product:
      return "1";
    case ReductionKind::minimum:
    case ReductionKind::maximum:
      return target.variable->getNameAsString();
    case ReductionKind::bit_and:
      return "~0";
    default:
      return "0";
  }
}

// `into` updated by `value`.
std::string fold(ReductionKind kind, const std::string& into, const std::string& value) {
  switch (kind) {
    case ReductionKind::product:
      return into + " *= " + value;
    case ReductionKind::minimum:
      return into + " = " + value + " < " + into + " ? " + value + " : " + into;
    case ReductionKind::maximum:
      return into + " = " + value + " > " + into + " ? " + value + " : " + into;
    case ReductionKind::bit_and:
      return into + " &= " + value;
    case ReductionKind::bit_or:
      return into + " |= " + value;
    case ReductionKind::bit_xor:
      return into + " ^= " + value;
    default:
      return into + " += " + value;
  }
}

// The loop in blocks of `width` lanes, and its tail.
std::string write(const KernelContext& context, const Loop& loop, const std::vector<Target>& targets, int width) {
  const std::string variable = loop.variable->getNameAsString();
  const std::string lane = fresh_name(context, "lane"), block = fresh_name(context, variable + "_block");
  auto each = [&](int count) {
    return "for (int " + lane + " = 0; " + lane + " < " + std::to_string(count) + "; ++" + lane + ") ";
  };
  Substitution body(context.ast);
  std::string start, folded, inside;
  for (const Target& target : targets) {
    std::string name = target.variable->getNameAsString(), lanes = fresh_name(context, name + "_lanes");
    std::string mine = lanes + "[" + lane + "]", type = plain_type(context.ast, target.variable->getType());
    if (type.empty()) return {};
    start += type + " " + lanes + "[" + std::to_string(width) + "];\n" + each(width) + mine + " = " + start_of(target) +
             ";\n";
    for (int half = width / 2; half > 1; half /= 2)
      folded += each(half) + fold(target.kind, mine, lanes + "[" + lane + " + " + std::to_string(half) + "]") + ";\n";
    folded += fold(target.kind, lanes + "[0]", lanes + "[1]") + ";\n" + fold(target.kind, name, lanes + "[0]") + ";\n";
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
