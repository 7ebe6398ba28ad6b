// From a profile and a project to what might be annotated: the pass behind `hone suggest`.
//
// Parses the files that the time was spent in, ranks their functions, and lets the frontend look at each of the first
// with the annotation that it suggests, in memory. Writes nothing but through apply(). Uses all processors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/diagnostics/diagnostic_code.h"
#include "tool/frontend/infer/survey.h"
#include "tool/suggest/profile.h"
#include "tool/suggest/ranking.h"
#include "tool/suggest/symbols.h"

namespace hone::suggest {

struct Suggestion {
  std::string name, file;
  unsigned line = 0;
  double in_loops = 0, whole = 0;  // shares of the run's processor time, 0 to 1
  double most_gain = 1;            // of the whole program, were the function's time nothing; infinity: all of it
  bool annotatable = false;        // as it stands, once every `?` is filled in
  bool annotated = false;          // already
  std::string why_not;             // a sentence
  DiagnosticCode code = DiagnosticCode::none;  // of why_not
  std::string pragma;                          // what its text suggests; "" where it is annotated
  std::vector<std::string> open;               // what stands for each `?`
  std::vector<std::string> guesses;
  bool guessed_sizes = false;
  std::size_t offset = 0;  // in the file: where the pragma goes
  std::string before;      // digest of the file then
};

struct Suggestions {
  std::vector<Suggestion> functions;  // the first `most`
  double outside = 0;                 // share that belongs to no loop of the project's
  std::vector<std::string> notes;     // what stood in the way: "app has no line numbers; …"
};

Suggestions suggest(const Profile& profile, const Frames& frames, const std::vector<CompileCommand>& commands,
                    std::size_t most);

// { "seconds": 1.2, "outside": 0.1, "notes": […], "functions": [{name, file, line, in_loops, whole, most_gain,
//   annotatable, annotated, why_not, code or null, pragma, open [sentence, …], guesses [sentence, …], guessed_sizes}]
//   }; most_gain is null where it has no
// bound. Ends in a newline.
std::string to_json(const Suggestions& suggestions, double seconds);

struct NamedSuggestion {
  Suggestion suggestion;
  CompileCommand command;  // that compiles the function
};

// For a function that the user names, without a run: shares and gains say nothing. Error: the project defines no such
// function (a name is as of select_names(): `blur` for `app::blur`), or several.
Result<NamedSuggestion> suggest_function(const std::string& name, const std::vector<CompileCommand>& commands);

// The file's text with the annotations of these. Error: it has changed since it was looked at.
Result<std::string> annotated(std::string text, const std::string& file, std::vector<Suggestion> suggestions);

// Puts the annotations of one file into it, which must be as it was. Error: it is not, or cannot be written.
Result<void> apply(const std::string& file, const std::vector<const Suggestion*>& suggestions);

}  // namespace hone::suggest
