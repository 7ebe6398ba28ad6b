#include "tool/bundle/given.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tool/base/printable.h"
#include "tool/bundle/strict_json.h"

namespace hone::bundle {
namespace {

using Json = nlohmann::json;
// A counterexample is small; a parser of foreign bytes takes no more.
constexpr std::size_t most_arguments = 64, most_bytes = 1 << 20;

std::string hexadecimal(const std::string& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  throw std::range_error("given data are no hexadecimal digits");
}

std::string bytes_of(const std::string& text) {
  if (text.size() % 2 != 0 || text.size() > 2 * most_bytes) throw std::range_error("given data are too long");
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) bytes += static_cast<char>(16 * digit(text[i]) + digit(text[i + 1]));
  return bytes;
}

Json write_all(const std::vector<std::string>& all) {
  Json json = Json::array();
  for (const std::string& bytes : all) json.push_back(hexadecimal(bytes));
  return json;
}

std::vector<std::string> read_all(const Json& json) {
  std::vector<std::string> all;
  for (const Json& item : list(json)) all.push_back(bytes_of(item.get<std::string>()));
  if (all.size() > most_arguments) throw std::range_error("given data have too many arguments");
  return all;
}

}  // namespace

Json write_given(const Given& given) {
  return {{"origin", given.origin}, {"scalars", write_all(given.scalars)}, {"arrays", write_all(given.arrays)}};
}

Given read_given(const Json& json) {
  return {printable_line(json.value("origin", "").substr(0, 200)), read_all(json.at("scalars")),
          read_all(json.at("arrays"))};
}

Json write_given(const Given& given, std::string& arrays) {
  Json sizes = Json::array();
  for (const std::string& array : given.arrays) {
    sizes.push_back(array.size());
    arrays += array;
  }
  return {{"origin", given.origin},
          {"captured", given.captured},
          {"scalars", write_all(given.scalars)},
          {"sizes", std::move(sizes)}};
}

Given read_given(const Json& json, std::string_view& arrays) {
  Given given{.origin = printable_line(json.at("origin").get<std::string>().substr(0, 200)),
              .scalars = read_all(json.at("scalars")),
              .captured = json.at("captured").get<bool>()};
  for (const auto size : whole_list<std::size_t>(json.at("sizes"))) {
    require(size <= arrays.size(), "given data are cut short");
    given.arrays.emplace_back(arrays.substr(0, size));
    arrays.remove_prefix(size);
  }
  require(given.arrays.size() <= most_arguments, "given data have too many arguments");
  return given;
}

}  // namespace hone::bundle
