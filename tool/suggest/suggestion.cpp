#include "tool/suggest/suggestion.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/os/files/files.h"
#include "tool/project/kernels.h"
#include "tool/project/parse_watch.h"
#include "tool/project/sources_with.h"

namespace hone::suggest {
namespace {

namespace fs = std::filesystem;
using frontend::SurveyedFunction;

constexpr std::size_t kMostUnits = 64;      // that are parsed for what has line numbers
constexpr double kLeastShare = 0.005;       // of a file that is worth a parse
constexpr std::size_t kMostUnnamed = 2000;  // where there are no line numbers, all are parsed

struct Surveyed {
  std::vector<SurveyedFunction> functions;
  std::vector<std::size_t> command;  // of each
  std::vector<Error> errors;
};

// Which commands to parse, and for which files.
std::map<std::size_t, std::set<std::string>> plan(const std::vector<HotFile>& files, double seconds,
                                                  const std::vector<CompileCommand>& commands) {
  std::map<std::string, std::size_t> by_file;
  for (std::size_t i = 0; i < commands.size(); ++i) by_file.emplace(commands[i].file, i);
  std::map<std::size_t, std::set<std::string>> units;
  for (const HotFile& file : files) {
    if (file.seconds < kLeastShare * seconds) continue;
    if (const auto own = by_file.find(file.file); own != by_file.end()) {
      units[own->second].insert(file.file);
      continue;
    }
    for (const std::string& other : file.seen_with)  // a header: whoever called it has it
      if (const auto user = by_file.find(other); user != by_file.end()) units[user->second].insert(file.file);
    if (units.size() >= kMostUnits) break;
  }
  return units;
}

Surveyed survey_all(const std::map<std::size_t, std::set<std::string>>& units,
                    const std::vector<CompileCommand>& commands) {
  std::vector<std::pair<std::size_t, std::set<std::string>>> work(units.begin(), units.end());
  std::vector<Result<std::vector<SurveyedFunction>>> found(work.size());
  project::on_all_processors(work.size(), [&](std::size_t i) {
    const std::set<std::string>& files = work[i].second;
    const CompileCommand& command = commands[work[i].first];
    found[i] = project::watched(command.file, [&] {
      return frontend::survey(command, {},
                              [&](const std::string& file) { return files.empty() || files.contains(file); });
    });
  });
  Surveyed all;
  std::set<std::pair<std::string, std::size_t>> seen;  // a header's functions count once
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!found[i]) {
      all.errors.push_back(found[i].error());
      continue;
    }
    for (SurveyedFunction& function : *found[i]) {
      if (!seen.emplace(function.file, function.offset).second) continue;
      all.functions.push_back(std::move(function));
      all.command.push_back(work[i].first);
    }
  }
  return all;
}

// The file with the annotation in front of the function, on lines of its own.
std::string with_pragma(const std::string& text, std::size_t offset, const std::string& pragma) {
  std::size_t line = text.rfind('\n', offset == 0 ? 0 : offset - 1);
  line = line == std::string::npos || offset == 0 ? 0 : line + 1;
  const std::string indent = text.substr(line, offset - line);
  const bool alone = indent.find_first_not_of(" \t") == std::string::npos;
  const std::string added = alone ? pragma + "\n" + indent : "\n" + pragma + "\n";
  return text.substr(0, offset) + added + text.substr(offset);
}

std::string without_questions(std::string pragma) {
  for (std::size_t at = 0; (at = pragma.find(":?]", at)) != std::string::npos; ++at) pragma[at + 1] = '1';
  return pragma;
}

struct SuggestionObjection {
  std::string why;  // "": none
  DiagnosticCode code = DiagnosticCode::none;
};

