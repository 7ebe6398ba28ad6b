#include "tool/transforms/calls/sequence.h"

#include <set>

#include "tool/transforms/calls/body_names.h"

namespace hone::frontend {
namespace {

class Reader {
 public:
  Reader(const KernelContext& context, const StableValues& stable) : context_(context), stable_(stable) {}

  bool read(const clang::Expr* iterator, Sequence& out) const {
    iterator = as_spelled(iterator);
    const auto range = range_of(context_.ast, iterator->getSourceRange());
    if (!range) return false;
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(iterator))
      return sum->getOpcode() == clang::BO_Add && sum->getType()->isPointerType() &&
             read_sum(sum->getLHS(), sum->getRHS(), out);
    if (const auto* sum = llvm::dyn_cast<clang::CXXOperatorCallExpr>(iterator))
      return sum->getOperator() == clang::OO_Plus && sum->getNumArgs() == 2 &&
             read_sum(sum->getArg(0), sum->getArg(1), out);
    if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(iterator)) return read_member(*call, out);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(iterator)) return read_free(*call, out);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(iterator);
    if (!name) return false;
    const clang::QualType type = name->getType();
    if (type->isPointerType())
      out.element = type->getPointeeType();
    else if (const auto* array = context_.ast.getAsArrayType(type))
      out.element = array->getElementType();
    else
      return false;
    out.base = name->getDecl();
    return type->isPointerType() ? stable_.holds(name) : stable_.names(name);
  }

 private:
  bool read_sum(const clang::Expr* base, const clang::Expr* offset, Sequence& out) const {
    offset = as_spelled(offset);
    if (!offset->getType()->isIntegerType() || !stable_.holds(offset) || !read(base, out)) return false;
    out.offsets.push_back(offset);
    return true;
  }

  bool read_container(const clang::Expr* object, const std::string& function, Sequence& out) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(as_spelled(object));
    if (!name || !stable_.names(name)) return false;
    const auto element = element_of_container(context_.ast, name->getType());
    if (!element) return false;
    out.base = name->getDecl();
    out.element = *element;
    out.container = true;
    out.at_end = function == "end" || function == "cend";
    return out.at_end || function == "begin" || function == "cbegin" || function == "data";
  }

  bool read_member(const clang::CXXMemberCallExpr& call, Sequence& out) const {
    return call.getMethodDecl() && call.getNumArgs() == 0 &&
           !call.getImplicitObjectArgument()->getType()->isPointerType() &&
           read_container(call.getImplicitObjectArgument(), call.getMethodDecl()->getNameAsString(), out);
  }

  // std::begin(v) and its kin.
  bool read_free(const clang::CallExpr& call, Sequence& out) const {
    const auto* function = call.getDirectCallee();
    return function && function->isInStdNamespace() && call.getNumArgs() == 1 &&
           read_container(call.getArg(0), function->getNameAsString(), out);
  }

  const KernelContext& context_;
  const StableValues& stable_;
};

// In parentheses where a sign beside it would change its meaning.
std::string term(const clang::ASTContext& ast, const clang::Expr* offset) {
  const std::string text = text_of(ast, offset);
  return llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::CXXMemberCallExpr>(offset) ? text
                                                                                                : "(" + text + ")";
}

std::string sum_of(const clang::ASTContext& ast, const Sequence& sequence) {
  std::string sum;
  for (const clang::Expr* offset : sequence.offsets) sum += (sum.empty() ? "" : " + ") + term(ast, offset);
  return sum;
}

std::string size_of(const Sequence& sequence) {
  return sequence.base->getNameAsString() + ".size()";
}

}  // namespace

const clang::Expr* as_spelled(const clang::Expr* expression) {
  return expression->IgnoreUnlessSpelledInSource()->IgnoreParens();
}

std::optional<clang::QualType> element_of_container(const clang::ASTContext& ast, clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  static const std::set<std::string> known = {"vector", "array", "span"};
  if (!made || !made->isInStdNamespace() || !known.contains(made->getNameAsString())) return std::nullopt;
  const clang::TemplateArgument& argument = made->getTemplateArgs().get(0);
  if (argument.getKind() != clang::TemplateArgument::Type) return std::nullopt;
  const clang::QualType element = argument.getAsType();
  if (made->getNameAsString() == "vector" && element->isBooleanType()) return std::nullopt;
  return ast.getCanonicalType(element);
}

std::string Sequence::at(const clang::ASTContext& ast, const std::string& index) const {
  const std::string sum = sum_of(ast, *this);
  return base->getNameAsString() + "[" + (sum.empty() ? "" : sum + " + ") + index + "]";
}

std::string Sequence::iterator(const clang::ASTContext& ast, const std::string& index) const {
  const std::string sum = sum_of(ast, *this);
  return "(" + base->getNameAsString() + (container ? ".begin()" : "") + (sum.empty() ? "" : " + " + sum) + " + " +
         index + ")";
}

std::optional<Sequence> sequence_at(const KernelContext& context, const StableValues& stable,
                                    const clang::Expr* iterator) {
  Sequence sequence;
  if (!Reader(context, stable).read(iterator, sequence)) return std::nullopt;
  return sequence;
}

std::optional<Count> count_between(const clang::ASTContext& ast, const Sequence& first, const Sequence& last) {
  if (first.base != last.base || first.at_end) return std::nullopt;
  // Where both begin alike, the rest of the second counts.
  std::size_t alike = 0;
  while (alike < first.offsets.size() && alike < last.offsets.size() &&
         text_of(ast, first.offsets[alike]) == text_of(ast, last.offsets[alike]))
    ++alike;
  if (alike == first.offsets.size() && last.offsets.size() == alike + 1 && !last.at_end) {
    const clang::Expr* offset = last.offsets.back();
    return Count{term(ast, offset), spelled(ast, offset->getType().getUnqualifiedType(), "")};
  }
  if (first.offsets.empty() && last.offsets.empty() && last.at_end) return Count{size_of(last), "std::size_t"};
  const auto as_signed = [](const std::string& text) { return "static_cast<std::ptrdiff_t>(" + text + ")"; };
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : " + ") + as_signed(what); };
  if (last.at_end) add(size_of(last));
  for (const clang::Expr* offset : last.offsets) add(text_of(ast, offset));
  if (text.empty()) text = "0";
  for (const clang::Expr* offset : first.offsets) text += " - " + as_signed(text_of(ast, offset));
  return Count{text, "std::ptrdiff_t"};
}

}  // namespace hone::frontend
