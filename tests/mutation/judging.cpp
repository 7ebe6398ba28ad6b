#include "tests/mutation/judging.h"

#include <chrono>
#include <random>

namespace hone::mutation {
namespace {

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

Verdict refusal(std::string reason) {
  Verdict verdict;
  verdict.reason = std::move(reason);
  return verdict;
}

}  // namespace

Judging::Judging(const Deck& deck, CompileCommand command, bundle::Depth depth, os::ProcessRunner& runner,
                 bundle::Executor& executor)
    : deck_(deck), depth_(depth), executor_(executor), compiler_(runner, std::move(command)) {}

Result<std::unique_ptr<Judging>> Judging::open(const Deck& deck, const std::filesystem::path& root, bundle::Depth depth,
                                               os::ProcessRunner& runner, bundle::Executor& executor) {
  HONE_CHECK(executor.ready_for(deck.spec));
  std::unique_ptr<Judging> judging(new Judging(deck, command_of(deck, root), depth, runner, executor));
  HONE_CHECK(judging->prepare());
  return judging;
}

Result<void> Judging::prepare() {
  HONE_TRY(unit_, compiler_.freeze(deck_.spec));
  HONE_TRY(auto compiled, compiler_.compile(unit_, unit_.definition));
  if (const Verdict* refused = std::get_if<Verdict>(&compiled)) return failure(refused->reason, {}, refused->detail);
  original_ = std::move(std::get<compile::Objects>(compiled));
  if (deck_.precise) {
    HONE_TRY(compile::FrozenUnit unit, compiler_.freeze(*deck_.precise));
    auto made = compiler_.compile(unit, unit.definition, {}, compile::Builds::plain);
    if (auto* objects = made ? std::get_if<compile::Objects>(&*made) : nullptr) {
      precise_.precise_reference = std::move(objects->plain);
      precise_.precise_data = *deck_.precise;
    }
  }
  for (const Base& base : deck_.bases) {  // a line in front, as mutants have one
    HONE_TRY(auto made, compile("// nothing is wrong with it\n" + base.text, compile::Builds::plain));
    if (auto* objects = std::get_if<compile::Objects>(&made)) objects_[objects->plain] = "";
  }
  HONE_TRY(const Verdict verdict, executor_.run(bundle(bundle::Task::reference)));
  if (!verdict.right) return failure("the original is not fit to be judged against: " + verdict.reason);
  return {};
}

Judging::Compiled Judging::compile(const std::string& text, compile::Builds builds) {
  return compiler_.compile(unit_, text, {}, builds);
}

bundle::Bundle Judging::bundle(bundle::Task task) const {
  bundle::Bundle bundle = precise_;
  bundle.kernel = deck_.spec;
  bundle.data = deck_.spec;
  bundle.plan.task = task;
  bundle.plan.depth = depth_;
  bundle.plan.seed = fresh_seed();
  bundle.plan.timeout_seconds = 2;
  bundle.plan.sanitizer_preload = original_.sanitizer_runtime;
  bundle.plan.race_preload = original_.race_runtime;
  bundle.reference = original_.plain;
  bundle.sanitized_reference = original_.sanitized;
  bundle.race_checked_reference = original_.race_checked;
  return bundle;
}

Result<Verdict> Judging::run(const compile::Objects& candidate) {
  bundle::Bundle both = bundle(bundle::Task::verify);
  both.candidate = candidate.plain;
  both.sanitized_candidate = candidate.sanitized;
  both.race_checked_candidate = candidate.race_checked;
  both.plan.constants = candidate.constants;
  return executor_.run(both);
}

std::string Judging::known(const std::string& object, const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto [place, fresh] = objects_.emplace(object, id);
  if (fresh || place->second == id) return "";
  return place->second.empty() ? "same" : "twin";
}

Ending Judging::judge(const std::string& text, const std::string& id) {
  const auto ended = [](const char* outcome, Verdict verdict) { return Ending{outcome, std::move(verdict)}; };
  for (const auto builds : {compile::Builds::plain, compile::Builds::all}) {
    auto compiled = compile(text, builds);
    if (!compiled) return ended("error", refusal(compiled.error().message()));
    if (Verdict* refused = std::get_if<Verdict>(&*compiled)) return ended("invalid", std::move(*refused));
    const auto& objects = std::get<compile::Objects>(*compiled);
    if (const std::string whose = id.empty() ? "" : known(objects.plain, id); !whose.empty())
      return ended(whose.c_str(), {});
    auto verdict = run(objects);
    if (!verdict) return ended("error", refusal(verdict.error().message()));
    if (!verdict->right) return ended("refused", std::move(*verdict));
    if (builds == compile::Builds::all) return ended("accepted", std::move(*verdict));
  }
  return {};
}

Ending Judging::judge(const Base& base) {
  return judge(base.text, "");
}

Ending Judging::judge(const Card& card) {
  const auto start = std::chrono::steady_clock::now();
  Ending ending = card.gate.empty() ? judge(card.mutant.text, card.id) : Ending{"invalid", refusal(card.gate)};
  ending.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return ending;
}

}  // namespace hone::mutation
