// What the store keeps under a request key: which variant, where it came from, and all the evidence.
//
//   { "record": 1, "key": "<64 hex>",              as the file's name says: a record of another key is none of this one
//     "kernel": "blur3x3", "signature": "…", "target": "x86_64 …",
//     "variant": "<sha256>" | null,               null: searched, the original is kept
//     "key_parts": "<sha256>",                    what went into the key (cache/key_parts.h), where it was kept
//     "name": "restrict+simd(1)", "thought": "…",
//     "speedup": {median, low, high}, "evidence": "cpu: g++ …",
//     "proposer": "builtin", "model": null, "prompt": null, "reply": null, "seed": 1, "strategy": "builtin",
//     "compiler": "…", "device": "…", "executor": "local", "measured_on": "sm_90" | null,   null: a processor
//     "trials": {total, compiled, right, faster}, "seconds": 41.5,
//     "unfinished": true,                         the budget ended early: the next tuning goes on
//     "reduction": {lines_original, lines_found, lines, complete, left_out,
//         kept: [{change, what, gain: {median, low, high} | null, without}, …]},
//                                                 absent: the variant is as it was proposed
//     "lineage": [ {trial, operator, name, parents, speedup, source}, … ],   from the first ancestor to the variant
//     "verdicts": { "search": {…}, "final": {…} } }     whole verdicts with all raw samples
//
// What came from elsewhere has a signature behind it, as one more member. Paths, dates, hosts and user names are never
// in it; of proposer and executor it keeps what stands in front of a colon.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/reduction.h"
#include "tool/model/verdict.h"
#include "tool/report/progress.h"
#include "tool/search/search.h"

namespace hone::lock {

struct Ancestor {
  unsigned trial = 0;
  std::string operator_name;
  std::string name;
  std::vector<unsigned> parents;
  Speedup speedup;
  std::string source;             // digest
  std::string not_accepted = {};  // why it was not; "": it was, or an older Hone recorded it
};

struct Record {
  std::string key;  // "": Hone 0.1 wrote it
  std::string kernel, signature, target;
  std::optional<std::string> variant;  // digest of its blob (cache/bound_source.h)
  std::string key_parts;               // digest of the blob with what went into the key; "": nobody kept it
  std::string name, thought;
  Speedup speedup;
  std::string evidence;
  std::string proposer, strategy, compiler, device, executor;
  std::string measured_on;           // the architecture of the CUDA device that it was judged on; "": of none
  std::string model, prompt, reply;  // who wrote it, and digests of what was asked and answered; "" without a model
  std::uint64_t seed = 1;
  report::TrialCounts trials;
  std::string signed_by;  // the public key whose signature stands behind it (trust/signed_record.h); "": none does
  bool unfinished = false;
  double seconds = 0;
  std::optional<Reduction> reduction;  // how it came from its last ancestor
  std::vector<Ancestor> lineage;
  std::optional<Verdict> search;  // of the variant, while searching
  std::optional<Verdict> final;   // measured afresh; absent: the run was stopped before

  // Its figure is the search's own: nobody measured the variant afresh.
  bool unconfirmed() const { return variant && !final; }

  // It says what there is to say: no search has to go on from it.
  bool is_final() const { return !unconfirmed() && !unfinished; }

  // The one whose figure and evidence count; null: the original is kept.
  const Verdict* counting_verdict() const { return final ? &*final : search ? &*search : nullptr; }
};

// A trial and all its ancestors, eldest first.
std::vector<Ancestor> lineage(const std::vector<search::Trial>& trials, unsigned trial);

std::string to_json(const Record& record);
Result<Record> parse_record(const std::string& text);

// "cpu", or what a device's code was made for and where it ran, "cuda compute_80 sm_80 on sm_86": what a lock file's
// evidence begins with.
std::string verified_on(const KernelSpec& spec, const std::string& architecture);

// "cpu: g++ (Debian …) 12.2.0, 428 pairs": for the lock file.
std::string evidence(const Verdict& verdict, const KernelSpec& spec, const std::string& compiler);

}  // namespace hone::lock
