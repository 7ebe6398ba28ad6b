#include "tool/llm/request_parameters.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tool/llm/complaint.h"
#include "tool/llm/provider_protocol.h"
#include "tool/llm/settings/known_providers.h"

namespace hone::llm {
namespace {
using nlohmann::json;

// null in "extra" removes: what Hone would send, too.
ParameterNames removed_by(const std::string& extra) {
  ParameterNames names;
  if (extra.empty()) return names;
  const json parsed = json::parse(extra);
  for (const auto& [name, value] : parsed.items())
    if (value.is_null()) names[name] = std::nullopt;
  return names;
}

std::set<std::string> added_by(const ModelSettings& model) {
  std::set<std::string> names;
  const json extra = with_extra(model);
  for (const auto& [name, value] : extra.items()) names.insert(name);
  return names;
}

}  // namespace

RequestParameters::RequestParameters(const ModelSettings& model, const os::Url& url)
    : host_(url.host), extra_(added_by(model)), names_(model.parameters) {
  names_.merge(removed_by(model.extra));
  names_.merge(habits_of(url, model.provider).parameters);
}

json RequestParameters::applied(json body) const {
  const std::lock_guard lock(mutex_);
  return applied_now(std::move(body));
}

json RequestParameters::applied_now(json body) const {
  json moved = json::object();
  for (const auto& [name, now] : names_) {
    const auto found = body.find(name);
    if (found == body.end()) continue;
    if (now) moved[*now] = std::move(*found);
    body.erase(found);
  }
  body.update(moved);
  for (const auto& [name, most] : most_)
    if (const auto found = body.find(name); found != body.end() && found->is_number_integer())
      *found = std::min(found->get<std::uint64_t>(), most);
  return body;
}

bool RequestParameters::learn(const json& body, const json& sent, const json& answer, const std::string& complaint) {
  const std::lock_guard lock(mutex_);
  if (applied_now(body) != sent) return true;  // another call's refusal taught it
  const auto correction = correction_for(sent, answer, complaint);
  if (!correction) return learn_blindly(sent);
  const std::string& name = correction->parameter;
  if (extra_.contains(name)) return false;
  if (correction->most) {
    if (!most_.emplace(name, *correction->most).second) return false;
    news_ = fmt::format("{} allows {} of {} at most: that is sent from now on", host_, name, *correction->most);
    return true;
  }
  // The name that was sent may be one that the protocol's own was changed to.
  const auto original = std::ranges::find_if(names_, [&](const auto& entry) { return entry.second == name; });
  const std::string of = original == names_.end() ? name : original->first;
  refused_.insert(name);
  if (correction->rename && refused_.contains(*correction->rename)) return false;  // neither name does
  names_[of] = correction->rename;
  news_ = correction->rename
              ? fmt::format("{} calls {} \"{}\": it is sent so from now on; \"parameters\" in hone.json can say it",
                            host_, name, *correction->rename)
              : fmt::format("{} takes no \"{}\": it is left out from now on; \"parameters\" in hone.json can say it",
                            host_, name);
  return true;
}

// A refusal that names nothing: what a call needs least is tried without, once.
bool RequestParameters::learn_blindly(const json& sent) {
  if (!sent.contains("seed") || names_.contains("seed") || extra_.contains("seed")) return false;
  names_["seed"] = std::nullopt;
  return true;
}

std::string RequestParameters::news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

}  // namespace hone::llm
