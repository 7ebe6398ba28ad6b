#include "tool/llm/http_backend.h"

#include <string.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tool/diagnostics/coded_failure.h"
#include "tool/llm/provider_protocol.h"
#include "tool/llm/request_parameters.h"
#include "tool/llm/settings/known_providers.h"
#include "tool/llm/token_estimate.h"
#include "tool/os/http/url.h"

namespace hone::llm {
namespace {
using nlohmann::json;

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// A body from outside as JSON; discarded where it is none.
json parse(const std::string& body) {
  json value = json::parse(body, nullptr, false);
  return value.is_discarded() ? json::parse(valid_utf8(body), nullptr, false) : value;
}

// What a server says went wrong: OpenAI's, Anthropic's and FastAPI's shapes, or whatever stands there.
std::string complaint_in(const json& value, const std::string& body) {
  const json* error = member(value, "error");
  for (const std::string& text : {error ? text_member(*error, "message") : "", text_member(value, "error"),
                                  text_member(value, "message"), text_member(value, "detail")}) {
    if (!is_blank(text)) return text;
  }
  return body;
}

bool is_out_of_credit(const json& value) {
  const json* error = member(value, "error");
  if (!error) return false;
  for (const char* name : {"code", "type"}) {
    const std::string said = text_member(*error, name);
    if (said == "insufficient_quota" || said == "billing_hard_limit_reached" || said == "billing_error") return true;
  }
  return false;
}

// Some hosts answer 200 and put the status into the error.
int status_of(const os::HttpResponse& response, const json& value) {
  const json* error = member(value, "error");
  if (response.status != 200 || !error || error->is_null()) return response.status;
  const auto code = count_member(*error, "code");
  return code && *code >= 400 && *code < 600 ? static_cast<int>(*code) : 500;
}

bool passes(int status) {
  return status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
}

bool same_name(const std::string& a, const std::string& b) {
  return ::strcasecmp(a.c_str(), b.c_str()) == 0;
}

// The user's own replace those of the same name.
std::vector<os::HttpHeader> joined(std::vector<os::HttpHeader> protocols, const std::vector<os::HttpHeader>& own) {
  std::erase_if(protocols, [&](const os::HttpHeader& header) {
    return std::ranges::any_of(own, [&](const os::HttpHeader& other) { return same_name(header.name, other.name); });
  });
  protocols.insert(protocols.end(), own.begin(), own.end());
  return protocols;
}

// One after the other until a server takes a call: the limit's name, its value, the seed, the temperature.
constexpr unsigned most_corrections = 4;

class HttpBackend final : public Backend {
 public:
  HttpBackend(const ModelSettings& model, const ProviderProtocol& protocol, os::Url url,
              std::vector<os::HttpHeader> headers, const Scrubber& scrub, os::HttpTransport& http)
      : model_(model),
        protocol_(protocol),
        url_(std::move(url)),
        headers_(std::move(headers)),
        parameters_(model, url_),
        scrub_(scrub),
        http_(http) {}

  ~HttpBackend() override {
    for (os::HttpHeader& header : headers_) ::explicit_bzero(header.value.data(), header.value.size());
  }

  void start(const Prompt& prompt, std::stop_token stop, Done done) override {
    send({prompt, protocol_.request(model_, prompt), std::move(stop), std::move(done)});
  }

 private:
  // One call on its way, until the server takes it as it is.
  struct Sending {
    const Prompt& prompt;
    json body;  // in the protocol's own words
    std::stop_token stop;
    Done done;
    unsigned corrections = 0;
  };

  void send(Sending call) {
    json sent = parameters_.applied(call.body);
    os::HttpRequest request = request_of(sent);
    const std::stop_token stop = call.stop;
    const auto ended = [this, call = std::move(call), sent = std::move(sent)](os::HttpOutcome outcome) mutable {
      if (call.corrections++ < most_corrections && is_learned_from(outcome, call.body, sent))
        return send(std::move(call));
      const auto* response = std::get_if<os::HttpResponse>(&outcome);
      Attempt attempt =
          response ? answered(call.prompt, sent, *response) : failed(call.prompt, std::get<os::HttpFailure>(outcome));
      std::visit([&](auto& either) { either.news = parameters_.news(); }, attempt.outcome);
      call.done(std::move(attempt));
    };
    http_.start(std::move(request), stop, ended);
  }

  bool is_learned_from(const os::HttpOutcome& outcome, const json& body, const json& sent) {
    const auto* response = std::get_if<os::HttpResponse>(&outcome);
    if (!response) return false;
    const json value = parse(response->body);
    const int status = status_of(*response, value);
    return (status == 400 || status == 422) && !worked_as(sent) &&
           parameters_.learn(body, sent, value, said(complaint_in(value, response->body)));
  }

