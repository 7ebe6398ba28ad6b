#include "tool/tune/trial/builtin_source.h"

#include "tool/search/genome.h"

namespace hone::tune {
namespace {

Proposal proposal_of(const search::Request& request, const BuiltinSource::Render& render) {
  frontend::Rendered rendered = render(request.genome);
  Proposal proposal;
  if (!rendered.applied.empty() && rendered.applied.back().transform == choice_by_size)
    proposal.candidate.behind_choice = render({rendered.applied.begin(), rendered.applied.end() - 1}).source;
  proposal.written = rendered.source;
  Candidate& candidate = proposal.candidate;
  candidate.source = std::move(rendered.source);
  candidate.name = search::describe(rendered.applied);
  candidate.genome = std::move(rendered.applied);
  candidate.operator_name = request.operator_name;
  candidate.parents = request.parents;
  return proposal;
}

}  // namespace

BuiltinSource::BuiltinSource(search::Search& search, Render render, TrialLine& line)
    : search_(search), render_(std::move(render)), line_(line), rendering_(1) {}

void BuiltinSource::ask() {
  while (line_.has_room()) {
    auto request = search_.ask();
    if (!request) return;
    const unsigned place = request->number;
    line_.open(place);
    rendering_.add([this, post = line_.post(), request = *request] {
      auto proposal = proposal_of(request, render_);
      post([this, place = request.number, proposal = std::move(proposal)]() mutable {
        line_.submit(place, {std::move(proposal)});
      });
    });
    requests_.emplace(place, std::move(*request));
  }
}

Result<unsigned> BuiltinSource::tell(unsigned place, const TrialResult& result) {
  const auto request = requests_.extract(place);
  const auto& known = result.duplicate_of;
  return search_.tell(request.mapped(), result.proposal.candidate,
                      known ? search_.trials()[*known].verdict : result.verdict, known);
}

std::optional<double> BuiltinSource::best() const {
  const search::Trial* best = search_.best();
  return best ? std::optional(best->verdict.measurement.speedup.median) : std::nullopt;
}

}  // namespace hone::tune
