// object_in_file(): a variant in the user's file against the same variant in its unit, and that file against itself
// without the variant.
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <tuple>

#include "tool/frontend/gate/candidate_macros.h"
#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/gate/directive_policy.h"
#include "tool/frontend/gate/meaning_policy.h"
#include "tool/frontend/gate/original_names.h"
#include "tool/frontend/gate/unit_text.h"
#include "tool/frontend/parse/file_regions.h"
#include "tool/frontend/parse/forked_call.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/parse/whole_templates.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/whole/meaning_record.h"
#include "tool/frontend/whole/text_record.h"
#include "tool/frontend/whole/whole_file_check.h"

namespace hone::frontend {
namespace {

using namespace clang;

// The user's own file may take long, and CUB does.
constexpr CallLimits kLimits{std::chrono::seconds(60), std::size_t{6} << 30};

// One text, parsed, and what both halves of Clang made of it.
struct Look {
  std::unique_ptr<Parser> parser;
  TextRecord text;
  std::unique_ptr<Parsed> parsed;
  MeaningRecord meaning;

  std::string place(SourceLocation location) const {
    const SourceManager& sources = parsed->sources();
    const PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(location));
    if (presumed.isInvalid()) return "somewhere";
    return std::string(presumed.getFilename()) + ":" + std::to_string(presumed.getLine());
  }
};

using Looked = Result<std::unique_ptr<Look>>;

// With a parser of its own: several may be at work.
Looked look(const CompileCommand& command, const Options& options, std::string text, unsigned from) {
  const WholeTemplates whole;
  auto look = std::make_unique<Look>();
  HONE_TRY(Parser parser, Parser::create(command, options, {.reuse_prologue = false, .overlay = {}}));
  look->parser = std::make_unique<Parser>(std::move(parser));
  HONE_TRY(look->parsed,
           look->parser->parse(std::move(text), [&](Preprocessor& preprocessor) { attach(preprocessor, look->text); }));
  look->meaning = record_meaning(*look->parsed, *look->text.regions, from);
  return look;
}

std::string as_text(const Message& message) {
  return message.file + ":" + std::to_string(message.line) + ":" + std::to_string(message.column) + ": " + message.text;
}

// Clang's first error that is not the file's own already.
std::string new_error(const Look& before, const Look& after) {
  for (const Message& error : after.parsed->errors()) {
    const bool known = std::ranges::any_of(before.parsed->errors(), [&](const Message& other) {
      return std::tie(other.file, other.line, other.text) == std::tie(error.file, error.line, error.text);
    });
    if (!known) return as_text(error);
  }
  return "";
}

// What launches are written with, where those of the kernel are rewritten: left out on both sides.
std::vector<RecordedToken> without_launches(const std::vector<RecordedToken>& tokens, const KernelSpec& spec,
                                            const LaunchSites& launches) {
  if (launches.sites.empty()) return tokens;
  std::set<std::string> dropped = {"<<<", ">>>", "(", ")", "::"};
  const std::string names = launches.starter + " " + spec.qualified_name;
  const SourceTokens words(names, permissive_language());
  for (std::size_t i = 0; i < words.size(); ++i) dropped.insert(words.spelling(i));
  std::vector<RecordedToken> kept;
  for (const RecordedToken& token : tokens)
    if (!dropped.contains(token.text)) kept.push_back(token);
  return kept;
}

struct Difference {
  bool found = false;
  std::size_t at = 0;
};

// `open`: `other` may have more behind all of `one`.
template <class Item, class Same>
Difference compare(const std::vector<Item>& one, const std::vector<Item>& other, Same same, bool open = false) {
  const std::size_t both = std::min(one.size(), other.size());
  for (std::size_t i = 0; i < both; ++i)
    if (!same(one[i], other[i])) return {true, i};
  if (one.size() == other.size() || (open && one.size() < other.size())) return {};
  return {true, both};
}

bool same_text(const RecordedToken& one, const RecordedToken& other) {
  return one.text == other.text;
}

std::string quoted(const std::vector<RecordedToken>& tokens, std::size_t at) {
  return at < tokens.size() ? "'" + tokens[at].text + "'" : "nothing";
}

// In words that tell it from the other.
std::string what(const RecordedMeaning& meaning, const RecordedMeaning& other) {
  if (!meaning.means) return "a '" + *meaning.type + "'";
  if (!other.means || *other.means != *meaning.means) return "'" + *meaning.means + "'";
  const std::string whose = meaning.of_variant == other.of_variant ? ""
                            : meaning.of_variant                   ? "the candidate's own "
                                                                   : "the file's ";
  return whose + "'" + *meaning.means + "' of type '" + *meaning.type + "'";
}

// The check's two questions have their words for two looks at the same text.
class WholeFile {
 public:
  WholeFile(const FoundKernel& kernel, const SplitSource& split, const LaunchSites& launches, Look& before, Look& after,
            Look& unit)
      : spec_(kernel.spec), split_(split), launches_(launches), before_(before), after_(after), unit_(unit) {}

