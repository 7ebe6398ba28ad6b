// Splits a scan, whose running value is read in every iteration, over the lanes of a vector: the lanes' own prefix
// takes as many steps as their number has digits in base 2, and from vector to vector the running value takes one.
//
//   for (int i = 0; i < n; ++i) { s += x[i]; y[i] = s; }
// becomes
//   for (int i_block = 0; i_block < i_end; i_block += 8) {
//     for (lane) lanes[lane] = x[i_block + lane];
//     prefix = lanes; prefix += prefix moved by 1; … by 2; … by 4;
//     running[0] = s; running[1..8] = prefix + s; s += prefix[7];
//     for (lane) y[i_block + lane] = running[lane + 1];
//   }
//   for (int i = i_end; i < n; ++i) { s += x[i]; y[i] = s; }

#include <algorithm>
#include <set>

#include "tool/transforms/code/function_attribute.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"
#include "tool/transforms/code/reduction_text.h"

namespace hone::frontend {
namespace {

// A loop that carries one running value and nothing else.
struct Scan {
  const clang::VarDecl* running = nullptr;
  ReductionKind kind = ReductionKind::sum;
  const clang::Stmt* update = nullptr;  // the statement of the body that changes it
  // Where the running value is multiplied first, by what the loop does not change: s = factor * s + addend.
  const clang::Expr *factor = nullptr, *addend = nullptr;
  std::vector<const clang::Stmt*> preparation;  // declarations in front of it that do not look at it
};

unsigned references(const clang::Stmt* statement, const clang::ValueDecl* variable) {
  const auto all = all_of<clang::DeclRefExpr>(statement);
  return static_cast<unsigned>(
      std::count_if(all.begin(), all.end(), [&](auto* reference) { return reference->getDecl() == variable; }));
}

// The statement makes the running value of itself, by updates of one kind, and looks at it nowhere else.
bool only_updates(const std::vector<Reduction>& updates, const clang::Stmt* statement, const Scan& scan) {
  std::size_t in_updates = 0;
  for (const Reduction& update : updates) {
    if (update.variable != scan.running) continue;
    if (update.kind != scan.kind || !holds(statement, update.update)) return false;
    in_updates += update.mentions.size();
  }
  return in_updates == references(statement, scan.running);
}

bool changes_running_value_twice(const Loop& loop, const Scan& scan) {
  const auto statements = statements_of(loop.body);
  return std::any_of(statements.begin(), statements.end(), [&](const clang::Stmt* statement) {
    return statement != scan.update && writes_variable(statement, scan.running);
  });
}

bool changes_others(const Loop& loop, const clang::VarDecl* running) {
  return std::ranges::any_of(changed_from_outside(loop),
                             [&](const clang::VarDecl* variable) { return variable != running; });
}

// What iterations write is not what later ones make the running value of.
bool reads_in_time(const clang::ASTContext& ast, const Loop& loop, const Scan& scan) {
  auto reads = accesses_in(ast, scan.update);
  for (const clang::Stmt* statement : scan.preparation)
    for (const Access& access : accesses_in(ast, statement)) reads.push_back(access);
  for (const Access& write : accesses_in(ast, loop.body)) {
    if (!write.writes) continue;
    for (const Access& read : reads) {
      if (!read.base || !write.base) return false;
      if (read.base != write.base) continue;
      if (!read.index || !write.index || !(*read.index == *write.index)) return false;
      if (write.stride(loop.variable) == Stride::zero) return false;
    }
  }
  return true;
}

// Declarations that the update may need; false where it needs what cannot be known before the running value is.
bool set_preparation(const Loop& loop, Scan& scan) {
  std::set<const clang::ValueDecl*> late{scan.running};
  for (const clang::Stmt* statement : statements_of(loop.body)) {
    if (statement == scan.update) break;
    if (!llvm::isa<clang::DeclStmt>(statement)) {
      for (auto* variable : declared_in(loop.body))
        if (writes_variable(statement, variable)) late.insert(variable);
    } else if (mentions_any(statement, late)) {
      for (auto* variable : declared_in(statement)) late.insert(variable);
    } else {
      scan.preparation.push_back(statement);
    }
  }
  late.erase(scan.running);
  return !mentions_any(scan.update, late);
}

bool has_lanes(const KernelContext& context, const Scan& scan) {
  const clang::QualType type = scan.running->getType().getCanonicalType();
  const auto bytes = context.ast.getTypeSizeInChars(type).getQuantity();
  if (!type->isArithmeticType() || type->isBooleanType() || (bytes != 4 && bytes != 8)) return false;
  const bool extremum = scan.kind == ReductionKind::minimum || scan.kind == ReductionKind::maximum;
  if (extremum) return !is_c(context.ast);  // C chooses no vectors by ?:
  return !type->isFloatingType() || may_round(context.spec);
}

bool fits_in_lanes(const KernelContext& context, const Loop& loop, Scan& scan) {
  if (changes_running_value_twice(loop, scan) || changes_others(loop, scan.running)) return false;
  return has_lanes(context, scan) && set_preparation(loop, scan) && reads_in_time(context.ast, loop, scan);
}

const clang::BinaryOperator* binary_of(const clang::Expr* expression, clang::BinaryOperatorKind kind) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParenImpCasts());
  return binary && binary->getOpcode() == kind ? binary : nullptr;
}

