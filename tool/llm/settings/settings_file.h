// `hone.json` as it stands there, before anything is put over it. Its shape is in settings.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/llm/settings/model_settings.h"

namespace hone::llm {

// The members of the file's object, or of an entry of its ensemble; absent: not given.
struct FileEntry {
  std::optional<std::string> proposer, endpoint, model, key_env, effort, prices, extra;
  std::optional<double> temperature, connect_timeout, timeout, weight;
  std::optional<unsigned> max_tokens, concurrency, attempts, reply_bytes;
  std::optional<unsigned> thinking;  // or ModelSettings::adaptive_thinking
  std::optional<Api> api;
  std::optional<bool> allow_plain_http, cache;
  std::optional<Price> price;
  std::optional<std::vector<HeaderSetting>> headers;
  std::optional<ParameterNames> parameters;
};

struct SettingsFile {
  FileEntry common;
  std::optional<Examples> examples;
  std::vector<FileEntry> ensemble;
};

// Error: "hone.json:3: …", for what is no JSON, no member, or no value that can be.
Result<SettingsFile> parse_settings_file(std::string_view text, const std::string& where);

}  // namespace hone::llm
