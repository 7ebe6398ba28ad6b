#include "tool/search/genome.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hone::search {
namespace {

// Takes a number off the front.
template <class Number>
bool take(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

bool take_arguments(std::string_view& text, std::vector<int>& arguments) {
  do
    if (!take(text, arguments.emplace_back())) return false;
  while (take(text, ','));
  return take(text, ')');
}

bool take_gene(std::string_view& text, Gene& gene) {
  const std::string_view name =
      text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"));
  gene.transform = name;
  text.remove_prefix(name.size());
  if (name.empty() || (take(text, '@') && !take(text, gene.site))) return false;
  return !take(text, '(') || take_arguments(text, gene.arguments);
}

}  // namespace

std::string describe(const Genome& genome) {
  if (genome.empty()) return "original";
  std::string text;
  for (const Gene& gene : genome) {
    if (!text.empty()) text += '+';
    text += gene.transform;
    if (gene.site) text += fmt::format("@{}", gene.site);
    if (!gene.arguments.empty()) text += fmt::format("({})", fmt::join(gene.arguments, ","));
  }
  return text;
}

std::optional<Genome> parse_genome(const std::string& text) {
  if (text == describe({})) return Genome{};
  Genome genome;
  std::string_view rest = text;
  do
    if (!take_gene(rest, genome.emplace_back())) return std::nullopt;
  while (take(rest, '+'));
  return rest.empty() ? std::optional(std::move(genome)) : std::nullopt;
}

}  // namespace hone::search
