#include "tool/transforms/cuda/staging/walks.h"

#include <algorithm>
#include <map>

#include "tool/transforms/code/launch_arguments.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/staging/block_value.h"
#include "tool/transforms/cuda/staging/certainty.h"
#include "tool/transforms/cuda/staging/walk_header.h"

namespace hone::frontend {
namespace {

constexpr long long farthest = 8;  // iterations between two accesses that share a stretch

class StretchFinder {
 public:
  StretchFinder(const KernelContext& context, const DeviceKernel& kernel, LoopNest& nest, const Loop& loop, Walk& walk)
      : context_(context),
        nest_(nest),
        loop_(loop),
        walk_(walk),
        item_(kernel.along('x')->variable),
        accesses_(accesses_in(context.ast, loop.body)),
        written_(written_in(loop.statement)),
        written_anywhere_(written_in(context.kernel->getBody())),
        certainty_(loop.body) {}

  // False: it writes to places that nobody knows.
  bool find() {
    if (!look_at_arrays()) return false;
    std::vector<Candidate> candidates;
    for (std::size_t at = 0; at < accesses_.size(); ++at)
      if (may_be_fetched(accesses_[at])) add(candidates, accesses_[at]);
    for (Candidate& candidate : candidates)
      if (settle(candidate, candidates)) walk_.stretches.push_back(std::move(candidate.stretch));
    return true;
  }

 private:
  struct Candidate {
    Stretch stretch;
    std::vector<const Access*> accesses;
  };

  // What is done with an array in the loop, all of its accesses together.
  struct Array {
    bool is_read = false, is_written = false;
    bool is_odd = false;  // passed to a function, addressed, or seen as elements of another type
  };

  bool look_at_arrays() {
    std::set<const clang::DeclRefExpr*> in_elements;
    std::set<const clang::Expr*> addressed;
    for (const auto* unary : all_of<clang::UnaryOperator>(loop_.body))
      if (unary->getOpcode() == clang::UO_AddrOf) addressed.insert(unary->getSubExpr()->IgnoreParens());
    for (const Access& access : accesses_) {
      const auto* base = llvm::dyn_cast_or_null<clang::VarDecl>(access.base);
      if (base && is_own_memory(*base)) continue;
      const auto* parameter = base ? parameter_behind(base) : nullptr;
      if (access.writes && !parameter) return false;
      reads_anywhere_ |= !parameter;
      for (const auto* use : all_of<clang::DeclRefExpr>(access.expression)) in_elements.insert(use);
      if (!parameter) continue;
      Array& array = arrays_[parameter];
      array.is_read |= access.reads;
      array.is_written |= access.writes;
      const clang::QualType type = access.expression->getType();
      array.is_odd |= addressed.contains(access.expression->IgnoreParens()) || !access.member.empty() ||
                      is_bound(access.expression) || !is_element_of(*base, type) || !is_element_of(*parameter, type);
      if (array.is_odd) array.is_written |= may_be_written(*parameter);
    }
    for (const auto* use : all_of<clang::DeclRefExpr>(loop_.body)) {
      const auto* base = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!base || in_elements.contains(use) || is_own_memory(*base) || declares(loop_.body, base)) continue;
      const auto* parameter = parameter_behind(base);
      Array& array = arrays_[parameter ? parameter : base];
      array.is_odd = true;
      array.is_written |=
          base->getType()->isReferenceType() ? written_.contains(base) : may_be_written(*base) && is_handed_over(use);
      if (array.is_written && !parameter) return false;
    }
    return true;
  }

