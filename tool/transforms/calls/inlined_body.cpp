#include "tool/transforms/calls/inlined_body.h"

#include "tool/transforms/calls/parameter_text.h"
#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/calls/returns.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

class BodyWriter {
 public:
  BodyWriter(const KernelContext& context, const CallPlace& place, const Callee& callee, const StableValues& stable,
             FreshNames& fresh)
      : context_(context),
        place_(place),
        callee_(callee),
        stable_(stable),
        fresh_(fresh),
        names_(callee),
        returns_(context, callee),
        text_(context.ast, callee.file) {}

  std::optional<InlinedCall> write(bool alone) {
    CalledObject object;
    if (!find_object(object) || !write_parameters() || !write_names(text_, names_, context_, callee_, object, fresh_))
      return std::nullopt;
    for (const TextRange& range : callee_.left_out) text_.replace(range, "");
    // An expression for an expression.
    if (callee_.value && (place_.quiet || !reads_memory(callee_.value))) return finished({"", value_of(callee_.value)});
    if (!place_.before) return std::nullopt;
    if (place_.returned) return finished({body(), ""});
    return returns_.ending() == Ending::value ? with_one_value(alone) : with_ends();
  }

 private:
  std::optional<InlinedCall> finished(InlinedCall call) const {
    if (text_.spoiled() || (call.value.empty() && place_needs_value())) return std::nullopt;
    call.before = declarations_ + call.before;
    return place_.before || call.before.empty() ? std::optional(std::move(call)) : std::nullopt;
  }
  bool place_needs_value() const { return !place_.alone && !place_.returned; }
  std::string body() const { return text_.text(callee_.inside); }

  static bool reads_memory(const clang::Expr* value) {
    for (const auto* cast : all_of<clang::CastExpr>(value))
      if (cast->getCastKind() == clang::CK_LValueToRValue && !local_behind(cast->getSubExpr())) return true;
    return !all_of<clang::CallExpr>(value).empty();
  }

