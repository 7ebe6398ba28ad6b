#include "tool/capture/recording_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "tool/capture/recorder/recorder.h"

namespace hone::capture {
namespace {

constexpr std::uint32_t most_values = 64, most_name = 4096;

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  T number() {
    T value{};
    if (left_.size() < sizeof value) return fail(), T{};
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }

  std::string bytes(std::uint64_t count) {
    if (count > left_.size()) return fail(), std::string();
    std::string taken(left_.substr(0, count));
    left_.remove_prefix(count);
    return taken;
  }

  std::string text() {
    const auto length = number<std::uint32_t>();
    return length > most_name ? (fail(), std::string()) : bytes(length);
  }

  std::vector<CapturedValue> list() {
    std::vector<CapturedValue> values;
    const auto count = number<std::uint32_t>();
    if (count > most_values) fail();
    for (std::uint32_t i = 0; ok_ && i < count; ++i) {
      CapturedValue value;
      value.name = text();
      value.size = number<std::uint32_t>();
      const auto kind = number<std::uint32_t>();
      value.count = number<std::uint64_t>();
      if (kind > static_cast<std::uint32_t>(ScalarKind::floating) || value.size == 0 ||
          value.count > left_.size() / value.size)
        fail();
      value.kind = static_cast<ScalarKind>(kind);
      if (ok_) value.bytes = bytes(value.size * value.count);
      values.push_back(std::move(value));
    }
    return values;
  }

  bool ok() const { return ok_; }
  bool empty() const { return left_.empty(); }

 private:
  void fail() {
    ok_ = false;
    left_ = {};
  }

  std::string_view left_;
  bool ok_ = true;
};

std::optional<CapturedCall> read_payload(std::uint32_t kind, std::string_view payload) {
  Reader in(payload);
  CapturedCall call;
  call.kernel = in.text();
  call.scalars = in.list();
  if (kind == inputs_record)
    call.arrays = in.list();
  else if (kind == calls_record)
    call.calls = in.number<std::uint64_t>(), call.nanoseconds = in.number<std::uint64_t>();
  else
    return std::nullopt;
  if (!in.ok() || !in.empty() || (kind == calls_record && call.calls == 0)) return std::nullopt;
  return call;
}

// A later count of the same calls holds in place of the earlier.
void add(CapturedCall call, std::vector<CapturedCall>& calls) {
  const auto known = std::ranges::find_if(calls, [&](const CapturedCall& other) {
    return call.calls > 0 && other.calls > 0 && other.kernel == call.kernel && other.scalars == call.scalars;
  });
  if (known == calls.end())
    calls.push_back(std::move(call));
  else
    known->calls = call.calls, known->nanoseconds = call.nanoseconds;
}

}  // namespace

std::vector<CapturedCall> read_recording(std::string_view bytes) {
  std::vector<CapturedCall> calls;
  for (Reader in(bytes); !in.empty();) {
    const bool known = in.number<std::uint32_t>() == record_magic;
    const auto kind = in.number<std::uint32_t>();
    const auto length = in.number<std::uint64_t>();
    const std::string payload = in.bytes(length);
    if (!in.ok() || !known) break;
    if (auto call = read_payload(kind, payload)) add(std::move(*call), calls);
  }
  return calls;
}

}  // namespace hone::capture
