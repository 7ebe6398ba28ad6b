// gate(): Clang's look at a candidate before anything compiles it. Hygiene, so that honest mistakes get an honest
// reason; the wall is the sandbox.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <array>
#include <set>

#include "tool/frontend/frontend.h"
#include "tool/frontend/line_directive.h"
#include "tool/frontend/naming.h"
#include "tool/frontend/parse.h"
#include "tool/frontend/policy_words.h"
#include "tool/frontend/source_tokens.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr const char* kCandidate = "<candidate>";

std::string at_line(unsigned line) {
  return std::string(kCandidate) + ":" + std::to_string(line) + ": ";
}

unsigned line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// What shows in the text alone: includes, pragmas, macros, assembly.
class TextPolicy {
 public:
  TextPolicy(const std::string& candidate, bool threads)
      : tokens_(candidate, permissive_language()), threads_(threads) {}

  std::string check() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      std::string why = tokens_[i].directive ? (tokens_[i].line_start ? directive(i) : "") : word(i);
      if (!why.empty()) return at_line(line_of(tokens_.text(), tokens_[i].begin)) + why;
    }
    if (depth_ != 0) return at_line(line_of(tokens_.text(), tokens_.text().size())) + "a bracket is not closed";
    if (pushed_ != 0) return at_line(1) + "'#pragma GCC push_options' and 'pop_options' must come in pairs";
    return "";
  }

 private:
  std::string word(std::size_t i) {
    if (tokens_[i].kind == tok::l_brace) ++depth_;
    if (tokens_[i].kind == tok::r_brace && --depth_ < 0) return "a bracket closes more than the candidate opens";
    if (tokens_[i].kind != tok::raw_identifier) return "";
    if (tokens_.is(i, "asm") || tokens_.is(i, "__asm__") || tokens_.is(i, "__asm"))
      return "inline assembly is not allowed";
    for (const char* name : {"hone_call", "hone_problem", "hone_evaluate", "hone_harness"})
      if (tokens_.is(i, name)) return "'" + std::string(name) + "' is the judge's name, not a candidate's";
    if (tokens_.is(i, "_Pragma")) return "_Pragma is not allowed; write #pragma";
    return "";
  }

  std::string directive(std::size_t i) {
    const std::string name = i + 1 < tokens_.size() && tokens_[i + 1].directive ? tokens_.spelling(i + 1) : "";
    if (name == "include") return include(i + 2);
    if (name == "pragma") return pragma(i + 2);
    if (name == "define" || name == "undef") return macro(i + 2);
    if (name == "import" || name == "include_next" || name == "embed" || name == "line" || name == "ident")
      return "#" + name + " is not allowed";
    return "";
  }

  std::string rest_of_line(std::size_t i) const {
    if (i >= tokens_.size()) return "";
    const std::string_view text = tokens_.text().substr(tokens_[i].begin);
    std::string line(text.substr(0, text.find_first_of("\r\n")));
    return line;
  }

  std::string include(std::size_t i) const {
    const std::string line = rest_of_line(i);
    const std::size_t close = line.find(line.starts_with("<") ? '>' : '"', 1);
    const std::string header = line.size() > 2 && close != std::string::npos ? line.substr(1, close - 1) : line;
    if (is_allowed_header(header) || (threads_ && is_thread_header(header))) return "";
    return "#include <" + header + "> is not allowed; use the headers for mathematics, SIMD, algorithms and containers";
  }

  std::string pragma(std::size_t i) {
    const std::string first = i < tokens_.size() ? tokens_.spelling(i) : "";
    const std::string second = i + 1 < tokens_.size() ? tokens_.spelling(i + 1) : "";
    if (first == "GCC" && (second == "ivdep" || second == "unroll")) return "";
    if (first == "clang" && (second == "loop" || second == "fp")) return "";
    if (first == "STDC" || first == "unroll" || first == "omp") return "";
    if (first == "GCC" && second == "push_options") return ++pushed_, "";
    if (first == "GCC" && second == "pop_options")
      return --pushed_ < 0 ? "'#pragma GCC pop_options' without a push" : "";
    if (first == "GCC" && (second == "optimize" || second == "target") && pushed_ > 0) return "";
    return "'#pragma " + first + " " + second + "' could change code outside of the candidate";
  }

  std::string macro(std::size_t i) const {
    const std::string name = i < tokens_.size() ? tokens_.spelling(i) : "";
    if (name.starts_with("__") || name.starts_with("hone_") || is_keyword(name))
      return "the macro name '" + name + "' is reserved";
    return "";
  }

  static bool is_keyword(const std::string& name) {
    IdentifierTable names(permissive_language());
    return names.get(name).getTokenID() != tok::identifier;
  }

  const SourceTokens tokens_;
  const bool threads_;
  int pushed_ = 0;
  int depth_ = 0;  // of braces: what is around the candidate is not its to close
};