  bool find_object(CalledObject& object) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee_.function);
    if (!method || method->isStatic()) return true;
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(place_.call);
    const auto* member = call ? llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens()) : nullptr;
    const bool acts = llvm::isa<clang::CXXOperatorCallExpr>(place_.call);
    if (!member && !acts) return false;
    const bool arrow = member && member->isArrow();
    const clang::Expr* base = acts ? place_.call->getArg(0) : member->getBase();
    const auto* own = llvm::dyn_cast<clang::CXXMethodDecl>(context_.kernel);
    if (llvm::isa<clang::CXXThisExpr>(base->IgnoreParenImpCasts())) {
      object.pointer = "this";
      return own && own->getParent()->getCanonicalDecl() == method->getParent()->getCanonicalDecl();
    }
    const clang::QualType type = base->IgnoreParenImpCasts()->getType();
    const auto* record = (arrow ? type->getPointeeType() : type.getNonReferenceType())->getAsCXXRecordDecl();
    if (!record || record->getCanonicalDecl() != method->getParent()->getCanonicalDecl()) return false;
    const std::string text = text_of(context_.ast, base->IgnoreImplicit());
    if (text.empty() ||
        !llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(base->IgnoreImplicit()))
      return false;
    const bool stays = arrow ? stable_.holds(base) : base->isLValue() && stable_.names(base);
    object = {text + (arrow ? "->" : "."), arrow ? text : "(&" + text + ")"};
    return stays;
  }

  bool write_parameters() {
    const ParameterText parameters(context_, callee_, names_, stable_, place_.before);
    const auto arguments = arguments_of(place_.call);
    if (arguments.size() != callee_.function->getNumParams()) return false;
    for (unsigned i = 0; i < arguments.size(); ++i) {
      const auto declared = parameters.write(text_, callee_.function->getParamDecl(i), arguments[i], fresh_);
      if (!declared) return false;
      declarations_ += *declared;
    }
    return true;
  }

  clang::QualType type() const { return callee_.function->getReturnType(); }

  // The value that a return gives, of the callee's own type.
  std::string value_of(const clang::Expr* value) const {
    const auto place = range_in(context_.ast, callee_.file, value->getSourceRange());
    if (!place) return "";
    const std::string text = text_.text(*place);
    const clang::Expr* written = value->IgnoreImplicit();
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(written);
        made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
      written = made->getArg(0)->IgnoreImplicit();
    const auto plain = [](clang::QualType one) {
      return one.getNonReferenceType().getCanonicalType().getUnqualifiedType();
    };
    const bool list = llvm::StringRef(text).ltrim().starts_with("{");
    if (!list && plain(written->getType()) == plain(type())) return "(" + text + ")";
    const std::string name =
        spelled(context_.ast, plain(type()) == type().getCanonicalType() ? type() : plain(type()), "");
    if (name.empty() || type()->isReferenceType()) return "";
    if (list) return is_c(context_.ast) ? "" : name + text;
    return converted(context_.ast, name, text);
  }

  std::optional<InlinedCall> with_one_value(bool alone) {
    const clang::Expr* value = returns_.last()->getRetValue();
    const auto place = returns_.range(returns_.last());
    if (!place) return std::nullopt;
    const std::string given = value ? value_of(value) : "";
    if (value && given.empty()) return std::nullopt;
    const bool may_stay = value && !type()->isVoidType() && alone && place_.quiet && is_quiet(value) && !place_.alone;
    if (may_stay && !has_destructors()) {
      text_.replace(place, "");
      return finished({body(), given});
    }
    if (!value || type()->isVoidType()) {
      text_.replace(place, value ? given + ";" : "");
      return finished({braces(body()), ""});
    }
    return with_result([&](const std::string& result) {
      text_.replace(place, assigned(result, value));
      return true;
    });
  }

  std::optional<InlinedCall> with_ends() {
    if (returns_.ending() == Ending::open) return finished({braces(body()), ""});
    if (returns_.ending() == Ending::impossible) return std::nullopt;
    return with_result([&](const std::string& result) {
      ending_ = returns_.close(text_, [&](const clang::Expr* value) { return assigned(result, value); });
      return ending_ != Ending::impossible;
    });
  }

  std::string assigned(const std::string& result, const clang::Expr* value) {
    if (!value) return "";
    const std::string given = value_of(value);
    if (given.empty()) impossible_ = true;
    if (result.empty()) return is_quiet(value) ? "" : "(void)" + given + ";";
    return result + " = " + given + ";";
  }

  // A variable for the value, if somebody wants it.
  template <class Close>
  std::optional<InlinedCall> with_result(const Close& close) {
    const bool wanted = !type()->isVoidType() && place_needs_value();
    const std::string stem =
        callee_.function->isOverloadedOperator() ? "element" : callee_.function->getNameAsString() + "_value";
    const std::string result = wanted ? fresh_.take(stem, "") : "";
    std::string declared;
    if (wanted) {
      if (!is_assignable()) return std::nullopt;
      declared = spelled(context_.ast, type().getUnqualifiedType(), result);
      if (declared.empty()) return std::nullopt;
      declared += ";\n";
    }
    if (!close(result) || impossible_) return std::nullopt;
    const std::string statements = declarations_ + body();
    declarations_ = declared;
    return finished(
        {ending_ == Ending::once ? "do " + braces(statements) + " while (0);" : braces(statements), result});
  }

  // May be declared first and have its value later.
  bool is_assignable() const {
    const clang::QualType plain = type();
    if (plain->isReferenceType() || plain.isConstQualified()) return false;
    return plain->isScalarType() || plain.isTrivialType(context_.ast);
  }

  bool has_destructors() const {
    for (const auto* local : names_.locals)
      if (local->getType().isDestructedType()) return true;
    return false;
  }

  const KernelContext& context_;
  const CallPlace& place_;
  const Callee& callee_;
  const StableValues& stable_;
  FreshNames& fresh_;
  BodyNames names_;
  ReturnWriter returns_;
  Substitution text_;
  std::string declarations_;
  Ending ending_ = Ending::value;
  bool impossible_ = false;
};

}  // namespace

std::optional<InlinedCall> inlined(const KernelContext& context, const CallPlace& place, const Callee& callee,
                                   const StableValues& stable, FreshNames& fresh, bool alone) {
  return BodyWriter(context, place, callee, stable, fresh).write(alone);
}

}  // namespace hone::frontend