bool is_just(const clang::Expr* expression, const clang::VarDecl* variable) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference && reference->getDecl() == variable;
}

// What `product` multiplies the variable by; null: it is no such product.
const clang::Expr* factor_of(const clang::Expr* product, const clang::VarDecl* variable) {
  const auto* times = binary_of(product, clang::BO_Mul);
  if (!times) return nullptr;
  if (is_just(times->getRHS(), variable)) return times->getLHS();
  return is_just(times->getLHS(), variable) ? times->getRHS() : nullptr;
}

// s = factor * s + addend, in either order.
bool set_linear(const Loop& loop, const clang::BinaryOperator& assignment, Scan& scan) {
  const auto* sum = binary_of(assignment.getRHS(), clang::BO_Add);
  if (!sum) return false;
  for (const bool swapped : {false, true}) {
    const clang::Expr *first = swapped ? sum->getRHS() : sum->getLHS(), *rest = swapped ? sum->getLHS() : sum->getRHS();
    scan.factor = factor_of(first, scan.running);
    scan.addend = rest;
    if (scan.factor && !mentions(rest, scan.running)) return invariant_in(scan.factor, loop);
  }
  return false;
}

std::optional<Scan> linear_scan_of(const KernelContext& context, const Loop& loop) {
  const auto own = declared_in(loop.statement);
  for (const clang::Stmt* statement : statements_of(loop.body)) {
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
    if (!assignment || assignment->getOpcode() != clang::BO_Assign) continue;
    const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    const auto* variable = target ? llvm::dyn_cast<clang::VarDecl>(target->getDecl()) : nullptr;
    if (!variable || !variable->hasLocalStorage() || std::ranges::count(own, variable) > 0) continue;
    Scan scan{.running = variable, .update = statement};
    if (!variable->getType()->isFloatingType() || !set_linear(loop, *assignment, scan)) continue;
    const bool read = references(loop.body, variable) > references(statement, variable);
    return read && fits_in_lanes(context, loop, scan) ? std::optional(scan) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Scan> scan_of(const KernelContext& context, const Loop& loop) {
  const Effects effects = effects_of(loop.body);
  if (!loop.innermost() || effects.leaves || effects.continues || effects.calls_unknown) return std::nullopt;
  if (auto linear = linear_scan_of(context, loop)) return linear;
  const auto updates = updates_in(context.ast, loop.body);
  const auto own = declared_in(loop.statement);
  for (const Reduction& update : updates) {
    if (!update.variable || std::find(own.begin(), own.end(), update.variable) != own.end()) continue;
    Scan scan{update.variable, update.kind};
    for (const clang::Stmt* statement : statements_of(loop.body))
      if (holds(statement, update.update)) scan.update = statement;
    const bool read = references(loop.body, scan.running) > references(scan.update, scan.running);
    if (!read || !only_updates(updates, scan.update, scan)) return std::nullopt;
    return fits_in_lanes(context, loop, scan) ? std::optional(scan) : std::nullopt;
  }
  return std::nullopt;
}

class ScanText {
 public:
  ScanText(const KernelContext& context, const Loop& loop, const Scan& scan, int width)
      : context_(context), loop_(loop), scan_(scan), width_(width) {
    running_ = scan.running->getNameAsString();
    type_ = plain_type(context.ast, scan.running->getType());
    lane_ = fresh_name(context, "lane");
    block_ = fresh_name(context, loop.variable->getNameAsString() + "_block");
    vector_ = fresh_name(context, running_ + "_vector");
    lanes_ = fresh_name(context, running_ + "_lanes");
    values_ = fresh_name(context, running_ + "_values");
    prefix_ = fresh_name(context, running_ + "_prefix");
    moved_ = fresh_name(context, running_ + "_moved");
    start_ = fresh_name(context, running_ + "_start");
    powers_ = fresh_name(context, running_ + "_powers");
    growth_ = fresh_name(context, running_ + "_growth");
  }

  // "": it cannot be written.
  std::string text() const {
    const std::string contributions = contributions_of_lanes(), rest = rest_of_lanes();
    const std::string original = text_of(context_.ast, loop_.body);
    if (type_.empty() || contributions.empty() || rest.empty() || original.empty()) return {};
    const std::string count = std::to_string(width_);
    return "{\ntypedef " + type_ + " " + vector_ + " __attribute__((vector_size(" + count + " * sizeof(" + type_ +
           "))));\n" + powers_of_factor() + strips_header(loop_, block_, width_) + "{\n" + type_ + " " + lanes_ + "[" +
           count + "], " + values_ + "[" + count + " + 1];\n" + contributions + prefix_text() + rest + "}\n" +
           tail_header(loop_, width_) + original + "\n}";
  }

 private:
  // powers[k]: what the running value is multiplied by in k iterations; growth: the same for each lane.
  std::string powers_of_factor() const {
    if (!scan_.factor) return {};
    const std::string count = std::to_string(width_);
    return type_ + " " + powers_ + "[" + count + " + 1];\n" + powers_ + "[0] = 1;\nfor (int " + lane_ + " = 0; " +
           lane_ + " < " + count + "; ++" + lane_ + ") " + powers_ + "[" + lane_ + " + 1] = " + powers_ + "[" + lane_ +
           "] * (" + text_of(context_.ast, scan_.factor) + ");\n" + vector_ + " " + growth_ + ";\n__builtin_memcpy(&" +
           growth_ + ", " + powers_ + " + 1, sizeof " + growth_ + ");\n";
  }

  // In a block of its own, since in C89 what a loop's header declares is declared in the block around the loop.
  std::string each_lane(const std::string& inside) const {
    const std::string offset = loop_.step == 1 ? lane_ : lane_ + " * " + std::to_string(loop_.step);
    const std::string text = "for (int " + lane_ + " = 0; " + lane_ + " < " + std::to_string(width_) + "; ++" + lane_ +
                             ") {\nconst " + loop_.type + " " + loop_.variable->getNameAsString() + " = " + block_ +
                             " + " + offset + ";\n" + inside + "}\n";
    return is_c(context_.ast) ? braces(text) + "\n" : text;
  }

  // What each iteration adds by itself.
  std::string contributions_of_lanes() const {
    Substitution update(context_.ast);
    update.rename(scan_.update, scan_.running, lanes_ + "[" + lane_ + "]");
    std::string inside = lanes_ + "[" + lane_ + "] = " + neutral_value(scan_.kind, running_) + ";\n";
    for (const clang::Stmt* statement : scan_.preparation) inside += update.text(statement) + "\n";
    inside += scan_.factor ? lanes_ + "[" + lane_ + "] = " + update.text(scan_.addend) + ";\n"
                           : update.text(scan_.update) + "\n";
    return update.spoiled() ? "" : each_lane(inside);
  }

  std::string shuffled(const std::string& other, const std::vector<int>& places) const {
    std::string text = "__builtin_shufflevector(" + prefix_ + ", " + other;
    for (int place : places) text += ", " + std::to_string(place);
    return text + ")";
  }

  // Lane by lane what comes before it: from `by` lanes below, and nothing in the first ones.
  std::string moved_by(int by) const {
    std::vector<int> places;
    for (int lane = 0; lane < width_; ++lane) places.push_back(lane < by ? width_ + lane : lane - by);
    const std::string grown = scan_.factor ? moved_ + " *= " + powers_ + "[" + std::to_string(by) + "];\n" : "";
    return moved_ + " = " + shuffled(start_, places) + ";\n" + grown + fold(scan_.kind, prefix_, moved_) + ";\n";
  }

  std::string same_in_all_lanes(const std::string& name, const std::string& value) const {
    const std::string zeros(", 0");
    std::string text =
        name + " = " + vector_ + "{" + value + "};\n" + name + " = __builtin_shufflevector(" + name + ", " + name;
    if (is_c(context_.ast)) text.replace(text.find(vector_ + "{"), vector_.size(), "(" + vector_ + ")");
    for (int lane = 0; lane < width_; ++lane) text += zeros;
    return text + ");\n";
  }

  std::string prefix_text() const {
    std::string text = vector_ + " " + prefix_ + ", " + moved_ + ", " + start_ + ";\n__builtin_memcpy(&" + prefix_ +
                       ", " + lanes_ + ", sizeof " + prefix_ + ");\n" +
                       same_in_all_lanes(start_, converted(context_.ast, type_, neutral_value(scan_.kind, running_)));
    for (int by = 1; by < width_; by *= 2) text += moved_by(by);
    text += values_ + "[0] = " + running_ + ";\n" + same_in_all_lanes(start_, running_);
    const std::string last = prefix_ + "[" + std::to_string(width_ - 1) + "]";
    if (scan_.factor)
      text += start_ + " *= " + growth_ + ";\n" + fold(scan_.kind, prefix_, start_) + ";\n" + running_ + " = " + last +
              ";\n";
    else
      text += fold(scan_.kind, running_, last) + ";\n" + fold(scan_.kind, prefix_, start_) + ";\n";
    return text + "__builtin_memcpy(" + values_ + " + 1, &" + prefix_ + ", sizeof " + prefix_ + ");\n";
  }

  // The other statements, which read the running value as it was before the update or is behind it.
  std::string rest_of_lanes() const {
    Substitution rest(context_.ast);
    std::string inside, place = lane_;
    for (const clang::Stmt* statement : statements_of(loop_.body)) {
      if (statement == scan_.update) {
        place = lane_ + " + 1";
        continue;
      }
      rest.rename(statement, scan_.running, values_ + "[" + place + "]");
      inside += rest.text(statement) + "\n";
    }
    return rest.spoiled() ? "" : each_lane(inside);
  }

  const KernelContext& context_;
  const Loop& loop_;
  const Scan& scan_;
  const int width_;
  std::string running_, type_, lane_, block_, vector_, lanes_, values_, prefix_, moved_, start_, powers_, growth_;
};

// Lanes of the widest vectors that the target has.
int widest(const KernelContext& context, const Scan& scan) {
  const auto& target = context.ast.getTargetInfo();
  const int bytes = target.hasFeature("avx512f") ? 64 : target.hasFeature("avx") ? 32 : 16;
  return bytes / static_cast<int>(context.ast.getTypeSizeInChars(scan.running->getType()).getQuantity());
}

class ScanInLanes final : public LoopTransformation {
 public:
  std::string_view name() const override { return "scan"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned site) const override {
    LoopNest nest(context);
    const Loop* loop = nest.of(place(context, site));
    const auto scan = loop ? scan_of(context, *loop) : std::nullopt;
    const int width = scan ? widest(context, *scan) : 8;
    return {width > 2 ? std::vector{width, width / 2, width * 2} : std::vector{width, width * 2}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return scan_of(context, loop).has_value();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    const auto scan = scan_of(context, loop);
    int width = argument(arguments, 0, widest(context, *scan), 2, 64);
    while (width & (width - 1)) width &= width - 1;
    if (loop.constant_trips(context.ast).value_or(width) < width || loop.step > 1024) return std::nullopt;
    const std::string text = ScanText(context, loop, *scan, width).text();
    return text.empty() ? std::nullopt : std::optional(text);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_scan() {
  return std::make_unique<ScanInLanes>();
}

}  // namespace hone::frontend