  // The part of it that asks about the code around the variant.
  std::string object_around() const {
    for (const auto ask :
         {&WholeFile::object_to_errors, &WholeFile::object_to_rest_of_text, &WholeFile::object_to_rest})
      if (std::string why = (this->*ask)(); !why.empty()) return why;
    return "";
  }

  std::string object() const {
    for (const auto ask :
         {&WholeFile::object_to_errors, &WholeFile::object_to_macros_here, &WholeFile::object_to_rest_of_text,
          &WholeFile::object_to_rest, &WholeFile::object_to_text_here, &WholeFile::object_to_names_here,
          &WholeFile::object_to_meaning_here})
      if (std::string why = (this->*ask)(); !why.empty()) return why;
    return "";
  }

 private:
  std::string object_to_errors() const { return new_error(before_, after_); }

  std::string object_to_macros_here() const {
    const DirectiveFindings directives =
        look_at_directives(split_, after_.parsed->language(), spec_.threads, spec_.unit.definition);
    if (directives.objection) return to_string(*directives.objection);
    return object_to_macros(*after_.parsed, directives.macros);
  }

  std::string advice() const {
    return split_.includes.empty() ? "; give what the candidate defines names of its own"
                                   : "; leave out those of its #include lines that the file does without";
  }

  // The preprocessor's part: the code around it reads as before.
  std::string object_to_rest_of_text() const {
    const auto before = without_launches(before_.text.around, spec_, launches_);
    const auto after = without_launches(after_.text.around, spec_, launches_);
    const Difference difference = compare(before, after, same_text);
    if (!difference.found) return "";
    const std::string where = difference.at < before.size()  ? before_.place(before[difference.at].at)
                              : difference.at < after.size() ? after_.place(after[difference.at].at)
                                                             : "the file's end";
    return "with the variant in place " + where + " reads " + quoted(after, difference.at) + " instead of " +
           quoted(before, difference.at) + advice();
  }

  // The compiler's part: each name means what it meant.
  std::string object_to_rest() const {
    if (std::string why = changed(before_, before_.meaning.around, after_.meaning.around); !why.empty()) return why;
    for (const auto& [name, instance] : before_.meaning.instances) {
      const auto other = after_.meaning.instances.find(name);
      if (instance.of_variant || other == after_.meaning.instances.end() || other->second.of_variant) continue;
      if (std::string why = changed(before_, instance.meanings, other->second.meanings); !why.empty())
        return why + " (in " + name + ")";
    }
    return "";
  }

  std::string changed(const Look& look, const std::vector<RecordedMeaning>& before,
                      const std::vector<RecordedMeaning>& after) const {
    const Difference difference = compare(before, after, std::equal_to<>());
    if (!difference.found) return "";
    if (difference.at >= before.size() || difference.at >= after.size())
      return "with the variant in place the code around it means something else" + advice();
    const RecordedMeaning &was = before[difference.at], &is = after[difference.at];
    return "with the variant in place " + look.place(was.at) + " means " + what(is, was) + " instead of " +
           what(was, is) + advice();
  }

  // The variant itself reads and means what it did where it is judged.
  std::string object_to_text_here() const {
    const auto &judged = unit_.text.variant, &linked = after_.text.variant;
    const Difference difference = compare(judged, linked, same_text);
    if (!difference.found) return "";
    const std::size_t at = difference.at;
    const std::string where = at < linked.size()   ? after_.place(linked[at].at)
                              : at < judged.size() ? unit_.place(judged[at].at)
                                                   : std::string(kCandidateFile);
    return where + ": in the kernel's file this reads " + quoted(linked, at) + ", and where it is judged " +
           quoted(judged, at) + "; it must not depend on macros that the original does not use";
  }

  std::string object_to_names_here() const {
    if (std::string why = differs(unit_.meaning.variant, after_.meaning.variant); !why.empty()) return why;
    for (const auto& [name, instance] : unit_.meaning.instances) {
      const auto other = after_.meaning.instances.find(name);
      if (other == after_.meaning.instances.end()) {
        if (instance.of_variant) return missing(name);
        continue;
      }
      if (std::string why = differs(instance.meanings, other->second.meanings); !why.empty()) return why;
    }
    for (const auto& [name, instance] : after_.meaning.instances)
      if (instance.of_variant && !unit_.meaning.instances.contains(name)) return missing(name);
    return "";
  }

  static std::string missing(const std::string& name) {
    return std::string(kCandidateFile) + ":1: '" + name +
           "' is made of its template only in the kernel's file, or only where it is judged; call it where it stands";
  }

  std::string differs(const std::vector<RecordedMeaning>& judged, const std::vector<RecordedMeaning>& linked) const {
    const Difference difference = compare(judged, linked, std::equal_to<>());
    if (!difference.found) return "";
    if (difference.at >= judged.size() || difference.at >= linked.size())
      return std::string(kCandidateFile) + ":1: in the kernel's file it has other declarations than where it is judged";
    const RecordedMeaning &was = judged[difference.at], &is = linked[difference.at];
    return after_.place(is.at) + ": in the kernel's file this means " + what(is, was) + ", and where it is judged " +
           what(was, is) + "; use only names that the original uses, or qualify them";
  }

