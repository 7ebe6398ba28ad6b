// How a locked variant does on other kinds of machines: the last figure of each, beside its entry in hone.lock.
//
//   "held_on": {
//     "AMD EPYC 9V74": { "of": "9b1d03c5a7e2f481", "median": 3.05, "low": 3.01, "high": 3.1, "tuned": true },
//     "Intel Xeon Platinum 8480C": { "of": "9b1d03c5a7e2f481", "right": false } }
//
// `of` is the beginning of the variant's digest: a figure says nothing of another variant, whoever put the two together
// (a merge, an edit, an older Hone that tuned anew). No seal covers figures, which change while the variant stays; the
// entry's sum does (seal.h). `tuned`: it was accepted on this kind. Numbers have four digits. Pure.
#pragma once

#include <map>
#include <string>

#include "cache/digest.h"

namespace hone::cache {

// The original's time over the variant's, with its interval; of a wrong one there is none.
struct MachineFigure {
  std::string of;
  bool right = true;
  double median = 1, low = 1, high = 1;
  bool tuned = false;
  bool operator==(const MachineFigure&) const = default;
};

using HeldOn = std::map<std::string, MachineFigure>;  // by kind of machine (tool/base/machine_kind.h)

// holds: faster for certain. even: neither is certain. slower: for certain, as `hone verify` has it.
enum class Standing { holds, even, slower, wrong };
const char* to_string(Standing standing);
Standing standing_of(const MachineFigure& figure);

MachineFigure figure_of(const Digest& variant, double median, double low, double high);
MachineFigure wrong_figure_of(const Digest& variant);
bool is_about(const MachineFigure& figure, const Digest& variant);
// "" where it is whole: an interval of positive numbers around its median, and a variant's beginning.
std::string why_no_figure(const MachineFigure& figure);

// The figures of that variant alone.
HeldOn figures_about(const HeldOn& held, const Digest& variant);

// Puts in a new figure, in place of the kind's last one.
void put_figure(HeldOn& held, const std::string& machine, MachineFigure figure);

// Of `old`, what is about the variant and of kinds that `held` has nothing of. What `held` has of other variants goes.
void keep_figures(HeldOn& held, const HeldOn& old, const Digest& variant);

// Of two that grew out of one: what one side changed is as that side has it. Where both changed a kind's figure, the
// one that speaks more against the variant stays, since nobody can tell which is the later.
HeldOn merged_figures(const HeldOn& base, const HeldOn& ours, const HeldOn& theirs);

}  // namespace hone::cache
