// A language model as the rest of Hone sees it: messages in, text and usage out.
//
// submit() returns at once; any number of calls may be in flight, of which the client sends as many at a time as its
// settings allow and keeps the others waiting in order. What a provider does wrong for a moment (429, 5xx, a connection
// that breaks) is tried again with growing pauses; what comes back to the caller is a Reply or a Failure that says
// whether it makes sense to go on. A call that is stopped ends with FailureKind::canceled within 100 ms or so,
// wherever it is: waiting, pausing, sending or in a command.
//
// A client never contacts anything but the provider it was made for, and no text that it returns holds the key.
//
// submit() may be called from any thread. `done` is called exactly once for each call, on a thread of the client's, one
// at a time per client; it must not block and must not throw, and may submit again. Destroying a client cancels what is
// open and returns after the last `done`; it must not be destroyed from within one.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace hone::llm {

enum class Role { system, user, assistant };

struct Message {
  Role role = Role::user;
  std::string text;        // UTF-8; bytes that are not are replaced by U+FFFD when sent
  std::size_t stable = 0;  // so many bytes at its start are the same in the calls around it: providers may cache them
  bool operator==(const Message&) const = default;
};

struct Prompt {
  std::vector<Message> messages;
  std::optional<unsigned> max_tokens;  // of the reply; absent: the model's setting
  std::optional<double> temperature;   // absent: the model's setting
  std::optional<std::uint64_t> seed;   // sent where the provider takes one; also chooses the member of an ensemble
  std::optional<unsigned> member;  // of an ensemble, by its place in the settings; absent: drawn by weight from `seed`
  bool pay_once = false;  // an attempt that may have cost something is not repeated: what was set aside covers one
};

struct Usage {
  std::uint64_t input_tokens = 0;  // all, cached or not
  std::uint64_t output_tokens = 0;
  double cost = 0;                  // in the currency of the settings' prices
  bool estimated = false;           // the provider gave no (believable) count
  std::uint64_t cached_tokens = 0;  // of the input: read from the provider's cache
  Usage& operator+=(const Usage& other);
};

struct Reply {
  std::string text;   // valid UTF-8; never empty
  Usage usage;        // of all attempts
  std::string model;  // as the provider names it; else as the settings do
  unsigned member = 0;
  double seconds = 0;      // from the start of the first attempt; waiting for a free slot is not in it
  unsigned attempts = 1;   // more than one: it was tried again
  bool truncated = false;  // the model ran into the limit on tokens
  std::string news;        // what was learned of the server on the way, for the user; mostly ""
};

enum class FailureKind {
  unreachable,  // no such host, connection refused, no valid certificate, no such program
  refused,      // the key, the model or the request was not accepted (400, 401, 402, 403, 404, a redirect)
  exhausted,    // still failing for a moment's reason (429, 5xx, a broken connection, a failing command) after all
                // attempts
  timeout,      // no whole reply within the time given
  canceled,     // stopped by the caller
  malformed,    // what came back is not a reply: not JSON, wrong types, no text
  too_large,    // the reply ran over the limit on bytes and was cut off
  declined,     // the model answered that it will not
};

struct Failure {
  FailureKind kind = FailureKind::malformed;
  std::string what;           // one sentence that names the provider's host or the command; never the key
  bool ends_the_run = false;  // every further call would end like this one
  Usage spent;                // what failed attempts may have cost (estimated)
  unsigned member = 0;
  double seconds = 0;
  unsigned attempts = 1;
  std::string news;  // as a reply's
};

using Outcome = std::variant<Reply, Failure>;

class Client {
 public:
  using Done = std::function<void(Outcome)>;
  virtual ~Client() = default;
  virtual void submit(Prompt prompt, std::stop_token stop, Done done) = 0;
  std::future<Outcome> submit(Prompt prompt, std::stop_token stop = {});
};

}  // namespace hone::llm
