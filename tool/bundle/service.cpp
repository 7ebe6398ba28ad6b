#include "tool/bundle/service.h"

#include <charconv>

#include <fmt/format.h>

#include "tool/bundle/answer.h"
#include "tool/bundle/strict_json.h"

namespace hone::bundle {
namespace {

using Json = nlohmann::json;

constexpr int version = 1;
constexpr std::size_t longest_hello = 16'000, longest_reason = 4'000;
constexpr std::string_view frame_word = "bundle ";

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string opening(const std::string& fingerprint) {
  return "{\"bundle\":\"" + fingerprint + '"';
}

}  // namespace

std::string Hello::kind(bool cuda) const {
  if (!cuda) return processor;
  return devices.empty() ? "no CUDA device" : devices.front();
}

std::string write_hello(const Hello& hello) {
  return line_of({{"hone-worker", version},
                  {"processor", hello.processor},
                  {"devices", hello.devices},
                  {"job", hello.job},
                  {"node", hello.node}});
}

std::optional<Hello> read_hello(std::string_view text) {
  if (!text.starts_with('{') || text.size() > longest_hello) return std::nullopt;
  try {
    const Json json = parse_strictly(text);
    if (json.at("hone-worker") != version) return std::nullopt;
    Hello hello{line(json.at("processor")), {}, line(json.at("job")), line(json.at("node"))};
    for (const Json& device : list(json.at("devices"))) hello.devices.push_back(line(device));
    return hello;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string frame_header(std::string_view bundle_bytes) {
  return fmt::format("{}{} {}\n", frame_word, bundle_bytes.size(), fingerprint(bundle_bytes));
}

Result<FrameHeader> read_frame_header(std::string_view line) {
  const auto wrong = failure("the input is no bundle's frame", "stdin", "see docs/scale.md");
  if (!line.starts_with(frame_word)) return wrong;
  line.remove_prefix(frame_word.size());
  FrameHeader header;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), header.bytes);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  constexpr std::size_t digits = 16;
  if (error != std::errc() || line.size() != digits + 1 || line.front() != ' ') return wrong;
  header.fingerprint = line.substr(1);
  if (header.fingerprint.find_first_not_of("0123456789abcdef") != std::string::npos) return wrong;
  if (header.bytes > largest_bundle)
    return failure(fmt::format("a bundle of {} bytes is larger than any may be", header.bytes), "stdin");
  return header;
}

std::string write_refusal(const std::string& fingerprint, const std::string& why) {
  return line_of({{"bundle", fingerprint}, {"error", why}});
}

std::optional<std::string> read_refusal(std::string_view text, const std::string& fingerprint) {
  if (!answers(text, fingerprint) || text.size() > longest_hello) return std::nullopt;
  try {
    const Json json = parse_strictly(text);
    if (!json.contains("error")) return std::nullopt;
    return bundle::text(json.at("error"), longest_reason);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool answers(std::string_view line, const std::string& fingerprint) {
  return line.starts_with(opening(fingerprint));
}

}  // namespace hone::bundle
