#include "tool/tune/winner_reduction.h"

#include <filesystem>

#include "tool/frontend/gate/fingerprint.h"
#include "tool/search/genome.h"
#include "tool/transforms/clang_format.h"
#include "tool/transforms/workshop.h"
#include "tool/tune/reduction/comment.h"
#include "tool/tune/reduction/reducer.h"

namespace hone::tune {
namespace {

using frontend::Workshop;

Reducer::Present present_in(const std::string& file) {
  return [file, layout = frontend::Layout(file)](const std::string& source, const std::string& words) {
    const bool c = std::filesystem::path(file).extension() == ".c";
    const std::string comment = explanation(words, layout.column_limit(), c ? CommentStyle::block : CommentStyle::line);
    return layout.laid_out(with_explanation(source, comment));
  };
}

// The genome that the candidate is written by; empty where it is none's.
Genome genome_of(const Candidate& candidate, Workshop& workshop, std::stop_token stop) {
  const Genome genome =
      candidate.genome.empty() ? search::parse_genome(candidate.name).value_or(Genome()) : candidate.genome;
  if (genome.empty()) return genome;
  const frontend::Rendered rendered = workshop.render(genome, std::move(stop));
  const bool same = frontend::fingerprint(rendered.source) == frontend::fingerprint(candidate.source);
  return same ? rendered.applied : Genome();
}

}  // namespace

std::optional<Accepted> reduced(const TuningTask& task, Evaluator& evaluator, Journal& journal, const Accepted& winner,
                                const std::vector<Accepted>& others, const Deadline& share) {
  if (winner.trial == 0 || share.stopped()) return std::nullopt;
  const auto& [spec, unit, options, settings, slice] = task;
  const auto compare = [&](const compile::Objects& first, const compile::Objects& second) {
    return evaluator.as_fast(first, second, share.token());
  };
  Reducer reducer({evaluator, journal, compare, present_in(spec.file)}, winner, spec.unit.definition, share);
  auto workshop = Workshop::open(spec, unit.command, options.frontend, frontend::Form::shortest);
  const Genome genome = workshop ? genome_of(winner.candidate, **workshop, share.token()) : Genome();
  if (genome.empty()) {
    // Where it is no longer than the original, nobody reads it more easily without a statement.
    const bool is_long = lines_to_read(winner.candidate.source) > lines_to_read(spec.unit.definition);
    return is_long ? reducer.by_statements() : reducer.explained();
  }
  std::vector<Genome> tried;
  for (const Accepted& other : others) tried.push_back(other.candidate.genome);
  std::unique_ptr<Workshop> plain;  // opened where it is asked for
  const Reducer::Render written_out = [&](const Genome& genes) {
    if (!plain)
      if (auto opened = Workshop::open(spec, unit.command, options.frontend)) plain = std::move(*opened);
    return plain ? plain->render(genes, share.token()) : frontend::Rendered();
  };
  return reducer.by_genes(
      genome, tried, [&](const Genome& genes) { return (*workshop)->render(genes, share.token()); }, written_out);
}

}  // namespace hone::tune