  // The array that a pointer points into for good: itself a parameter, or a local that is made of one. Null: nobody
  // knows.
  const clang::ParmVarDecl* parameter_behind(const clang::VarDecl* pointer) const {
    if (!pointer->getType()->isPointerType()) return nullptr;
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(pointer)) return parameter;
    if (!pointer->isLocalVarDecl() || !pointer->hasInit() || written_anywhere_.contains(pointer)) return nullptr;
    const clang::Expr* value = pointer->getInit()->IgnoreParenCasts();
    for (;;) {
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
        const auto* other = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        return other && other != pointer ? parameter_behind(other) : nullptr;
      }
      const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(value);
      const auto* address = llvm::dyn_cast<clang::UnaryOperator>(value);
      const auto* element = address && address->getOpcode() == clang::UO_AddrOf
                                ? llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens())
                                : nullptr;
      if (sum && sum->isAdditiveOp())
        value = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
      else if (element)
        value = element->getBase();
      else
        return nullptr;
      value = value->IgnoreParenCasts();
    }
  }

  // A variable, or an array that is one.
  static bool is_own_memory(const clang::VarDecl& base) {
    return !base.getType()->isPointerType() && !base.getType()->isReferenceType();
  }

  static bool may_be_written(const clang::VarDecl& base) {
    const clang::QualType type = base.getType();
    return !type->getPointeeType().isConstQualified();
  }

  // Within a call: a test whether it is null tells nothing.
  bool is_handed_over(const clang::DeclRefExpr* use) const {
    return std::ranges::any_of(all_of<clang::CallExpr>(loop_.body),
                               [&](const clang::CallExpr* call) { return holds(call, use); });
  }

  // A reference stands for it.
  bool is_bound(const clang::Expr* access) const {
    return std::ranges::any_of(declared_in(loop_.body), [&](const clang::VarDecl* variable) {
      return variable->getType()->isReferenceType() && variable->getInit() && holds(variable->getInit(), access);
    });
  }

  bool is_element_of(const clang::VarDecl& base, clang::QualType type) const {
    return base.getType()->isPointerType() &&
           context_.ast.hasSameUnqualifiedType(base.getType()->getPointeeType(), type);
  }

  bool is_plain(clang::QualType type) const {
    const auto bytes = context_.ast.getTypeSizeInChars(type).getQuantity();
    if (type.isVolatileQualified() || plain_type(context_.ast, type).empty()) return false;
    if (type->isArithmeticType()) return bytes <= 8;
    // Half precision.
    const auto* record = type->getAsCXXRecordDecl();
    return record && record->isTriviallyCopyable() && record->hasTrivialDefaultConstructor() && bytes == 2;
  }

  bool may_overlap(const clang::ValueDecl* one, const clang::ValueDecl* other) const {
    const auto* first = annotated_parameter(context_, llvm::dyn_cast<clang::ParmVarDecl>(one));
    const auto* second = annotated_parameter(context_, llvm::dyn_cast<clang::ParmVarDecl>(other));
    return !first || !second || first == second ||
           (first->alias_group != -1 && first->alias_group == second->alias_group);
  }

  // What is written may be the same memory as another array, by another name.
  bool is_apart(const clang::ParmVarDecl* base) {
    if (reads_anywhere_ && arrays_[base].is_written) return false;
    return std::ranges::none_of(arrays_, [&](const auto& other) {
      const auto& [array, use] = other;
      return array != base && (use.is_written || arrays_[base].is_written) && may_overlap(base, array);
    });
  }

  bool may_be_fetched(const Access& access) {
    const auto* base = llvm::dyn_cast_or_null<clang::VarDecl>(access.base);
    const auto* parameter = base ? parameter_behind(base) : nullptr;
    if (!parameter || !access.index || arrays_[parameter].is_odd || !is_plain(access.expression->getType()))
      return false;
    return !written_anywhere_.contains(parameter) && !declares(loop_.statement, base) && is_apart(parameter) &&
           goes_along(access);
  }

  // By one element an iteration, each thread from where it is by itself, and not side by side with its neighbors.
  bool goes_along(const Access& access) const {
    const IndexPolynomial& index = *access.index;
    const auto step = index.stride(walk_.counter);
    const auto constant = step ? step->as_constant() : std::nullopt;
    if (!constant || (*constant != 1 && *constant != -1)) return false;
    bool is_own = is_threads_own(walk_.start) || is_threads_own(access.base);
    for (const auto& [monomial, factor] : index.terms())
      for (const clang::ValueDecl* part : monomial) {
        if (part == walk_.counter) continue;
        if (written_.contains(part) || declares(loop_.statement, part)) return false;
        is_own |= is_threads_own(part);
      }
    const auto start = IndexPolynomial::of(context_.ast, walk_.start);
    const auto place = start ? index + *start * *step : index;
    const auto apart = place.stride(item_);
    const long long neighbors = apart ? apart->as_constant().value_or(0) : 0;
    return is_own && std::abs(neighbors) != 1;
  }

  // A local that counts no loop: the item, or what follows from it.
  bool is_threads_own(const clang::ValueDecl* declaration) const {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    return variable && variable->isLocalVarDecl() && !counts(variable);
  }
  bool is_threads_own(const clang::Expr* expression) const {
    return std::ranges::any_of(all_of<clang::DeclRefExpr>(expression),
                               [&](const clang::DeclRefExpr* use) { return is_threads_own(use->getDecl()); });
  }

  bool counts(const clang::VarDecl* variable) const {
    return std::ranges::any_of(nest_.loops(), [&](const Loop& loop) { return loop.variable == variable; });
  }

  void add(std::vector<Candidate>& candidates, const Access& access) {
    for (Candidate& candidate : candidates) {
      const auto distance = (*access.index - *candidate.accesses.front()->index).as_constant();
      if (candidate.stretch.named == access.base && distance && std::abs(*distance) <= farthest) {
        candidate.accesses.push_back(&access);
        return;
      }
    }
    Candidate candidate;
    candidate.stretch.named = llvm::cast<clang::VarDecl>(access.base);
    candidate.stretch.base = parameter_behind(candidate.stretch.named);
    candidate.stretch.type = plain_type(context_.ast, access.expression->getType());
    candidate.stretch.bytes = context_.ast.getTypeSizeInChars(access.expression->getType()).getQuantity();
    candidate.accesses.push_back(&access);
    candidates.push_back(std::move(candidate));
  }

  // The accesses at the place of `one`, whoever's they are.
  std::set<const clang::Stmt*> at_the_place_of(const Access& one, bool written) const {
    std::set<const clang::Stmt*> places;
    for (const Access& access : accesses_)
      if (access.base == one.base && access.index && *access.index == *one.index && (!written || access.writes))
        places.insert(access.expression);
    return places;
  }

  // Is it there in every iteration? Where it is only asked for under conditions on what memory holds, another array
  // must be there at the same index.
  bool is_there(const Access& access) const {
    if (Certainty::touches(loop_.body, at_the_place_of(access, false))) return true;
    const Guards guards = certainty_.guards_of(access.expression);
    if (!std::ranges::all_of(guards, [&](const clang::Expr* guard) { return guard && asks_memory(*guard); }))
      return false;
    return std::ranges::any_of(accesses_, [&](const Access& other) {
      return other.base != access.base && other.index && *other.index == *access.index &&
             llvm::isa_and_nonnull<clang::VarDecl>(other.base) &&
             parameter_behind(llvm::cast<clang::VarDecl>(other.base)) &&
             Certainty::touches(loop_.body, at_the_place_of(other, false));
    });
  }

  // It differs from iteration to iteration by what the loop reads, not by where it is: all of its parts do, as one that
  // is the same for all of a row may say that the row has no such elements.
  bool asks_memory(const clang::Expr& guard) const {
    const clang::Expr& plain = *guard.IgnoreParenCasts();
    if (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(&plain);
        negation && negation->getOpcode() == clang::UO_LNot)
      return asks_memory(*negation->getSubExpr());
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&plain); binary && joins_conditions(*binary))
      return asks_memory(*binary->getLHS()) && asks_memory(*binary->getRHS());
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&plain))
      return asks_memory(*choice->getCond()) && asks_memory(*choice->getTrueExpr()) &&
             asks_memory(*choice->getFalseExpr());
    return part_asks_memory(plain);
  }

  // Also where it is written as arithmetic: mask[i] & (r < special).
  static bool joins_conditions(const clang::BinaryOperator& binary) {
    const auto is_condition = [](const clang::Expr* side) {
      return side->IgnoreParenImpCasts()->getType()->isBooleanType();
    };
    const auto opcode = binary.getOpcode();
    const bool is_arithmetic = binary.isBitwiseOp() || opcode == clang::BO_Mul;
    return binary.isLogicalOp() || (is_arithmetic && (is_condition(binary.getLHS()) || is_condition(binary.getRHS())));
  }

  bool part_asks_memory(const clang::Expr& guard) const {
    std::set<const clang::DeclRefExpr*> in_elements;
    bool asks = false;
    for (const Access& access : accesses_in(context_.ast, &guard)) {
      asks |= access.index && access.index->depends_on(walk_.counter);
      for (const auto* use : all_of<clang::DeclRefExpr>(access.expression)) in_elements.insert(use);
    }
    for (const auto* use : all_of<clang::DeclRefExpr>(&guard)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || in_elements.contains(use)) continue;
      if (variable == walk_.counter) return false;
      if (!declares(loop_.body, variable)) continue;
      if (!holds_what_memory_says(*variable)) return false;
      asks = true;
    }
    return asks;
  }

  bool holds_what_memory_says(const clang::VarDecl& variable) const {
    const clang::Expr* init = variable.getInit();
    if (!init || written_.contains(&variable) || accesses_in(context_.ast, init).empty()) return false;
    const bool names_itself = std::ranges::any_of(
        all_of<clang::DeclRefExpr>(init), [&](const clang::DeclRefExpr* use) { return use->getDecl() == &variable; });
    return !names_itself && asks_memory(*init);
  }

  bool settle(Candidate& candidate, const std::vector<Candidate>& all) {
    Stretch& stretch = candidate.stretch;
    const Array& array = arrays_[stretch.base];
    const auto place = std::ranges::find_if(candidate.accesses, [&](const Access* one) { return is_there(*one); });
    if (place == candidate.accesses.end()) return false;
    const Access& first = **place;
    stretch.first = first.expression;
    stretch.index = *first.index;
    stretch.step = static_cast<int>(*first.index->stride(walk_.counter)->as_constant()) * (walk_.counts_down ? -1 : 1);
    if (array.is_written && !is_written_well(candidate, first, all)) return false;
    for (const Access* access : candidate.accesses) {
      const long long distance = *(*access->index - *first.index).as_constant() * stretch.step;
      if (std::abs(distance) <= farthest) stretch.accesses.emplace_back(access->expression, distance);
      stretch.is_read |= access->reads;
    }
    stretch.is_written = array.is_written;
    return true;
  }

  // All that is done with the array is done at one place, which every iteration writes.
  bool is_written_well(const Candidate& candidate, const Access& first, const std::vector<Candidate>& all) const {
    const auto of_array = std::ranges::count_if(accesses_, [&](const Access& one) {
      const auto* base = llvm::dyn_cast_or_null<clang::VarDecl>(one.base);
      return base && parameter_behind(base) == candidate.stretch.base;
    });
    const bool at_one_place =
        std::ranges::all_of(candidate.accesses, [&](const Access* one) { return *one->index == *first.index; });
    return at_one_place && of_array == static_cast<std::ptrdiff_t>(candidate.accesses.size()) &&
           std::ranges::count_if(all, [&](auto& one) { return one.stretch.base == candidate.stretch.base; }) == 1 &&
           Certainty::touches(loop_.body, at_the_place_of(first, true));
  }

  const KernelContext& context_;
  LoopNest& nest_;
  const Loop& loop_;
  Walk& walk_;
  const clang::VarDecl* item_;
  const std::vector<Access> accesses_;
  const std::set<const clang::ValueDecl*> written_, written_anywhere_;  // in the loop; in the kernel
  const Certainty certainty_;
  std::map<const clang::VarDecl*, Array> arrays_;
  bool reads_anywhere_ = false;  // through pointers that nobody knows
};

