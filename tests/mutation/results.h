// What became of mutants: a line of JSON for each, written as it ends, so that a run that was killed goes on.
//
//   {kernel, id, of, kind, line, before, after, outcome, stage, reason, seconds}
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/mutation/judging.h"

namespace hone::mutation {

struct Line {
  std::string kernel, id, of, kind, before, after, outcome, stage, reason;
  unsigned line = 0;
  double seconds = 0;
};

Line line_of(const Deck& deck, const Card& card, const Ending& ending);
std::string serialize(const Line& line);
std::vector<Line> read_results(const std::filesystem::path& file);  // what is cut short is left out

// Of a survivor, why it is as right as the original: by the mutant's id.
std::map<std::string, std::string> read_equivalent(const std::filesystem::path& file);

// Markdown: scores by kind and by kernel, and the survivors. `apart`: kernels whose figures are given by themselves.
std::string summary(const std::vector<Line>& lines, const std::map<std::string, std::string>& equivalent,
                    const std::vector<std::string>& apart);

}  // namespace hone::mutation
