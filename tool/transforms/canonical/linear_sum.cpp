#include "tool/transforms/canonical/linear_sum.h"

#include <algorithm>
#include <vector>

#include "tool/transforms/canonical/operation.h"
#include "tool/transforms/code/edits.h"

namespace hone::frontend {
namespace {

constexpr std::string_view begin = ".begin()";

bool is_iterator_like(clang::QualType type) {
  return type->isPointerType() || type->isRecordType();
}

clang::QualType decayed(const clang::ASTContext& ast, clang::QualType type) {
  return type->isArrayType() ? ast.getArrayDecayedType(type) : type;
}

class Reader {
 public:
  Reader(const clang::ASTContext& ast, const LinearSum::Meaning& meaning) : ast_(ast), meaning_(meaning) {}

  // Adds `times` the expression.
  bool read(const clang::Expr* expression, long long times, unsigned depth = 0) {
    if (depth > 20 || expression->isValueDependent()) return false;
    expression = as_operand(expression);
    clang::Expr::EvalResult value;
    if (expression->getType()->isIntegerType() && expression->EvaluateAsInt(value, ast_)) {
      numbers += times * value.Val.getInt().getExtValue();
      return true;
    }
    if (const auto operation = operation_of(expression); operation.right) {
      const bool sum = operation.kind == clang::OO_Plus, difference = operation.kind == clang::OO_Minus;
      if (sum || difference)
        return read(operation.left, times, depth + 1) && read(operation.right, sum ? times : -times, depth + 1);
    }
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression);
        address && address->getOpcode() == clang::UO_AddrOf)
      if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens()))
        return read(element->getBase(), times, depth + 1) && read(element->getIdx(), times, depth + 1);
    if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression); call && read_end(*call, times))
      return true;
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
    const auto* name = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (const clang::Expr* stands_for = name ? meaning_(name) : nullptr) {
      Reader inner(ast_, meaning_);
      if (inner.read(stands_for, times, depth + 1)) {
        numbers += inner.numbers;
        parts.insert(parts.end(), inner.parts.begin(), inner.parts.end());
        return true;
      }
    }
    return add(expression, name, times);
  }

  struct Part {
    std::string text;
    long long factor;
    clang::QualType type;
    const clang::VarDecl* name;
  };
  std::vector<Part> parts;
  long long numbers = 0;

 private:
  bool add(const clang::Expr* expression, const clang::VarDecl* name, long long times) {
    const clang::QualType type = expression->getType();
    if (!type->isIntegerType() && !is_iterator_like(type) && !type->isArrayType()) return false;
    std::string text = text_of(ast_, expression);
    if (text.empty()) return false;
    if (!name && !llvm::isa<clang::CallExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(expression))
      text = "(" + text + ")";
    parts.push_back({std::move(text), times, decayed(ast_, type), name});
    return true;
  }

  // x.end() is x.begin() and so many elements more as x has.
  bool read_end(const clang::CXXMemberCallExpr& call, long long times) {
    const auto* function = call.getMethodDecl();
    if (!function || call.getNumArgs() != 0 || !function->getDeclName().isIdentifier()) return false;
    const llvm::StringRef name = function->getName();
    const auto* object = llvm::dyn_cast<clang::DeclRefExpr>(call.getImplicitObjectArgument()->IgnoreParenImpCasts());
    if (!object || object->getType()->isPointerType()) return false;
    const std::string container = text_of(ast_, object);
    const bool end = name == "end" || name == "cend";
    if (container.empty() || (!end && name != "begin" && name != "cbegin")) return false;
    parts.push_back({container + std::string(begin), times, call.getType(), nullptr});
    if (end) parts.push_back({container + ".size()", times, ast_.getSizeType(), nullptr});
    return true;
  }

  const clang::ASTContext& ast_;
  const LinearSum::Meaning& meaning_;
};

}  // namespace

std::optional<LinearSum> LinearSum::of(const clang::ASTContext& ast, const clang::Expr* expression,
                                       const Meaning& meaning) {
  Reader reader(ast, meaning);
  if (!reader.read(expression, 1)) return std::nullopt;
  LinearSum sum = number(reader.numbers);
  for (const Reader::Part& part : reader.parts) sum.add(part.text, {part.factor, part.type, part.name});
  return sum;
}

LinearSum LinearSum::of(const clang::ASTContext& ast, const clang::VarDecl* name) {
  LinearSum sum;
  sum.add(name->getNameAsString(), {1, decayed(ast, name->getType()), name});
  return sum;
}

LinearSum LinearSum::number(long long value) {
  LinearSum sum;
  sum.constant_ = value;
  return sum;
}

