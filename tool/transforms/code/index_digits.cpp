#include "tool/transforms/code/index_digits.h"

#include <algorithm>

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

// One place where the number is taken apart: number / unit % extent.
struct DigitPlace {
  const clang::Expr* expression = nullptr;
  IndexPolynomial unit;
  std::vector<const clang::Expr*> divisors;  // whose product is the unit
  const clang::Expr* extent_text = nullptr;
  std::optional<IndexPolynomial> extent;  // nullopt: no % behind it
};

const clang::BinaryOperator* operation(const clang::Expr* expression, clang::BinaryOperatorKind kind) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParenImpCasts());
  return binary && binary->getOpcode() == kind ? binary : nullptr;
}

// Finds places where `number` is taken apart.
class PlaceFinder {
 public:
  PlaceFinder(const KernelContext& context, const clang::VarDecl* number)
      : ast_(context.ast), body_(context.kernel->getBody()), number_(number) {}

  void visit(const clang::Stmt* statement) {
    if (!statement) return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement))
      if (auto place = read(expression)) {
        places_.push_back(std::move(*place));
        return;
      }
    for (const clang::Stmt* child : statement->children()) visit(child);
  }
  std::vector<DigitPlace> take() { return std::move(places_); }

 private:
  std::optional<DigitPlace> read(const clang::Expr* expression) const {
    DigitPlace place;
    place.expression = expression->IgnoreParenImpCasts();
    place.unit = IndexPolynomial::constant(1);
    const auto* rest = operation(expression, clang::BO_Rem);
    if (rest) {
      place.extent = IndexPolynomial::of(ast_, rest->getRHS());
      place.extent_text = rest->getRHS();
      if (!place.extent) return std::nullopt;
    } else if (!operation(expression, clang::BO_Div)) {
      return std::nullopt;
    }
    return divide(rest ? rest->getLHS() : expression, place) ? std::optional(place) : std::nullopt;
  }

  // number / a / b, where t = number / a; t / b
  bool divide(const clang::Expr* expression, DigitPlace& place) const {
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts())) {
      if (reference->getDecl() == number_) return true;
      const auto* part = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      return part && part->isLocalVarDecl() && part->hasInit() && operation(part->getInit(), clang::BO_Div) &&
             !writes_variable(body_, part) && divide(part->getInit(), place);
    }
    const auto* division = operation(expression, clang::BO_Div);
    const auto by = division ? IndexPolynomial::of(ast_, division->getRHS()) : std::nullopt;
    if (!by) return false;
    place.unit = place.unit * *by;
    place.divisors.push_back(division->getRHS());
    return divide(division->getLHS(), place);
  }

  const clang::ASTContext& ast_;
  const clang::Stmt* body_;
  const clang::VarDecl* number_;
  std::vector<DigitPlace> places_;
};

std::vector<DigitPlace> places_of(const KernelContext& context, const std::vector<const clang::Stmt*>& work,
                                  const clang::VarDecl* number) {
  PlaceFinder finder(context, number);
  for (const clang::Stmt* statement : work) finder.visit(statement);
  return finder.take();
}

// The local that a place initializes and that never changes; null: there is none.
const clang::VarDecl* local_of_place(const KernelContext& context, const std::vector<const clang::Stmt*>& work,
                                     const clang::Expr* place) {
  for (const clang::Stmt* statement : work)
    for (const clang::VarDecl* variable : declared_in(statement))
      if (variable->hasInit() && variable->getInit()->IgnoreParenImpCasts() == place &&
          !writes_variable(context.kernel->getBody(), variable))
        return variable;
  return nullptr;
}

class DigitChain {
 public:
  DigitChain(const KernelContext& context, const DeviceKernel& kernel)
      : context_(context), work_(kernel.work), left_(places_of(context, work_, kernel.along('x')->variable)) {}

  std::optional<IndexDigits> build(const clang::Expr* items) {
    if (left_.empty()) return std::nullopt;
    while (!left_.empty())
      if (!add_next() && !add_first_unnamed()) return std::nullopt;
    if (!has_highest_) found_.digits.emplace_back();
    const auto count = IndexPolynomial::of(context_.ast, items);
    if (found_.digits.size() < 2 || !count || !quotient(*count, unit_) || spoiled_) return std::nullopt;
    return std::move(found_);
  }

 private:
  std::string text(const clang::Expr* expression) {
    const std::string text = text_of(context_.ast, expression);
    spoiled_ |= text.empty();
    found_.extents.push_back(expression);
    return "(" + text + ")";
  }

