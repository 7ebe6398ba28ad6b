#include <cmath>

#include <nlohmann/json.hpp>

#include "tool/suggest/suggestion.h"

namespace hone::suggest {

std::string to_json(const Suggestions& suggestions, double seconds) {
  using json = nlohmann::ordered_json;
  json functions = json::array();
  for (const Suggestion& one : suggestions.functions)
    functions.push_back({{"name", one.name},
                         {"file", one.file},
                         {"line", one.line},
                         {"in_loops", one.in_loops},
                         {"whole", one.whole},
                         {"most_gain", std::isfinite(one.most_gain) ? json(one.most_gain) : json(nullptr)},
                         {"annotatable", one.annotatable},
                         {"annotated", one.annotated},
                         {"why_not", one.why_not},
                         {"code", one.code == DiagnosticCode::none ? json(nullptr) : json(code_name(one.code))},
                         {"pragma", one.pragma},
                         {"open", one.open},
                         {"guesses", one.guesses},
                         {"guessed_sizes", one.guessed_sizes}});
  const json document = {
      {"seconds", seconds}, {"outside", suggestions.outside}, {"notes", suggestions.notes}, {"functions", functions}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace hone::suggest