void LinearSum::add(const std::string& text, Term term) {
  auto [at, is_new] = terms_.try_emplace(text, term);
  if (!is_new) at->second.factor += term.factor;
  if (at->second.factor == 0) terms_.erase(at);
}

LinearSum LinearSum::plus(const LinearSum& other, long long times) const {
  LinearSum sum = *this;
  sum.constant_ += times * other.constant_;
  for (const auto& [text, term] : other.terms_) sum.add(text, {times * term.factor, term.type, term.name});
  return sum;
}

LinearSum LinearSum::unknown() {
  LinearSum sum;
  sum.add("", {1, {}, nullptr});
  return sum;
}

long long LinearSum::factor_of_unknown() const {
  const auto found = terms_.find("");
  return found == terms_.end() ? 0 : found->second.factor;
}

LinearSum LinearSum::without_unknown() const {
  LinearSum rest = *this;
  rest.terms_.erase("");
  return rest;
}

std::optional<LinearSum::Base> LinearSum::base() const {
  std::optional<Base> found;
  for (const auto& [text, term] : terms_) {
    if (!is_iterator_like(term.type)) continue;
    const bool begins = llvm::StringRef(text).ends_with(begin);
    if (found || term.factor != 1 || (!term.name && !begins)) return std::nullopt;
    found = begins ? Base{text.substr(0, text.size() - begin.size())} : Base{text, term.name};
  }
  return found;
}

LinearSum LinearSum::without(const Base& base) const {
  LinearSum rest = *this;
  rest.terms_.erase(base.pointer ? base.text : base.text + std::string(begin));
  return rest;
}

bool LinearSum::is_one_name() const {
  return constant_ == 0 && terms_.size() == 1 && terms_.begin()->second.factor == 1 && terms_.begin()->second.name;
}

bool LinearSum::is_size() const {
  return constant_ >= 0 && terms_.size() <= 1 &&
         std::ranges::all_of(terms_, [](const auto& term) { return term.second.factor > 0; });
}

bool LinearSum::is_count() const {
  long long pointers = 0;
  for (const auto& [text, term] : terms_)
    if (is_iterator_like(term.type)) {
      if (std::abs(term.factor) != 1) return false;
      pointers += term.factor;
    }
  return pointers == 0;
}

bool LinearSum::is_unsigned() const {
  return std::ranges::any_of(terms_, [](const auto& term) { return term.second.type->isUnsignedIntegerType(); });
}

// Pointers first, so that each difference of two is one.
std::string LinearSum::side(bool positive) const {
  std::string text;
  for (const bool pointers : {true, false})
    for (const auto& [name, term] : terms_) {
      if (is_iterator_like(term.type) != pointers || (term.factor > 0) != positive) continue;
      const long long times = std::abs(term.factor);
      text += (text.empty() ? "" : " + ") + (times == 1 ? "" : std::to_string(times) + " * ") + name;
    }
  const long long number = positive ? std::max(constant_, 0LL) : std::max(-constant_, 0LL);
  if (number != 0 || text.empty()) text += (text.empty() ? "" : " + ") + std::to_string(number);
  return text;
}

std::string LinearSum::added() const {
  return side(true);
}

std::string LinearSum::taken_off() const {
  return side(false);
}

std::string LinearSum::text() const {
  std::string text;
  const auto add = [&](bool positive, const std::string& what) {
    text += text.empty() ? (positive ? "" : "-") : (positive ? " + " : " - ");
    text += what;
  };
  for (const bool pointers : {true, false})
    for (const bool positive : {true, false})
      for (const auto& [name, term] : terms_)
        if (is_iterator_like(term.type) == pointers && (term.factor > 0) == positive) {
          const long long times = std::abs(term.factor);
          add(positive, (times == 1 ? "" : std::to_string(times) + " * ") + name);
        }
  if (constant_ != 0 || text.empty()) add(constant_ >= 0, std::to_string(std::abs(constant_)));
  return text;
}

clang::QualType LinearSum::type(const clang::ASTContext& ast) const {
  clang::QualType widest = ast.IntTy;
  for (const auto& [text, term] : terms_) {
    const clang::QualType type = is_iterator_like(term.type) ? ast.getPointerDiffType() : term.type;
    const bool wider = ast.getTypeSize(type) > ast.getTypeSize(widest);
    if (wider || (ast.getTypeSize(type) == ast.getTypeSize(widest) && type->isUnsignedIntegerType())) widest = type;
  }
  return widest.getUnqualifiedType();
}

}  // namespace hone::frontend