// What only the meaning shows: state that lasts, calls that reach outside, code that runs by itself.
class MeaningPolicy final : public RecursiveASTVisitor<MeaningPolicy> {
 public:
  MeaningPolicy(const Parsed& parsed, const KernelSpec& spec) : sources_(parsed.sources()), spec_(spec) {}

  std::string reason;
  const FunctionDecl* kernel = nullptr;

  bool shouldVisitImplicitCode() const { return false; }

  // Only what stands in the candidate's text is looked at, and the way to it.
  bool TraverseDecl(Decl* declaration) {
    if (!declaration) return true;
    if (!llvm::isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl>(declaration) &&
        !in_candidate(declaration->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool VisitFunctionDecl(FunctionDecl* function) {
    if (function->hasAttr<ConstructorAttr>() || function->hasAttr<DestructorAttr>())
      return refuse(function->getLocation(), "a function that runs by itself (constructor, destructor) is not allowed");
    if (function->hasAttr<AliasAttr>() || function->hasAttr<IFuncAttr>() || function->hasAttr<WeakAttr>())
      return refuse(function->getLocation(), "attributes that rebind symbols are not allowed");
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext()) return true;
    if (mangled_name(*function) != spec_.mangled_name || signature(*function) != spec_.signature) return true;
    kernel = function;
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) {
    if (variable->getTSCSpec() != TSCS_unspecified)
      return refuse(variable->getLocation(),
                    "thread-local state is not allowed ('" + variable->getNameAsString() + "')");
    if (!variable->hasGlobalStorage() || variable->isConstexpr()) return true;
    const QualType type = variable->getASTContext().getBaseElementType(variable->getType());
    if (!type.isConstQualified() || has_mutable_field(type))
      return refuse(variable->getLocation(), "static state that can change is not allowed ('" +
                                                 variable->getNameAsString() + "'); make it const or a local variable");
    return true;
  }

  bool VisitFileScopeAsmDecl(FileScopeAsmDecl* assembly) {
    return refuse(assembly->getLocation(), "inline assembly is not allowed");
  }
  bool VisitAsmStmt(AsmStmt* assembly) { return refuse(assembly->getAsmLoc(), "inline assembly is not allowed"); }

  bool VisitDeclRefExpr(DeclRefExpr* use) { return check_use(use->getLocation(), *use->getDecl()); }
  bool VisitMemberExpr(MemberExpr* use) { return check_use(use->getMemberLoc(), *use->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr* use) { return check_use(use->getLocation(), *use->getConstructor()); }

 private:
  bool in_candidate(SourceLocation location) const {
    const PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(location));
    return place.isValid() && StringRef(place.getFilename()) == kCandidate;
  }

  bool refuse(SourceLocation location, const std::string& why) {
    if (reason.empty()) reason = at_line(sources_.getPresumedLoc(sources_.getExpansionLoc(location)).getLine()) + why;
    return true;
  }

  static bool has_mutable_field(QualType type) {
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return record && record->hasDefinition() && record->hasMutableFields();
  }

  bool check_use(SourceLocation location, const NamedDecl& used) {
    const SourceLocation home = sources_.getExpansionLoc(used.getLocation());
    const std::string name = used.getNameAsString();
    if (is_forbidden_builtin(name)) return refuse(location, "'" + name + "' is not allowed");
    if (home.isInvalid()) return true;
    if (sources_.isInSystemHeader(home)) {
      const bool threads = spec_.threads > 1;
      if (is_forbidden_use(sources_.getFilename(home), name, threads))
        return refuse(location,
                      "'" + used.getQualifiedNameAsString() +
                          "' is not allowed: a kernel computes, it does no I/O and asks the system for nothing");
      return true;
    }
    const auto* function = llvm::dyn_cast<FunctionDecl>(&used);
    if (function && in_candidate(home) && !function->isDefined() && !function->isImplicit() &&
        !function->isDefaulted() && !function->isDeleted() && !function->getTemplateInstantiationPattern() &&
        !function->isDependentContext())
      return refuse(location, "'" + name + "' is declared but not defined; a candidate brings its own helpers");
    return true;
  }

  const SourceManager& sources_;
  const KernelSpec& spec_;
};

std::string as_reason(const Message& error) {
  if (error.file == kCandidate) return at_line(error.line) + error.text;
  return "behind the candidate, " + error.file + ":" + std::to_string(error.line) + ": " + error.text;
}

}  // namespace

struct Gate::State {
  KernelSpec spec;
  Parser parser;
  std::string promises;  // of the original
};

namespace {

std::string with_definition(const KernelUnit& unit, const std::string& includes, unsigned line,
                            const std::string& definition) {
  return unit.prologue + line_directive(1, kCandidate) + includes + unit.opening + line_directive(line, kCandidate) +
         definition + "\n" + unit.closing + unit.harness;
}

// The kernel as the original defines it: parsed in the candidate's place.
Result<std::string> promises_of_original(const KernelSpec& spec, Parser& parser) {
  HONE_TRY(auto parsed, parser.parse(with_definition(spec.unit, "", 1, spec.unit.definition)));
  MeaningPolicy policy(*parsed, spec);
  for (Decl* declaration : parsed->declarations()) policy.TraverseDecl(declaration);
  if (!policy.kernel) return failure("the kernel's unit does not define '" + spec.signature + "'", spec.file);
  return promises(*policy.kernel);
}

}  // namespace

Gate::Gate(std::unique_ptr<State> state) : state_(std::move(state)) {}
Gate::Gate(Gate&&) noexcept = default;
Gate& Gate::operator=(Gate&&) noexcept = default;
Gate::~Gate() = default;

Result<Gate> Gate::open(const KernelSpec& spec, const CompileCommand& command, const Options& options) {
  HONE_TRY(Parser parser, Parser::create(command, options));
  HONE_TRY(std::string promised, promises_of_original(spec, parser));
  return Gate(std::make_unique<State>(State{spec, std::move(parser), std::move(promised)}));
}

std::string Gate::check(const std::string& candidate) {
  const KernelSpec& spec = state_->spec;
  if (std::string why = TextPolicy(candidate, spec.threads > 1).check(); !why.empty()) return why;

  const SplitSource split = split_includes(candidate);
  auto parsed =
      state_->parser.parse(with_definition(spec.unit, split.includes, split.definition_line, split.definition));
  if (!parsed) return parsed.error().message();
  const std::vector<Message>& errors = (*parsed)->errors();
  const auto own = std::ranges::find(errors, kCandidate, &Message::file);
  if (own != errors.end()) return as_reason(*own);

  MeaningPolicy policy(**parsed, spec);
  for (Decl* declaration : (*parsed)->declarations()) policy.TraverseDecl(declaration);
  if (!policy.reason.empty()) return policy.reason;
  if (!policy.kernel)
    return at_line(split.definition_line) + "the candidate does not define '" + spec.signature +
           "' with exactly this signature and linkage";
  if (promises(*policy.kernel) != state_->promises)
    return at_line(split.definition_line) +
           "the original's inline, constexpr, noexcept and default arguments must be kept (it has: " +
           (state_->promises.empty() ? "none" : state_->promises) + ")";
  if (!errors.empty()) return as_reason(errors.front());
  return "";
}

std::string gate(const KernelSpec& spec, const std::string& candidate, const CompileCommand& command,
                 const Options& options) {
  auto gate = Gate::open(spec, command, options);
  return gate ? gate->check(candidate) : gate.error().message();
}

}  // namespace hone::frontend