// Does the frontend take the function with this annotation?
SuggestionObjection objection(const SurveyedFunction& function, const CompileCommand& command,
                              const std::vector<CompileCommand>& commands, const std::string& text) {
  constexpr DiagnosticCode kind = DiagnosticCode::function_kind;
  if (function.is_main) return {"main() cannot be tuned; move the hot loop into a function of its own", kind};
  if (function.shares_macro)
    return {"a macro makes it and other functions at once, so no annotation can say which", kind};
  if (!function.inferred.hindrance.empty()) return {function.inferred.hindrance, DiagnosticCode::side_effect};
  frontend::Options options;
  options.sources_with = [&](const std::string& word) { return project::with_word(commands, word); };
  options.overlay[function.file] = with_pragma(text, function.offset, without_questions(function.inferred.pragma));
  const auto found = project::watched(command.file, [&] { return frontend::find_kernels(command, options); });
  if (!found) return {found.error().message(), DiagnosticCode::source_not_parsed};
  for (const frontend::FoundKernel& kernel : found->kernels)
    if (kernel.spec.line == function.first_line && kernel.spec.file == function.file) return {};
  for (const frontend::Diagnostic& diagnostic : found->diagnostics)
    if (diagnostic.line >= function.first_line && diagnostic.line <= function.last_line + 1)
      return {diagnostic.message, diagnostic.code};
  if (found->diagnostics.empty()) return {"Hone does not see the annotation there"};
  return {found->diagnostics.front().message, found->diagnostics.front().code};
}

bool is_annotated(const std::string& text, std::size_t offset) {
  const std::size_t end = text.find_last_not_of(" \t\r\n", offset == 0 ? 0 : offset - 1);
  if (end == std::string::npos) return false;
  std::size_t line = text.rfind('\n', end);
  line = line == std::string::npos ? 0 : line + 1;
  while (line >= 2 && text[line - 2] == '\\') {  // continued lines
    const std::size_t above = text.rfind('\n', line - 2);
    line = above == std::string::npos ? 0 : above + 1;
  }
  const std::string words = text.substr(line, 40);
  return words.find("pragma hone") != std::string::npos;
}

Suggestion look(const Hot& hot, const Surveyed& surveyed, const std::vector<CompileCommand>& commands, double seconds) {
  const SurveyedFunction& function = surveyed.functions[hot.function];
  Suggestion one;
  one.name = function.name;
  one.file = function.file;
  one.line = function.first_line;
  one.in_loops = hot.in_loops / seconds;
  one.whole = std::min(1.0, hot.whole / seconds);
  one.most_gain = one.whole > 0.9999 ? std::numeric_limits<double>::infinity() : 1 / (1 - one.whole);
  one.offset = function.offset;
  const auto text = os::read_file(function.file);
  if (!text) {
    one.why_not = text.error().message();
    return one;
  }
  one.before = cache::sha256(*text);
  one.annotated = is_annotated(*text, function.offset);
  if (!one.annotated) {
    SuggestionObjection against = objection(function, commands[surveyed.command[hot.function]], commands, *text);
    one.why_not = std::move(against.why);
    one.code = against.code;
  }
  one.annotatable = one.why_not.empty();
  if (one.annotated) return one;
  one.pragma = function.inferred.pragma;
  one.open = function.inferred.open;
  one.guesses = function.inferred.guesses;
  one.guessed_sizes = function.inferred.guessed_sizes;
  return one;
}

Result<std::size_t> function_named(const std::string& name, const Surveyed& surveyed) {
  constexpr const char* how = "name a function that the build compiles, as `blur` or `app::blur`";
  std::set<std::string> known;
  for (const SurveyedFunction& function : surveyed.functions) known.insert(function.name);
  if (known.empty())
    return coded_failure(DiagnosticCode::unknown_function, "no source of the project defines it", name,
                         surveyed.errors.empty() ? how : surveyed.errors.front().message());
  const auto meant = project::select_names(known, {name});
  if (!meant)
    return coded_failure(DiagnosticCode::unknown_function,
                         "no source of the project defines it: " + meant.error().message(), name, how);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < surveyed.functions.size(); ++i)
    if (surveyed.functions[i].name == *meant->begin()) places.push_back(i);
  if (places.size() == 1) return places.front();
  std::string all;
  for (const std::size_t i : places)
    all +=
        fmt::format("{}{}:{}", all.empty() ? "" : ", ", surveyed.functions[i].file, surveyed.functions[i].first_line);
  return coded_failure(DiagnosticCode::unknown_function, "several functions have this name: " + all, name,
                       "annotate the one that you mean by hand");
}

