#include "tool/transforms/cuda/fusion/launch_chain.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/parse/system_header.h"
#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/cuda/fusion/step_code.h"

namespace hone::frontend {
namespace {

const clang::FunctionDecl* definition_of(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  return function && function->hasBody(definition) ? definition : nullptr;
}

const clang::FunctionDecl* called_by(const clang::Expr& expression) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression)) return call->getDirectCallee();
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&expression);
  return made ? made->getConstructor() : nullptr;
}

// The body first; then what is evaluated, too, and stands elsewhere: what a constructor gives members, and defaults of
// parameters and members.
std::vector<const clang::Stmt*> code_of(const clang::FunctionDecl& function) {
  std::vector<const clang::Stmt*> code{function.getBody()};
  const auto add = [&](const clang::Expr* more) {
    if (more && std::ranges::find(code, more) == code.end()) code.push_back(more);
  };
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
    for (const clang::CXXCtorInitializer* given : constructor->inits()) add(given->getInit());
  for (std::size_t at = 0; at < code.size(); ++at) {
    for (const auto* left_out : all_of<clang::CXXDefaultArgExpr>(code[at])) add(left_out->getExpr());
    for (const auto* left_out : all_of<clang::CXXDefaultInitExpr>(code[at])) add(left_out->getExpr());
  }
  return code;
}

constexpr std::array<std::string_view, 5> words_of_warps{"__shfl", "__activemask", "__any", "__all", "__ballot"};

// What a kernel, and what it calls, does beside computing. Headers of the project are read as the file itself is.
class KernelWords {
 public:
  explicit KernelWords(const KernelContext& context) : context_(context) {}

  void read(const clang::FunctionDecl& kernel) {
    body_ = kernel.getBody();
    for (const clang::Stmt* code : code_of(kernel)) {
      read_code(*code, code == body_);
      for (const auto* expression : all_of<clang::Expr>(code))
        if (waits_at(*expression)) {
          waits_.push_back(expression);
          refused_ |= code != body_;  // before or behind which returns it stands is not known
        }
    }
  }

  // A function can do what the kernel does for a block that it is told.
  bool may_be_called() const { return !refused_ && !leaves_before_wait(); }
  bool keeps_blocks() const { return shares_ || !waits_.empty(); }

 private:
  // What the text says and Clang does not: CUDA's words are macros or nothing to it.
  void read_names(const clang::Stmt& code, bool kernel) {
    const auto& sources = context_.sources();
    const clang::FileID file = sources.getFileID(sources.getExpansionLoc(code.getBeginLoc()));
    const auto range = range_in(context_.ast, file, code.getSourceRange());
    if (!range) refused_ = true;
    if (!range) return;
    const SourceTokens tokens(std::string_view(sources.getBufferData(file)), context_.ast.getLangOpts());
    static const std::set<std::string> never{"__ldg", "blockIdx", "gridDim"}, threads{"threadIdx", "blockDim"};
    for (std::size_t at = tokens.at_or_after(range->begin); at < tokens.size() && tokens[at].begin < range->end; ++at) {
      if (tokens[at].directive) refused_ = true;
      if (tokens[at].kind != clang::tok::raw_identifier) continue;
      const std::string name = tokens.spelling(at);
      shares_ |= name == "__shared__" || (!kernel && threads.contains(name));
      refused_ |= name == "cooperative_groups" || (!kernel && never.contains(name));
    }
  }

  // Did a macro write an index?
  bool hides_indices(const clang::Stmt& code) const {
    const auto hidden = [](const clang::Expr* expression) { return expression->getBeginLoc().isMacroID(); };
    return std::ranges::any_of(all_of<clang::MSPropertyRefExpr>(&code),
                               [&](auto* each) { return builtin_index(each) && hidden(each); }) ||
           std::ranges::any_of(all_of<clang::DeclRefExpr>(&code),
                               [&](auto* each) { return uses_builtin_indices(each) && hidden(each); });
  }

  void read_code(const clang::Stmt& code, bool kernel) {
    const auto& sources = context_.sources();
    const auto begin = code.getBeginLoc();
    if (begin.isInvalid() || sources.isInSystemHeader(sources.getExpansionLoc(begin))) return;  // nobody's, CUDA's
    if (!all_of<clang::AsmStmt>(&code).empty() || !all_of<clang::LambdaExpr>(&code).empty() || hides_indices(code))
      refused_ = true;
    read_variables(code);
    read_names(code, kernel);
  }

  // A macro may have written __shared__. What leaving a block of statements calls is in no expression.
  void read_variables(const clang::Stmt& code) {
    for (const auto* declared : all_of<clang::DeclStmt>(&code))
      for (const clang::Decl* each : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) {
          shares_ |= is_shared_memory(*variable);
          refused_ |= variable->needsDestruction(context_.ast) == clang::QualType::DK_cxx_destructor;
        }
    refused_ |= !all_of<clang::CXXBindTemporaryExpr>(&code).empty();
  }

