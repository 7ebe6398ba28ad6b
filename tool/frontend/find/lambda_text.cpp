#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>

#include "tool/frontend/describe/macro_frame.h"
#include "tool/frontend/find/brought_out.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr const char* kSuffix = "_lambda";

// The variable whose declaration begins at a place, anywhere in a declaration.
class VariableFinder final : public SyntaxVisitor {
 public:
  VariableFinder(const TranslationUnit& unit, std::size_t at) : unit_(unit), at_(at) {}

  const VarDecl* found = nullptr;
  const FunctionDecl* around = nullptr;  // null: it stands at namespace level

  bool TraverseDecl(Decl* declaration) override {
    const auto* function = llvm::dyn_cast_or_null<FunctionDecl>(declaration);
    const FunctionDecl* outer = function ? std::exchange(within_, function) : within_;
    const bool on = SyntaxVisitor::TraverseDecl(declaration);
    within_ = outer;
    return on;
  }
  bool VisitVarDecl(VarDecl* variable) override {
    if (found || !unit_.in_main_file(variable->getBeginLoc()) || unit_.offset(variable->getBeginLoc()) != at_)
      return true;
    found = variable;
    around = within_;
    return true;
  }

 private:
  const TranslationUnit& unit_;
  const std::size_t at_;
  const FunctionDecl* within_ = nullptr;
};

const LambdaExpr* lambda_of(const VarDecl& variable) {
  const Expr* value = variable.getInit();
  while (value) {
    value = value->IgnoreImplicit();
    if (const auto* lambda = llvm::dyn_cast<LambdaExpr>(value)) return lambda;
    const auto* made = llvm::dyn_cast<CXXConstructExpr>(value);
    value = made && made->getNumArgs() == 1 ? made->getArg(0) : nullptr;
  }
  return nullptr;
}

class LambdaMover {
 public:
  LambdaMover(const TranslationUnit& unit, const Outline& outline) : unit_(unit), outline_(outline) {}

  BroughtOut run() {
    for (const Annotation& annotation : unit_.annotations()) look_at(annotation);
    return std::move(out_);
  }

 private:
  void look_at(const Annotation& annotation) {
    const std::size_t token = outline_.active_token(annotation.end);
    if (token >= unit_.tokens().size()) return;
    const std::size_t begin = unit_.tokens()[token].begin;
    const int index = outline_.item_at(begin);
    if (index < 0) return;
    const Item& item = outline_.items()[static_cast<std::size_t>(index)];
    VariableFinder finder(unit_, begin);
    for (const Decl* declaration : item.declarations) finder.TraverseDecl(const_cast<Decl*>(declaration));
    const LambdaExpr* lambda = finder.found ? lambda_of(*finder.found) : nullptr;
    if (!lambda) return;
    if (std::string why = move(annotation, item, finder, *lambda); !why.empty())
      out_.mistakes.push_back({DiagnosticCode::lambda_kind, annotation.location,
                               "the lambda '" + finder.found->getNameAsString() + "' " + why +
                                   "; write a function with a name, and annotate that"});
  }

  std::string move(const Annotation& annotation, const Item& item, const VariableFinder& place,
                   const LambdaExpr& lambda) {
    const CXXMethodDecl* called = lambda.getCallOperator();
    if (lambda.isGenericLambda() || called->isDependentContext()) return "is a template";
    if (annotation.is_operator) return "is annotated by _Pragma";
    if (called->getBeginLoc().isMacroID() || lambda.getBody()->getBeginLoc().isMacroID()) return "stands in a macro";
    std::string parameters, arguments;
    if (std::string why = add_parameters(*called, parameters, arguments); !why.empty()) return why;
    if (std::string why = add_captures(lambda, parameters, arguments); !why.empty()) return why;
    const ASTContext& context = unit_.context();
    const auto* function = place.around;
    const std::string name = (function && function->getIdentifier() ? function->getNameAsString() + "_" : "") +
                             place.found->getNameAsString() + kSuffix;
    const auto* type = called->getType()->getAs<FunctionProtoType>();
    const std::size_t body = unit_.offset(lambda.getBody()->getBeginLoc());
    const std::size_t end = unit_.offset(lambda.getBody()->getEndLoc()) + 1;
    const bool constant = place.found->isConstexpr() || (called->isConstexpr() && is_written(lambda, "constexpr"));
    const std::string head = std::string(constant ? "static constexpr " : "static inline ") +
                             spelled(called->getReturnType(), context) + " " + name + "(" + parameters + ")" +
                             (type && type->isNothrow() ? " noexcept " : " ");
    add(annotation, item, head, body, end, name + "(" + arguments + ")");
    return "";
  }

