#include "tool/frontend/unit/float_to_double.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/Builtins.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/APFloat.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

bool is_float(QualType type) {
  return !type.isNull() && type->isSpecificBuiltinType(BuiltinType::Float);
}

// How much of the data of a type is float.
enum class Share { none, some, all };

Share share_of_float(QualType type) {
  type = type.getCanonicalType();
  if (const auto* array = type->getAsArrayTypeUnsafe()) return share_of_float(array->getElementType());
  if (const auto* complex = type->getAs<ComplexType>()) return share_of_float(complex->getElementType());
  if (const auto* vector = type->getAs<VectorType>()) return share_of_float(vector->getElementType());
  const RecordDecl* record = type->getAsRecordDecl();
  if (!record || !record->getDefinition()) return is_float(type) ? Share::all : Share::none;
  bool any = false, other = false;
  for (const FieldDecl* field : record->getDefinition()->fields()) {
    const Share share = share_of_float(field->getType());
    any |= share != Share::none;
    other |= share != Share::all;
  }
  return !any ? Share::none : other ? Share::some : Share::all;
}

Share share_behind(QualType pointer) {
  const QualType pointee = pointer->getPointeeType();
  return pointee.isNull() ? Share::none : share_of_float(pointee);
}

// Walks the declarations that stand in the main file before `end` and keeps the first reason.
class UnitVisitor : public SyntaxVisitor {
 public:
  UnitVisitor(const Parsed& parsed, std::size_t end)
      : context_(parsed.context()), sources_(parsed.sources()), end_(end) {}

  std::string reason;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool run(const Parsed& parsed) {
    for (Decl* declaration : parsed.declarations())
      if (in_unit(declaration->getLocation()) || llvm::isa<NamespaceDecl, LinkageSpecDecl>(declaration))
        TraverseDecl(declaration);
    return reason.empty();
  }

  bool TraverseDecl(Decl* declaration) {
    if (!reason.empty()) return false;
    if (declaration && !declaration->isImplicit() && !llvm::isa<NamespaceDecl, LinkageSpecDecl>(declaration) &&
        !in_unit(declaration->getLocation()))
      return true;
    return SyntaxVisitor::TraverseDecl(declaration);
  }

 protected:
  bool in_unit(SourceLocation location) const {
    const auto [file, offset] = sources_.getDecomposedExpansionLoc(location);
    return file == sources_.getMainFileID() && offset < end_;
  }

  bool refuse(SourceLocation location, const std::string& why) {
    const PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(location));
    if (reason.empty() && place.isValid())
      reason = std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ": " + why;
    return reason.empty();
  }

  ASTContext& context_;
  SourceManager& sources_;

 private:
  const std::size_t end_;
};

class ObstacleFinder final : public UnitVisitor {
 public:
  using UnitVisitor::UnitVisitor;

  bool VisitRecordDecl(RecordDecl* record) {
    if (!record->isUnion()) return true;
    for (const FieldDecl* field : record->fields())
      if (share_of_float(field->getType()) != Share::none)
        return refuse(record->getLocation(), "a union shows the bits of a float");
    return true;
  }

