#include "tool/transforms/clang_format.h"

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>

#include <string_view>
#include <utility>

#include "tool/os/files/files.h"
#include "tool/transforms/source_style.h"

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
  // "none" formats nothing, as do projects that say DisableFormat: the text in the file is their style, too.
  llvm::Expected<clang::format::FormatStyle> found = clang::format::getStyle("file", file, "none");
  if (found && !found->DisableFormat) return *found;
  if (!found) llvm::consumeError(found.takeError());
  const auto source = os::read_file(file);
  return source ? style_of_source(*source) : clang::format::getLLVMStyle();
}

}  // namespace

Layout::Layout(std::string file)
    : file_(std::move(file)), style_(std::make_shared<clang::format::FormatStyle>(blanks_only(style_of(file_)))) {}

unsigned Layout::column_limit() const {
  return style_->ColumnLimit;
}

std::string Layout::laid_out(const std::string& text) const {
  const clang::tooling::Range whole(0, static_cast<unsigned>(text.size()));
  const auto changes = clang::format::reformat(*style_, text, whole, file_);
  llvm::Expected<std::string> result = clang::tooling::applyAllReplacements(text, changes);
  // `k<<<n < 9 ? n : 9, 32>>>` is a comparison to Clang's formatter, which takes its chevrons apart.
  if (result && launches_in(*result) == launches_in(text)) return *result;
  if (!result) llvm::consumeError(result.takeError());
  return text;
}

}  // namespace hone::frontend
