#include "tool/llm/settings/settings_file.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tool/diagnostics/coded_failure.h"
#include "tool/llm/settings/clean_text.h"
#include "tool/llm/settings/header_setting.h"

namespace hone::llm {
namespace {
using nlohmann::json;

// Counts lines as the parser takes characters, so that a member can be told where it stood.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  int* line;
  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    *line += *at++ == '\n';
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
};

constexpr int deepest = 32;  // far more than any field needs; the reader calls itself

using Lines = std::map<std::string, int>;  // of an object's members

struct Document {
  json value;
  Lines lines;
  std::vector<Lines> ensemble;  // of its entries
};

tl::unexpected<Error> wrong(const std::string& where, int line, std::string what) {
  return coded_failure(DiagnosticCode::model_settings, std::move(what), fmt::format("{}:{}", where, line),
                       "the shape of hone.json is in docs/llm.md");
}

Result<Document> parse(std::string_view text, const std::string& where) {
  Document document;
  int line = 1;
  std::string outer;  // the member of the outer object that is being read
  std::optional<std::string> twice;
  int twice_line = 0;
  int deep_line = 0;  // nothing of ours is nested so deeply, and writing it down again costs stack
  const auto note_place = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > deepest && deep_line == 0) deep_line = line;
    if (depth > 1 && outer != "ensemble") return true;
    if (event == json::parse_event_t::object_start && depth == 2) document.ensemble.emplace_back();
    if (event != json::parse_event_t::key || (depth != 1 && depth != 3)) return true;
    const auto& key = value.get_ref<const std::string&>();
    if (depth == 1) outer = key;
    if (depth == 3 && document.ensemble.empty()) return true;
    Lines& lines = depth == 1 ? document.lines : document.ensemble.back();
    if (!lines.emplace(key, line).second && !twice) twice = key, twice_line = line;
    return true;
  };
  try {
    document.value = json::parse(CountingIterator{text.data(), &line},
                                 CountingIterator{text.data() + text.size(), &line}, note_place);
  } catch (const json::exception& error) {
    return wrong(where, line, "this is not JSON: " + one_line(error.what()));
  }
  if (deep_line) return wrong(where, deep_line, fmt::format("this is nested more than {} deep", deepest));
  if (twice) return wrong(where, twice_line, fmt::format("\"{}\" is given twice", one_line(*twice, 60)));
  if (!document.value.is_object()) return wrong(where, 1, "the settings must be a JSON object");
  return document;
}

// Reads the members of one object, remembering what was wrong first; finish() complains about members nobody asked for.
class Members {
 public:
  Members(const json& object, const Lines& lines, const std::string& where)
      : object_(object), lines_(lines), where_(where) {}

  void read(const char* key, std::optional<std::string>& value) {
    const json* member = find(key);
    if (!member) return;
    if (!member->is_string() || member->get_ref<const std::string&>().empty())
      return complain(key, "a non-empty string");
    value = member->get<std::string>();
  }

  void read(const char* key, std::optional<bool>& value) {
    const json* member = find(key);
    if (!member) return;
    if (!member->is_boolean()) return complain(key, "true or false");
    value = member->get<bool>();
  }

  void read(const char* key, std::optional<double>& value, double least, double most) {
    const json* member = find(key);
    if (!member) return;
    if (!in_range(*member, least, most)) return complain(key, fmt::format("a number from {:g} to {:g}", least, most));
    value = member->get<double>();
  }

  void read(const char* key, std::optional<unsigned>& value, unsigned least, unsigned most) {
    const json* member = find(key);
    if (!member) return;
    if (!member->is_number_integer() || !in_range(*member, least, most)) {
      return complain(key, fmt::format("a whole number from {} to {}", least, most));
    }
    value = member->get<unsigned>();
  }

  void read(const char* key, std::optional<Price>& value) {
    const json* member = find(key);
    if (!member) return;
    const auto side = [&](const char* name) -> std::optional<double> {
      const auto found = member->find(name);
      return found != member->end() && in_range(*found, 0, 1e6) ? std::optional(found->get<double>()) : std::nullopt;
    };
    const auto input = member->is_object() ? side("input") : std::nullopt;
    const auto output = input ? side("output") : std::nullopt;
    if (!output) return complain(key, R"({ "input": …, "output": … }, the prices of a million tokens)");
    const Price price{*input, *output, side("cached_input"), side("cache_write")};
    if (member->size() != 2u + price.cached_input.has_value() + price.cache_write.has_value())
      return complain(key, "of input, output, cached_input and cache_write, from 0 to 1000000 each");
    value = price;
  }

  const json* find(const char* key) {
    known_.push_back(key);
    const auto member = object_.find(key);
    return member == object_.end() ? nullptr : &*member;
  }

  void complain(const std::string& key, const std::string& expected) {
    const auto line = lines_.find(key);
    if (!error_)
      error_ = wrong(where_, line == lines_.end() ? 1 : line->second,
                     fmt::format("\"{}\" must be {}", one_line(key, 60), expected))
                   .value();
  }

  std::optional<Error> finish() {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
        complain(key, fmt::format("left out: it is none of {}", fmt::join(known_, ", ")));
      }
    }
    return error_;
  }

 private:
  static bool in_range(const json& number, double least, double most) {
    return number.is_number() && number.get<double>() >= least && number.get<double>() <= most;
  }

  const json& object_;
  const Lines& lines_;
  const std::string& where_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

void read_extra(Members& members, std::optional<std::string>& extra) {
  const json* member = members.find("extra");
  if (!member) return;
  if (!member->is_object()) return members.complain("extra", "an object");
  for (const char* ours : {"model", "messages", "input", "system", "stream", "n"}) {
    if (member->contains(ours)) return members.complain("extra", fmt::format("without \"{}\"", ours));
  }
  extra = member->dump();
}

