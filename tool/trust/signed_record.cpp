#include "tool/trust/signed_record.h"

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "cache/json_place.h"

namespace hone::trust {
namespace {

using nlohmann::json;

constexpr std::string_view kEnd = "\n}\n";
// What stands around the key and the signature.
constexpr std::string_view kFirst = ",\n \"signed\": { \"version\": 1, \"by\": \"", kSecond = "\", \"signature\": \"",
                           kThird = "\" }\n}\n";
constexpr std::size_t kLength = kFirst.size() + public_key_length + kSecond.size() + signature_length + kThird.size();
constexpr unsigned kDeepestRecord = 32;

// Over the signer too, so that a signature is of one key alone.
std::string message(std::string_view record, const PublicKey& by) {
  return "hone signed record 1\n" + by.text() + '\n' + std::string(record);
}

struct Tail {
  std::string_view record, by, signature;
};

std::optional<Tail> tail_of(std::string_view text) {
  if (text.size() < kLength) return std::nullopt;
  std::string_view rest = text.substr(text.size() - kLength);
  Tail tail{text.substr(0, text.size() - kLength), {}, {}};
  const auto take = [&](std::size_t size) {
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  };
  if (take(kFirst.size()) != kFirst) return std::nullopt;
  tail.by = take(public_key_length);
  if (take(kSecond.size()) != kSecond) return std::nullopt;
  tail.signature = take(signature_length);
  return rest == kThird ? std::optional(tail) : std::nullopt;
}

// Under whatever name: one flipped bit makes no unsigned record of a signed one, which would count as judged here.
bool ends_as_if_signed(std::string_view text) {
  constexpr std::size_t behind_key = kSecond.size() + signature_length + kThird.size();
  return text.size() >= kLength && text.ends_with(kThird) && text.substr(text.size() - behind_key).starts_with(kSecond);
}

// Readers differ in which of two members of one name they take, so there must not be two.
Result<json> whole_object(const std::string& text) {
  if (cache::too_deep(text, kDeepestRecord) != text.npos) return failure("it is nested too deep");
  json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return failure("it is not one whole JSON object");
  if (cache::repeated_member(text) != text.npos) return failure("it has a member twice");
  return object;
}

std::string text_in(const json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Result<std::string> sign_record(const std::string& record, const SigningKey& key) {
  HONE_TRY(const json object, whole_object(record));
  if (object.contains("signed")) return failure("it is signed already");
  if (!record.ends_with(kEnd) || object.empty()) return failure("it is no record as Hone writes it");
  const PublicKey by = key.public_key();
  std::string text = record.substr(0, record.size() - kEnd.size());
  text.append(kFirst).append(by.text()).append(kSecond).append(key.sign(message(record, by))).append(kThird);
  return text;
}

Result<SignedRecord> read_signed(const std::string& text) {
  HONE_TRY(const json object, whole_object(text));
  SignedRecord read{text, {}, false, text_in(object, "key"), {}};
  if (const std::string variant = text_in(object, "variant"); !variant.empty()) read.variant = variant;
  const bool is_signed = object.contains("signed");
  if (!is_signed && !ends_as_if_signed(text)) return read;
  const auto tail = is_signed ? tail_of(text) : std::nullopt;
  if (!tail) return failure("its signature is damaged, or of a newer Hone");
  const auto by = PublicKey::parse(tail->by);
  if (!by) return failure("its signature is of no key: " + by.error().what);
  read.record = std::string(tail->record).append(kEnd);
  read.by = *by;
  read.holds = by->has_signed(message(read.record, *by), tail->signature);
  return read;
}

}  // namespace hone::trust
