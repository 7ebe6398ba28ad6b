// HTTP as a port: requests out, whole responses back, many at a time.
//
// A response is read into memory up to a limit and within a time, both of which really end the transfer. Redirects are
// not followed: they come back as the response they are. Proxies and certificates are found as the curl program finds
// them (https_proxy, NO_PROXY, CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR).
//
// A header marked secret goes to the URL's own host only (not to a proxy, not to a redirect's target), over https or to
// this machine, unless plain http is allowed; it is never in an error and its bytes are wiped when the transfer is
// over.
//
// start() may be called from any thread. `done` is called exactly once, on the transport's one thread; it must not
// block. A stopped request ends at once with HttpFailureKind::canceled. Destroying the transport cancels what is open
// and returns after the last `done`.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace hone::os {

struct HttpHeader {
  std::string name;
  std::string value;
  bool secret = false;
};

struct HttpRequest {
  std::string method = "GET";  // a body is sent with any but GET and HEAD
  std::string url;             // http or https, without user and password
  std::vector<HttpHeader> headers;
  std::string body;
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds timeout{300'000};  // from start() to the last byte
  std::size_t response_bytes = 8u << 20;
  bool allow_secrets_over_http = false;
  bool netrc = false;                        // user and password of ~/.netrc, where a secret header would go
  std::string certificate, certificate_key;  // the client's, paths of PEM files; "": none
};

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string> headers;       // names in lower case; of several with one name the last
  std::string body;                                 // as sent: nothing is decompressed
  std::optional<std::chrono::seconds> retry_after;  // Retry-After, given as seconds or as a date
};

enum class HttpFailureKind {
  unusable,     // the request itself: no such URL, a secret over plain http
  unreachable,  // no such host, refused, no connection in time, a proxy that fails
  untrusted,    // TLS: no valid certificate, no common version
  broken,       // reset, cut short or not HTTP
  timeout,
  too_large,
  canceled,
};

struct HttpFailure {
  HttpFailureKind kind = HttpFailureKind::broken;
  std::string what;  // "connection refused"; without the host
};

using HttpOutcome = std::variant<HttpResponse, HttpFailure>;

class HttpTransport {
 public:
  using Done = std::function<void(HttpOutcome)>;
  virtual ~HttpTransport() = default;
  virtual void start(HttpRequest request, std::stop_token stop, Done done) = 0;
};

// libcurl's multi interface on one thread.
class CurlHttpTransport final : public HttpTransport {
 public:
  CurlHttpTransport();
  ~CurlHttpTransport() override;
  void start(HttpRequest request, std::stop_token stop, Done done) override;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace hone::os