void read_thinking(Members& members, std::optional<unsigned>& thinking) {
  const json* member = members.find("thinking");
  if (!member) return;
  constexpr unsigned least = 1024, most = 1'000'000;  // Anthropic's own least
  if (*member == "adaptive")
    thinking = ModelSettings::adaptive_thinking;
  else if (member->is_number_unsigned() && *member >= least && *member <= most)
    thinking = member->get<unsigned>();
  else
    members.complain("thinking", fmt::format("\"adaptive\", or a whole number of tokens from {} to {}", least, most));
}

void read_api(Members& members, std::optional<Api>& api) {
  const json* member = members.find("api");
  if (!member) return;
  if (*member != "chat" && *member != "responses") return members.complain("api", "\"chat\" or \"responses\"");
  api = *member == "chat" ? Api::chat : Api::responses;
}

bool is_essential(const std::string& parameter) {
  for (const char* name : {"model", "messages", "input", "system", "stream"})
    if (parameter == name) return true;
  return false;
}

void read_parameters(Members& members, std::optional<ParameterNames>& parameters) {
  const json* member = members.find("parameters");
  if (!member) return;
  const auto wrong = [&] { members.complain("parameters", R"(an object of names or null, like {"seed": null})"); };
  if (!member->is_object()) return wrong();
  ParameterNames names;
  for (const auto& [name, now] : member->items()) {
    if (is_essential(name)) return members.complain("parameters", fmt::format("without \"{}\"", name));
    if (!now.is_null() && (!now.is_string() || now == "" || is_essential(now.get<std::string>()))) return wrong();
    names[name] = now.is_null() ? std::nullopt : std::optional(now.get<std::string>());
  }
  parameters = std::move(names);
}

void read_headers(Members& members, std::optional<std::vector<HeaderSetting>>& headers) {
  const json* member = members.find("headers");
  if (!member) return;
  if (!member->is_object()) return members.complain("headers", "an object of texts");
  headers.emplace();
  for (const auto& [name, value] : member->items()) {
    const auto header =
        value.is_string() ? header_setting(name, value.get<std::string>()) : tl::unexpected(Error{"a text", "", ""});
    if (!header)
      return members.complain("headers",
                              fmt::format("such that \"{}\" is {}", one_line(name, 60), header.error().what));
    headers->push_back(*header);
  }
}

void read_entry(Members& members, FileEntry& entry) {
  members.read("proposer", entry.proposer);
  members.read("endpoint", entry.endpoint);
  members.read("model", entry.model);
  members.read("key_env", entry.key_env);
  members.read("temperature", entry.temperature, 0, 10);
  members.read("max_tokens", entry.max_tokens, 1, 10'000'000);
  members.read("price", entry.price);
  members.read("prices", entry.prices);
  members.read("effort", entry.effort);
  read_thinking(members, entry.thinking);
  read_api(members, entry.api);
  members.read("cache", entry.cache);
  read_headers(members, entry.headers);
  read_parameters(members, entry.parameters);
  members.read("connect_timeout", entry.connect_timeout, 0.001, 86'400);
  members.read("timeout", entry.timeout, 0.001, 86'400);
  members.read("concurrency", entry.concurrency, 1, 1'000);
  members.read("attempts", entry.attempts, 1, 100);
  members.read("reply_bytes", entry.reply_bytes, 1, 1u << 30);
  members.read("allow_plain_http", entry.allow_plain_http);
  read_extra(members, entry.extra);
}

// Beside the file that names it.
void place_prices(FileEntry& entry, const std::string& where) {
  if (entry.prices) entry.prices = (std::filesystem::path(where).parent_path() / *entry.prices).string();
}

Result<FileEntry> read_member(const json& object, const Lines& lines, const std::string& where) {
  FileEntry entry;
  Members members(object, lines, where);
  read_entry(members, entry);
  members.read("weight", entry.weight, 1e-6, 1e6);
  if (auto error = members.finish()) return tl::unexpected(std::move(*error));
  place_prices(entry, where);
  return entry;
}

}  // namespace

Result<SettingsFile> parse_settings_file(std::string_view text, const std::string& where) {
  HONE_TRY(const Document document, parse(text, where));
  SettingsFile file;
  Members members(document.value, document.lines, where);
  read_entry(members, file.common);
  const json* ensemble = members.find("ensemble");
  const bool objects =
      ensemble && ensemble->is_array() && !ensemble->empty() &&
      std::all_of(ensemble->begin(), ensemble->end(), [](const json& entry) { return entry.is_object(); });
  std::optional<std::string> examples;
  members.read("examples", examples);
  if (examples && *examples != "project" && *examples != "all") members.complain("examples", "\"project\" or \"all\"");
  if (examples) file.examples = *examples == "all" ? Examples::all : Examples::project;
  const json* machines = members.find("machines");  // project/declared_machines.h reads them
  if (machines && !machines->is_array()) members.complain("machines", "a list of kinds of machines");
  if (ensemble && !objects) members.complain("ensemble", "a list of objects that is not empty");
  if (auto error = members.finish()) return tl::unexpected(std::move(*error));
  place_prices(file.common, where);
  if (!ensemble) return file;
  for (std::size_t i = 0; i < ensemble->size(); ++i) {
    HONE_TRY(FileEntry entry, read_member((*ensemble)[i], document.ensemble.at(i), where));
    file.ensemble.push_back(std::move(entry));
  }
  return file;
}

}  // namespace hone::llm
