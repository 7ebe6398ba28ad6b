#include "tool/frontend/gate/meaning_policy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>
#include <string>

#include "tool/frontend/gate/assembly_policy.h"
#include "tool/frontend/gate/candidate_place.h"
#include "tool/frontend/gate/cuda_policy.h"
#include "tool/frontend/gate/state_policy.h"
#include "tool/frontend/gate/use_policy.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;
using Code = DiagnosticCode;

class MeaningReader final : public SyntaxVisitor {
 public:
  MeaningReader(const Parsed& parsed, const KernelSpec& spec, const OriginalNames& original)
      : context_(parsed.context()),
        sources_(parsed.sources()),
        spec_(spec),
        original_(original),
        uses_(parsed.sources(), spec, original) {}

  Meaning meaning;

  bool shouldVisitImplicitCode() const { return false; }
  bool shouldVisitTemplateInstantiations() const { return true; }

  // Only what stands in the candidate's text is looked at, and the way to it.
  bool TraverseDecl(Decl* declaration) {
    if (!declaration) return true;
    // OpenMP's blocks stand nowhere themselves.
    if (!llvm::isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl, CapturedDecl>(declaration) &&
        !in_candidate(declaration->getLocation()))
      return true;
    const FunctionDecl* function = declaration->getAsFunction();
    const bool device = function && runs_on_device_alone(*function);
    device_depth_ += device;
    const bool done = SyntaxVisitor::TraverseDecl(declaration);
    device_depth_ -= device;
    return done;
  }