  // Where a call with the same parameters has worked, a refusal is about something else.
  bool worked_as(const json& sent) const {
    const std::lock_guard lock(mutex_);
    return worked_with_ == names_of(sent);
  }
  static std::vector<std::string> names_of(const json& sent) {
    std::vector<std::string> names;
    for (const auto& [name, value] : sent.items()) names.push_back(name);
    return names;
  }

  os::HttpRequest request_of(const json& body) const {
    os::HttpRequest request;
    request.method = "POST";
    request.url = url_.text();
    request.headers = headers_;
    request.headers.push_back({"Content-Type", "application/json"});
    request.headers.push_back({"Accept", "application/json"});
    request.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
    request.connect_timeout = model_.connect_timeout;
    request.timeout = model_.timeout;
    request.response_bytes = model_.reply_bytes;
    request.allow_secrets_over_http = model_.allow_plain_http;
    return request;
  }

  Attempt failed(const Prompt& prompt, const os::HttpFailure& failure) const {
    using enum os::HttpFailureKind;
    const auto ended = [&](FailureKind kind, std::string what) { return failure_of(kind, std::move(what)); };
    switch (failure.kind) {
      case unusable:
        return ended_for_good(FailureKind::refused, fmt::format("{}: {}", origin(), said(failure.what)));
      case unreachable:
      case untrusted:
        return ended_for_good(FailureKind::unreachable,
                              fmt::format("cannot reach {}: {}", origin(), said(failure.what)));
      case canceled:
        return costing(estimate_most(prompt, model_), ended(FailureKind::canceled, "the call was canceled"));
      case timeout:
        return costing(estimate_most(prompt, model_),
                       ended(FailureKind::timeout, fmt::format("{} gave no whole reply within {:g} s", origin(),
                                                               model_.timeout.count() / 1000.0)));
      case too_large:
        return costing(estimate_most(prompt, model_),
                       ended(FailureKind::too_large,
                             fmt::format("the reply of {} is longer than {} bytes", origin(), model_.reply_bytes)));
      case broken:
        break;
    }
    Attempt attempt =
        ended(FailureKind::exhausted, fmt::format("the connection to {} broke: {}", origin(), said(failure.what)));
    attempt.again = true;
    return costing(input_of(prompt), std::move(attempt));
  }

  Attempt answered(const Prompt& prompt, const json& sent, const os::HttpResponse& response) {
    const json value = parse(response.body);
    const int status = status_of(response, value);
    if (status < 200 || status >= 300) return refused(sent, response, status, value);
    if (value.is_discarded()) {
      return unreadable(prompt, response, is_blank(response.body) ? "it is empty" : "it is not JSON");
    }
    Answer answer = protocol_.read(value);
    if (is_blank(answer.text) || answer.declined) return textless(prompt, response, answer);
    works_with(sent);
    Reply reply;
    reply.usage = usage(prompt, answer, answer.text);
    reply.text = scrub_(std::move(answer.text));
    reply.model = answer.model.empty() ? model_.model : scrub_(one_line(answer.model, 120));
    reply.truncated = answer.truncated;
    return {std::move(reply)};
  }

  // A status that is no success.
  Attempt refused(const json& sent, const os::HttpResponse& response, int status, const json& value) const {
    if (status >= 300 && status < 400) {
      const auto location = response.headers.find("location");
      const auto target =
          location == response.headers.end() ? os::parse_url("") : os::parse_url(scrub_(location->second));
      return ended_for_good(FailureKind::refused,
                            fmt::format("{} redirects{}, which is not followed; name the right endpoint", origin(),
                                        target ? " to " + target->origin() : ""));
    }
    const std::string text = said(complaint_in(value, response.body));
    std::string what = fmt::format("{} answered {}{}{}", origin(), status, text.empty() ? "" : ": ", text);
    if (passes(status) && !is_out_of_credit(value)) {
      Attempt attempt = failure_of(FailureKind::exhausted, what);
      attempt.again = true;
      attempt.retry_after = response.retry_after;
      return attempt;
    }
    // Where calls have worked before, a request that is not understood is that prompt's trouble (too long, most often).
    const bool about_the_request = status == 400 || status == 422;
    if (about_the_request && !worked_)
      what += fmt::format(" (sent were {}; \"parameters\" and \"extra\" in hone.json change that)",
                          fmt::join(names_of(sent), ", "));
    const bool about_the_prompt = status == 413 || (about_the_request && worked_);
    return about_the_prompt ? failure_of(FailureKind::refused, what) : ended_for_good(FailureKind::refused, what);
  }

