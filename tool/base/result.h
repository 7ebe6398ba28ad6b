// The one way in which a part of Hone says that it cannot go on.
//
// A candidate that fails is data (model/verdict.h), a bug of ours asserts; everything else that stops an
// operation is an Error: what happened, where, and what the user can do about it.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace hone {

struct Error {
  std::string what;    // one sentence, no final full stop: "cannot read the lock file"
  std::string where;   // "file:line:column", a path, a command; may be empty
  std::string advice;  // what to do; may be empty

  // "where: what; advice", leaving out what is empty: the form for a terminal.
  std::string message() const {
    std::string text = where.empty() ? what : where + ": " + what;
    if (!advice.empty()) text += "; " + advice;
    return text;
  }
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(std::string what, std::string where = {}, std::string advice = {}) {
  return tl::unexpected<Error>(Error{std::move(what), std::move(where), std::move(advice)});
}

// HONE_TRY(auto value, call()); takes the value out of a Result or returns its Error from the enclosing function.
#define HONE_CONCAT_(a, b) a##b
#define HONE_CONCAT(a, b) HONE_CONCAT_(a, b)
#define HONE_TRY(declaration, ...)                                                                                 \
  auto HONE_CONCAT(result_, __LINE__) = (__VA_ARGS__);                                                             \
  if (!HONE_CONCAT(result_, __LINE__)) return ::tl::unexpected(std::move(HONE_CONCAT(result_, __LINE__)).error()); \
  declaration = std::move(*HONE_CONCAT(result_, __LINE__))

#define HONE_CHECK(...)                                                                              \
  do {                                                                                               \
    if (auto result_ = (__VA_ARGS__); !result_) return ::tl::unexpected(std::move(result_).error()); \
  } while (false)

}  // namespace hone
