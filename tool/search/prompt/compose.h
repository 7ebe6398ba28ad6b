// A request of the search turned into a brief: looks up the trials it names and takes in just the ingredients it lists.
//
// Pure: the same request, trials, facts and materials give the same brief. Trials that were told after the request was
// asked change nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/search/brief.h"
#include "tool/search/knowledge/knowledge.h"
#include "tool/search/verified_pair.h"

namespace hone {
struct Candidate;
}
namespace hone::search {

struct Request;
struct Trial;

// What a brief can be made of besides the trials; read by whoever owns the I/O.
struct Materials {
  std::vector<Note> notes;                   // built-in and the user's own, merged
  std::vector<VerifiedPair> pairs;           // likeliest first (near_pairs()); for examples the notes' own fill up
  std::map<unsigned, std::string> profiles;  // by trial; 0 is the original
  std::size_t most_notes = 3;
  std::size_t most_examples = 2;
  std::size_t most_winners = 3;
  std::size_t most_pair_code = 10000;  // bytes of both together, in one prompt: some 4000 tokens
  std::size_t most_code = 12000;       // bytes of one program that is shown besides the parents
  bool tunables = true;                // the tuner resolves HONE_TUNABLE
};

Brief compose(const Request& request, const std::vector<Trial>& trials, const TaskFacts& facts,
              const Materials& materials);

// What is asked about a candidate before it is compiled: whether it is right.
Brief brief_of_opinion(const Candidate& candidate, const TaskFacts& facts);

// The answer to an earlier advice request, in words: JSON members as lines, `choice` picks from a list (from 0).
std::string advice_text(const std::string& advice, std::optional<unsigned> choice = {});

// A verdict's evidence as a prompt shows it: the first errors of a compiler or sanitizer without what repeats, the
// first wrong element, at most `most` bytes.
std::string shortened_errors(const std::string& detail, std::size_t most = 1600);

}  // namespace hone::search
