// Is it faster? The statistical rule, as a component of its own: pure, no clock, no I/O, no chance.
//
// Samples come in adjacent pairs (reference, candidate) measured in random order. The estimator is the median of the
// log ratios per problem, weighted over the problems. Its error is taken from batches in time: whatever pairs that
// follow each other have in common (pages, a burst, a busy neighbor) shows in how much the batches' medians differ,
// and as batches are few, the interval is Student's. What all pairs have in common no batch can show: who measured has
// to say how uncertain it leaves them (common_error), and the interval is as much wider. The looks share the error
// level, so that looking early costs nothing in truth.
#pragma once

#include <span>
#include <vector>

#include "tool/model/verdict.h"

namespace hone::statistics {

struct AcceptanceRule {
  double threshold = 0.98;                         // accept when the upper end of candidate/reference is under it
  double confidence = 0.99;                        // over all looks together
  std::vector<double> looks{0.1, 0.5, 2.0, 8.0};   // seconds of measuring; the first is for the clear cases only
  std::vector<double> shares{0.1, 0.3, 0.3, 0.3};  // of the error level 1-confidence, per look; else equal shares
  double futility = 0.02;       // given up when acceptance at the last look has less than this chance, as things stand
  unsigned minimum_pairs = 20;  // per problem; with fewer (never under 5) the interval is widened: only big gains pass
};

// The rule for the finalists of a search, up to three: together they err upwards in under 1% of searches. It has no
// early looks: they tell a clear gain from none, but their interval is wide.
AcceptanceRule rule_for_finals();

enum class Decision { undecided, faster, not_faster };

struct PairedSamples {
  double weight = 1;
  std::vector<double> reference;  // seconds, in the order of measuring
  std::vector<double> candidate;  // same length
  unsigned draws = 0;             // of pages and the like, whose luck the pairs taken on each share; 0: not known
  double common_error = 0;        // standard error that all log ratios share, whatever their number
};

struct Estimate {
  Speedup speedup;  // over all problems
  std::vector<Speedup> per_problem;
  Decision decision = Decision::undecided;
};

// `look` is the index into rule.looks of the look at hand. On the last look `undecided` says that the interval holds
// both the threshold and 1, so that it may be a gain or none; all else that is not accepted is `not_faster` then. Also
// not_faster: any single problem that is slower beyond noise (its interval lies wholly above 1.0 by over 2%), and a
// candidate whose whole interval lies above the threshold, or that has next to no chance left to be accepted at the
// last look (rule.futility): giving up early can cost power, never a false accept. Before
// the last look, where luck has been drawn too few times for the batches, the gain must also be clear from so few
// batches as it was drawn often enough for.
Estimate estimate(std::span<const PairedSamples> problems, const AcceptanceRule& rule, unsigned look);

// Into how many batches the pairs of so many seconds are cut. Exposed for who simulates the rule.
unsigned batches_of(double seconds);

}  // namespace hone::statistics
