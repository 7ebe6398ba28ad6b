#include "tests/mutation/deck.h"

#include <nlohmann/json.hpp>

#include "tool/bundle/spec_json.h"

namespace hone::mutation {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

Json write_unit(const KernelUnit& unit) {
  return {{"prologue", unit.prologue}, {"opening", unit.opening}, {"definition", unit.definition},
          {"closing", unit.closing},   {"harness", unit.harness}, {"line", unit.definition_line}};
}

KernelUnit read_unit(const Json& json) {
  return {.prologue = json.at("prologue"),
          .opening = json.at("opening"),
          .definition = json.at("definition"),
          .closing = json.at("closing"),
          .harness = json.at("harness"),
          .definition_line = json.at("line")};
}

Json write_card(const Card& card) {
  return {{"id", card.id},
          {"of", card.of},
          {"gate", card.gate},
          {"kind", card.mutant.kind},
          {"line", card.mutant.line},
          {"before", card.mutant.before},
          {"after", card.mutant.after},
          {"text", card.mutant.text}};
}

Card read_card(const Json& json) {
  return {.id = json.at("id"),
          .of = json.at("of"),
          .gate = json.at("gate"),
          .mutant = {.kind = json.at("kind"),
                     .line = json.at("line"),
                     .before = json.at("before"),
                     .after = json.at("after"),
                     .text = json.at("text")}};
}

}  // namespace

std::string serialize(const Deck& deck) {
  Json json{{"kernel", deck.kernel},
            {"file", deck.file},
            {"arguments", deck.arguments},
            {"global", deck.spec.global},
            {"spec", bundle::write_spec(deck.spec, deck.spec)},
            {"unit", write_unit(deck.spec.unit)},
            {"bases", Json::array()},
            {"mutants", Json::array()}};
  if (deck.precise) {
    json["precise_spec"] = bundle::write_spec(*deck.precise, *deck.precise);
    json["precise_unit"] = write_unit(deck.precise->unit);
  }
  for (const Base& base : deck.bases) json["bases"].push_back({{"of", base.of}, {"text", base.text}});
  for (const Card& card : deck.cards) json["mutants"].push_back(write_card(card));
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

Result<Deck> parse_deck(const std::string& text, const fs::path& root) {
  try {
    const Json json = Json::parse(text);
    Deck deck{.kernel = json.at("kernel"), .file = json.at("file"), .arguments = json.at("arguments")};
    const auto read = [&](const char* spec, const char* unit) {
      KernelSpec found{bundle::read_identity(json.at(spec)), bundle::read_data(json.at(spec))};
      found.unit = read_unit(json.at(unit));
      found.file = root / deck.file;
      found.global = json.at("global");
      return found;
    };
    deck.spec = read("spec", "unit");
    if (json.contains("precise_spec")) deck.precise = read("precise_spec", "precise_unit");
    for (const Json& base : json.at("bases")) deck.bases.push_back({base.at("of"), base.at("text")});
    for (const Json& card : json.at("mutants")) deck.cards.push_back(read_card(card));
    return deck;
  } catch (const std::exception& exception) {
    return failure(std::string("no deck: ") + exception.what());
  }
}

CompileCommand command_of(const Deck& deck, const fs::path& root) {
  CompileCommand command{.directory = root, .file = root / deck.file, .output = "kernel.o"};
  for (std::string word : deck.arguments) {
    if (const std::size_t at = word.find("@ROOT@"); at != std::string::npos) word.replace(at, 6, root.string());
    command.arguments.push_back(std::move(word));
  }
  return command;
}

}  // namespace hone::mutation
