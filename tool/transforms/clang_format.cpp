#include "tool/transforms/clang_format.h"

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>

#include <string_view>

namespace hone::frontend {
namespace {

unsigned launches_in(std::string_view text) {
  constexpr std::string_view chevrons = "<<<";
  unsigned count = 0;
  for (std::size_t at = text.find(chevrons); at != std::string_view::npos;
       at = text.find(chevrons, at + chevrons.size()))
    ++count;
  return count;
}

clang::format::FormatStyle style_of(const std::string& file) {
  llvm::Expected<clang::format::FormatStyle> found = clang::format::getStyle("file", file, "LLVM");
  if (found) return *found;
  llvm::consumeError(found.takeError());
  return clang::format::getLLVMStyle();
}

}  // namespace

unsigned column_limit(const std::string& file) {
  return style_of(file).ColumnLimit;
}

std::string laid_out(const std::string& text, const std::string& file) {
  namespace format = clang::format;
  format::FormatStyle style = style_of(file);
  style.DisableFormat = false;
  style.ReflowComments = false;
  style.BreakStringLiterals = false;
  style.RemoveSemicolon = false;
  style.RemoveParentheses = format::FormatStyle::RPS_Leave;
  style.InsertBraces = false;
  style.RemoveBracesLLVM = false;
  style.QualifierAlignment = format::FormatStyle::QAS_Leave;
  style.FixNamespaceComments = false;
  const clang::tooling::Range whole(0, static_cast<unsigned>(text.size()));
  const auto changes = format::reformat(style, text, whole, file);
  llvm::Expected<std::string> result = clang::tooling::applyAllReplacements(text, changes);
  // `k<<<n < 9 ? n : 9, 32>>>` is a comparison to Clang's formatter, which takes its chevrons apart.
  if (result && launches_in(*result) == launches_in(text)) return *result;
  if (!result) llvm::consumeError(result.takeError());
  return text;
}

}  // namespace hone::frontend