  // And the gate's own rules hold beside all that the file declares.
  std::string object_to_meaning_here() const {
    const Meaning original = look_at_meaning(*before_.parsed, spec_, nullptr);
    const OriginalNames names = original.kernel ? original_names_of(*original.kernel) : OriginalNames();
    const Meaning meaning = look_at_meaning(*after_.parsed, spec_, &names);
    if (meaning.objection) return to_string(*meaning.objection);
    if (!meaning.kernel) return "in its file it does not define '" + spec_.signature + "'";
    return meaning.namesake ? to_string(*meaning.namesake) : "";
  }

  const KernelSpec& spec_;
  const SplitSource& split_;
  const LaunchSites& launches_;
  const Look &before_, &after_, &unit_;
};

// The kernel's file, what stands in for its other kernels, and how it is compiled.
struct KernelFile {
  const std::string& text;
  const std::vector<Replacement>& others;
  const CompileCommand& command;
  const Options& options;
};

// With `replacement` for this kernel.
std::string file_with(const KernelFile& file, const FoundKernel& kernel, Replacement replacement) {
  std::vector<Replacement> all = file.others;
  all.push_back(std::move(replacement));
  return line_directive(1, kGlueFile) + of_gcc(kernel.spec) + rewrite(file.text, kernel.placement.file, std::move(all));
}

// All at once, as a file with CUDA's or the library's headers takes a second. Error: the first text's that cannot be
// looked at.
Result<std::vector<std::unique_ptr<Look>>> look_at_all(const KernelFile& file, std::vector<std::string> texts,
                                                       unsigned from) {
  constexpr std::size_t stack = std::size_t{64} << 20;  // bytes, as g++ asks for: long expressions are parsed by recursion
  std::vector<std::optional<Looked>> looked(texts.size());
  std::vector<std::function<void()>> each;
  for (std::size_t i = 0; i < texts.size(); ++i)
    each.emplace_back([&, i] { looked[i] = look(file.command, file.options, std::move(texts[i]), from); });
  run_at_once(each, stack);
  std::vector<std::unique_ptr<Look>> looks;
  for (std::optional<Looked>& one : looked) {
    HONE_TRY(looks.emplace_back(), std::move(*one));
  }
  return looks;
}

std::string object_isolated(const FoundKernel& kernel, const std::string& variant, const Replacement& placed,
                            const KernelFile& file) {
  const Placement& place = kernel.placement;
  // The file has no definition of a template's instance. With the original's, its callers call a specialization, as
  // they do with the variant's.
  const bool instance = place.begin == place.end;
  const Replacement original{
      place, instance ? kernel.spec.unit.definition : file.text.substr(place.begin, place.end - place.begin),
      kCandidateFile};
  const SplitSource split = split_includes(variant);
  const auto looks = look_at_all(
      file, {file_with(file, kernel, original), file_with(file, kernel, placed), with_definition(kernel.spec, split)},
      place.includes_line);
  if (!looks) return looks.error().message();
  return WholeFile(kernel, split, placed.launches, *looks->at(0), *looks->at(1), *looks->at(2)).object();
}

// Checks a kernel with fixed scalars. Its original stays in the file, below the variant, and counts as code around it.
std::string object_beside_original(const FoundKernel& kernel, const std::string& variant, const KernelFile& file) {
  auto placed = guarded_replacement(kernel, variant, kCandidateFile, {});
  if (!placed) return placed.error().message();
  const std::string head = line_directive(1, kGlueFile) + of_gcc(kernel.spec);
  const auto looks = look_at_all(
      file, {head + rewrite(file.text, kernel.placement.file, file.others), file_with(file, kernel, *placed)},
      kernel.placement.includes_line);
  if (!looks) return looks.error().message();
  Look &before = *looks->at(0), &after = *looks->at(1);
  return WholeFile(kernel, split_includes(variant), {}, before, after, before).object_around();
}

// What the gate says has a code; what else there is comes of the file.
std::string coded(std::string why) {
  if (why.empty()) return why;
  const DiagnosticCode own = take_code(why);
  return with_code(std::move(why), own == DiagnosticCode::none ? DiagnosticCode::candidate_misfit : own);
}

}  // namespace

std::string object_in_file(const FoundKernel& kernel, const std::string& variant, const std::string& text,
                           const std::vector<Replacement>& others, const CompileCommand& command,
                           const Options& options) {
  auto placed = replacement(kernel, variant, kCandidateFile);
  if (!placed) return placed.error().message();
  if (!placed->launches.sites.empty())
    placed->variant = variant + "\n" + line_directive(1, kGlueFile) + kernel.launches.glue;
  const KernelFile file{text, others, command, options};
  const CallOutcome outcome = isolated_call(
      [&] {
        std::string why = object_isolated(kernel, variant, *placed, file);
        if (why.empty() && !kernel.guard.definition.empty()) why = object_beside_original(kernel, variant, file);
        return why;
      },
      kLimits);
  return coded(outcome.answer ? *outcome.answer
                              : "the kernel's file cannot be looked at with the variant in it: " + outcome.failure);
}

}  // namespace hone::frontend