  bool VisitValueDecl(ValueDecl* value) {
    if (is_float_vector(value->getType()))
      return refuse(value->getLocation(), "'" + value->getNameAsString() + "' is a vector of float");
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee && copies_bytes(*callee) && call->getNumArgs() >= 3) check_copy(*callee, *call);
    return reason.empty();
  }

  bool VisitExpr(Expr* expression) {
    if (is_float_vector(expression->getType())) return refuse(expression->getExprLoc(), "it uses vectors of float");
    return true;
  }

  bool VisitCastExpr(CastExpr* cast) {
    if (understood_.contains(cast)) return true;
    const Expr* from = cast->getSubExpr();
    switch (cast->getCastKind()) {
      case CK_BitCast:
      case CK_PointerToIntegral:
      case CK_IntegralToPointer: {
        const Share there = share_behind(cast->getType()), here = share_behind(from->getType());
        if (here == there && here != Share::some) return true;
        break;
      }
      case CK_LValueBitCast:
      case CK_LValueToRValueBitCast: {
        const Share there = share_of_float(cast->getType()), here = share_of_float(from->getType());
        if (here == there && here != Share::some) return true;
        break;
      }
      default:
        return true;
    }
    return refuse(cast->getExprLoc(), "the bytes of a float are seen as another type");
  }

  bool VisitAsmStmt(AsmStmt* assembly) { return refuse(assembly->getAsmLoc(), "it uses inline assembly"); }

 private:
  static bool is_float_vector(QualType type) {
    if (type.isNull()) return false;
    while (type->isAnyPointerType() || type->isReferenceType()) type = type->getPointeeType();
    const auto* vector = type->getAs<VectorType>();
    return vector && is_float(vector->getElementType());
  }

  static bool copies_bytes(const FunctionDecl& callee) {
    const unsigned builtin = callee.getMemoryFunctionKind();
    return builtin == Builtin::BImemcpy || builtin == Builtin::BImemmove || fills_bytes(callee);
  }

  static bool fills_bytes(const FunctionDecl& callee) {
    const std::string name = callee.getNameAsString();
    return callee.getMemoryFunctionKind() == Builtin::BImemset || name == "cudaMemset" || name == "cudaMemsetAsync";
  }

  // Fine between floats, or filled with zeros, where the size is counted in sizeof.
  void check_copy(const FunctionDecl& callee, const CallExpr& call) {
    const bool fills = fills_bytes(callee);
    const Expr* to = call.getArg(0)->IgnoreParenImpCasts();
    const Expr* from = call.getArg(1)->IgnoreParenImpCasts();
    const Share share = share_behind(decayed(*to));
    const bool same = fills ? is_zero(*from) : share == share_behind(decayed(*from));
    const bool plain = share == Share::none ? same || fills : same && mentions_sizeof(*call.getArg(2));
    if (!plain) return;
    understand(call.getArg(0));
    understand(call.getArg(1));
  }

  QualType decayed(const Expr& expression) const {
    const QualType type = expression.getType();
    return type->isArrayType() ? context_.getArrayDecayedType(type) : type;
  }

  bool is_zero(const Expr& expression) const {
    const auto value = expression.getIntegerConstantExpr(context_);
    return value && value->isZero();
  }

  static bool mentions_sizeof(const Stmt& statement) {
    if (const auto* trait = llvm::dyn_cast<UnaryExprOrTypeTraitExpr>(&statement);
        trait && trait->getKind() == UETT_SizeOf)
      return true;
    return std::ranges::any_of(statement.children(),
                               [](const Stmt* child) { return child && mentions_sizeof(*child); });
  }

  void understand(const Expr* argument) {
    for (const auto* cast = llvm::dyn_cast<ImplicitCastExpr>(argument); cast;
         cast = llvm::dyn_cast<ImplicitCastExpr>(cast->getSubExpr()))
      understood_.insert(cast);
  }

  std::set<const CastExpr*> understood_;  // conversions to void* in calls that mean the same in double
};

// In the widened text: a float that is no constant was computed as one.
class FloatFinder final : public UnitVisitor {
 public:
  using UnitVisitor::UnitVisitor;

  bool VisitVarDecl(VarDecl* variable) {
    if (is_float(context_.getBaseElementType(variable->getType())) && !variable->isConstexpr())
      return refuse(variable->getLocation(), "'" + variable->getNameAsString() + "' stays a float");
    return true;
  }

  bool VisitExpr(Expr* expression) {
    QualType type = expression->getType();
    if (type.isNull() || expression->isValueDependent() || expression->isTypeDependent()) return true;
    while (type->isAnyPointerType() || type->isReferenceType()) type = type->getPointeeType();
    if (!is_float(context_.getBaseElementType(type))) return true;
    Expr::EvalResult value;
    if (is_float(expression->getType()) && expression->EvaluateAsRValue(value, context_)) return true;
    return refuse(expression->getExprLoc(), "a value from outside of the unit stays a float");
  }
};

// A conversion to double, as the language writes it.
struct AsDouble {
  explicit AsDouble(const LangOptions& language)
      : begin(language.CPlusPlus ? "double(" : "((double)("), end(language.CPlusPlus ? ")" : "))") {}
  std::string around(std::string_view text) const { return begin + std::string(text) + end; }
  std::string begin, end;
};

// Calls of sqrtf() and its like, and what limits of float stand in the text, by where they stand.
class NameCollector final : public UnitVisitor {
 public:
  NameCollector(const Parsed& parsed, WideningEdits& edits)
      : UnitVisitor(parsed, parsed.text().size()), edits_(edits) {}

