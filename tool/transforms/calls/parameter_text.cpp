#include "tool/transforms/calls/parameter_text.h"

#include <algorithm>

#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// base + first + second: an element's address.
struct ParameterText::Place {
  const clang::Expr* base = nullptr;
  std::vector<const clang::Expr*> offsets;
};

namespace {

bool is_one_word(const clang::Expr* expression) {
  return llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                   clang::CXXNullPtrLiteralExpr, clang::CharacterLiteral, clang::ParenExpr, clang::ArraySubscriptExpr,
                   clang::MemberExpr>(expression) ||
         (llvm::isa<clang::CallExpr>(expression) && !llvm::isa<clang::CXXOperatorCallExpr>(expression));
}

// Something that may stand beside a + as it is.
bool is_term(const clang::Expr* expression) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  return is_one_word(expression) || llvm::isa<clang::UnaryOperator, clang::CStyleCastExpr>(expression) ||
         (binary && (binary->isAdditiveOp() || binary->isMultiplicativeOp()));
}

clang::QualType bare(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

// The element type of a pointer or an array, or of itself.
clang::QualType behind(clang::QualType type) {
  type = bare(type);
  if (const auto* pointer = type->getAs<clang::PointerType>()) return bare(pointer->getPointeeType());
  if (const auto* array = type->getAsArrayTypeUnsafe()) return bare(array->getElementType());
  return {};
}

bool is_same_type(clang::QualType parameter, clang::QualType argument) {
  if (bare(parameter) == bare(argument)) return true;
  const clang::QualType to = behind(parameter);
  return parameter->isPointerType() && !to.isNull() && to == behind(argument);
}

// The sum of two indices means what two steps of a pointer mean: no sign is lost, and nothing wraps around.
bool may_be_added(const clang::ASTContext& ast, const clang::Expr* offset, const clang::Expr* index) {
  const clang::QualType left = offset->IgnoreParenImpCasts()->getType(),
                        right = index->IgnoreParenImpCasts()->getType();
  if (!left->isIntegerType() || !right->isIntegerType()) return false;
  if (left->isSignedIntegerType() && right->isSignedIntegerType()) return true;
  const auto is_natural = [&](const clang::Expr* value, clang::QualType type) {
    return llvm::isa<clang::IntegerLiteral>(value->IgnoreParenImpCasts()) ||
           (type->isUnsignedIntegerType() && ast.getTypeSize(type) == 64);
  };
  return is_natural(offset, left) && is_natural(index, right);
}

bool is_zero(const clang::Expr* index) {
  const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(index->IgnoreParenImpCasts());
  return number && number->getValue() == 0;
}

bool asks_for_size(const clang::Stmt* body) {
  return !all_of<clang::UnaryExprOrTypeTraitExpr>(body).empty();
}

}  // namespace

std::optional<ParameterText::Place> ParameterText::place_of(const clang::Expr* argument) {
  const clang::Expr* written = argument->IgnoreParenImpCasts();
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(written);
  if (sum && sum->getOpcode() == clang::BO_Add && sum->getLHS()->getType()->isPointerType()) {
    auto place = place_of(sum->getLHS());
    if (place) place->offsets.push_back(sum->getRHS());
    return place;
  }
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(written);
      address && address->getOpcode() == clang::UO_AddrOf)
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens())) {
      auto place = place_of(element->getBase());
      if (place) place->offsets.push_back(element->getIdx());
      return place;
    }
  if (llvm::isa<clang::DeclRefExpr>(written)) return Place{argument, {}};
  return std::nullopt;
}

const ParameterText::Uses& ParameterText::uses_of(const clang::ParmVarDecl* parameter) const {
  static const Uses none;
  const auto found = names_.uses.find(parameter);
  return found == names_.uses.end() ? none : found->second;
}

std::string ParameterText::written(const clang::Expr* argument) const {
  const std::string text = text_of(context_.ast, argument);
  return text.empty() || is_one_word(argument->IgnoreImplicit()) ? text : "(" + text + ")";
}

