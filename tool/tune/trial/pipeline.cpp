#include "tool/tune/trial/pipeline.h"

#include "cache/digest.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/search/genome.h"

namespace hone::tune {
namespace {

Candidate candidate_of(const search::Request& request, frontend::Rendered rendered) {
  Candidate candidate;
  candidate.source = std::move(rendered.source);
  candidate.name = search::describe(rendered.applied);
  candidate.genome = std::move(rendered.applied);
  candidate.operator_name = request.operator_name;
  candidate.parents = request.parents;
  return candidate;
}

}  // namespace

Pipeline::Pipeline(Evaluator& judge, frontend::Workshop& workshop, const Journal& journal, const std::string& original,
                   unsigned jobs, std::stop_token stop)
    : judge_(judge),
      workshop_(workshop),
      journal_(journal),
      seen_{original},
      stop_(std::move(stop)),
      compiling_(jobs),
      rendering_(1) {}

Pipeline::~Pipeline() = default;

void Pipeline::submit(search::Request request) {
  auto promise = std::make_shared<std::promise<Prepared>>();
  open_.push_back(promise->get_future());
  Prepared prepared;
  prepared.request = std::move(request);
  rendering_.add([this, promise, prepared = std::move(prepared)]() mutable { render(std::move(prepared), promise); });
}

bool Pipeline::ready() const {
  return !open_.empty() && open_.front().wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

Prepared Pipeline::next() {
  Prepared prepared = open_.front().get();
  open_.pop_front();
  return prepared;
}

void Pipeline::render(Prepared prepared, const Promise& promise) {
  if (stop_.stop_requested()) {
    prepared.outcome = Error{"stopped"};
    return promise->set_value(std::move(prepared));
  }
  prepared.candidate = candidate_of(prepared.request, workshop_.render(prepared.request.genome));
  prepared.fingerprint = frontend::fingerprint(prepared.candidate.source);
  if (!seen_.insert(prepared.fingerprint).second) {
    prepared.outcome = Repeated{};
    return promise->set_value(std::move(prepared));
  }
  if (const Journal::Entry* known = journal_.find(prepared.fingerprint)) {
    prepared.object = known->object;
    prepared.outcome = Replayed{known->verdict};
    return promise->set_value(std::move(prepared));
  }
  if (auto refused = judge_.gate(prepared.candidate.source)) {
    prepared.outcome = std::move(*refused);
    return promise->set_value(std::move(prepared));
  }
  compiling_.add([this, promise, prepared = std::move(prepared)]() mutable { compile(std::move(prepared), promise); });
}

void Pipeline::compile(Prepared prepared, const Promise& promise) {
  auto compiled = judge_.compile_for_trial(prepared.candidate.source, stop_);
  if (!compiled) {
    prepared.outcome = compiled.error();
  } else if (auto* objects = std::get_if<compile::Objects>(&*compiled)) {
    prepared.object = cache::sha256(objects->plain);
    prepared.outcome = std::move(*objects);
  } else {
    prepared.outcome = std::move(std::get<Verdict>(*compiled));
  }
  promise->set_value(std::move(prepared));
}

}  // namespace hone::tune