// What a profile cannot tell, and what to do.
std::vector<std::string> shortcomings(const Profile& profile, const Frames& frames, bool lines) {
  std::vector<std::string> notes;
  if (profile.cut) notes.push_back("the run was so long that its end was not noted");
  bool names = false;
  for (const auto& [address, all] : frames)
    names = names || std::ranges::any_of(all, [](const Frame& frame) { return !frame.function.empty(); });
  if (!names)
    notes.push_back(
        "the program has no symbols, so nobody can say which function the time was spent in; build it "
        "without -s, and do not strip it");
  else if (!lines)
    notes.push_back(
        "the program has no line numbers: what was inlined counts for its caller, and whole functions "
        "for their loops; build it with -g for more");
  return notes;
}

}  // namespace

Suggestions suggest(const Profile& profile, const Frames& frames, const std::vector<CompileCommand>& commands,
                    std::size_t most) {
  std::set<std::string> sources;
  for (const CompileCommand& command : commands) sources.insert(command.file);
  const auto is_project = [&](const std::string& file) { return sources.contains(file) || !file.starts_with("/usr/"); };
  const std::vector<HotFile> files = hot_files(profile, frames, is_project);

  std::map<std::size_t, std::set<std::string>> units = plan(files, profile.seconds, commands);
  if (files.empty())  // names alone: any of them may define the function
    for (std::size_t i = 0; i < std::min(commands.size(), kMostUnnamed); ++i) units[i];
  const Surveyed surveyed = survey_all(units, commands);
  std::vector<Hot> hot = rank(profile, frames, surveyed.functions);

  Suggestions all;
  all.notes = shortcomings(profile, frames, !files.empty());
  for (const Error& error : surveyed.errors) all.notes.push_back(error.message());
  all.outside = 1;
  for (const Hot& one : hot) all.outside -= one.in_loops / profile.seconds;
  all.outside = std::max(0.0, all.outside);
  if (hot.size() > most) hot.resize(most);
  all.functions.resize(hot.size());
  project::on_all_processors(
      hot.size(), [&](std::size_t i) { all.functions[i] = look(hot[i], surveyed, commands, profile.seconds); });
  return all;
}

Result<NamedSuggestion> suggest_function(const std::string& name, const std::vector<CompileCommand>& commands) {
  const std::size_t last = name.rfind("::");
  const std::vector<CompileCommand> sources =
      project::with_word(commands, last == std::string::npos ? name : name.substr(last + 2));
  std::map<std::size_t, std::set<std::string>> units;
  for (std::size_t i = 0; i < sources.size(); ++i) units[i];
  const Surveyed surveyed = survey_all(units, sources);
  HONE_TRY(const std::size_t meant, function_named(name, surveyed));
  return NamedSuggestion{look({.function = meant}, surveyed, sources, 1), sources[surveyed.command[meant]]};
}

Result<std::string> annotated(std::string text, const std::string& file, std::vector<Suggestion> suggestions) {
  if (cache::sha256(text) != suggestions.front().before)
    return coded_failure(DiagnosticCode::file_changed, "the file has changed since it was looked at", file,
                         "call the command again");
  std::ranges::sort(suggestions, std::greater(), &Suggestion::offset);
  for (const Suggestion& one : suggestions) text = with_pragma(text, one.offset, one.pragma);
  return text;
}

Result<void> apply(const std::string& file, const std::vector<const Suggestion*>& suggestions) {
  HONE_TRY(std::string text, os::read_file(file));
  std::vector<Suggestion> all;
  for (const Suggestion* one : suggestions) all.push_back(*one);
  HONE_TRY(text, annotated(std::move(text), file, std::move(all)));
  return os::write_file_atomically(file, text);
}

}  // namespace hone::suggest
