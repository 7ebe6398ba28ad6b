#include "tool/tune/reduction/reducer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/search/genome.h"
#include "tool/transforms/phrases.h"

namespace hone::tune {
namespace {

constexpr unsigned deepest_level = 4;         // of blocks whose statements are tried
constexpr std::size_t most_parts = 60;        // of one level
constexpr std::size_t most_kept_listed = 12;  // of a text's statements
constexpr std::size_t most_tried_before = 3;
constexpr double seconds_to_compare = 1.5;  // beside a judgment
constexpr double least_for_lines = 1.05;    // what text of up to twice the lines must gain: a reduction may lose less

Genome chosen(const Genome& genome, const std::vector<std::size_t>& parts) {
  Genome genes;
  for (const std::size_t part : parts) genes.push_back(genome[part]);
  return genes;
}

Genome without(Genome genome, std::size_t gene) {
  genome.erase(genome.begin() + static_cast<std::ptrdiff_t>(gene));
  return genome;
}

// Each phrase once.
std::string in_words(const Genome& genome) {
  std::string words;
  std::set<std::string_view> said;
  for (const Gene& gene : genome)
    if (const std::string_view phrase = frontend::phrase_of(gene.transform); said.insert(phrase).second)
      words += (words.empty() ? "" : "; ") + std::string(phrase);
  return words.empty() ? words : words + '.';
}

// The genes of `from` that `left` has no more.
std::vector<std::string> missing(const Genome& from, Genome left) {
  std::vector<std::string> names;
  for (const Gene& gene : from) {
    const auto found = std::ranges::find(left, gene);
    if (found == left.end())
      names.push_back(search::describe({gene}));
    else
      left.erase(found);
  }
  return names;
}

std::string first_line(const std::string& text) {
  constexpr std::size_t widest = 60;
  std::string line;
  for (const char byte : text) {
    const bool blank = byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
    const bool plain = byte >= ' ' && byte <= '~';  // the rest is nothing for a terminal
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : plain ? byte : '?';
    if (line.size() > widest) return line + "...";
  }
  return line;
}

}  // namespace

Reducer::Reducer(Ports ports, const Accepted& winner, const std::string& original, const Deadline& share)
    : ports_(std::move(ports)),
      winner_(winner),
      lines_original_(lines_to_read(original)),
      share_(share),
      fingerprint_(frontend::fingerprint(winner.candidate.source)),
      quickest_(winner.verdict.seconds + seconds_to_compare) {}

Result<const compile::Objects*> Reducer::winner_objects() {
  if (!objects_) {
    HONE_TRY(auto compiled, ports_.stages.compile_plain(winner_.candidate.source, share_.token()));
    if (const Verdict* refused = std::get_if<Verdict>(&compiled))
      return failure("it does not compile: " + refused->reason);
    objects_ = std::move(std::get<compile::Objects>(compiled));
  }
  return &*objects_;
}

// The same code has the same answer, and the winner's code is as fast as the winner: nobody is asked again.
std::optional<Verdict> Reducer::known_by_its_code(const compile::Objects& objects, const compile::Objects& winner) {
  if (objects.plain != winner.plain) {
    const auto known = by_code_.find(cache::sha256(objects.plain));
    return known == by_code_.end() ? std::nullopt : std::optional(known->second);
  }
  Verdict same = winner_.verdict;
  same.measurement.speedup = {};
  same.reason = "it compiles to the winner's code";
  return same;
}

Result<Verdict> Reducer::compared(const compile::Objects& winner, const compile::Objects& objects) {
  HONE_TRY(Verdict verdict, ports_.compare(winner, objects));
  if (verdict.right) verdict.stage = Stage::done;
  verdict.faster &= verdict.right;
  verdict.reason = fmt::format("{:.2f}x beside the winner: {}", verdict.measurement.speedup.median,
                               verdict.faster ? "as fast" : "not as fast, or nobody can tell");
  return verdict;
}

Result<Verdict> Reducer::verified(const std::string& source) {
  HONE_TRY(auto compiled, ports_.stages.compile_for_trial(source, share_.token()));
  if (auto* refused = std::get_if<Verdict>(&compiled)) return std::move(*refused);
  return ports_.stages.verify(std::get<compile::Objects>(compiled), share_.token());
}

// Both questions, the one that is mostly answered by no first.
Result<Verdict> Reducer::asked(const std::string& source, const compile::Objects& winner,
                               const compile::Objects& objects) {
  if (first_ == First::right) {
    HONE_TRY(Verdict right, verified(source));
    return right.right ? compared(winner, objects) : std::move(right);
  }
  HONE_TRY(Verdict speed, compared(winner, objects));
  if (!speed.faster) return speed;
  HONE_TRY(Verdict right, verified(source));
  return right.right ? std::move(speed) : std::move(right);
}

// `faster`: as fast as the winner, whose measurement it is.
Result<Verdict> Reducer::judge(const std::string& source) {
  if (auto refused = ports_.stages.gate(source)) return std::move(*refused);
  HONE_TRY(auto compiled, ports_.stages.compile_plain(source, share_.token()));
  if (auto* refused = std::get_if<Verdict>(&compiled)) return std::move(*refused);
  const auto& objects = std::get<compile::Objects>(compiled);
  HONE_TRY(const compile::Objects* winner, winner_objects());
  if (auto known = known_by_its_code(objects, *winner)) return std::move(*known);
  HONE_TRY(Verdict verdict, asked(source, *winner, objects));
  by_code_.emplace(cache::sha256(objects.plain), verdict);
  return verdict;
}

// nullopt: there is no time to find out, or nobody to ask.
std::optional<Reducer::Standing> Reducer::standing_of(const std::string& source) {
  const std::string fingerprint = frontend::fingerprint(source);
  if (fingerprint == fingerprint_) return Standing{true, true, Speedup{}, ""};
  if (const auto known = known_.find(fingerprint); known != known_.end()) return known->second;
  // No candidate's fingerprint: what reads a search's trials leaves it out.
  const std::string key = "reduced " + cache::sha256(fingerprint_ + " to " + fingerprint);
  const Journal::Entry* entry = ports_.journal.find(key);
  std::optional<Verdict> verdict;
  if (entry) verdict = entry->verdict;
  if (!verdict) {
    if (share_.stopped() || share_.seconds_left() < quickest_) return std::nullopt;
    const auto begin = std::chrono::steady_clock::now();
    auto judged = judge(source);
    if (!judged || share_.stopped()) return std::nullopt;
    quickest_ = std::min(quickest_, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    verdict = std::move(*judged);
    if (!ports_.journal.append(key, "reduced " + winner_.candidate.name, cache::sha256(source), "", *verdict))
      return std::nullopt;
  }
  Standing standing{verdict->right, verdict->right && verdict->faster, std::nullopt, verdict->reason};
  if (standing.right) standing.speedup = verdict->measurement.speedup;
  return known_.emplace(fingerprint, std::move(standing)).first->second;
}

Attempt Reducer::attempt(const std::string& source) {
  const auto standing = standing_of(source);
  if (!standing) return Attempt::stop;
  return standing->as_fast ? Attempt::holds : Attempt::fails;
}

// What `change` gains, by what is known of the text without it.
std::optional<KeptChange> Reducer::kept(const std::string& change, const std::string& what,
                                        const std::string& without) const {
  const auto found = known_.find(frontend::fingerprint(without));
  if (found == known_.end()) return std::nullopt;
  const Standing& standing = found->second;
  KeptChange kept{.change = change, .what = what};
  if (!standing.right) kept.without = "not right without it: " + standing.reason;
  if (standing.speedup && standing.speedup->low > 0)
    kept.gain = Speedup{1 / standing.speedup->median, 1 / standing.speedup->high, 1 / standing.speedup->low};
  return kept;
}

Accepted Reducer::presented(std::string source, const std::string& words, Reduction reduction) const {
  Accepted reduced = winner_;
  reduced.candidate.source = ports_.present(source, words);
  reduction.lines_original = lines_original_;
  reduction.lines_found = lines_to_read(winner_.candidate.source);
  reduction.lines = lines_to_read(reduced.candidate.source);
  reduced.reduction = std::move(reduction);
  return reduced;
}

// The shortest of those that the search tried which holds; else the whole.
Genome Reducer::tried_before(const Genome& genome, std::vector<Genome> tried, const Render& render) {
  std::erase_if(tried, [&](const Genome& one) {
    return one.empty() || one.size() >= genome.size() || !missing(one, genome).empty();
  });
  std::ranges::stable_sort(tried, {}, &Genome::size);
  if (tried.size() > most_tried_before) tried.resize(most_tried_before);
  for (const Genome& one : tried)
    if (attempt(render(one).source) == Attempt::holds) return one;
  return genome;
}

// Which is the longer text for the same genes.
// Each doubling of the lines has to gain as much again.
bool Reducer::gains_written_out(const frontend::Rendered& text, const frontend::Rendered& written_out) {
  const double times = static_cast<double>(lines_to_read(written_out.source)) / lines_to_read(text.source);
  if (written_out.applied != text.applied || times <= 1) return false;
  const auto standing = standing_of(written_out.source);
  if (!standing || !standing->right || !standing->speedup) return false;
  return standing->speedup->low > 1 &&
         standing->speedup->median > std::pow(least_for_lines, std::max(1.0, std::log2(times)));
}

Accepted Reducer::by_genes(const Genome& genome, const std::vector<Genome>& tried, const Render& shortest,
                           const Render& written_out) {
  first_ = First::fast;  // a gene that is left out seldom makes the rest wrong
  const Render* form = &shortest;
  const auto render = [&form](const Genome& genes) { return (*form)(genes); };
  const Genome found = shortest(genome).applied;
  const Genome all = render(tried_before(found, tried, render)).applied;
  const Minimal minimal = ddmin(all.size(), [&](const std::vector<std::size_t>& parts) {
    const frontend::Rendered rest = render(chosen(all, parts));
    return rest.applied.empty() ? Attempt::fails : attempt(rest.source);
  });
  const frontend::Rendered shorter = shortest(chosen(all, minimal.parts)), longer = written_out(shorter.applied);
  if (minimal.complete && gains_written_out(shorter, longer)) form = &written_out;
  const frontend::Rendered left = render(shorter.applied);
  Reduction reduction{.left_out = missing(found, left.applied), .complete = minimal.complete};
  for (std::size_t gene = 0; gene < left.applied.size(); ++gene) {
    const std::string change = search::describe({left.applied[gene]});
    const std::string what(frontend::phrase_of(left.applied[gene].transform));
    const frontend::Rendered rest = render(without(left.applied, gene));
    if (rest.applied.empty())  // the original is left
      reduction.kept.push_back({change, what, winner_.verdict.measurement.speedup, ""});
    else if (auto known = kept(change, what, rest.source))
      reduction.kept.push_back(std::move(*known));
    else
      reduction.kept.push_back({change, what, std::nullopt, ""});
  }
  Accepted reduced = presented(left.source, in_words(left.applied), std::move(reduction));
  reduced.candidate.name = search::describe(left.applied);
  reduced.candidate.genome = left.applied;
  return reduced;
}

// Some of the parts of `text`, which becomes shorter.
Minimal Reducer::reduce_parts(std::string& text, const std::vector<frontend::TextPart>& parts, Reduction& reduction) {
  if (parts.empty() || parts.size() > most_parts) return {};
  const auto with = [&](const std::vector<std::size_t>& stays) {
    std::vector<frontend::TextPart> gone;
    for (std::size_t part = 0; part < parts.size(); ++part)
      if (!std::ranges::binary_search(stays, part)) gone.push_back(parts[part]);
    return frontend::without_parts(text, gone);
  };
  const Minimal minimal =
      ddmin(parts.size(), [&](const std::vector<std::size_t>& stays) { return attempt(with(stays)); });
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::string line = first_line(text.substr(parts[part].begin, parts[part].end - parts[part].begin));
    const auto place = std::ranges::find(minimal.parts, part);
    if (place == minimal.parts.end()) {
      reduction.left_out.push_back(line);
      continue;
    }
    std::vector<std::size_t> others = minimal.parts;
    others.erase(others.begin() + (place - minimal.parts.begin()));
    // What the code is wrong without is no change that gains.
    if (auto known = kept(line, "", with(others)); known && known->gain && reduction.kept.size() < most_kept_listed)
      reduction.kept.push_back(std::move(*known));
  }
  text = with(minimal.parts);
  return minimal;
}

// What can be written in fewer lines. A rewriting may make room for others.
bool Reducer::rewrite(std::string& text, const Rewritings& rewritings, Reduction& reduction) {
  std::set<std::string> refused;
  for (bool changed = true; changed;) {
    changed = false;
    for (Rewriting& one : rewritings(text)) {
      if (refused.contains(one.what) ||
          lines_to_read(ports_.present(one.text, "")) >= lines_to_read(ports_.present(text, "")))
        continue;
      const Attempt result = attempt(one.text);
      if (result == Attempt::stop) return false;
      if (result == Attempt::fails) {
        refused.insert(one.what);
        continue;
      }
      reduction.left_out.push_back(one.what);
      text = std::move(one.text);
      changed = true;
      break;
    }
  }
  return true;
}

Accepted Reducer::explained() const {
  return presented(winner_.candidate.source, winner_.candidate.thought, Reduction{.complete = true});
}

Accepted Reducer::by_statements() {
  std::string text = winner_.candidate.source;
  Reduction reduction{.complete = true};
  const auto level = [&](unsigned depth) {
    return reduce_parts(text, frontend::parts_of(text, depth), reduction).complete;
  };
  // First what most often compiles to the winner's code, which needs no judge.
  reduction.complete = rewrite(text, with_number_for_constant, reduction) &&
                       rewrite(text, with_body_for_call, reduction) &&
                       reduce_parts(text, hints_in(text), reduction).complete;
  for (unsigned depth = 0; depth <= deepest_level && reduction.complete; ++depth) reduction.complete = level(depth);
  // What only the statements needed that went.
  if (reduction.complete && !reduction.left_out.empty()) reduction.complete = level(0);
  return presented(std::move(text), winner_.candidate.thought, std::move(reduction));
}

}  // namespace hone::tune
