#include "tool/llm/settings/price_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tool/base/printable.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"

namespace hone::llm {
namespace {
using nlohmann::json;

constexpr std::size_t largest_table = 64u << 20;  // LiteLLM's has two
constexpr double highest = 1e6;                   // of a million tokens

std::optional<double> price(const json& entry, const char* ours, const char* of_one_token) {
  const auto read = [&](const char* name, double scale) -> std::optional<double> {
    const auto found = entry.find(name);
    if (found == entry.end() || !found->is_number()) return std::nullopt;
    const double value = found->get<double>() * scale;
    return value >= 0 && value <= highest ? std::optional(value) : std::nullopt;
  };
  const auto mine = read(ours, 1);
  return mine ? mine : read(of_one_token, 1e6);
}

std::optional<Price> price_of(const json& entry) {
  if (!entry.is_object()) return std::nullopt;
  const auto input = price(entry, "input", "input_cost_per_token");
  const auto output = price(entry, "output", "output_cost_per_token");
  if (!input || !output) return std::nullopt;
  return Price{*input, *output, price(entry, "cached_input", "cache_read_input_token_cost"),
               price(entry, "cache_write", "cache_creation_input_token_cost")};
}

std::vector<std::string> names_of(const ModelSettings& model) {
  const char* vendor = model.provider == Provider::anthropic ? "anthropic/" : "openai/";
  return {model.model, vendor + model.model, model.model.substr(model.model.rfind('/') + 1)};
}

}  // namespace

Result<Price> price_in(const std::filesystem::path& table, const ModelSettings& model) {
  HONE_TRY(const std::string text, os::read_file(table, largest_table));
  const json prices = json::parse(text, nullptr, false);
  if (!prices.is_object())
    return coded_failure(DiagnosticCode::model_price, "this is no table of prices", table.string(),
                         "docs/llm.md shows what it looks like");
  for (const std::string& name : names_of(model))
    if (const auto found = prices.find(name); found != prices.end())
      if (const auto price = price_of(*found)) return *price;
  return coded_failure(DiagnosticCode::model_price,
                       fmt::format("it has no price of the model {}", printable_line(model.model)), table.string(),
                       R"(add it, or give "price" in hone.json)");
}

}  // namespace hone::llm
