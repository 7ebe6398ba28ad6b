#include "tool/frontend/describe/effects.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "tool/frontend/arguments/giving_up.h"

namespace hone::frontend {
namespace {

using namespace clang;

// Ends of the paths of headers whose functions talk to the world.
constexpr std::array<std::string_view, 9> kIoHeaders = {"/stdio.h",   "/unistd.h",     "/fcntl.h",
                                                        "/syslog.h",  "/sys/socket.h", "/sys/ioctl.h",
                                                        "/sys/uio.h", "/aio.h",        "/print"};
// Functions of these headers that only write to memory or only ask.
constexpr std::array<std::string_view, 11> kHarmless = {"snprintf",    "vsnprintf", "sprintf", "vsprintf",
                                                        "sscanf",      "vsscanf",   "sysconf", "getpid",
                                                        "getpagesize", "swab",      "format"};
constexpr std::array<std::string_view, 2> kPrintHeaders = {"/stdio.h", "/print"};
constexpr std::array<std::string_view, 5> kPrinting = {"printf", "puts", "putchar", "vprintf", "fprintf"};

bool ends_with_one_of(std::string_view path, const auto& ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return path.ends_with(end); });
}

class EffectReader final : public GivingUpVisitor {
 public:
  // What functions do, and whether they only print.
  using Known = std::map<const FunctionDecl*, std::pair<std::string, bool>>;

  // `known`: of all readers of one kernel, so that functions that call each other end. Borrowed.
  EffectReader(const ASTContext& context, Known& known) : sources_(context.getSourceManager()), effects_(known) {}

  std::string found;
  bool only_prints = true;                     // is all that it does
  std::map<std::string, unsigned> complaints;  // by what is used, in branches that give up

