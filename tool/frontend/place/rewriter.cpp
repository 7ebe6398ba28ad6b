// rewrite(): puts variants in the place of definitions, and #line directives around them so that nothing else moves.
#include "tool/frontend/place/rewriter.h"
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/parse/file_regions.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/main_text.h"
#include "tool/frontend/place/uncloned_text.h"
#include "tool/frontend/unit/variant_launch.h"
#include "tool/model/candidate.h"

namespace hone::frontend {
namespace {

// One piece of text that takes the place of [begin, end).
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string text;      // whole lines,
  bool inline_ = false;  // or words within a line
  bool border = false;   // of two files: the text goes on in the other
};

// Without the directives and blank lines around it: a variant may stand between pragmas that quiet warnings.
std::string_view without_frame(std::string_view text) {
  const auto frames = [](std::string_view line) { return line.empty() || line.front() == '#'; };
  while (!text.empty() && frames(text.substr(0, text.find('\n'))))
    text.remove_prefix(std::min(text.size(), text.substr(0, text.find('\n')).size() + 1));
  while (!text.empty()) {
    const std::size_t last = text.rfind('\n') + 1;  // npos + 1 is 0
    if (!frames(text.substr(last))) break;
    text.remove_suffix(text.size() - (last == 0 ? 0 : last - 1));
  }
  return text;
}

// `definition` as it was judged: callers in this file call it. The original's own text compiles as it would without
// Hone.
std::string called_as_judged(const Replacement& replacement, const SplitSource& split, const std::string& original) {
  const Placement& place = replacement.placement;
  const std::string_view replaced = std::string_view(original).substr(place.begin, place.end - place.begin);
  const bool copied = place.uncloned.empty() || without_frame(split.definition) == without_frame(replaced);
  return copied ? split.definition : uncloned_text(split, place.uncloned, replacement.display);
}

std::vector<Edit> edits_of(const Replacement& replacement, const std::string& original) {
  if (!replacement.beside.empty()) {
    std::vector<Edit> edits;
    for (const Insertion& insertion : replacement.beside)
      edits.push_back({insertion.at, insertion.at, with_newline(insertion.lines)});
    return edits;
  }
  const SplitSource split = split_includes(replacement.variant);
  std::vector<Edit> edits;
  if (!split.includes.empty())
    edits.push_back({replacement.placement.includes_at, replacement.placement.includes_at,
                     line_directive(1, replacement.display) + with_newline(split.includes)});
  // Behind a specialization an explicit instantiation does nothing; only Clang finds that worth a warning.
  constexpr const char* kQuiet =
      "#ifdef __clang__\n#pragma clang diagnostic ignored \"-Winstantiation-after-specialization\"\n#endif\n";
  const bool beside_template = replacement.placement.begin == replacement.placement.end;
  edits.push_back({replacement.placement.begin, replacement.placement.end,
                   (beside_template ? kQuiet : "") + line_directive(split.definition_line, replacement.display) +
                       with_newline(called_as_judged(replacement, split, original))});
  return edits;
}

constexpr std::size_t kChevrons = 3;  // in <<< and >>>

// name<<<…>>>(…) becomes starter(…)(…); a name that is written over several lines keeps them.
void add_launches(const LaunchSites& launches, const std::string& original, std::vector<Edit>& edits) {
  for (const LaunchSite& site : launches.sites) {
    const auto begin = original.begin() + static_cast<std::ptrdiff_t>(site.name_begin);
    const auto end = original.begin() + static_cast<std::ptrdiff_t>(site.name_end);
    const std::string lines(static_cast<std::size_t>(std::count(begin, end, '\n')), '\n');
    // Apart from what stands in front of it: `:` and `::` would be read as one more.
    edits.push_back({site.name_begin, site.name_end, " " + launches.starter + lines, true});
    edits.push_back({site.chevrons, site.chevrons + kChevrons, "(", true});
    edits.push_back({site.end_chevrons, site.end_chevrons + kChevrons, ")", true});
  }
}

// An edit starts a line of its own, and what follows it stands in its old line and column.
void apply(std::string& out, const Edit& edit, const std::string& original, const Origins& origins) {
  if (!out.empty() && out.back() != '\n') out.push_back('\n');
  out += edit.text;
  const FilePlace place = origins.place(original, edit.end);
  out += line_directive(place.line, place.file);
  const std::size_t line_start = edit.end == 0 ? 0 : original.rfind('\n', edit.end - 1) + 1;
  out.append(padding(original, line_start, edit.end));
}

std::string rewrite(const std::string& original, const Origins& origins, std::vector<Replacement> replacements) {
  std::vector<Edit> edits;
  for (const std::size_t border : origins.borders()) edits.push_back({border, border, "", false, true});
  for (const Replacement& replacement : replacements) {
    for (Edit& edit : edits_of(replacement, original)) edits.push_back(std::move(edit));
    add_launches(replacement.launches, original, edits);
  }
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;  // includes before a definition at the same place
  });

  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // may only stand at the very beginning
  std::size_t copied = original.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const FilePlace first = origins.place(original, 0);
  std::string out = line_directive(first.line, first.file);
  for (const Edit& edit : edits) {
    if ((edit.inline_ || edit.border) && edit.begin < copied) continue;  // in a definition that a variant replaced
    if (edit.begin > copied) out.append(original, copied, edit.begin - copied);
    if (edit.inline_)
      out += edit.text;
    else
      apply(out, edit, original, origins);
    copied = std::max(copied, edit.end);
  }
  return out.append(original, copied, std::string::npos);
}

}  // namespace

std::string with_newline(std::string text) {
  if (!text.empty() && text.back() != '\n') text.push_back('\n');
  return text;
}

std::string rewrite(const std::string& original, const std::string& original_name,
                    std::vector<Replacement> replacements) {
  return rewrite(original, Origins(original_name), std::move(replacements));
}

std::string rewrite(const MainText& original, std::vector<Replacement> replacements) {
  return rewrite(original.text, original.origins, std::move(replacements));
}

Result<Replacement> replacement(const FoundKernel& kernel, std::string variant, std::string display) {
  if (!brings_launch(kernel.spec, variant))
    return Replacement{kernel.placement, std::move(variant), std::move(display)};
  if (std::string why = why_not_here(kernel.spec, variant); !why.empty()) return failure(std::move(why));
  if (!variant.ends_with('\n')) variant += '\n';
  return Replacement{kernel.placement, variant + kernel.launches.glue, std::move(display), kernel.launches};
}

}  // namespace hone::frontend
