#include "tool/llm/make_client.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tool/diagnostics/coded_failure.h"
#include "tool/llm/command_backend.h"
#include "tool/llm/ensemble.h"
#include "tool/llm/http_backend.h"
#include "tool/llm/paced_client.h"
#include "tool/llm/settings/clean_text.h"
#include "tool/llm/settings/header_setting.h"
#include "tool/llm/settings/key.h"

namespace hone::llm {
namespace {

struct Secrets {
  std::string key;
  std::vector<os::HttpHeader> headers;
};

Result<std::vector<Secrets>> read_secrets(const Settings& settings, const Environment& environment) {
  std::vector<Secrets> all;
  for (const ModelSettings& model : settings.models) {
    Secrets of_model;
    HONE_TRY(of_model.key, read_key(model, environment));
    if (model.provider != Provider::command) {
      HONE_TRY(of_model.headers, read_headers(model, environment));
    }
    all.push_back(std::move(of_model));
  }
  return all;
}

// What no text may show: keys, also without the word in front of them ("Bearer …").
std::vector<std::string> secret_texts(const std::vector<Secrets>& all) {
  std::vector<std::string> texts;
  for (const auto& [key, headers] : all) {
    if (!key.empty()) texts.push_back(key);
    for (const os::HttpHeader& header : headers)
      if (header.secret) texts.push_back(header.value.substr(header.value.rfind(' ') + 1));
  }
  return texts;
}

Pace pace_of(const ModelSettings& model, std::uint64_t seed) {
  Pace pace;
  pace.concurrency = model.concurrency;
  pace.attempts = model.attempts;
  pace.failures_in_a_row = std::max(pace.failures_in_a_row, model.concurrency);
  pace.seed = seed;
  return pace;
}

}  // namespace

Result<std::unique_ptr<Client>> make_client(const Settings& settings, const Ports& ports,
                                            const Environment& environment, std::uint64_t seed) {
  if (settings.models.empty())
    return coded_failure(DiagnosticCode::model_unnamed, "no language model is named", settings.proposer);
  HONE_TRY(const std::vector<Secrets> secrets, read_secrets(settings, environment));
  const std::vector<std::string> hidden = secret_texts(secrets);
  const Scrubber scrub(hidden);
  if (!hidden.empty()) keep_memory_out_of_core_dumps();
  std::vector<EnsembleMember> members;
  for (std::size_t i = 0; i < settings.models.size(); ++i) {
    const ModelSettings& model = settings.models[i];
    std::unique_ptr<Backend> backend;
    if (model.provider == Provider::command) {
      backend = make_command_backend(model, without_keys(environment, settings), scrub, ports.processes);
    } else {
      HONE_TRY(backend, make_http_backend(model, secrets[i].key, secrets[i].headers, scrub, ports.http));
    }
    members.push_back(
        {std::make_unique<PacedClient>(std::move(backend), pace_of(model, seed + i), ports.clock), model.weight});
  }
  if (members.size() == 1) return std::move(members.front().client);
  return make_ensemble(std::move(members));
}

}  // namespace hone::llm