  void follow(const FunctionDecl& function) {
    meet(function);
    while (!pending_.empty()) {
      const FunctionDecl* next = pending_.back();
      pending_.pop_back();
      TraverseDecl(const_cast<FunctionDecl*>(next));
    }
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseCompoundStmt(CompoundStmt* block) {
    if (std::ranges::any_of(block->body(), [](const Stmt* one) { return ends_all(one); })) return true;
    return SyntaxVisitor::TraverseCompoundStmt(block);
  }
  bool VisitDeclRefExpr(DeclRefExpr* use) {
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(use->getDecl())) return look_at(*function, *use);
    const std::string header = header_of(*use->getDecl());
    if (header.ends_with("/iostream")) note(*use, true, "uses ", use->getDecl()->getQualifiedNameAsString());
    return true;
  }
  bool VisitMemberExpr(MemberExpr* use) {
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(use->getMemberDecl())) meet(*function);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) {
    meet(*made->getConstructor());
    if (header_of(*made->getConstructor()).ends_with("/fstream"))
      note(*made, false, "makes a ", made->getConstructor()->getParent()->getQualifiedNameAsString());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* operation) {
    if (operation->isAssignmentOp()) look_at_store(*operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* operation) {
    if (operation->isIncrementDecrementOp()) look_at_store(*operation->getSubExpr());
    return true;
  }

 private:
  // A call that does not come back, or a throw.
  static bool ends_all(const Stmt* statement) {
    const auto* expression = llvm::dyn_cast<Expr>(statement);
    if (!expression) return false;
    expression = expression->IgnoreImplicit();
    if (llvm::isa<CXXThrowExpr>(expression)) return true;
    const auto* call = llvm::dyn_cast<CallExpr>(expression);
    const FunctionDecl* called = call ? call->getDirectCallee() : nullptr;
    return called && called->isNoReturn();
  }

  bool look_at(const FunctionDecl& function, const DeclRefExpr& use) {
    const std::string name = function.getNameAsString();
    const bool io = ends_with_one_of(header_of(function), kIoHeaders) && std::ranges::count(kHarmless, name) == 0;
    const bool printing = std::ranges::count(kPrinting, name) > 0 && function.isExternC();
    if (io || printing) note(use, printing || ends_with_one_of(header_of(function), kPrintHeaders), "calls ", name);
    return meet(function), true;
  }

  // Volatile memory that is neither an argument's nor the function's own.
  void look_at_store(const Expr& target) {
    if (!target.getType().isVolatileQualified()) return;
    const Expr* root = &target;
    for (;;) {
      root = root->IgnoreParenCasts();
      if (const auto* member = llvm::dyn_cast<MemberExpr>(root))
        root = member->getBase();
      else if (const auto* element = llvm::dyn_cast<ArraySubscriptExpr>(root))
        root = element->getBase();
      else if (const auto* deref = llvm::dyn_cast<UnaryOperator>(root))
        root = deref->getSubExpr();
      else if (const auto* sum = llvm::dyn_cast<BinaryOperator>(root); sum && sum->isAdditiveOp())
        root = sum->getLHS();
      else
        break;
    }
    const auto* use = llvm::dyn_cast<DeclRefExpr>(root);
    const auto* variable = use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!llvm::isa<CXXThisExpr>(root) && !(variable && (variable->isLocalVarDeclOrParm())))
      note(target, false, "stores into volatile memory", "");
  }

  // `prints`: what a function may do where it gives up.
  void note(const Expr& at, bool prints, const std::string& does, const std::string& name) {
    if (prints && gives_up()) {
      ++complaints[name];
      return;
    }
    only_prints = only_prints && prints;
    if (!found.empty()) return;
    const PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(at.getExprLoc()));
    found = (place.isValid() ? std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) : "it") + " " +
            does + (name.empty() ? "" : "'" + name + "'");
  }

  std::string header_of(const Decl& declaration) const {
    const SourceLocation home = sources_.getExpansionLoc(declaration.getLocation());
    return home.isValid() && sources_.isInSystemHeader(home) ? sources_.getFilename(home).str() : "";
  }

  void meet(const FunctionDecl& function) {
    const FunctionDecl* definition = nullptr;
    if (!header_of(function).empty() || !function.hasBody(definition)) return;
    if (gives_up())
      if (const auto& [effect, prints] = effect_where_given_up(*definition); !effect.empty()) {
        if (prints) ++complaints[function.getQualifiedNameAsString()];
        if (!prints && found.empty()) found = effect;
        only_prints = only_prints && prints;
        return;
      }
    if (seen_.insert(definition).second) pending_.push_back(definition);
  }

  // Of a function that is called where another gives up.
  const std::pair<std::string, bool>& effect_where_given_up(const FunctionDecl& definition) {
    const auto [known, is_new] = effects_.try_emplace(&definition, "", true);  // nothing while it is looked at
    if (is_new) {
      EffectReader own(definition.getASTContext(), effects_);
      own.follow(definition);
      known->second = {std::move(own.found), own.only_prints};
    }
    return known->second;
  }

  const SourceManager& sources_;
  Known& effects_;
  std::vector<const FunctionDecl*> pending_;
  std::set<const FunctionDecl*> seen_;
};

}  // namespace

Effects effects_of(const FunctionDecl& kernel) {
  EffectReader::Known known;
  EffectReader reader(kernel.getASTContext(), known);
  reader.follow(kernel);
  return {std::move(reader.found), std::move(reader.complaints)};
}

std::string missing_complaint(const Effects& original, const Effects& candidate) {
  if (!original.complaints.empty() && !candidate.effect.empty())
    return "it " + candidate.effect.substr(candidate.effect.find(' ') + 1) +
           " outside of the branches in which it gives up; the original prints only in such branches";
  for (const auto& [name, times] : original.complaints) {
    const auto kept = candidate.complaints.find(name);
    const unsigned left = kept == candidate.complaints.end() ? 0 : kept->second;
    if (left < times)
      return "the original prints with '" + name + "' in " + std::to_string(times) +
             (times == 1 ? " place" : " places") + " where it gives up, and the candidate in " + std::to_string(left) +
             "; keep each message, in a branch that ends with return";
  }
  return "";
}

}  // namespace hone::frontend