  bool VisitDeclRefExpr(DeclRefExpr* use) {
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(use->getDecl()); function && is_float_version(*function))
      shorten(use->getNameInfo().getLoc());
    if (is_limit(*use->getDecl()) && !llvm::isa<FunctionDecl>(use->getDecl())) wrap(use->getSourceRange());
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    if (const FunctionDecl* callee = call->getDirectCallee(); callee && is_limit(*callee)) wrap(call->getSourceRange());
    return true;
  }

  bool VisitOverloadExpr(OverloadExpr* use) {
    const bool found = std::ranges::any_of(use->decls(), [](const NamedDecl* one) {
      const auto* function = llvm::dyn_cast<FunctionDecl>(one->getUnderlyingDecl());
      return function && is_float_version(*function);
    });
    if (found) shorten(use->getNameLoc());
    return true;
  }

 private:
  // A library function that ends in f because it takes or gives float.
  static bool is_float_version(const FunctionDecl& function) {
    const SourceManager& sources = function.getASTContext().getSourceManager();
    if (function.getBuiltinID() == 0 && !sources.isInSystemHeader(function.getLocation())) return false;
    if (!function.getIdentifier() || !std::string_view(function.getName()).ends_with("f")) return false;
    const auto is_float_or_pointer = [](QualType type) { return is_float(type) || share_behind(type) == Share::all; };
    return is_float(function.getReturnType()) ||
           std::ranges::any_of(function.parameters(),
                               [&](const ParmVarDecl* one) { return is_float_or_pointer(one->getType()); });
  }

  static bool is_limit(const Decl& declaration) {
    const auto* owner = llvm::dyn_cast<ClassTemplateSpecializationDecl>(declaration.getDeclContext());
    return owner && owner->getIdentifier() && owner->getName() == "numeric_limits" &&
           owner->getTemplateArgs()[0].getKind() == TemplateArgument::Type &&
           is_float(owner->getTemplateArgs()[0].getAsType());
  }

  std::optional<std::size_t> offset_of(SourceLocation location) const {
    const auto [file, offset] = sources_.getDecomposedLoc(sources_.getSpellingLoc(location));
    // A precompiled prologue is the beginning of the same text.
    if (file != sources_.getMainFileID() && file != sources_.getPreambleFileID()) return std::nullopt;
    return offset;
  }

  void shorten(SourceLocation name) {
    const auto offset = offset_of(name);
    if (!offset) return;
    const unsigned length = Lexer::MeasureTokenLength(sources_.getSpellingLoc(name), sources_, context_.getLangOpts());
    edits_[*offset + length - 1] = {1, ""};
  }

  void wrap(SourceRange range) {
    const auto begin = offset_of(range.getBegin()), last = offset_of(range.getEnd());
    if (!begin || !last) return;
    const unsigned length =
        Lexer::MeasureTokenLength(sources_.getSpellingLoc(range.getEnd()), sources_, context_.getLangOpts());
    if (edits_.contains(*begin) || edits_.contains(*last + length)) return;
    const AsDouble as_double(context_.getLangOpts());
    edits_[*begin] = {0, as_double.begin};
    edits_[*last + length] = {0, as_double.end};
  }

  WideningEdits& edits_;
};

// 0.5 for 0.5f; double(0.1f) for 0.1f, whose value double could not keep without.
std::optional<std::string> widened_literal(std::string_view text, const AsDouble& as_double) {
  if (text.empty() || (text.back() != 'f' && text.back() != 'F')) return std::nullopt;
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (text.find_first_of(hexadecimal ? "pP" : ".eE") == std::string_view::npos) return std::nullopt;  // 0x1f
  std::string digits(text.substr(0, text.size() - 1));
  const std::string plain = digits;
  std::erase(digits, '\'');
  llvm::APFloat narrow(llvm::APFloat::IEEEsingle()), wide(llvm::APFloat::IEEEdouble());
  for (llvm::APFloat* value : {&narrow, &wide})
    if (auto parsed = value->convertFromString(digits, llvm::APFloat::rmNearestTiesToEven); !parsed) {
      llvm::consumeError(parsed.takeError());
      return std::nullopt;
    }
  bool lost = false;
  narrow.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return narrow.bitwiseIsEqual(wide) ? plain : as_double.around(text);
}

// Macros of the standard headers that are constants of type float.
constexpr std::array<std::string_view, 8> kFloatMacros = {"FLT_MAX",   "FLT_MIN",  "FLT_EPSILON", "FLT_TRUE_MIN",
                                                          "HUGE_VALF", "INFINITY", "NAN",         "SNANF"};

void add_token_edits(const SourceTokens& tokens, const AsDouble& as_double, WideningEdits& edits) {
  bool include = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].line_start)
      include = tokens[i].directive && (tokens.is(i + 1, "include") || tokens.is(i + 1, "line"));
    if (include && tokens[i].directive) continue;
    const std::size_t length = tokens[i].end - tokens[i].begin;
    const std::string spelling = tokens.spelling(i);
    if (tokens[i].kind == tok::numeric_constant) {
      if (auto text = widened_literal(spelling, as_double)) edits[tokens[i].begin] = {length, *text};
    } else if (tokens[i].kind == tok::raw_identifier && spelling == "float") {
      const bool limits = i > 1 && tokens.is(i - 1, "<") && tokens.is(i - 2, "numeric_limits");
      if (!limits) edits[tokens[i].begin] = {length, "double"};
    } else if (tokens[i].kind == tok::raw_identifier && std::ranges::count(kFloatMacros, spelling) > 0) {
      const bool defined = i > 0 && tokens[i - 1].directive && !tokens.is(i - 1, "(");
      if (!defined) edits[tokens[i].begin] = {length, as_double.around(spelling)};
    }
  }
}

}  // namespace

std::string obstacle_to_widening(const Parsed& parsed, std::size_t end) {
  ObstacleFinder finder(parsed, end);
  finder.run(parsed);
  return finder.reason;
}

WideningEdits widening_edits(const Parsed& parsed) {
  WideningEdits edits;
  add_token_edits(SourceTokens(parsed.text(), parsed.language()), AsDouble(parsed.language()), edits);
  NameCollector(parsed, edits).run(parsed);
  return edits;
}

std::string left_in_float(const Parsed& parsed, std::size_t end) {
  FloatFinder finder(parsed, end);
  finder.run(parsed);
  return finder.reason;
}

}  // namespace hone::frontend