std::string ParameterText::converted_to(clang::QualType type, const clang::Expr* argument) const {
  const std::string text = written(argument);
  if (text.empty() || is_same_type(type, argument->IgnoreImplicit()->getType())) return text;
  const std::string name = spelled(context_.ast, type.getNonReferenceType().getUnqualifiedType(), "");
  return name.empty() ? "" : converted(context_.ast, name, text);
}

void ParameterText::replace_uses(Substitution& text, const clang::ParmVarDecl* parameter,
                                 const std::string& with) const {
  for (const auto* use : uses_of(parameter))
    text.replace(range_in(context_.ast, callee_.file, use->getSourceRange()), with);
}

// The argument may be written in place of the parameter's name.
bool ParameterText::stands_for(const clang::ParmVarDecl* parameter, const clang::Expr* argument) const {
  const clang::Expr* as_written = argument->IgnoreImplicit();
  if (!stable_.holds(argument) || !is_same_type(parameter->getType(), as_written->getType())) return false;
  if (as_written->getType()->isArrayType()) return !asks_for_size(callee_.body);
  return llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                   clang::CXXNullPtrLiteralExpr, clang::CharacterLiteral>(as_written->IgnoreParens());
}

// p[i] and *p become base[offset + i] and base[offset].
bool ParameterText::write_elements(Substitution& text, const clang::ParmVarDecl* parameter,
                                   const clang::Expr* argument) const {
  const auto place = place_of(argument);
  if (!place || place->offsets.empty() || !stable_.holds(argument)) return false;
  if (!is_same_type(parameter->getType(), place->base->IgnoreParenImpCasts()->getType())) return false;
  const std::string base = text_of(context_.ast, place->base->IgnoreParenImpCasts());
  std::string offset;
  for (const clang::Expr* one : place->offsets) {
    const std::string term = is_term(one->IgnoreImplicit()) ? text_of(context_.ast, one) : written(one);
    if (base.empty() || term.empty()) return false;
    offset += (offset.empty() ? "" : " + ") + term;
  }
  for (const auto* use : uses_of(parameter)) {
    const clang::Stmt* user = names_.parents.at(use);
    const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(user);
    const auto* pointee = llvm::dyn_cast_or_null<clang::UnaryOperator>(user);
    const auto name = range_in(context_.ast, callee_.file, use->getSourceRange());
    if (pointee && pointee->getOpcode() == clang::UO_Deref) {
      text.replace(range_in(context_.ast, callee_.file, pointee->getSourceRange()), base + "[" + offset + "]");
    } else if (element && element->getBase()->IgnoreParenImpCasts() == use &&
               std::ranges::all_of(place->offsets, [&](const clang::Expr* one) {
                 return may_be_added(context_.ast, one, element->getIdx());
               })) {
      const auto index = range_in(context_.ast, callee_.file, element->getIdx()->getSourceRange());
      if (!index) {
        text.replace(index, "");  // spoils it: the uses before this one are written
        return false;
      }
      text.replace(name, base);
      const bool term = is_term(element->getIdx()->IgnoreImplicit());
      if (is_zero(element->getIdx())) {
        text.replace(index, offset);
      } else {
        text.replace(TextRange{index->begin, index->begin}, offset + (term ? " + " : " + ("));
        if (!term) text.replace(TextRange{index->end, index->end}, ")");
      }
    } else {
      text.replace(name, "(" + base + " + " + offset + ")");
    }
  }
  return !text.spoiled();
}

// *p and p->x become v and v.x where the argument is &v.
bool ParameterText::write_pointee(Substitution& text, const clang::ParmVarDecl* parameter,
                                  const clang::Expr* argument) const {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenImpCasts());
  if (!address || address->getOpcode() != clang::UO_AddrOf || !stable_.names(address->getSubExpr())) return false;
  if (behind(parameter->getType()) != bare(address->getSubExpr()->getType())) return false;
  const std::string target = written(address->getSubExpr());
  if (target.empty()) return false;
  for (const auto* use : uses_of(parameter)) {
    const clang::Stmt* user = names_.parents.at(use);
    const auto* pointee = llvm::dyn_cast_or_null<clang::UnaryOperator>(user);
    if (!llvm::isa_and_nonnull<clang::MemberExpr>(user) && !(pointee && pointee->getOpcode() == clang::UO_Deref))
      return false;
  }
  for (const auto* use : uses_of(parameter)) {
    const clang::Stmt* user = names_.parents.at(use);
    auto range = range_in(context_.ast, callee_.file, user->getSourceRange());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(user)) {
      const auto name = range_in(context_.ast, callee_.file, clang::SourceRange(member->getMemberLoc()));
      if (!range || !name) return false;
      text.replace(TextRange{range->begin, name->begin}, target + ".");
    } else {
      text.replace(range, target);
    }
  }
  return !text.spoiled();
}

