#include "tool/cli/model_findings.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/base/printable.h"
#include "tool/llm/make_client.h"
#include "tool/os/files/clock.h"
#include "tool/os/http/http_transport.h"
#include "tool/os/http/url.h"
#include "tool/os/process/environment.h"
#include "tool/os/process/process_runner.h"
#include "tool/project/settings.h"

namespace hone::cli {
namespace {

using State = DoctorFinding::State;

// The targets that may differ in what they ask.
std::vector<project::TargetSettings> targets_of(const ProjectOptions& options) {
  std::vector<project::TargetSettings> targets;
  const auto project = project::open_project(options.folder());
  for (const project::ProjectUnit& unit : project ? project->units : std::vector<project::ProjectUnit>{}) {
    const bool asked = options.target.empty() || unit.settings.target == options.target;
    const bool known = std::ranges::any_of(targets, [&](const project::TargetSettings& other) {
      return other.lock == unit.settings.lock && other.proposer == unit.settings.proposer &&
             other.strategy == unit.settings.strategy;
    });
    if (asked && !known) targets.push_back(unit.settings);
  }
  if (!targets.empty()) return targets;
  project::TargetSettings here;
  std::error_code error;
  here.lock = std::filesystem::current_path(error) / "hone.lock";
  return {here};
}

// A provider's address without its query, where some gateways want secrets, or a command without its arguments for the
// same reason.
std::string place_of(const llm::ModelSettings& model) {
  if (model.provider == llm::Provider::command) return fmt::format("the command '{}'", model.command.front());
  auto url = os::parse_url(model.endpoint);
  if (!url) return "an endpoint that is none";
  url->query.clear();
  return url->text();
}

std::string key_of(const llm::ModelSettings& model, const llm::Environment& environment) {
  std::vector<std::string> variables;
  if (!model.key_env.empty()) variables.push_back(model.key_env);
  for (const llm::HeaderSetting& header : model.headers)
    if (!header.variable.empty()) variables.push_back(header.variable);
  if (variables.empty()) return "no key is sent";
  for (const std::string& variable : variables)
    if (const auto found = environment.find(variable); found == environment.end() || found->second.empty())
      return fmt::format("no key: {} is not set", variable);
  return fmt::format("the key in {} is set", fmt::join(variables, " and in "));
}

// Whoever can be asked has a client: keys, endpoints and where a key must not go are looked at when it is made.
template <class Use>
auto with_client(const llm::ModelSettings& model, Use use) {
  os::CurlHttpTransport http;
  os::PosixProcessRunner processes;
  const os::SteadyClock clock;
  return use(llm::make_client({"", {model}}, {http, processes, clock}, llm::own_environment()));
}

DoctorFinding program_of(const llm::ModelSettings& model) {
  const llm::Environment environment = llm::own_environment();
  const auto path = environment.find("PATH");
  const auto program = os::find_program(model.command.front(), "", path == environment.end() ? "" : path->second);
  if (!program) return {State::bad, "model", program.error().message()};
  return {State::good, "model", fmt::format("{}, found at {}", printable_line(place_of(model)), *program)};
}

DoctorFinding endpoint_of(const llm::ModelSettings& model) {
  const auto trouble = with_client(
      model, [](const auto& client) { return client ? std::optional<Error>() : std::optional(client.error()); });
  if (trouble) return {State::bad, "model", trouble->message()};
  return {State::good, "model",
          fmt::format("{} at {}; {}", printable_line(model.model), printable_line(place_of(model)),
                      key_of(model, llm::own_environment()))};
}

void add(ModelFindings& to, DoctorFinding finding) {
  const bool known = std::ranges::any_of(to.findings, [&](const DoctorFinding& other) {
    return other.what == finding.what && other.detail == finding.detail;
  });
  if (!known) to.findings.push_back(std::move(finding));
}

}  // namespace

ModelFindings find_models(const ProjectOptions& project, const project::TuneOptions& options) {
  ModelFindings all;
  for (const project::TargetSettings& target : targets_of(project)) {
    const auto settings = project::settle(options, target);
    if (!settings) {
      add(all, {State::bad, "proposer", settings.error().message()});
      continue;
    }
    if (settings->models.models.empty()) {
      add(all, {State::good, "proposer", settings->proposer + ": asks no language model, sends nothing"});
      continue;
    }
    // A command's words stand in its own line.
    const std::string kind = settings->proposer.substr(0, settings->proposer.find(':'));
    add(all, {State::good, "proposer", fmt::format("{} with the strategy {}", kind, settings->strategy.name)});
    for (const llm::ModelSettings& model : settings->models.models) {
      DoctorFinding finding = model.provider == llm::Provider::command ? program_of(model) : endpoint_of(model);
      const bool usable = finding.state == State::good;
      add(all, std::move(finding));
      if (usable && std::ranges::find(all.models, model) == all.models.end()) all.models.push_back(model);
    }
  }
  return all;
}

std::vector<DoctorFinding> probe_models(const std::vector<llm::ModelSettings>& models) {
  std::vector<DoctorFinding> findings;
  for (llm::ModelSettings model : models) {
    complain(fmt::format("sends one short question to {}", printable_line(place_of(model))), done);
    model.attempts = 1;
    llm::Prompt prompt;  // with every parameter that a search sends: what this server refuses shows here
    prompt.messages.push_back({llm::Role::system, "You answer in one word."});
    prompt.messages.push_back({llm::Role::user, "This tests a connection. Answer with the single word: ready"});
    prompt.seed = 1;
    findings.push_back(with_client(model, [&](auto client) -> DoctorFinding {
      if (!client) return {State::bad, "answer", client.error().message()};
      const llm::Outcome outcome = (*client)->submit(std::move(prompt)).get();
      if (const auto* failure = std::get_if<llm::Failure>(&outcome)) return {State::bad, "answer", failure->what};
      const auto& reply = std::get<llm::Reply>(outcome);
      return {State::good, "answer",
              fmt::format("{} answered after {:.1f} s{}", reply.model.empty() ? "it" : printable_line(reply.model),
                          reply.seconds, reply.news.empty() ? "" : "; " + reply.news)};
    }));
  }
  return findings;
}

}  // namespace hone::cli
