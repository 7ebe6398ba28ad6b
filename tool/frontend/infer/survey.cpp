#include "tool/frontend/infer/survey.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <array>
#include <filesystem>
#include <string_view>

#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/os/files/files.h"

namespace hone::frontend {
namespace {

using namespace clang;

using Lines = std::pair<unsigned, unsigned>;

// Loops that are written down, and calls of the library's that are loops.
class LoopLines final : public SyntaxVisitor {
 public:
  explicit LoopLines(const SourceManager& sources) : sources_(sources) {}
  std::vector<Lines> found;

  bool VisitStmt(Stmt* statement) override {
    if (llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement)) add(*statement);
    return true;
  }
  bool VisitCallExpr(CallExpr* call) override {
    constexpr std::array<std::string_view, 14> kLoops = {
        "for_each",    "transform", "accumulate",    "reduce", "fill",        "copy",        "sort",
        "stable_sort", "count",     "inner_product", "find",   "max_element", "nth_element", "partial_sum"};
    const FunctionDecl* called = call->getDirectCallee();
    if (!called || !called->getDeclName().isIdentifier()) return true;
    if (called->getName() == "qsort" || called->getName() == "bsearch") return add(*call), true;
    if (!called->isInStdNamespace()) return true;
    for (const std::string_view name : kLoops)
      if (called->getName().starts_with(llvm::StringRef(name.data(), name.size()))) return add(*call), true;
    return true;
  }

 private:
  void add(const Stmt& statement) {
    found.emplace_back(sources_.getPresumedLineNumber(sources_.getExpansionLoc(statement.getBeginLoc())),
                       sources_.getPresumedLineNumber(sources_.getExpansionLoc(statement.getEndLoc())));
  }
  const SourceManager& sources_;
};

class Surveyor final : public SyntaxVisitor {
 public:
  Surveyor(const ASTContext& context, std::filesystem::path directory,
           const std::function<bool(const std::string&)>& wanted)
      : sources_(context.getSourceManager()), directory_(std::move(directory)), wanted_(wanted) {}
  std::vector<SurveyedFunction> found;

  bool VisitFunctionDecl(FunctionDecl* function) override {
    if (!function->doesThisDeclarationHaveABody() || function->isImplicit() || function->isDefaulted()) return true;
    const SourceLocation location = sources_.getExpansionLoc(function->getLocation());
    if (location.isInvalid() || sources_.isInSystemHeader(location)) return true;
    const std::string file = (directory_ / sources_.getFilename(location).str()).lexically_normal().string();
    if (!wanted_(file)) return true;
    const SourceLocation begin = sources_.getExpansionLoc(function->getDescribedFunctionTemplate()
                                                              ? function->getDescribedFunctionTemplate()->getBeginLoc()
                                                              : function->getOuterLocStart());
    SurveyedFunction surveyed;
    surveyed.name = qualified_name(*function);
    if (!function->isDependentContext()) surveyed.mangled = mangled_name(*function);
    surveyed.file = file;
    surveyed.first_line = sources_.getExpansionLineNumber(begin);
    surveyed.last_line = sources_.getExpansionLineNumber(function->getBody()->getEndLoc());
    surveyed.offset = sources_.getFileOffset(begin);
    LoopLines loops(sources_);
    loops.TraverseStmt(function->getBody());
    surveyed.loops = std::move(loops.found);
    surveyed.is_main = function->isMain();
    surveyed.inferred = infer(*function);
    const bool of_macro = function->getBody()->getBeginLoc().isMacroID();
    for (SurveyedFunction& other : found)
      if (of_macro && other.file == surveyed.file && other.offset == surveyed.offset)
        other.shares_macro = surveyed.shares_macro = true;
    found.push_back(std::move(surveyed));
    return true;
  }

 private:
  const SourceManager& sources_;
  const std::filesystem::path directory_;
  const std::function<bool(const std::string&)>& wanted_;
};

}  // namespace

Result<std::vector<SurveyedFunction>> survey(const CompileCommand& command, const Options& options,
                                             const std::function<bool(const std::string& file)>& wanted) {
  Parser::Settings settings;
  settings.reuse_prologue = false;
  settings.overlay = options.overlay;
  HONE_TRY(Parser parser, Parser::create(command, options, settings));
  const std::filesystem::path directory = command.directory;
  HONE_TRY(std::string text, os::read_file(directory / parser.main_file()));
  HONE_TRY(const auto parsed, parser.parse(std::move(text)));
  if (!parsed->errors().empty())
    return failure("Clang cannot parse it: " + parsed->errors().front().text,
                   parsed->errors().front().file + ":" + std::to_string(parsed->errors().front().line));
  Surveyor surveyor(parsed->context(), directory, wanted);
  surveyor.TraverseDecl(parsed->context().getTranslationUnitDecl());
  return std::move(surveyor.found);
}

}  // namespace hone::frontend
