// What a provider's server answers: a byte that says whose interface and with which status, then the body, in which KEY
// stands for the key. It ends in a reply with text in it or in a failure that says what was wrong, and neither holds
// the key.
#include <cmath>

#include "tests/fuzz/fuzz.h"
#include "tool/llm/http_backend.h"

namespace {

using namespace hone::llm;
using hone::fuzz::require;
namespace os = hone::os;

const std::string key = "sk-fuzz-4f9c1d2e7ab8";

// Gives one answer, at once.
class Server final : public os::HttpTransport {
 public:
  explicit Server(os::HttpResponse response) : response_(std::move(response)) {}
  void start(os::HttpRequest, std::stop_token, Done done) override { done(response_); }

 private:
  os::HttpResponse response_;
};

void require_clean(const std::string& text, const char* property) {
  hone::fuzz::require_printable(text, property);
  require(text.find('\n') == text.npos && text.size() < 1000, property);
}

void check(const Usage& usage) {
  require(usage.input_tokens <= 3'000'000'000 && usage.output_tokens <= 1'000'000'000, "a count is believable");
  require(std::isfinite(usage.cost) && usage.cost >= 0, "a call costs money or nothing");
}

void check(const Attempt& attempt, int status) {
  if (const auto* reply = std::get_if<Reply>(&attempt.outcome)) {
    require(status == 200, "only a success is a reply");
    require(reply->text.find_first_not_of(" \t\r\n") != std::string::npos, "a reply has text");
    require(valid_utf8(reply->text) == reply->text, "a reply is UTF-8");
    require(reply->text.find(key) == std::string::npos && reply->model.find(key) == std::string::npos,
            "nobody sees the key");
    require_clean(reply->model, "a model's name is a line");
    check(reply->usage);
    return;
  }
  const Failure& failure = std::get<Failure>(attempt.outcome);
  require(!failure.what.empty(), "a failure says why");
  require_clean(failure.what, "a failure is told in a line");
  require(failure.what.find(key) == std::string::npos, "nobody sees the key");
  require(!attempt.again || !failure.ends_the_run, "what ends the run is not tried again");
  check(failure.spent);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr int statuses[] = {200, 200, 200, 302, 400, 401, 429, 500};
  std::string body(hone::fuzz::text_of(data + 1, size - 1));
  for (std::size_t at = 0; (at = body.find("KEY", at)) != body.npos; at += key.size()) body.replace(at, 3, key);
  const int status = statuses[data[0] / 2 % 8];
  ModelSettings model;
  model.provider = data[0] % 2 ? Provider::anthropic : Provider::openai;
  model.endpoint = "https://models.example.com/v1";
  model.model = "m";
  model.price = Price{3, 15};
  Server server({status, {{"location", body.substr(0, 200)}}, body, {}});
  auto backend = make_http_backend(model, key, {}, Scrubber({key}), server);
  require(backend.has_value(), "a backend is made");
  const Prompt prompt{{{Role::user, "Faster, please."}}};
  int answers = 0;
  (*backend)->start(prompt, {}, [&](const Attempt& attempt) {
    ++answers;
    check(attempt, status);
  });
  require(answers == 1, "each call has one answer");
  return 0;
}
