// Which parameters go into a request, and under which names: the protocol's, as far as this server takes them.
//
// What is known of the server's host comes first, then what hone.json says ("parameters", and null in "extra"), then
// what the server's own refusals taught: one that names a parameter is learned from, and the call is made again without
// it, under its other name, or with the limit that the server allows. What the user wrote into "extra", and how much a
// model is to think, is never left out for a refusal. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "tool/llm/settings/model_settings.h"
#include "tool/os/http/url.h"

namespace hone::llm {

class RequestParameters {
 public:
  RequestParameters(const ModelSettings& model, const os::Url& url);

  nlohmann::json applied(nlohmann::json body) const;

  // A server refused `sent`, which was `body` before, with `answer`, in words `complaint`. Whether the same call may do
  // now: this was learned from, or something was since the call was sent.
  bool learn(const nlohmann::json& body, const nlohmann::json& sent, const nlohmann::json& answer,
             const std::string& complaint);

  // What was learned and not said yet, in a sentence; "" for nothing.
  std::string news();

 private:
  nlohmann::json applied_now(nlohmann::json body) const;
  bool learn_blindly(const nlohmann::json& sent);

  mutable std::mutex mutex_;
  std::string host_;
  std::set<std::string> extra_;  // what the user adds: it stays
  ParameterNames names_;
  std::set<std::string> refused_;              // names that renaming shall not come back to
  std::map<std::string, std::uint64_t> most_;  // of numbers that the server found too large, by the name that is sent
  std::string news_;
};

}  // namespace hone::llm