  // All places of the digit whose unit comes next.
  bool add_next() {
    const auto next = std::ranges::find_if(left_, [&](const DigitPlace& place) {
      return place.unit == unit_ && (place.extent || std::ranges::none_of(left_, [&](const DigitPlace& other) {
                                       return other.unit == unit_ && other.extent;
                                     }));
    });
    if (next == left_.end() || has_highest_) return false;
    const DigitPlace chosen = *next;
    IndexDigit digit;
    std::erase_if(left_, [&](const DigitPlace& place) {
      const bool same = place.unit == unit_ && place.extent == chosen.extent;
      if (same) digit.places.push_back(place.expression);
      return same || (place.unit == unit_ && !place.extent);  // all that is left: as the item's number says
    });
    const clang::VarDecl* local = nullptr;
    for (const clang::Expr* place : digit.places)
      if (!local) local = local_of_place(context_, work_, place);
    if (local) digit.name = local->getNameAsString();
    if (chosen.extent) digit.extent = text(chosen.extent_text);
    has_highest_ = !chosen.extent;
    if (chosen.extent && local && split(digit, chosen, local)) return true;
    if (chosen.extent) unit_ = unit_ * *chosen.extent;
    found_.digits.push_back(std::move(digit));
    return true;
  }

  // A digit that its local takes apart again: two digits, and places that hold both.
  bool split(const IndexDigit& digit, const DigitPlace& whole, const clang::VarDecl* local) {
    const auto parts = places_of(context_, work_, local);
    const auto lower =
        std::ranges::find_if(parts, [](const DigitPlace& part) { return part.extent && part.divisors.empty(); });
    const auto upper = std::ranges::find_if(parts, [](const DigitPlace& part) { return !part.extent; });
    if (lower == parts.end() && upper == parts.end()) return false;
    const IndexPolynomial extent = lower != parts.end() ? *lower->extent : upper->unit;
    if (lower == parts.end() && upper->divisors.size() != 1) return false;
    if (!quotient(*whole.extent, extent)) return false;
    IndexDigit low, high;
    low.extent = text(lower != parts.end() ? lower->extent_text : upper->divisors.front());
    low.name = digit.name + "_low";
    high.name = digit.name + "_high";
    high.extent = "(" + digit.extent + " / " + low.extent + ")";
    for (const DigitPlace& part : parts) {
      if (part.extent && part.divisors.empty() && *part.extent == extent)
        low.places.push_back(part.expression);
      else if (!part.extent && part.unit == extent)
        high.places.push_back(part.expression);
    }
    for (const clang::Expr* place : digit.places) found_.joined.push_back({place, found_.digits.size()});
    found_.digits.push_back(std::move(low));
    found_.digits.push_back(std::move(high));
    unit_ = unit_ * *whole.extent;
    return true;
  }

  // A lowest digit that nothing asks for: i / pixels % channels.
  bool add_first_unnamed() {
    if (!found_.digits.empty()) return false;
    const auto least = std::ranges::find_if(left_, [&](const DigitPlace& place) {
      return place.divisors.size() == 1 && std::ranges::all_of(left_, [&](const DigitPlace& other) {
               return other.unit == place.unit || quotient(other.unit, place.unit);
             });
    });
    if (least == left_.end()) return false;
    found_.digits.push_back({"", text(least->divisors.front()), {}});
    unit_ = least->unit;
    return true;
  }

  const KernelContext& context_;
  const std::vector<const clang::Stmt*>& work_;
  std::vector<DigitPlace> left_;
  IndexPolynomial unit_ = IndexPolynomial::constant(1);
  IndexDigits found_;
  bool has_highest_ = false, spoiled_ = false;
};

// One term divided by another.
std::optional<IndexPolynomial> term_quotient(const std::pair<const IndexPolynomial::Monomial, long long>& whole,
                                             const std::pair<const IndexPolynomial::Monomial, long long>& part) {
  if (part.second == 0 || whole.second % part.second != 0 || !std::ranges::includes(whole.first, part.first))
    return std::nullopt;
  IndexPolynomial result = IndexPolynomial::constant(whole.second / part.second);
  IndexPolynomial::Monomial rest;
  std::ranges::set_difference(whole.first, part.first, std::back_inserter(rest));
  for (const auto* variable : rest) result = result * IndexPolynomial::variable(variable);
  return result;
}

}  // namespace

std::optional<IndexPolynomial> quotient(const IndexPolynomial& whole, const IndexPolynomial& part) {
  if (part.terms().empty()) return std::nullopt;
  for (const auto& term : whole.terms()) {
    const auto result = term_quotient(term, *part.terms().begin());
    if (result && *result * part == whole) return result;
  }
  return std::nullopt;
}

std::optional<IndexDigits> index_digits(const KernelContext& context, const DeviceKernel& kernel,
                                        const clang::Expr* items) {
  return kernel.along('x') ? DigitChain(context, kernel).build(items) : std::nullopt;
}

}  // namespace hone::frontend