  bool is_written(const LambdaExpr& lambda, const char* word) const {
    const SourceTokens& tokens = unit_.tokens();
    const std::size_t body = unit_.offset(lambda.getBody()->getBeginLoc());
    for (std::size_t i = tokens.at_or_after(unit_.offset(lambda.getBeginLoc())); i < tokens.size(); ++i) {
      if (tokens[i].begin >= body) return false;
      if (tokens.is(i, word)) return true;
    }
    return false;
  }

  static std::string add_parameters(const CXXMethodDecl& called, std::string& parameters, std::string& arguments) {
    for (const ParmVarDecl* one : called.parameters()) {
      if (one->getName().empty()) return "has a parameter without a name";
      parameters += (parameters.empty() ? "" : ", ") +
                    spelled(one->getOriginalType(), one->getASTContext(), one->getNameAsString());
      arguments += (arguments.empty() ? "" : ", ") + one->getNameAsString();
    }
    return "";
  }

  // Numbers and pointers that it only reads, so that copies of them do. Constants need no capture.
  static std::string add_captures(const LambdaExpr& lambda, std::string& parameters, std::string& arguments) {
    for (const LambdaCapture& capture : lambda.captures()) {
      if (capture.capturesThis()) return "captures 'this'";
      if (!capture.capturesVariable() || lambda.isInitCapture(&capture)) return "captures by an initializer";
      const auto& variable = *llvm::cast<VarDecl>(capture.getCapturedVar());
      const QualType type = variable.getType().getNonReferenceType();
      const std::string name = variable.getNameAsString();
      if (!type->isArithmeticType() && !type->isPointerType() && !type->isEnumeralType())
        return "captures '" + name + "', which is no number and no pointer";
      const QualType taken = type.getUnqualifiedType().withConst();
      parameters += (parameters.empty() ? "" : ", ") + spelled(taken, variable.getASTContext(), name);
      arguments += (arguments.empty() ? "" : ", ") + name;
    }
    return "";
  }

  void add(const Annotation& annotation, const Item& item, const std::string& head, std::size_t body, std::size_t end,
           const std::string& call) {
    const std::string& text = unit_.text();
    const std::string pragma = text.substr(annotation.begin, annotation.end - annotation.begin);
    const std::string definition = text.substr(body, end - body);
    const auto lines = [](const std::string& part) {
      return std::string(static_cast<std::size_t>(std::ranges::count(part, '\n')), '\n');
    };
    const std::size_t line = annotation.begin == 0 ? 0 : text.rfind('\n', annotation.begin - 1) + 1;
    out_.annotations.push_back(annotation.location);
    out_.edits.push_back({annotation.begin, annotation.end, lines(pragma), annotation.begin});
    const std::size_t at = item.begin;
    const MacroFrame frame = frame_for_move(unit_, annotation.begin, end, at);
    out_.edits.push_back({at, at, "\n" + frame.in_front, at});
    out_.edits.push_back({at, at, padding(text, line, annotation.begin) + pragma + "\n", line});
    out_.edits.push_back({at, at, head + definition + "\n" + frame.behind, body});
    out_.edits.push_back({body, end, "{ return " + call + "; }" + lines(definition), body});
  }

  const TranslationUnit& unit_;
  const Outline& outline_;
  BroughtOut out_;
};

}  // namespace

BroughtOut bring_out_lambdas(const TranslationUnit& unit, const Outline& outline) {
  return LambdaMover(unit, outline).run();
}

bool is_lambdas_function(const FunctionDecl& function) {
  return function.getNameAsString().ends_with(kSuffix) && function.isInlineSpecified() &&
         function.getStorageClass() == SC_Static;
}

}  // namespace hone::frontend
