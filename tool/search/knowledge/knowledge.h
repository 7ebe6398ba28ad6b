// Domain knowledge for prompts: short notes, one technique or hardware fact each, found by the state of a kernel.
//
// A note is a Markdown file with a front matter; those beside this header are embedded when Hone is built, a user's own
// folder has the same format and is read by tool/tune:
//
//   ---
//   title: Several accumulators for a reduction
//   tags: reduction latency compute avx2      bottlenecks, shapes, instruction sets (tag_words() lists them)
//   ---
//   Text, where it helps with a before and an after in fenced blocks.
//
// Pure; the same notes and the same state give the same order.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/search/brief.h"
#include "tool/search/memory/memory.h"

namespace hone::search {

struct Note {
  std::string name;  // file name without suffix
  std::string title;
  std::vector<std::string> tags;  // sorted, distinct
  std::string text;
  bool operator==(const Note&) const = default;
};

const std::vector<Note>& builtin_notes();     // sorted by name
const std::vector<std::string>& tag_words();  // sorted; a user's note may use others, which match tags asked for

// Error: file name, and what the front matter lacks.
Result<Note> parse_note(std::string_view name, std::string_view text);

const std::set<std::string, std::less<>>& shape_tags();  // those that say what a kernel is, and not what it costs

// A note of the same name replaces a built-in one.
std::vector<Note> merge_notes(std::vector<Note> notes, std::vector<Note> own);

// How much each tag says of a kernel: bottleneck, shape, instruction set. Weights above zero; 1 is certain.
using Traits = std::map<std::string, double, std::less<>>;

// Guesses a kernel's traits from its source, the target, the roofline and the profile's words. The guess orders notes
// and gates nothing.
Traits classify(const TaskFacts& facts, std::string_view profile = {});
std::string describe_traits(const Traits& traits);  // "memory stencil avx2": heaviest first

// The same in the words of the memory across kernels (memory.h): what limits the code, and graded axes.
KernelState state_of(const TaskFacts& facts, std::string_view profile = {});

// Tags that a text in words speaks of: "tile the loop for L1" → cache, tiling.
std::vector<std::string> mentioned_tags(std::string_view text);

// The k best by the weights of the tags they share with `traits` and, heavier, with `tags`. Notes of instruction sets
// that the target does not have, of CUDA for a CPU kernel (and the reverse), and those that share nothing are left out.
std::vector<Note> retrieve(std::span<const Note> notes, const Traits& traits, const std::vector<std::string>& tags,
                           std::size_t count);

// A note's first two blocks of code, if it says "before" in front of one and "after" in front of the other.
std::optional<Example> example_of(const Note& note);

}  // namespace hone::search