bool ParameterText::write_reference(Substitution& text, const clang::ParmVarDecl* parameter,
                                    const clang::Expr* argument) const {
  if (!argument->isLValue() || !stable_.names(argument) ||
      bare(argument->IgnoreImplicit()->getType()) != bare(parameter->getType()))
    return false;
  const std::string name = written(argument);
  if (!name.empty()) replace_uses(text, parameter, name);
  return !name.empty() && !text.spoiled();
}

// Its text, where what it computes may be computed there instead.
bool ParameterText::write_value(Substitution& text, const clang::ParmVarDecl* parameter,
                                const clang::Expr* argument) const {
  constexpr std::size_t longest = 40;
  const std::size_t uses = uses_of(parameter).size();
  if (!callee_.value || !is_quiet(argument)) return false;
  const std::string value = converted_to(parameter->getType(), argument);
  if (value.empty() || (uses > 1 && (may_declare_ || value.size() > longest))) return false;
  replace_uses(text, parameter, value);
  return !text.spoiled();
}

std::optional<std::string> ParameterText::declare(Substitution& text, const clang::ParmVarDecl* parameter,
                                                  const clang::Expr* argument, FreshNames& fresh) const {
  const std::string value = text_of(context_.ast, argument);
  if (!may_declare_ || value.empty()) return std::nullopt;
  const llvm::StringRef body =
      context_.sources().getBufferData(callee_.file).slice(callee_.inside.begin, callee_.inside.end);
  const std::string stem = parameter->getNameAsString(), name = fresh.take(stem.empty() ? "unused" : stem, body);
  clang::QualType type = parameter->getType();
  if (type->isReferenceType() && argument->isLValue()) {
    if (bare(argument->IgnoreImplicit()->getType()) != bare(type)) return std::nullopt;
    replace_uses(text, parameter, name);
    return (type.getNonReferenceType().isConstQualified() ? "const auto& " : "auto& ") + name + " = " + value + ";\n";
  }
  type = type.getNonReferenceType();
  if (!writes_variable(callee_.body, parameter)) type = type.withConst();
  const std::string declared = spelled(context_.ast, type, name);
  if (declared.empty()) return std::nullopt;
  replace_uses(text, parameter, name);
  return declared + " = " + value + ";\n";
}

std::optional<std::string> ParameterText::write(Substitution& text, const clang::ParmVarDecl* parameter,
                                                const clang::Expr* argument, FreshNames& fresh) const {
  if (llvm::isa<clang::CXXDefaultArgExpr, clang::InitListExpr>(argument->IgnoreImplicit())) return std::nullopt;
  if (uses_of(parameter).empty() && is_quiet(argument)) return "";
  if (parameter->getType()->isReferenceType() && write_reference(text, parameter, argument)) return "";
  const bool changes = writes_variable(callee_.body, parameter);
  const bool by_value = !parameter->getType()->isReferenceType() || !argument->isLValue();
  if (by_value && !changes) {
    if (stands_for(parameter, argument)) {
      replace_uses(text, parameter, written(argument));
      return text.spoiled() ? std::nullopt : std::optional<std::string>("");
    }
    if (parameter->getType()->isPointerType() &&
        (write_pointee(text, parameter, argument) || write_elements(text, parameter, argument)))
      return "";
    if (write_value(text, parameter, argument)) return "";
  } else if (!by_value && write_value(text, parameter, argument)) {
    return "";
  }
  return text.spoiled() ? std::nullopt : declare(text, parameter, argument, fresh);
}

}  // namespace hone::frontend