// nullopt: no walk, or nothing of it is worth to be fetched together.
std::optional<Walk> walk_of(const KernelContext& context, const DeviceKernel& kernel, LoopNest& nest,
                            const Loop& loop) {
  Walk walk;
  walk.statement = loop.as_for();
  if (!walk.statement || !kernel.along('x') || effects_of(loop.body).leaves || synchronizes(loop.body) ||
      !all_of<clang::LambdaExpr>(loop.body).empty() || !all_of<clang::AsmStmt>(loop.body).empty() ||
      !all_of<clang::LabelStmt>(loop.body).empty())
    return std::nullopt;
  if (!read_walk_header(context.ast, loop, walk)) return std::nullopt;
  if (!StretchFinder(context, kernel, nest, loop, walk).find() || walk.stretches.empty()) return std::nullopt;
  return walk;
}

// The walks that all threads reach together: among the statements of the work, in blocks, and in loops that run as
// often for every thread.
class WalkFinder {
 public:
  WalkFinder(const KernelContext& context, const DeviceKernel& kernel)
      : context_(context), kernel_(kernel), nest_(context) {}

  Walks find() {
    look_at(kernel_.work);
    return std::move(walks_);
  }

 private:
  void look_at(const std::vector<const clang::Stmt*>& statements) {
    for (const clang::Stmt* statement : statements) {
      const clang::Stmt* bare = without_attributes(statement);
      if (llvm::isa<clang::CompoundStmt>(bare)) look_at(statements_of(bare));
      const Loop* loop = nest_.of(bare);
      if (!loop) continue;
      if (auto walk = walk_of(context_, kernel_, nest_, *loop))
        walks_.emplace(bare, std::move(*walk));
      else if (is_run_by_all(*loop))
        look_at(statements_of(loop->body));
    }
  }

  bool is_run_by_all(const Loop& loop) {
    if (!loop.counted || !loop.owns_variable) return false;
    const Effects effects = effects_of(loop.body);
    BlockValue value(context_, nest_, loop);
    return !effects.leaves && !effects.continues && value.read(loop.lower) && value.read(loop.upper);
  }

  const KernelContext& context_;
  const DeviceKernel& kernel_;
  LoopNest nest_;
  Walks walks_;
};

}  // namespace

bool lie_alike(const Stretch& one, const Stretch& other) {
  const bool from_beginnings = one.named == one.base && other.named == other.base;
  return (from_beginnings || one.named == other.named) && one.index == other.index;
}

Walks walks_in(const KernelContext& context, const DeviceKernel& kernel) {
  return WalkFinder(context, kernel).find();
}

}  // namespace hone::frontend
