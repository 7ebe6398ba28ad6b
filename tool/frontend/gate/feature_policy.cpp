#include "tool/frontend/gate/feature_policy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>

#include <set>
#include <string>

#include "tool/frontend/gate/candidate_place.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

void add(Features& all, const Features& further) {
  all.insert(further.begin(), further.end());
}

Features enabled(const llvm::StringMap<bool>& map) {
  Features features;
  for (const auto& one : map)
    if (one.second) features.insert(one.first().str());
  return features;
}

class FeatureReader final : public SyntaxVisitor {
 public:
  FeatureReader(const Parsed& parsed, const std::vector<TargetRange>& targets, const Features& original)
      : context_(parsed.context()),
        sources_(parsed.sources()),
        targets_(targets),
        original_(original),
        base_(enabled(context_.getTargetInfo().getTargetOpts().FeatureMap)) {}

  std::optional<Objection> objection;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl* declaration) {
    if (!declaration) return true;
    if (!llvm::isa<NamespaceDecl, LinkageSpecDecl>(declaration) && !in_candidate(declaration->getLocation()))
      return true;
    return SyntaxVisitor::TraverseDecl(declaration);
  }

  bool VisitFunctionDecl(FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext()) return true;
    Features have = base_;
    add(have, needs(*function));
    walk(function->getBody(), have);
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) {
    if (variable->hasGlobalStorage() && !variable->isStaticLocal() && variable->getInit())
      walk(variable->getInit(), base_);
    return true;
  }

  void look_at_kernel(const FunctionDecl& kernel) {
    require(needs(kernel), with(base_, original_), kernel.getLocation(), "the kernel itself");
  }

  // What a function is compiled with beyond the target.
  Features needs(const FunctionDecl& function) const {
    Features all;
    if (function.hasAttr<TargetAttr>() && !function.hasAttr<TargetClonesAttr>()) {
      llvm::StringMap<bool> map;
      context_.getFunctionFeatureMap(map, &function);
      all = enabled(map);
    }
    const unsigned at = line(function.getLocation());
    for (const TargetRange& range : targets_)
      if (range.first <= at && (range.last == 0 || at <= range.last)) add(all, asked_for(range.features));
    for (const std::string& one : base_) all.erase(one);
    return all;
  }

 private:
  bool in_candidate(SourceLocation location) const { return frontend::in_candidate(sources_, location); }

  unsigned line(SourceLocation location) const { return candidate_line(sources_, location); }

  // "avx2", or a processor's level "x86-64-v3", with all that comes with it.
  Features with_all(const std::string& feature) const {
    llvm::StringMap<bool> map;
    const bool level = feature.starts_with("x86-64");
    context_.getTargetInfo().initFeatureMap(
        map, context_.getDiagnostics(), level ? feature : "x86-64",
        level ? std::vector<std::string>{} : std::vector<std::string>{"+" + feature});
    return enabled(map);
  }

  // Of "avx2,fma,no-sse4a,prefer-vector-width=256".
  Features asked_for(const std::string& list) const {
    Features all;
    llvm::SmallVector<StringRef, 8> words;
    StringRef(list).split(words, ',');
    for (StringRef word : words) {
      word = word.trim();
      if (word.consume_front("arch=")) {
        llvm::StringMap<bool> map;
        if (context_.getTargetInfo().isValidCPUName(word))
          context_.getTargetInfo().initFeatureMap(map, context_.getDiagnostics(), word, {});
        add(all, enabled(map));
      } else if (!word.starts_with("no-") && context_.getTargetInfo().isValidFeatureName(word)) {
        add(all, with_all(word.str()));
      }
    }
    return all;
  }

  void require(const Features& wanted, const Features& have, SourceLocation at, const std::string& what) {
    std::string missing;
    for (const std::string& one : wanted)
      if (!have.contains(one)) missing += (missing.empty() ? "" : ", ") + one;
    if (missing.empty() || objection) return;
    objection = Objection{DiagnosticCode::candidate_processor, line(at),
                          what + " needs of the processor what the target does not promise (" + missing +
                              "); keep the kernel plain, and call a helper with __attribute__((target(…))) "
                              "where __builtin_cpu_supports(\"…\") has said yes to each, or write "
                              "target_clones"};
  }

  // Returns what is known behind the statement.
  Features walk(const Stmt* statement, Features have) {
    if (!statement || objection) return have;
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(statement)) {
      if (const auto* function = llvm::dyn_cast<FunctionDecl>(use->getDecl());
          function && in_candidate(function->getLocation()))
        require(needs(*function), have, use->getLocation(), "'" + function->getNameAsString() + "'");
      return have;
    }
    if (const auto* block = llvm::dyn_cast<CompoundStmt>(statement)) {
      Features inside = have;
      for (const Stmt* one : block->body()) inside = walk(one, inside);
      return leaves(*block) ? have : inside;
    }
    if (const auto* condition = llvm::dyn_cast<IfStmt>(statement)) return walk_if(*condition, have);
    if (const auto* lambda = llvm::dyn_cast<LambdaExpr>(statement)) return walk(lambda->getBody(), have), have;
    if (const auto* captured = llvm::dyn_cast<CapturedStmt>(statement))
      return walk(captured->getCapturedStmt(), have), have;
    if (const auto* choice = llvm::dyn_cast<ConditionalOperator>(statement)) {
      walk(choice->getCond(), have);
      walk(choice->getTrueExpr(), with(have, when(choice->getCond(), true)));
      walk(choice->getFalseExpr(), with(have, when(choice->getCond(), false)));
      return have;
    }
    if (const auto* both = llvm::dyn_cast<BinaryOperator>(statement); both && both->isLogicalOp()) {
      walk(both->getLHS(), have);
      walk(both->getRHS(), with(have, when(both->getLHS(), both->getOpcode() == BO_LAnd)));
      return have;
    }
    if (const auto* loop = llvm::dyn_cast<WhileStmt>(statement))
      return walk(loop->getCond(), have), walk(loop->getBody(), with(have, when(loop->getCond(), true))), have;
    for (const Stmt* child : statement->children()) walk(child, have);
    return have;
  }

  Features walk_if(const IfStmt& condition, const Features& have) {
    walk(condition.getInit(), have);
    walk(condition.getConditionVariableDeclStmt(), have);
    walk(condition.getCond(), have);
    const Features yes = with(have, when(condition.getCond(), true));
    const Features no = with(have, when(condition.getCond(), false));
    walk(condition.getThen(), yes);
    walk(condition.getElse(), no);
    if (condition.getThen() && leaves(*condition.getThen())) return no;
    return condition.getElse() && leaves(*condition.getElse()) ? yes : have;
  }

  static Features with(Features have, const Features& further) {
    add(have, further);
    return have;
  }

  // Does control never come out at its end?
  static bool leaves(const Stmt& statement) {
    if (const auto* block = llvm::dyn_cast<CompoundStmt>(&statement))
      return !block->body_empty() && leaves(*block->body_back());
    if (const auto* expression = llvm::dyn_cast<Expr>(&statement))
      return llvm::isa<CXXThrowExpr>(expression->IgnoreImplicit());
    return llvm::isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(&statement);
  }

  // The features that the processor has where the expression is true, or false.
  Features when(const Expr* expression, bool truth, unsigned depth = 0) const {
    constexpr unsigned kDeepest = 16;  // a constant's initializer may name the constant itself
    if (!expression || depth > kDeepest) return {};
    expression = expression->IgnoreParenImpCasts();
    if (const auto* cast = llvm::dyn_cast<ExplicitCastExpr>(expression))
      return when(cast->getSubExpr(), truth, depth + 1);
    if (const auto* operation = llvm::dyn_cast<UnaryOperator>(expression))
      return operation->getOpcode() == UO_LNot ? when(operation->getSubExpr(), !truth, depth + 1) : Features();
    if (const auto* operation = llvm::dyn_cast<BinaryOperator>(expression)) return when_both(*operation, truth, depth);
    if (const auto* call = llvm::dyn_cast<CallExpr>(expression)) return truth ? when_called(*call, depth) : Features();
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(expression)) {
      const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl());
      return variable && variable->getType().isConstQualified() ? when(variable->getInit(), truth, depth + 1)
                                                                : Features();
    }
    return {};
  }

  Features when_both(const BinaryOperator& operation, bool truth, unsigned depth) const {
    const BinaryOperatorKind kind = operation.getOpcode();
    if (kind == (truth ? BO_LAnd : BO_LOr) || (truth && kind == BO_And))
      return with(when(operation.getLHS(), truth, depth + 1), when(operation.getRHS(), truth, depth + 1));
    Expr::EvalResult zero;
    const Expr* right = operation.getRHS();
    if (right->isValueDependent() || !right->getType()->isIntegralOrEnumerationType() ||
        !right->EvaluateAsInt(zero, context_) || !zero.Val.getInt().isZero())
      return {};
    if (kind == BO_NE || kind == BO_GT) return when(operation.getLHS(), truth, depth + 1);
    return kind == BO_EQ ? when(operation.getLHS(), !truth, depth + 1) : Features();
  }

  // __builtin_cpu_supports("avx2"), or a function that only returns such an answer.
  Features when_called(const CallExpr& call, unsigned depth) const {
    const FunctionDecl* called = call.getDirectCallee();
    if (!called) return {};
    if (called->getBuiltinID() == Builtin::BI__builtin_cpu_supports || called->getName() == "__builtin_cpu_supports") {
      const auto* name = llvm::dyn_cast<StringLiteral>(call.getArg(0)->IgnoreParenImpCasts());
      return name ? with_all(name->getString().str()) : Features();
    }
    const FunctionDecl* definition = nullptr;
    if (!in_candidate(called->getLocation()) || !called->hasBody(definition)) return {};
    const auto* body = llvm::dyn_cast<CompoundStmt>(definition->getBody());
    if (!body || body->body_empty()) return {};
    const auto* last = llvm::dyn_cast<ReturnStmt>(body->body_back());
    const bool only_calls = std::all_of(body->body_begin(), body->body_end() - 1,
                                        [](const Stmt* one) { return llvm::isa<CallExpr, DeclStmt>(one); });
    return last && only_calls ? when(last->getRetValue(), true, depth + 1) : Features();
  }

  ASTContext& context_;
  const SourceManager& sources_;
  const std::vector<TargetRange>& targets_;
  const Features& original_;
  const Features base_;
};

bool has_features(const Parsed& parsed) {
  return parsed.context().getTargetInfo().getTriple().isX86() && !parsed.language().CUDAIsDevice;
}

}  // namespace

Features features_beyond_target(const Parsed& parsed, const FunctionDecl& function) {
  if (!has_features(parsed)) return {};
  return FeatureReader(parsed, {}, {}).needs(function);
}

std::optional<Objection> object_to_features(const Parsed& parsed, const FunctionDecl& kernel,
                                            const std::vector<TargetRange>& targets, const Features& original) {
  if (!has_features(parsed)) return std::nullopt;
  FeatureReader reader(parsed, targets, original);
  reader.look_at_kernel(kernel);
  for (Decl* declaration : parsed.declarations()) reader.TraverseDecl(declaration);
  return std::move(reader.objection);
}

}  // namespace hone::frontend
