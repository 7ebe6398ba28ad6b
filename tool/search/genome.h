// Genomes as text: for reports, to ask for none of them twice, and to begin with one that a record names.
#pragma once

#include <optional>
#include <string>

#include "tool/model/candidate.h"

namespace hone::search {

// "interchange+tile@1(64,4)": the site is named unless it is the first. "original" for the empty genome.
std::string describe(const Genome& genome);
// The genome that is described so; nullopt: the text is none's, as where a model named its candidate.
std::optional<Genome> parse_genome(const std::string& text);

}  // namespace hone::search
