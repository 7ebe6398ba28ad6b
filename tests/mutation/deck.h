// A deck: one kernel with its mutants, as a file that is judged elsewhere, where there is no Clang.
//
//   deck := JSON {kernel, cuda, file, arguments, spec, unit, precise_spec?, precise_unit?, bases: [{of, text}…],
//                 mutants: [{id, of, kind, line, before, after, text, gate}…]}
//
// `file` is relative to the project's root, which the compile command's arguments spell as @ROOT@. `of` says what was
// mutated: "original", or a variant's file. `gate` is the gate's reason, which is asked where Clang is: "" of most.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/mutation/mutant.h"
#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/model/kernel_spec.h"

namespace hone::mutation {

struct Card {
  std::string id;  // a digest of kernel and text
  std::string of;
  std::string gate;
  Mutant mutant;
};

// What was mutated: right by itself.
struct Base {
  std::string of;
  std::string text;
};

struct Deck {
  std::string kernel;
  std::string file;                    // from the root
  std::vector<std::string> arguments;  // of the compiler
  KernelSpec spec;
  std::optional<KernelSpec> precise;  // the original in double
  std::vector<Base> bases;
  std::vector<Card> cards;
};

std::string serialize(const Deck& deck);
Result<Deck> parse_deck(const std::string& text, const std::filesystem::path& root);
CompileCommand command_of(const Deck& deck, const std::filesystem::path& root);

}  // namespace hone::mutation