  // Do threads wait for others in the function, or speak to them?
  bool waits_in(const clang::FunctionDecl& function) {
    const auto [known, is_new] = known_.try_emplace(&function, false);
    if (!is_new) return known->second;
    bool waits = false;
    for (const clang::Stmt* code : code_of(function)) {
      read_code(*code, false);
      for (const auto* expression : all_of<clang::Expr>(code)) {
        const auto* called = called_by(*expression);
        refused_ |= called && called->getNameAsString() == "__ldg";  // also where a macro wrote it
        waits |= waits_at(*expression);
      }
    }
    return known_[&function] = waits;
  }

  bool waits_at(const clang::Expr& expression) {
    const auto* function = called_by(expression);
    if (!function && llvm::isa<clang::CallExpr>(expression)) refused_ = true;
    if (!function) return false;
    const std::string qualified = function->getQualifiedNameAsString(), name = function->getNameAsString();
    const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    refused_ |= qualified.starts_with("cooperative_groups::") || begins("tex") || begins("surf");
    if (name.find("sync") != std::string::npos || qualified.starts_with("cub::") ||
        std::ranges::any_of(words_of_warps, begins))
      return true;
    if (in_system_header(function) || function->getBuiltinID() != 0) return false;
    const auto* definition = definition_of(function);
    refused_ |= !definition && !function->isDefaulted();  // nobody can read it
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    refused_ |= method && method->isVirtual();  // nor tell which one is called
    return definition && waits_in(*definition);
  }

  // Threads that have left are gone for a kernel's barriers, not for those of the function that goes on to other
  // blocks.
  bool leaves_before_wait() const {
    if (waits_.empty() || !returns_early(body_)) return false;
    const auto& sources = context_.sources();
    const auto place = [&](clang::SourceLocation at) { return sources.getFileOffset(sources.getExpansionLoc(at)); };
    if (!all_of<clang::GotoStmt>(body_).empty()) return true;
    for (const auto* leave : all_of<clang::ReturnStmt>(body_))
      for (const clang::Stmt* wait : waits_)
        if (place(leave->getBeginLoc()) < place(wait->getBeginLoc()) || in_one_loop(leave, wait)) return true;
    return false;
  }

  bool in_one_loop(const clang::Stmt* one, const clang::Stmt* other) const {
    const auto both = [&](const auto* loop) { return holds(loop, one) && holds(loop, other); };
    return std::ranges::any_of(all_of<clang::ForStmt>(body_), both) ||
           std::ranges::any_of(all_of<clang::WhileStmt>(body_), both) ||
           std::ranges::any_of(all_of<clang::DoStmt>(body_), both);
  }

  const KernelContext& context_;
  const clang::Stmt* body_ = nullptr;
  std::map<const clang::FunctionDecl*, bool> known_;
  std::vector<const clang::Stmt*> waits_;
  bool refused_ = false, shares_ = false;
};

class ChainReader {
 public:
  ChainReader(const KernelContext& context, const clang::Stmt* loop)
      : context_(context), launcher_(context.launcher->getBody()), code_(context) {
    chain_.loop = loop;
  }

  std::optional<LaunchChain> read() {
    if (!code_.allows(chain_.loop) || code_.launches().empty() || !range_of(context_.ast, chain_.loop))
      return std::nullopt;
    for (const auto* call : code_.launches())
      if (!read_launch(*call)) return std::nullopt;
    chain_.keeps_blocks |= chain_.shared != "0";
    read_variables();
    chain_.exchanges = code_.exchanges();
    chain_.bounds = code_.bounds();
    chain_.host_calls = code_.host_calls();
    return std::move(chain_);
  }

 private:
  bool read_launch(const clang::CUDAKernelCallExpr& call) {
    ChainedLaunch launch{&call, definition_of(call.getDirectCallee())};
    const auto* configuration = call.getConfig();
    const auto grid = text_of_argument(*configuration, 0), block = text_of_argument(*configuration, 1);
    const auto shared = text_of_argument(*configuration, 2), stream = text_of_argument(*configuration, 3);
    if (!launch.kernel || !may_chain(*launch.kernel) || !grid || !block || !shared || !stream) return false;
    for (unsigned at = 1; at < configuration->getNumArgs(); ++at)
      if (!lasts(configuration->getArg(at))) return false;
    launch.grid = *grid;
    launch.along_x = is_number(configuration->getArg(0));
    if (chain_.launches.empty()) {
      chain_.block = *block;
      chain_.shared = shared->empty() ? "0" : *shared;
      chain_.stream = stream->empty() ? "nullptr" : *stream;
      chain_.block_along_x = is_number(configuration->getArg(1));
      read_block_size(call);
    } else if (chain_.block != *block || chain_.shared != (shared->empty() ? "0" : *shared) ||
               chain_.stream != (stream->empty() ? "nullptr" : *stream)) {
      return false;
    }
    chain_.launches.push_back(launch);
    return true;
  }

