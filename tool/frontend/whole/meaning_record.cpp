#include "tool/frontend/whole/meaning_record.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <cstring>
#include <unordered_map>

#include <llvm/Support/raw_ostream.h>

#include "tool/frontend/parse/file_regions.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr const char* kStarterPrefix = "hone_start_";
const std::string kNothing;

class Recorder final : public SyntaxVisitor {
 public:
  Recorder(const Parsed& parsed, const FileRegions& regions, unsigned from)
      : context_(parsed.context()), policy_(context_.getPrintingPolicy()), regions_(regions), from_(from) {
    policy_.SuppressTagKeyword = true;
    policy_.FullyQualifiedName = true;
  }

  MeaningRecord record;

  bool shouldTraversePostOrder() const { return true; }  // what is called in front of what the call gives

  void look_at(Decl* declaration) {
    auto* function = llvm::dyn_cast<FunctionDecl>(declaration);
    if (function && function->isTemplateInstantiation() && function->hasBody()) return look_at_instance(*function);
    const Region region = regions_.of(declaration->getLocation());
    if (region == Region::around && regions_.main_line(declaration->getEndLoc()) < from_ && !is_scope(*declaration))
      return;
    if (region == Region::neither && !is_scope(*declaration)) return;
    TraverseDecl(declaration);
  }

  bool TraverseDecl(Decl* declaration) {
    if (!declaration || declaration->isImplicit()) return true;
    if (instance_) return SyntaxVisitor::TraverseDecl(declaration);
    const Region region = regions_.of(declaration->getLocation());
    if (region == Region::neither && !is_scope(*declaration)) return true;
    auto* const before = items_;
    if (!is_scope(*declaration)) items_ = region == Region::variant ? &record.variant : &record.around;
    const bool done = SyntaxVisitor::TraverseDecl(declaration);
    items_ = before;
    return done;
  }

  // A guard of fixed scalars, which Hone writes into the original's body (guarded_text.h), is none of its code.
  bool dataTraverseStmtPre(Stmt* statement) {
    return instance_ || !llvm::isa_and_nonnull<IfStmt>(statement) ||
           regions_.of(statement->getBeginLoc()) != Region::neither;
  }

  bool VisitNamedDecl(NamedDecl* declaration) {
    if (is_scope(*declaration) || !items_) return true;
    const auto* value = llvm::dyn_cast<ValueDecl>(declaration);
    add("declaration", value ? type_of(value->getType()) : layout_of(*declaration), declaration,
        declaration->getLocation());
    return true;
  }

  bool VisitExpr(Expr* expression) {
    if (!llvm::isa<ExprWithCleanups>(expression) && items_)
      add(expression->getStmtClassName(), with_value(*expression), meant_by(*expression), expression->getExprLoc());
    return true;
  }

  bool VisitOverloadExpr(OverloadExpr* expression) {
    for (const NamedDecl* one : expression->decls())
      if (items_ && regions_.of(one->getUnderlyingDecl()->getLocation()) == Region::variant)
        add("name", &kNothing, one, expression->getNameLoc());
    return true;
  }

  // What a range's loop calls is not written anywhere.
  bool VisitCXXForRangeStmt(CXXForRangeStmt* loop) {
    for (DeclStmt* part : {loop->getBeginStmt(), loop->getEndStmt()})
      if (const auto* made = part ? llvm::dyn_cast<VarDecl>(part->getSingleDecl()) : nullptr)
        TraverseStmt(const_cast<Expr*>(made->getInit()));
    TraverseStmt(loop->getCond());
    TraverseStmt(loop->getInc());
    return true;
  }

  // A kernel's launches are rewritten where its variant brings its own.
  bool TraverseCUDAKernelCallExpr(CUDAKernelCallExpr*) { return true; }
  bool TraverseCXXOperatorCallExpr(CXXOperatorCallExpr* call) {
    const auto* method = llvm::dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
    if (method && method->getParent()->getName().starts_with(kStarterPrefix)) return true;
    return SyntaxVisitor::TraverseCXXOperatorCallExpr(call);
  }

 private:
  static bool is_scope(const Decl& declaration) { return llvm::isa<NamespaceDecl, LinkageSpecDecl>(declaration); }

  void look_at_instance(FunctionDecl& function) {
    MeaningRecord::Instance& instance = record.instances[*text_of(&function)];
    if (!instance.meanings.empty()) return;
    instance.of_variant = regions_.of(function.getLocation()) == Region::variant;
    items_ = &instance.meanings;
    instance_ = true;
    TraverseDecl(&function);
    instance_ = false;
    items_ = nullptr;
  }

  void add(const char* kind, const std::string* type, const NamedDecl* meant, SourceLocation at) {
    const bool own = meant && !is_builtin(*meant) && regions_.of(meant->getLocation()) == Region::variant;
    items_->push_back({kind, type, meant ? text_of(meant) : nullptr, own, at});
  }

