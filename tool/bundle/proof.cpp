#include "tool/bundle/proof.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tool/base/printable.h"
#include "tool/bundle/strict_json.h"

namespace hone::bundle {
namespace {

constexpr std::size_t longest = 200;  // a line of `hone show`, cut where somebody else wrote it
constexpr const char* origin = "a counterexample of the bounded proof";

std::string printable_words(const nlohmann::json& json) {
  return printable_line(json.get<std::string>().substr(0, longest));
}

}  // namespace

std::string Proof::in_words() const {
  return proved.empty() ? "" : fmt::format("equal for {}{}", proved, wraps ? ", as long as signed numbers wrap" : "");
}

std::string Proof::why_not() const {
  if (!proved.empty()) return "";
  return example ? "z3 gave data on which it would differ, but it did not" : why;
}

Result<Proof> parse_proof(const std::string& answer) {
  try {
    const nlohmann::json json = parse_strictly(answer);
    Proof proof;
    proof.proved = printable_words(json.at("proved"));
    proof.why = printable_words(json.at("why"));
    proof.wraps = json.at("wraps").get<bool>();
    if (!json.contains("example")) return proof;
    proof.example = read_given(json.at("example"));
    proof.example->origin = origin;
    proof.difference = printable_words(json.at("example").at("what"));
    return proof;
  } catch (const std::exception& exception) {
    return failure(fmt::format("hone-prove's answer is malformed: {}", exception.what()));
  }
}

}  // namespace hone::bundle