  Attempt unreadable(const Prompt& prompt, const os::HttpResponse& response, const std::string& why) const {
    Attempt attempt =
        failure_of(FailureKind::malformed, fmt::format("the reply of {} cannot be read: {}", origin(), why));
    attempt.again = true;
    return costing(usage(prompt, {}, response.body), std::move(attempt));
  }

  void works_with(const json& sent) {
    const std::lock_guard lock(mutex_);
    worked_with_ = names_of(sent);
    worked_ = true;
  }

  // JSON, but nothing to read in it.
  Attempt textless(const Prompt& prompt, const os::HttpResponse& response, const Answer& answer) {
    if (!answer.declined && !answer.truncated) {
      Attempt attempt = unreadable(prompt, response, said(answer.problem));
      return costing(usage(prompt, answer, response.body), std::move(attempt));
    }
    worked_ = true;
    const std::string what = answer.declined
                                 ? fmt::format("the model {} declined: {}", model_.model, said(answer.problem))
                                 : fmt::format(
                                       "the model {} used up its {} tokens before it answered; raise max_tokens, or "
                                       "let it think less",
                                       model_.model, prompt.max_tokens.value_or(model_.max_tokens));
    return costing(usage(prompt, answer, ""),
                   failure_of(answer.declined ? FailureKind::declined : FailureKind::malformed, what));
  }

  Usage usage(const Prompt& prompt, const Answer& answer, const std::string& text) const {
    const std::uint64_t most = prompt.max_tokens.value_or(model_.max_tokens);
    Usage usage;
    usage.input_tokens = answer.input_tokens.value_or(estimate_tokens(prompt.messages));
    usage.output_tokens = answer.output_tokens.value_or(std::min(most, estimate_tokens(text)));
    usage.cached_tokens = answer.cached_tokens;
    usage.estimated = !answer.input_tokens || !answer.output_tokens;
    usage.cost = cost_of(usage, model_.price, answer.cache_writes);
    return usage;
  }
  Usage input_of(const Prompt& prompt) const { return usage(prompt, {}, ""); }

  static Attempt failure_of(FailureKind kind, std::string what) { return {Failure{kind, std::move(what)}}; }
  static Attempt ended_for_good(FailureKind kind, std::string what) { return {Failure{kind, std::move(what), true}}; }
  static Attempt costing(const Usage& usage, Attempt attempt) {
    std::get<Failure>(attempt.outcome).spent = usage;
    return attempt;
  }

  std::string origin() const { return url_.origin(); }
  // The key goes before the text is cut, lest half of it stays.
  std::string said(const std::string& text) const { return one_line(scrub_(text)); }

  const ModelSettings model_;
  const ProviderProtocol& protocol_;
  const os::Url url_;
  std::vector<os::HttpHeader> headers_;
  RequestParameters parameters_;
  const Scrubber scrub_;
  os::HttpTransport& http_;
  mutable std::mutex mutex_;
  std::vector<std::string> worked_with_;  // the parameters of a call that was answered
  std::atomic<bool> worked_ = false;
};

std::vector<os::HttpHeader> key_headers(const ModelSettings& model, const ProviderProtocol& protocol,
                                        const os::Url& endpoint, const std::string& key) {
  const std::string own = habits_of(endpoint, model.provider).key_header;
  if (own.empty() || key.empty()) return protocol.headers(key);
  return {{own, key, true}};
}

}  // namespace

Result<std::unique_ptr<Backend>> make_http_backend(const ModelSettings& model, const std::string& key,
                                                   std::vector<os::HttpHeader> headers, const Scrubber& scrub,
                                                   os::HttpTransport& http) {
  const ProviderProtocol& protocol = protocol_of(model);
  HONE_TRY(const os::Url endpoint, os::parse_url(model.endpoint));
  headers = joined(key_headers(model, protocol, endpoint, key), headers);
  const bool secret = std::ranges::any_of(headers, &os::HttpHeader::secret);
  if (secret && endpoint.scheme == "http" && !is_loopback(endpoint) && !model.allow_plain_http) {
    return coded_failure(DiagnosticCode::model_endpoint, "the key would go to another machine over plain http",
                         endpoint.origin(), R"(use https, or set "allow_plain_http" in hone.json)");
  }
  return std::make_unique<HttpBackend>(model, protocol, address(endpoint, protocol), std::move(headers), scrub, http);
}

}  // namespace hone::llm
