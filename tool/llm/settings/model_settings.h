// Which language models a run may use: the command line over the environment over `hone.json` beside the lock file.
//
// `hone.json`, in which every member is optional and any other is an error:
//
//   { "proposer": "openai",              openai, anthropic, command:ARGV, ensemble; or builtin, replay:… (no model)
//     "endpoint": "http://localhost:8000/v1",
//     "model": "qwen3-coder",
//     "key_env": "HONE_API_KEY",         the *name* of the variable that holds the key; ends in _KEY, _TOKEN or _SECRET
//     "temperature": 0.8,
//     "max_tokens": 8192,                of one reply
//     "effort": "medium",                how much a model thinks, in the provider's words
//     "thinking": 16000,                 tokens for it, or "adaptive" (anthropic)
//     "api": "responses",                OpenAI's newer interface; else "chat"
//     "price": { "input": 3, "output": 15 },      per million tokens, in any currency; "cached_input", "cache_write"
//     "prices": "prices.json",           a table of them by model, beside this file (price_table.h)
//     "connect_timeout": 10, "timeout": 300,      seconds, of one attempt
//     "concurrency": 8, "attempts": 5,
//     "reply_bytes": 8388608,
//     "allow_plain_http": false,         lets a key go to another machine over http
//     "headers": { "api-key": "$MY_KEY" },        put into each request; $NAME at a value's end is a variable, a key
//     "parameters": { "seed": null, "max_tokens": "max_completion_tokens" },   left out; sent under another name
//     "cache": true,                     marks the part of prompts that stays for the provider's cache (anthropic)
//     "extra": { "top_p": 0.95 },        put into each request as it is; null removes
//     "ensemble": [ { "proposer": "openai", "model": "a", "weight": 3 }, { "proposer": "anthropic", "model": "b" } ] }
//
// An ensemble's entries hold the same members and `weight`; what an entry leaves out is taken from the object around
// it, except that endpoint, model, key_env, headers, parameters, api, thinking, price, prices and extra go with their
// proposer: they are inherited only by entries of the same one.
//
// The user's own $XDG_CONFIG_HOME/hone/hone.json (else ~/.config/hone/hone.json) has the same members. It counts before
// the project's and behind the environment.
//
// The environment: HONE_PROPOSER, HONE_ENDPOINT, HONE_MODEL, HONE_TEMPERATURE, HONE_MAX_TOKENS, HONE_PRICE_INPUT,
// HONE_PRICE_OUTPUT, HONE_TIMEOUT, HONE_CONCURRENCY.
//
// What hone.json or hone_target() names is used only where the user has said yes to it (trust.h).
//
// Settings hold no key and may be logged and recorded. They never make a run use a model by themselves: without a
// proposer named in one of the three places it is `builtin`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/llm/settings/variables.h"

namespace hone::llm {

struct Price {  // per million tokens
  double input = 0;
  double output = 0;
  std::optional<double> cached_input;  // read from the provider's cache; absent: as dear as any
  std::optional<double> cache_write;   // put into it
  bool operator==(const Price&) const = default;
};

enum class Provider { openai, anthropic, command };
enum class Api { chat, responses };  // of openai

// Parameters of a request by their name in the protocol: the name that they are sent under, or none where they are not.
using ParameterNames = std::map<std::string, std::optional<std::string>>;

struct HeaderSetting {
  std::string name;
  std::string text;      // the value, or what stands in front of the variable's
  std::string variable;  // "": none; its value is a key
  bool operator==(const HeaderSetting&) const = default;
};

struct ModelSettings {
  Provider provider = Provider::openai;
  std::vector<std::string> command;  // Provider::command: program and arguments
  std::string endpoint;              // base URL; a path of …/chat/completions or …/messages is taken as it is
  std::string model;
  std::string key_env;                // "": no key is sent
  bool key_required = false;          // an unset variable is an error
  std::optional<double> temperature;  // absent: not sent, the provider's default
  unsigned max_tokens = 8192;
  Api api = Api::chat;
  std::string effort;     // "": not sent
  unsigned thinking = 0;  // tokens; 0: not sent
  static constexpr unsigned adaptive_thinking = ~0u;
  std::vector<HeaderSetting> headers;
  ParameterNames parameters;
  bool cache = true;
  std::optional<Price> price;  // absent: nobody knows
  std::string price_table;     // a file that has it, where `price` is absent; "": none
  double weight = 1;           // share of an ensemble's calls
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds timeout{300'000};  // one attempt, from its start to its last byte
  unsigned concurrency = 8;
  unsigned attempts = 5;
  std::size_t reply_bytes = 8u << 20;
  bool allow_plain_http = false;
  std::string extra;              // "": none; else a JSON object
  bool named_by_project = false;  // who is asked, or with which key, stands in the project's files: see trust.h
  bool operator==(const ModelSettings&) const = default;
};

// Whose kernels prompts may show, of those that earlier searches made faster: the project's, or all that the user's
// store has. The latter takes the user's own file: what other projects hold is not a project's to send.
enum class Examples { project, all };

struct Settings {
  std::string proposer = "builtin";   // as named: openai, anthropic, command:…, ensemble, builtin, replay:…
  std::vector<ModelSettings> models;  // empty: no language model is used
  Examples examples = Examples::project;
  bool operator==(const Settings&) const = default;
};

// The settings that the command line gives.
struct Overrides {
  std::optional<std::string> proposer;
  std::optional<std::string> project_proposer;  // what hone_target() says: under `proposer`, over the environment
  std::optional<std::string> endpoint;
  std::optional<std::string> model;
  std::optional<std::string> key_env;
  std::optional<double> temperature;
  std::optional<unsigned> max_tokens;
  std::optional<double> price_input;
  std::optional<double> price_output;
  std::optional<double> timeout;  // seconds
  std::optional<unsigned> concurrency;
  bool trust_project = false;  // the user's yes to what the project names, from now on
};

// A file of settings: its text, "" without one, and its path.
struct SettingsText {
  std::string text;
  std::string where = "hone.json";
};

// Error: a member or value that cannot be, with file and line; a proposer that does not exist; no model named.
Result<Settings> settle(const Overrides& command_line, const Environment& environment, const SettingsText& project = {},
                        const SettingsText& user = {});

// The same, reading the user's hone.json and that of `folder` (of the lock file) where there are any, and tables of
// prices. Error, too: the project's names what the user has not allowed (trust.h).
Result<Settings> settle_in(const std::filesystem::path& folder, const Overrides& command_line,
                           const Environment& environment);

// What a run sends and where, for the first line that it prints: "sends the source of annotated kernels and what it
// reaches to https://api.example.com (model m, 8 at once)". "" where no model is used.
std::string describe(const Settings& settings);

}  // namespace hone::llm
