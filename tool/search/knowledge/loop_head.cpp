#include "tool/search/knowledge/loop_head.h"

#include <algorithm>
#include <charconv>

namespace hone::search {
namespace {

constexpr unsigned small = 16;  // rounds: what a compiler unrolls

bool is_name(const CodeText& code, std::size_t token) {
  return code.tokens()[token].kind == CodeTokenKind::identifier;
}

TokenRange first_value(const CodeText& code, TokenRange init) {
  for (std::size_t i = init.begin; i < init.end; ++i)
    if (code.is(i, "=")) return {i + 1, init.end};
  return {init.end, init.end};
}

std::string counter_of(const CodeText& code, TokenRange head, TokenRange first) {
  if (first.begin < first.end && first.begin >= head.begin + 2 && is_name(code, first.begin - 2))
    return std::string(code.spelling(first.begin - 2));
  for (std::size_t i = head.begin; i < head.end; ++i)
    if (is_name(code, i)) return std::string(code.spelling(i));
  return "";
}

bool is_twice(const CodeText& code, std::size_t token, std::string_view sign) {
  return code.is(token, sign) && code.is(token + 1, sign);
}

bool goes_by_one(const CodeText& code, TokenRange step) {
  return step.any_of([&](std::size_t i) { return is_twice(code, i, "+") || is_twice(code, i, "-"); });
}

bool halves(const CodeText& code, TokenRange step) {
  return step.any_of([&](std::size_t i) {
    const bool divides = code.is(i, "/") && code.is(i + 1, "=");
    return divides || (is_twice(code, i, ">") && code.is(i + 2, "="));
  });
}

bool is_small_number(const CodeText& code, std::size_t token) {
  const std::string_view text = code.spelling(token);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value <= small;
}

// Every bound is a small number: no name but the counter's, no other number.
bool has_small_bounds(const CodeText& code, TokenRange value, const std::string& counter) {
  return !value.any_of([&](std::size_t i) {
    if (code.tokens()[i].kind == CodeTokenKind::number) return !is_small_number(code, i);
    return is_name(code, i) && code.spelling(i) != counter;
  });
}

}  // namespace

LoopHead read_loop_head(const CodeText& code, TokenRange head) {
  const auto parts = split(code, head, ";");
  LoopHead read;
  read.first = first_value(code, parts.front());
  read.counter = counter_of(code, head, read.first);
  if (parts.size() != 3) return read;
  read.by_one = goes_by_one(code, parts[2]);
  read.halved = halves(code, parts[2]);
  read.is_short = has_small_bounds(code, read.first, read.counter) && has_small_bounds(code, parts[1], read.counter);
  return read;
}

}  // namespace hone::search