  // It is declared where it is used first.
  static bool is_builtin(const NamedDecl& declaration) {
    const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration);
    return function && function->isImplicit() && function->getBuiltinID() != 0;
  }

  static const NamedDecl* meant_by(const Expr& expression) {
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(&expression)) return use->getDecl();
    if (const auto* use = llvm::dyn_cast<MemberExpr>(&expression)) return use->getMemberDecl();
    if (const auto* use = llvm::dyn_cast<CXXConstructExpr>(&expression)) return use->getConstructor();
    if (const auto* use = llvm::dyn_cast<CXXNewExpr>(&expression)) return use->getOperatorNew();
    if (const auto* use = llvm::dyn_cast<CXXDeleteExpr>(&expression)) return use->getOperatorDelete();
    return nullptr;
  }

  const std::string* keep(std::string text) { return &record.texts.emplace_back(std::move(text)); }

  const std::string* type_of(QualType type) {
    if (type.isNull()) return &kNothing;  // of a static_assert's words
    // The canonical form of T[count] has the words of whichever template of the file had such a type first.
    const QualType canonical = type.getCanonicalType();
    const bool by_words = type->isInstantiationDependentType() && TypeWords(*this, canonical).holds_expression;
    const QualType told = by_words ? type : canonical;
    const std::string*& known = types_[told.getAsOpaquePtr()];
    if (!known) known = keep(told.getAsString(policy_) + (by_words ? TypeWords(*this, told).names : ""));
    return known;
  }

  // What the words of a type mean: as they are written they may be another scope's.
  struct TypeWords : RecursiveASTVisitor<TypeWords> {
    TypeWords(Recorder& recorder, QualType type) : recorder(recorder) { TraverseType(type); }

    Recorder& recorder;
    std::string names;
    bool holds_expression = false;

    void add(const NamedDecl* declaration) {
      if (declaration && !declaration->isTemplateParameter()) names += ", " + *recorder.text_of(declaration);
    }
    bool VisitTemplateSpecializationType(TemplateSpecializationType* one) {
      add(one->getTemplateName().getAsTemplateDecl());
      return true;
    }
    bool VisitTagType(TagType* one) {
      add(one->getDecl());
      return true;
    }
    bool VisitTypedefType(TypedefType* one) {
      names += ", " + *recorder.type_of(one->desugar());
      return true;
    }
    bool VisitExpr(Expr* expression) {
      holds_expression = true;
      if (const auto* use = llvm::dyn_cast<DeclRefExpr>(expression)) add(use->getDecl());
      return true;
    }
  };

  // The expression's type. A question about the program (sizeof, noexcept, requires) has its answer behind the type,
  // which may hang on what else the file declares.
  const std::string* with_value(const Expr& expression) {
    const std::string* type = type_of(expression.getType());
    const bool asks = llvm::isa<ConstantExpr, TypeTraitExpr, CXXNoexceptExpr, RequiresExpr, ConceptSpecializationExpr,
                                UnaryExprOrTypeTraitExpr, SizeOfPackExpr>(expression);
    Expr::EvalResult value;
    if (!asks || expression.getType().isNull() || expression.isValueDependent() || !expression.isPRValue() ||
        !expression.getType()->isIntegralOrEnumerationType() || !expression.EvaluateAsInt(value, context_))
      return type;
    return keep(*type + " " + value.Val.getAsString(context_, expression.getType()));
  }

  const std::string* layout_of(const NamedDecl& declaration) {
    const auto* record = llvm::dyn_cast<RecordDecl>(&declaration);
    if (!record || !record->isCompleteDefinition() || record->isDependentType() || record->isInvalidDecl())
      return &kNothing;
    const ASTRecordLayout& layout = context_.getASTRecordLayout(record);
    return keep(std::to_string(layout.getSize().getQuantity()) + " bytes");
  }

  // What tells one declaration of a program from another: its name, and of functions the type; of constants the value.
  const std::string* text_of(const NamedDecl* declaration) {
    const std::string*& known = names_[declaration];
    if (known) return known;
    std::string text;
    llvm::raw_string_ostream out(text);
    if (is_part_of_range_loop(*declaration))
      out << declaration->getName().rtrim("0123456789");
    else
      declaration->getNameForDiagnostic(out, policy_, /*Qualified=*/true);
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(declaration)) out << " " << *type_of(function->getType());
    if (const auto* variable = llvm::dyn_cast<VarDecl>(declaration)) add_value(*variable, out);
    out.flush();
    return known = keep(std::move(text));
  }

  // __range1, __begin1 or __end1. The number is how deep a scope Clang was in: of a function that a use instantiates, how
  // deep that use stands.
  static bool is_part_of_range_loop(const NamedDecl& declaration) {
    const auto* variable = llvm::dyn_cast<VarDecl>(&declaration);
    return variable && variable->isImplicit() && variable->isLocalVarDecl() && variable->getName().starts_with("__");
  }

  void add_value(const VarDecl& variable, llvm::raw_ostream& out) {
    out << " " << *type_of(variable.getType());
    const VarDecl* initialized = nullptr;  // another declaration of it, perhaps
    const Expr* value = variable.hasGlobalStorage() ? variable.getAnyInitializer(initialized) : nullptr;
    if (!value || value->isValueDependent() || !initialized->getInit() ||
        !variable.getType()->isIntegralOrEnumerationType() || !variable.mightBeUsableInConstantExpressions(context_))
      return;
    if (const APValue* known = initialized->evaluateValue())
      out << " " << known->getAsString(context_, variable.getType());
  }

  ASTContext& context_;
  PrintingPolicy policy_;
  const FileRegions& regions_;
  const unsigned from_;
  std::vector<RecordedMeaning>* items_ = nullptr;
  bool instance_ = false;
  std::unordered_map<const void*, const std::string*> types_;
  std::unordered_map<const NamedDecl*, const std::string*> names_;
};

bool same(const std::string* one, const std::string* other) {
  return one == other || (one && other && *one == *other);
}

}  // namespace

bool RecordedMeaning::operator==(const RecordedMeaning& other) const {
  return of_variant == other.of_variant && std::strcmp(kind, other.kind) == 0 && same(type, other.type) &&
         same(means, other.means);
}

MeaningRecord record_meaning(const Parsed& parsed, const FileRegions& regions, unsigned from) {
  Recorder recorder(parsed, regions, from);
  for (clang::Decl* declaration : parsed.declarations()) recorder.look_at(declaration);
  return std::move(recorder.record);
}

}  // namespace hone::frontend
