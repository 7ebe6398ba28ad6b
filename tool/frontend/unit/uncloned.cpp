#include "tool/frontend/unit/uncloned.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include <algorithm>

namespace hone::frontend {
namespace {

using namespace clang;

// A second declaration would be of another version, or say something else.
bool may_be_declared_again(const FunctionDecl& function) {
  const auto* type = function.getType()->getAs<FunctionProtoType>();
  if (!type || type->hasTrailingReturn() || function.getDeclaredReturnType()->getContainedDeducedType()) return false;
  if (function.getQualifier()) return false;  // `void app::f() {…}` may be defined so, not declared
  if (function.hasAttr<TargetAttr>() || function.hasAttr<TargetClonesAttr>() || function.hasAttr<TargetVersionAttr>())
    return false;
  return std::ranges::none_of(function.parameters(), [](const ParmVarDecl* one) { return one->hasDefaultArg(); });
}

bool is_copied_on_purpose(const FunctionDecl& function) {
  return function.isInlined() || function.isConstexpr() || function.hasAttr<AlwaysInlineAttr>();
}

}  // namespace

std::string uncloned(const TranslationUnit& unit, const Attachment& attachment) {
  const FunctionDecl& function = *attachment.function;
  if (unit.parsed().language().CUDA || attachment.is_template || function.isTemplated() ||
      function.isTemplateInstantiation() || llvm::isa<CXXMethodDecl>(function))
    return "";
  if (is_copied_on_purpose(function) || !may_be_declared_again(function) || !function.getBody()) return "";
  const SourceLocation body = function.getBody()->getBeginLoc();
  if (body.isMacroID() || !unit.in_main_file(body) || unit.offset(body) <= attachment.begin) return "";
  const std::string header = unit.text().substr(attachment.begin, unit.offset(body) - attachment.begin);
  if (header.find_first_of("#{") != std::string::npos) return "";
  return "#if defined(__clang__)\n" + header + "\n__attribute__((noinline));\n" +
         "#elif defined(__GNUC__)\n"
         "#pragma GCC diagnostic push\n"
         "#pragma GCC diagnostic ignored \"-Wredundant-decls\"\n" +
         header + "\n__attribute__((noipa));\n" + "#pragma GCC diagnostic pop\n#endif\n";
}

}  // namespace hone::frontend
