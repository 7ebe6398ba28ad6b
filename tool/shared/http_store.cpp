#include "tool/shared/http_store.h"

#include <string.h>

#include <utility>

#include <fmt/format.h>

#include "tool/diagnostics/diagnostic_code.h"
#include "tool/os/http/blocking.h"

namespace hone::shared {
namespace {

constexpr std::size_t kMostBytes = 16u << 20;  // a variant's source is a few thousand

Error not_reached(const os::HttpFailure& failure, const std::string& place) {
  const std::string store = "the shared store " + place + " ";
  switch (failure.kind) {
    case os::HttpFailureKind::unusable:
      return {store + "is not asked: " + failure.what, "", "set HONE_CACHE_URL to an https:// address"};
    case os::HttpFailureKind::untrusted:
      return {store + "is not trusted: " + failure.what, "", "name its authority in SSL_CERT_FILE"};
    case os::HttpFailureKind::too_large:
      return {store + "sent more than 16 MiB for one entry", "", "check what HONE_CACHE_URL names"};
    case os::HttpFailureKind::timeout:
    case os::HttpFailureKind::broken:
      return {store + "did not answer to the end: " + failure.what, "", "try later, or unset HONE_CACHE_URL"};
    default:
      return {store + "cannot be reached: " + failure.what, "", "check HONE_CACHE_URL, or unset it"};
  }
}

// What a status other than success says.
Error refused(int status, bool put, const std::string& place) {
  const auto error = [&](const std::string& what, const std::string& advice) {
    return Error{fmt::format("the shared store {} {} (HTTP {})", place, what, status), "", advice};
  };
  if (status / 100 == 3)
    return error("sends elsewhere, where Hone does not follow", "set HONE_CACHE_URL to its address");
  if (status == 413 || status == 507) return error("is full, or takes nothing of this size", "make room there");
  if (put && (status == 403 || status == 404 || status == 405 || status == 501))
    return error("takes nothing from here: it is read-only", "allow PUT there, or check HONE_CACHE_TOKEN");
  if (status == 401 || status == 403 || status == 407)
    return error("does not let you in", "check HONE_CACHE_TOKEN, ~/.netrc or HONE_CACHE_CERT");
  return error("cannot serve", "check what HONE_CACHE_URL names, or unset it");
}

}  // namespace

HttpStore::HttpStore(HttpStoreSettings settings) : settings_(std::move(settings)) {}

HttpStore::~HttpStore() {
  ::explicit_bzero(settings_.token.data(), settings_.token.size());
}

os::HttpRequest HttpStore::request(const std::string& method, Kind kind, const cache::Digest& name) const {
  os::Url url = settings_.url;
  while (url.path.ends_with('/')) url.path.pop_back();
  url.path += (kind == Kind::record ? "/ac/" : "/cas/") + name;
  os::HttpRequest request;
  request.method = method;
  request.url = url.text();
  request.connect_timeout = settings_.connecting;
  request.timeout = method == "GET" ? settings_.getting : settings_.putting;
  request.response_bytes = kMostBytes;
  request.certificate = settings_.certificate;
  request.certificate_key = settings_.key;
  request.netrc = settings_.token.empty();
  if (!settings_.token.empty()) request.headers.push_back({"Authorization", "Bearer " + settings_.token, true});
  return request;
}

tl::unexpected<Error> HttpStore::leave(Error why) {
  why.advice = with_code(std::move(why.advice), DiagnosticCode::shared_store_failed);
  left_ = std::move(why);
  return tl::unexpected(*left_);
}

Result<os::HttpResponse> HttpStore::send(os::HttpRequest request) {
  if (left_) return tl::unexpected(*left_);
  if (!transport_) transport_ = std::make_unique<os::CurlHttpTransport>();
  os::HttpOutcome outcome = os::ask(*transport_, std::move(request));
  if (const auto* failed = std::get_if<os::HttpFailure>(&outcome)) return leave(not_reached(*failed, place()));
  return std::get<os::HttpResponse>(std::move(outcome));
}

Result<std::optional<std::string>> HttpStore::get(Kind kind, const cache::Digest& name) {
  HONE_TRY(os::HttpResponse response, send(request("GET", kind, name)));
  if (response.status == 404 || response.status == 410) return std::nullopt;
  if (response.status != 200) return leave(refused(response.status, false, place()));
  return std::move(response.body);
}

Result<void> HttpStore::put(Kind kind, const cache::Digest& name, const std::string& bytes) {
  os::HttpRequest sent = request("PUT", kind, name);
  sent.body = bytes;
  HONE_TRY(const os::HttpResponse response, send(std::move(sent)));
  if (response.status / 100 != 2) return leave(refused(response.status, true, place()));
  return {};
}

}  // namespace hone::shared