  bool VisitDecl(Decl* declaration) {
    if (in_candidate(declaration->getLocation())) check_attributes(*declaration);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl* function) { return check_function(*function), true; }
  bool VisitVarDecl(VarDecl* variable) {
    return refuse(Code::candidate_state, variable->getLocation(), object_to_variable(*variable)), true;
  }
  bool VisitNamespaceDecl(NamespaceDecl* space) {
    if (!in_candidate(space->getLocation()) || space->isAnonymousNamespace()) return true;
    if (!in_candidate(space->getFirstDecl()->getLocation()))
      refuse(Code::candidate_reach, space->getLocation(),
             "the namespace '" + space->getQualifiedNameAsString() +
                 "' is not the candidate's; declare helpers where the kernel stands");
    return true;
  }
  bool VisitLinkageSpecDecl(LinkageSpecDecl* linkage) {
    if (!in_candidate(linkage->getLocation())) return true;
    for (const Decl* declaration : linkage->decls())
      if (const auto* named = llvm::dyn_cast<NamedDecl>(declaration); named && !is_kernel(*named, spec_))
        refuse(Code::candidate_reach, declaration->getLocation(),
               "extern \"C\" is not allowed ('" + named->getNameAsString() +
                   "'): a candidate declares nothing that is defined elsewhere, and exports nothing");
    return true;
  }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl* directive) {
    if (directive->getDeclContext()->isFileContext() && !of_the_candidate(*directive->getDeclContext()) &&
        !directive->isImplicit())
      refuse(Code::candidate_reach, directive->getLocation(),
             "'using namespace' at file scope changes the code behind it; put it into the function");
    return true;
  }
  bool VisitUsingDecl(UsingDecl* declaration) {
    if (declaration->getDeclContext()->isFileContext() && !of_the_candidate(*declaration->getDeclContext()))
      refuse(Code::candidate_reach, declaration->getLocation(),
             "'using " + declaration->getQualifiedNameAsString() +
                 "' at file scope changes the code behind it; put it into the function");
    return true;
  }
  bool VisitClassTemplateSpecializationDecl(ClassTemplateSpecializationDecl* special) {
    const TemplateSpecializationKind kind = special->getSpecializationKind();
    if (kind != TSK_ImplicitInstantiation && kind != TSK_Undeclared &&
        !in_candidate(special->getSpecializedTemplate()->getLocation()))
      refuse(Code::candidate_reach, special->getLocation(),
             "it specialises '" + special->getSpecializedTemplate()->getQualifiedNameAsString() +
                 "', which is not the candidate's own");
    return true;
  }
  bool VisitVarTemplateSpecializationDecl(VarTemplateSpecializationDecl* special) {
    if (special->getSpecializationKind() != TSK_ImplicitInstantiation &&
        !in_candidate(special->getSpecializedTemplate()->getLocation()))
      refuse(Code::candidate_reach, special->getLocation(),
             "it specialises '" + special->getSpecializedTemplate()->getQualifiedNameAsString() +
                 "', which is not the candidate's own");
    return true;
  }
  bool VisitFileScopeAsmDecl(FileScopeAsmDecl* assembly) { return refuse_assembly(assembly->getLocation()); }
  bool VisitAsmStmt(AsmStmt* assembly) {
    const bool originals = original_.assembly.contains(assembly_text(*assembly));
    if (device_depth_ == 0) return originals || refuse_assembly(assembly->getAsmLoc());
    if (originals && !takes_text(*assembly)) return true;
    return check_device_assembly(*assembly), true;
  }
  bool VisitCXXNewExpr(CXXNewExpr* made) {
    if (device_depth_ > 0 && made->getNumPlacementArgs() == 0)
      refuse(Code::candidate_device, made->getBeginLoc(),
             "'new' in device code is not allowed: it takes memory from the device's heap");
    return true;
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr* launch) {
    if (!spec_.cuda)
      refuse(Code::candidate_device, launch->getBeginLoc(),
             "a launch is not allowed: this kernel works on the processor");
    if (device_depth_ > 0)
      refuse(Code::candidate_device, launch->getBeginLoc(), "a launch in device code is not allowed");
    return true;
  }
  // Whatever takes a stream is given the caller's: work elsewhere is not ordered with the caller's own.
  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* called = call->getDirectCallee();
    if (!called || device_depth_ > 0) return true;
    check_stream(*call, *called);
    check_direction(*call, *called);
    return true;
  }
  bool VisitImportDecl(ImportDecl* import) {
    return refuse(Code::candidate_directive, import->getLocation(), "modules are not allowed"), true;
  }

  bool VisitDeclRefExpr(DeclRefExpr* use) { return check_use(use->getLocation(), *use->getDecl()), true; }
  bool VisitMemberExpr(MemberExpr* use) { return check_use(use->getMemberLoc(), *use->getMemberDecl()), true; }
  bool VisitCXXConstructExpr(CXXConstructExpr* use) {
    return check_use(use->getLocation(), *use->getConstructor()), true;
  }
  bool VisitIfStmt(IfStmt* condition) {
    if (condition->isConsteval())
      refuse(Code::candidate_use, condition->getBeginLoc(),
             "'if consteval' asks who calls; write code for all callers");
    return true;
  }
  bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr* temporary) {
    const StorageDuration lives = temporary->getStorageDuration();
    if ((lives == SD_Static || lives == SD_Thread) && !temporary->getType().isConstQualified())
      refuse(Code::candidate_state, temporary->getBeginLoc(),
             "static state that can change is not allowed (a reference keeps a temporary alive)");
    return true;
  }
  bool VisitCompoundLiteralExpr(CompoundLiteralExpr* literal) {
    if (literal->isFileScope() && !literal->getType().isConstQualified())
      refuse(Code::candidate_state, literal->getBeginLoc(),
             "static state that can change is not allowed (a compound literal at file scope)");
    return true;
  }
  bool VisitCastExpr(CastExpr* cast) {
    Expr::EvalResult value;
    if (cast->getCastKind() != CK_IntegralToPointer || cast->isValueDependent()) return true;
    if (cast->getSubExpr()->EvaluateAsInt(value, context_) && !value.Val.getInt().isZero())
      refuse(Code::candidate_use, cast->getExprLoc(), "a fixed address is not allowed");
    return true;
  }
  bool VisitOMPNumThreadsClause(OMPNumThreadsClause* clause) {
    Expr::EvalResult value;
    const Expr* number = clause->getNumThreads();
    if (number && !number->isValueDependent() && number->EvaluateAsInt(value, context_) &&
        value.Val.getInt().getExtValue() > static_cast<int64_t>(spec_.threads))
      refuse(Code::candidate_threads, number->getExprLoc(),
             "num_threads asks for more threads than the annotation allows (" + std::to_string(spec_.threads) + ")");
    return true;
  }

 private:
  bool in_candidate(SourceLocation location) const { return frontend::in_candidate(sources_, location); }

  void refuse(Code code, SourceLocation location, const std::string& why) {
    if (!meaning.objection && !why.empty())
      meaning.objection = Objection{code, candidate_line(sources_, location), why};
  }

  bool refuse_assembly(SourceLocation location) {
    return refuse(Code::candidate_assembly, location, "inline assembly is not allowed"), true;
  }

  void check_device_assembly(const AsmStmt& assembly) {
    if (auto objection = object_to_device_assembly(assembly, context_))
      refuse(Code::candidate_assembly, objection->place, std::move(objection->why));
  }

  bool has_stream() const {
    return std::ranges::any_of(spec_.parameters, [](const Parameter& parameter) { return parameter.stream; });
  }

  void check_stream(const CallExpr& call, const FunctionDecl& called) {
    if (!has_stream()) return;
    const bool launch = called.getIdentifier() && called.getName() == "__cudaPushCallConfiguration";
    for (unsigned i = 0; i < called.getNumParams() && i < call.getNumArgs(); ++i) {
      if (!is_stream(called.getParamDecl(i)->getType()) && !(launch && i == 3)) continue;
      const Expr* given = call.getArg(i);
      if (llvm::isa<CXXDefaultArgExpr>(given) ||
          given->isNullPointerConstant(context_, Expr::NPC_ValueDependentIsNotNull))
        refuse(Code::candidate_device, call.getBeginLoc(),
               launch ? "the launch is on the default stream; write <<<grid, block, shared, stream>>> "
                        "with the stream that the call is given"
                      : "'" + called.getNameAsString() + "' works on the default stream here; give it the caller's");
    }
  }

  void check_direction(const CallExpr& call, const FunctionDecl& called) {
    const int index = called.getIdentifier() ? direction_argument(called.getName()) : -1;
    if (index < 0 || static_cast<unsigned>(index) >= call.getNumArgs() ||
        original_.names.contains(called.getQualifiedNameAsString()))
      return;
    const auto* kind = llvm::dyn_cast<DeclRefExpr>(call.getArg(static_cast<unsigned>(index))->IgnoreImpCasts());
    if (!kind || kind->getDecl()->getName() != "cudaMemcpyDeviceToDevice")
      refuse(Code::candidate_device, call.getBeginLoc(),
             "'" + called.getNameAsString() +
                 "' may copy on the device alone: write cudaMemcpyDeviceToDevice as its direction");
  }

  // Within a named or unnamed namespace, a class or a function of the candidate's own.
  bool of_the_candidate(const DeclContext& context) const {
    for (const DeclContext* one = &context; one && !one->isTranslationUnit(); one = one->getParent())
      if (const auto* space = llvm::dyn_cast<NamespaceDecl>(one);
          !space || in_candidate(space->getFirstDecl()->getLocation()) ||
          (space->isAnonymousNamespace() && in_candidate(space->getLocation())))
        return true;
    return false;
  }

  void check_use(SourceLocation location, const NamedDecl& used) {
    if (!meaning.objection) refuse(Code::candidate_use, location, uses_.object(used, device_depth_ > 0));
  }

  void check_attributes(const Decl& declaration) {
    for (const Attr* attribute : declaration.attrs()) {
      if (attribute->isInherited() || attribute->isImplicit() || is_originals(*attribute, declaration)) continue;
      const StringRef spelling = attribute->getSpelling();
      if (llvm::isa<ConstructorAttr, DestructorAttr, InitPriorityAttr>(attribute))
        refuse(Code::candidate_attribute, attribute->getLocation(),
               "a function that runs by itself (" + spelling.str() + ") is not allowed");
      else if (llvm::isa<AliasAttr, IFuncAttr, WeakAttr, WeakRefAttr, SectionAttr, VisibilityAttr, AsmLabelAttr,
                         RetainAttr, SelectAnyAttr, CleanupAttr, NakedAttr, AbiTagAttr>(attribute))
        refuse(Code::candidate_attribute, attribute->getLocation(),
               "the attribute '" + spelling.str() + "' is not allowed: it rebinds or moves symbols");
      else if (llvm::isa<NoSanitizeAttr, DisableSanitizerInstrumentationAttr>(attribute))
        refuse(Code::candidate_attribute, attribute->getLocation(),
               "the judge's sanitizers look at all of a candidate ('" + spelling.str() + "')");
    }
  }

  // The kernel's own: the original has it too.
  bool is_originals(const Attr& attribute, const Decl& declaration) const {
    const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration);
    return function && is_kernel(*function, spec_) &&
           original_.attributes.contains(attribute_text(attribute, context_));
  }

  void check_function(const FunctionDecl& function) {
    if (!in_candidate(function.getLocation()) || function.isImplicit()) return;
    if (function.isTemplateInstantiation() && function.getTemplateSpecializationKind() == TSK_ImplicitInstantiation)
      return;
    if (is_kernel(function, spec_)) {
      if (function.doesThisDeclarationHaveABody()) meaning.kernel = &function;
      return;
    }
    const std::string name = function.getNameAsString();
    if (function.isMain())
      return refuse(Code::candidate_reach, function.getLocation(), "'main' is the program's, not a candidate's");
    if (function.isReplaceableGlobalAllocationFunction() ||
        (function.isOverloadedOperator() &&
         (function.getOverloadedOperator() == OO_New || function.getOverloadedOperator() == OO_Delete ||
          function.getOverloadedOperator() == OO_Array_New || function.getOverloadedOperator() == OO_Array_Delete) &&
         !function.isCXXClassMember()))
      return refuse(Code::candidate_reach, function.getLocation(), "'" + name + "' would replace the program's own");
    if (!context_.getLangOpts().CPlusPlus && function.isExternC())
      return refuse(Code::candidate_reach, function.getLocation(),
                    "'" + name +
                        "' could collide with another file's function; make it static, and "
                        "declare nothing that is defined elsewhere");
    if (function.isExternC())
      return refuse(Code::candidate_reach, function.getLocation(),
                    "extern \"C\" is not allowed ('" + name +
                        "'): a candidate declares nothing that is defined elsewhere, and exports nothing");
    if (const FunctionDecl* first = function.getFirstDecl(); first != &function && !in_candidate(first->getLocation()))
      return refuse(Code::candidate_reach, function.getLocation(),
                    "'" + function.getQualifiedNameAsString() + "' is declared again; it is not the candidate's own");
    check_specialization(function);
    if (function.getDeclContext()->getRedeclContext()->isFileContext() && !function.isFunctionTemplateSpecialization())
      check_namespace_function(function, name);
  }

  void check_specialization(const FunctionDecl& function) {
    const FunctionTemplateDecl* pattern = function.getPrimaryTemplate();
    if (pattern && is_kernels_template(*pattern->getTemplatedDecl()))
      refuse(Code::candidate_signature, function.getLocation(),
             "'" + qualified_name(function) + "' is another instance; " + wanted(spec_));
    if (pattern && !in_candidate(pattern->getLocation()))
      refuse(Code::candidate_reach, function.getLocation(),
             "it specialises '" + pattern->getQualifiedNameAsString() + "', which is not the candidate's own");
  }

  // The kernel is an instance of a template of that name.
  bool is_kernels_template(const FunctionDecl& function) const {
    return spec_.qualified_name.starts_with(qualified_name(function) + "<");
  }

  // The kernel but for its extern "C".
  bool lacks_linkage(const FunctionDecl& function) const {
    return context_.getLangOpts().CPlusPlus && function.getNameAsString() == spec_.mangled_name &&
           signature(function) == spec_.signature;
  }

  void check_namespace_function(const FunctionDecl& function, const std::string& name) {
    if (lacks_linkage(function))
      return refuse(Code::candidate_signature, function.getLocation(),
                    "'" + name + "' lacks the original's extern \"C\"; write it in front of the definition");
    if (is_kernels_template(function))
      return refuse(Code::candidate_signature, function.getLocation(),
                    "this '" + name + "' is no specialization; " + wanted(spec_));
    if (function.isOverloadedOperator() && !takes_own_type(function))
      return refuse(Code::candidate_reach, function.getLocation(),
                    "'" + name + "' for types that are not the candidate's own changes other code");
    if (overloads_another(function, name) && !meaning.namesake)
      meaning.namesake = Objection{Code::candidate_reach, candidate_line(sources_, function.getLocation()),
                                   "another function is called '" + name +
                                       "' here, and calls of it elsewhere could change their meaning; give the helper "
                                       "a name of its own"};
    const bool is_template = function.getDescribedFunctionTemplate() != nullptr;
    if (function.isExternallyVisible() && function.isThisDeclarationADefinition() && !function.isInlined() &&
        !is_template)
      refuse(Code::candidate_reach, function.getLocation(),
             "'" + name + "' could collide with another file's function; make it static");
  }

  // A name that the kernel's file has too, or the kernel's own.
  bool overloads_another(const FunctionDecl& function, const std::string& name) const {
    if (function.isOverloadedOperator() || of_the_candidate(*function.getDeclContext()->getRedeclContext()))
      return false;
    if (qualified_name(function) == spec_.qualified_name) return true;
    if (name == spec_.own_launch.name) return false;  // the harness has a template for candidates without it
    for (const NamedDecl* other : function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
      const NamedDecl* found = other->getUnderlyingDecl();
      if (!in_candidate(found->getLocation()) && found->getLocation().isValid() &&
          llvm::isa<FunctionDecl, FunctionTemplateDecl>(found))
        return true;
    }
    return false;
  }

  bool takes_own_type(const FunctionDecl& function) const {
    for (const ParmVarDecl* parameter : function.parameters()) {
      const QualType type = parameter->getType().getNonReferenceType().getCanonicalType();
      if (type->isDependentType()) return true;
      if (const TagDecl* tag = type->getAsTagDecl(); tag && in_candidate(tag->getLocation())) return true;
      if (const auto* special = llvm::dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
          special && in_candidate(special->getSpecializedTemplate()->getLocation()))
        return true;
    }
    return false;
  }

  ASTContext& context_;
  const SourceManager& sources_;
  const KernelSpec& spec_;
  const OriginalNames& original_;
  const UsePolicy uses_;
  int device_depth_ = 0;  // functions around, that run on a device alone
};

}  // namespace

Meaning look_at_meaning(const Parsed& parsed, const KernelSpec& spec, const OriginalNames* original) {
  const OriginalNames none;
  MeaningReader reader(parsed, spec, original ? *original : none);
  for (Decl* declaration : parsed.declarations()) reader.TraverseDecl(declaration);
  if (!original) reader.meaning.objection.reset(), reader.meaning.namesake.reset();
  return std::move(reader.meaning);
}

}  // namespace hone::frontend
