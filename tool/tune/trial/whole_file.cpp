#include "tool/tune/trial/whole_file.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::tune {
namespace {

KernelUnit unit_of(const std::string& text, const frontend::Placement& at, const KernelUnit& cut) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // may only stand at the very beginning
  const std::size_t start = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const auto piece = [&](unsigned line, std::size_t begin, std::size_t end) {
    return frontend::line_directive(line, at.file) + text.substr(begin, end - begin);
  };
  KernelUnit unit = cut;
  unit.prologue = piece(1, start, at.includes_at);
  unit.opening = piece(at.includes_line, at.includes_at, at.begin);
  unit.closing = piece(at.end_line, at.end, text.size());
  return unit;
}

struct InFile {
  frontend::FoundKernel kernel;
  std::string text;  // the file's
};

Result<InFile> find(const KernelSpec& spec, const CompileCommand& command, const frontend::Options& options) {
  frontend::Options quick = options;
  quick.units = false;
  HONE_TRY(auto found, frontend::find_kernels(command, quick));
  const auto kernel =
      std::ranges::find_if(found.kernels, [&](const frontend::FoundKernel& one) { return one.spec.key == spec.key; });
  if (kernel == found.kernels.end()) return failure("the file has been edited", spec.file, "run this again");
  const frontend::Placement& at = kernel->placement;
  if (at.includes_at > at.begin || at.begin > at.end || at.end > found.file.text.size())
    return failure("the file has been edited", spec.file, "run this again");
  return InFile{std::move(*kernel), std::move(found.file.text)};
}

}  // namespace

Result<KernelSpec> with_whole_file(const KernelSpec& spec, const CompileCommand& command,
                                   const frontend::Options& options) {
  HONE_TRY(const InFile found, find(spec, command, options));
  KernelSpec whole = spec;
  whole.unit = unit_of(found.text, found.kernel.placement, spec.unit);
  return whole;
}

Result<std::string> source_in_file(const KernelSpec& spec, const std::string& variant, const CompileCommand& command,
                                   const frontend::Options& options) {
  if (std::ranges::none_of(spec.parameters, &Parameter::fixed)) return variant;
  HONE_TRY(const InFile found, find(spec, command, options));
  const frontend::Placement& at = found.kernel.placement;
  return frontend::guarded_source(found.kernel, variant, found.text.substr(at.begin, at.end - at.begin));
}

}  // namespace hone::tune
