#include "tool/tune/known_variants.h"

#include <utility>

#include "cache/digest.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/report/text.h"
#include "tool/search/genome.h"

namespace hone::tune {
namespace {

// Each takes as long as a winner's own measurement.
constexpr std::size_t most_known = 2;

std::string tuned_for(const cache::LockEntry& entry) {
  return entry.compiled_with.empty() ? entry.target : entry.compiled_with + ", " + entry.target;
}

// In the journal, beside those of trials: a winner is judged more strictly than a trial.
std::string entry_of(const std::string& source) {
  return "known " + frontend::fingerprint(source);
}

Result<Verdict> verdict_on(const KnownVariant& known, Finals& finals, Journal& journal, const Deadline& whole) {
  const std::string entry = entry_of(known.source);
  if (const Journal::Entry* judged = journal.find(entry)) return judged->verdict;
  HONE_TRY(Verdict verdict, finals.judge_afresh(known.source));
  const bool holds = verdict.right && verdict.faster;
  if (!holds && !whole.stopped())
    HONE_CHECK(journal.append(entry, known.what, cache::sha256(known.source), "", verdict));
  return verdict;
}

}  // namespace

Candidate VerifiedVariant::candidate() const {
  Candidate candidate{.source = variant.source, .name = variant.what};
  if (!variant.origin) return candidate;
  candidate.name = variant.origin->name;
  candidate.thought = variant.origin->thought;
  if (auto genome = search::parse_genome(candidate.name)) candidate.genome = std::move(*genome);
  return candidate;
}

std::vector<KnownVariant> earlier_winners(const lock::Ledger& ledger, const std::string& device) {
  std::vector<KnownVariant> known;
  for (lock::EarlierVariant& one : ledger.earlier(device)) {
    if (known.size() == most_known) break;
    const bool fits = one.fit != cache::TargetFit::none;
    known.push_back({.source = std::move(one.source),
                     .what = fits ? "the earlier variant" : "the variant for " + tuned_for(one.entry),
                     .may_lock = fits && !one.entry.unfinished,
                     .origin = std::move(one.record)});
  }
  return known;
}

Result<KnownVariants> verify_known(std::vector<KnownVariant> known, bool search_anyway, Finals& finals,
                                   Journal& journal, report::Progress& progress, const Deadline& whole) {
  KnownVariants result;
  for (KnownVariant& one : known) {
    progress.note("verifying " + one.what);
    HONE_TRY(Verdict verdict, verdict_on(one, finals, journal, whole));
    if (whole.stopped()) return result;
    result.verified.push_back({std::move(one), std::move(verdict)});
    const VerifiedVariant& last = result.verified.back();
    progress.note(last.variant.what + ": " + report::describe(last.verdict));
    if (!last.holds() || !last.variant.may_lock || search_anyway) continue;
    result.locking = result.verified.size() - 1;
    return result;
  }
  return result;
}

}  // namespace hone::tune