  // "" where nothing is said.
  std::optional<std::string> text_of_argument(const clang::CallExpr& configuration, unsigned at) const {
    if (at >= configuration.getNumArgs() ||
        llvm::isa<clang::CXXDefaultArgExpr>(configuration.getArg(at)->IgnoreImplicit()))
      return "";
    const auto range = range_of(context_.ast, configuration.getArg(at)->getSourceRange());
    return range ? std::optional(Substitution(context_.ast).text(*range)) : std::nullopt;
  }

  static bool is_number(const clang::Expr* extent) {
    extent = extent->IgnoreImplicit();
    while (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(extent)) {
      if (made->getNumArgs() == 0) return false;
      extent = made->getArg(0)->IgnoreImplicit();
      if (made->getNumArgs() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(1))) return false;
    }
    return extent->getType()->isIntegerType();
  }

  void read_block_size(const clang::CUDAKernelCallExpr& call) {
    Launch launch;
    launch.call = &call;
    const auto shape = constant_shape(context_, launch, 1);
    if (!shape) return;
    const long long size = (*shape)[0] * (*shape)[1] * (*shape)[2];
    chain_.block_size = size > 0 && size <= 1024 ? size : 0;
  }

  // The same in all steps.
  bool lasts(const clang::Expr* expression) const {
    return all_of<clang::CallExpr>(expression).empty() &&
           std::ranges::all_of(all_of<clang::DeclRefExpr>(expression), [&](const clang::DeclRefExpr* reference) {
             return !declares(chain_.loop, reference->getDecl()) && !writes_variable(chain_.loop, reference->getDecl());
           });
  }

  // The candidate's own, and used only in launches: nothing takes its address or attributes. Its pointers need promise
  // nothing.
  bool may_chain(const clang::FunctionDecl& kernel) {
    const auto body = range_of(context_.ast, kernel.getBody());
    if (!body || body->begin < context_.definition_begin || kernel.isTemplateInstantiation() ||
        kernel.isDependentContext() || kernel.getNumParams() == 0 || kernel.isVariadic())
      return false;
    for (const clang::ParmVarDecl* parameter : kernel.parameters())
      if (!parameter->getIdentifier() || !range_of(context_.ast, parameter->getSourceRange()) ||
          parameter->getType()->isReferenceType())
        return false;
    std::size_t named = 0, launched = 0;
    for (const auto* reference : all_of<clang::DeclRefExpr>(launcher_))
      named += is_kernel(reference->getDecl(), kernel);
    for (const auto* call : all_of<clang::CUDAKernelCallExpr>(launcher_))
      launched += is_kernel(call->getDirectCallee(), kernel);
    KernelWords words(context_);
    words.read(kernel);
    chain_.keeps_blocks |= words.keeps_blocks();
    return named == launched && words.may_be_called();
  }

  static bool is_kernel(const clang::Decl* declaration, const clang::FunctionDecl& kernel) {
    return declaration && declaration->getCanonicalDecl() == kernel.getCanonicalDecl();
  }

  void read_variables() {
    for (const clang::VarDecl* variable : code_.variables()) {
      if (declares(chain_.loop, variable)) continue;
      chain_.taken.push_back(variable);
      if (writes_variable(chain_.loop, variable)) chain_.changed.push_back(variable);
    }
  }

  const KernelContext& context_;
  const clang::Stmt* launcher_;
  StepCode code_;
  LaunchChain chain_;
};

}  // namespace

std::vector<LaunchChain> launch_chains_of(const KernelContext& context) {
  std::vector<LaunchChain> chains;
  if (!context.launcher || !context.launcher->getBody() || context.launcher->isDependentContext() ||
      context.launcher->isTemplateInstantiation())
    return chains;
  KernelContext host = context;
  host.kernel = context.launcher;
  const LoopNest nest(host);
  for (const Loop& loop : nest.loops()) {
    if (loop.in_lambda || std::ranges::any_of(chains, [&](const auto& one) { return holds(one.loop, loop.statement); }))
      continue;
    const auto launches = all_of<clang::CUDAKernelCallExpr>(loop.statement);
    if (launches.empty()) continue;
    if (auto chain = ChainReader(context, loop.statement).read()) chains.push_back(std::move(*chain));
  }
  std::erase_if(chains, [&](const LaunchChain& one) { return one.launches.front().kernel != context.kernel; });
  return chains;
}

}  // namespace hone::frontend
