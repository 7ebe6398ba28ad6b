#include "tool/os/http/http_transport.h"

#include <string.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "tool/os/http/libcurl.h"
#include "tool/os/http/url.h"

namespace hone::os {
namespace {

constexpr const char* kNoCurl = "libcurl (libcurl.so.4) is not installed, or cannot start";
constexpr std::size_t most_header_bytes = 256u << 10;

void wipe(std::string& text) {
  ::explicit_bzero(text.data(), text.size());
}

// Header lines for libcurl, which copies each; wiped on the way out.
class HeaderLines {
 public:
  HeaderLines() = default;
  HeaderLines(const HeaderLines&) = delete;
  HeaderLines& operator=(const HeaderLines&) = delete;
  ~HeaderLines() {
    for (curl_slist* line = lines_; line != nullptr; line = line->next)
      ::explicit_bzero(line->data, ::strlen(line->data));
    if (lines_ != nullptr) libcurl()->slist_free_all(lines_);
  }
  void add(std::string line) {
    if (curl_slist* grown = libcurl()->slist_append(lines_, line.c_str())) lines_ = grown;
    wipe(line);
  }
  curl_slist* get() const { return lines_; }

 private:
  curl_slist* lines_ = nullptr;
};

struct EasyCleanup {
  void operator()(CURL* easy) const { libcurl()->easy_cleanup(easy); }
};

struct Transfer {
  HttpRequest request;
  HttpTransport::Done done;
  std::atomic<bool> stopped = false;
  std::optional<std::stop_callback<std::function<void()>>> on_stop;
  HeaderLines headers;  // outlives the handle
  std::unique_ptr<CURL, EasyCleanup> easy;
  HttpResponse response;
  std::size_t header_bytes = 0;
  bool too_large = false;
  char error[CURL_ERROR_SIZE] = "";

  ~Transfer() {
    easy.reset();
    for (HttpHeader& header : request.headers) {
      if (header.secret) wipe(header.value);
    }
  }
};

std::size_t take_body(char* data, std::size_t, std::size_t size, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  transfer.too_large = size > transfer.request.response_bytes - transfer.response.body.size();
  if (transfer.too_large) return 0;
  transfer.response.body.append(data, size);
  return size;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::size_t take_header(char* data, std::size_t, std::size_t size, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  transfer.header_bytes += size;
  transfer.too_large = transfer.header_bytes > most_header_bytes;
  if (transfer.too_large) return 0;
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) transfer.response.headers.clear();  // what came before was an interim response's
  if (const auto colon = line.find(':'); colon != std::string_view::npos) {
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    transfer.response.headers[name] = trimmed(line.substr(colon + 1));
  }
  return size;
}

HttpFailure unusable(std::string what) {
  return {HttpFailureKind::unusable, std::move(what)};
}

// Why a request must not be sent at all.
std::optional<HttpFailure> objection(const HttpRequest& request) {
  const Result<Url> url = parse_url(request.url);
  if (!url) return unusable(url.error().what);
  const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (request.method.empty() || !std::all_of(request.method.begin(), request.method.end(), is_letter)) {
    return unusable("the method is none");
  }
  bool secret = false;
  for (const HttpHeader& header : request.headers) {
    const auto has_break = [](const std::string& text) {
      return text.find_first_of(std::string("\0\r\n", 3)) != std::string::npos;
    };
    if (header.name.empty() || header.name.find(':') != std::string::npos || has_break(header.name) ||
        has_break(header.value)) {
      return unusable("a header is malformed");
    }
    secret |= header.secret;
  }
  if (secret && url->scheme != "https" && !is_loopback(*url) && !request.allow_secrets_over_http) {
    return unusable("a key is not sent to another machine over plain http");
  }
  return std::nullopt;
}

void set_body(CURL* easy, Transfer& transfer) {
  const HttpRequest& request = transfer.request;
  if (request.method == "GET") return;
  if (request.method == "HEAD") {
    libcurl()->easy_setopt(easy, CURLOPT_NOBODY, 1L);
    return;
  }
  libcurl()->easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  libcurl()->easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
  libcurl()->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  transfer.headers.add("Expect:");  // no waiting for "100 Continue"
  const bool typed = std::any_of(request.headers.begin(), request.headers.end(), [](const HttpHeader& header) {
    return ::strcasecmp(header.name.c_str(), "Content-Type") == 0;
  });
  if (!typed) transfer.headers.add("Content-Type: application/octet-stream");
}

// libcurl leaves these to the curl program.
void set_certificates(CURL* easy) {
  const auto set = [&](const char* name, CURLoption host, CURLoption proxy) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return false;
    libcurl()->easy_setopt(easy, host, value);
    libcurl()->easy_setopt(easy, proxy, value);
    return true;
  };
  if (set("CURL_CA_BUNDLE", CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO)) return;
  set("SSL_CERT_DIR", CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH);
  set("SSL_CERT_FILE", CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO);
}

// Who we are, by other means than a header.
void set_identity(CURL* easy, const HttpRequest& request) {
  const auto url = parse_url(request.url);
  const bool may = url && (url->scheme == "https" || is_loopback(*url) || request.allow_secrets_over_http);
  if (request.netrc && may) libcurl()->easy_setopt(easy, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
  if (!request.certificate.empty()) libcurl()->easy_setopt(easy, CURLOPT_SSLCERT, request.certificate.c_str());
  if (!request.certificate_key.empty()) libcurl()->easy_setopt(easy, CURLOPT_SSLKEY, request.certificate_key.c_str());
}

void prepare(Transfer& transfer) {
  const HttpRequest& request = transfer.request;
  CURL* easy = libcurl()->easy_init();
  if (easy == nullptr) return;
  transfer.easy.reset(easy);
  libcurl()->easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
  libcurl()->easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.error);
  libcurl()->easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  libcurl()->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  libcurl()->easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  libcurl()->easy_setopt(easy, CURLOPT_USERAGENT, "hone");
  libcurl()->easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  libcurl()->easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // a name server that does not answer holds up nobody
  libcurl()->easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout.count()));
  libcurl()->easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  // A model may think for minutes without a byte: routers on the way forget connections that are silent.
  libcurl()->easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  libcurl()->easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, 30L);
  libcurl()->easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, 15L);
  libcurl()->easy_setopt(easy, CURLOPT_WRITEFUNCTION, &take_body);
  libcurl()->easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  libcurl()->easy_setopt(easy, CURLOPT_HEADERFUNCTION, &take_header);
  libcurl()->easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  libcurl()->easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  libcurl()->easy_setopt(easy, CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));  // none of ours to a proxy
  // A proxy is another machine.
  if (const auto url = parse_url(request.url); url && is_loopback(*url))
    libcurl()->easy_setopt(easy, CURLOPT_NOPROXY, "*");
  set_certificates(easy);
  set_identity(easy, request);
  set_body(easy, transfer);
  for (const HttpHeader& header : request.headers) transfer.headers.add(header.name + ": " + header.value);
  libcurl()->easy_setopt(easy, CURLOPT_HTTPHEADER, transfer.headers.get());
}

curl_off_t information(const Transfer& transfer, CURLINFO which) {
  curl_off_t value = 0;
  libcurl()->easy_getinfo(transfer.easy.get(), which, &value);
  return value;
}

HttpFailureKind kind_of(const Transfer& transfer, CURLcode code) {
  long proxy_said = 0;
  libcurl()->easy_getinfo(transfer.easy.get(), CURLINFO_HTTP_CONNECTCODE, &proxy_said);
  if (transfer.too_large) return HttpFailureKind::too_large;
  if (proxy_said != 0 && proxy_said / 100 != 2) return HttpFailureKind::unreachable;
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return information(transfer, CURLINFO_PRETRANSFER_TIME_T) == 0 ? HttpFailureKind::unreachable
                                                                     : HttpFailureKind::timeout;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PROXY:
      return HttpFailureKind::unreachable;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return HttpFailureKind::untrusted;
    default:
      return HttpFailureKind::broken;
  }
}

HttpOutcome outcome_of(Transfer& transfer, CURLcode code) {
  if (code != CURLE_OK) {
    const HttpFailureKind kind = kind_of(transfer, code);
    if (kind == HttpFailureKind::too_large) return HttpFailure{kind, "the response is too large"};
    return HttpFailure{kind, *transfer.error != '\0' ? transfer.error : libcurl()->easy_strerror(code)};
  }
  long status = 0;
  libcurl()->easy_getinfo(transfer.easy.get(), CURLINFO_RESPONSE_CODE, &status);
  HttpResponse& response = transfer.response;
  response.status = static_cast<int>(status);
  if (response.headers.contains("retry-after")) {
    response.retry_after = std::chrono::seconds(std::max<curl_off_t>(0, information(transfer, CURLINFO_RETRY_AFTER)));
  }
  return std::move(response);
}

const HttpFailure canceled{HttpFailureKind::canceled, "the request was canceled"};

}  // namespace

class CurlHttpTransport::Loop {
 public:
  Loop() {
    static const CURLcode initialized = libcurl() ? libcurl()->global_init(CURL_GLOBAL_DEFAULT) : CURLE_FAILED_INIT;
    if (initialized == CURLE_OK) multi_ = libcurl()->multi_init();
    thread_ = std::thread([this] { work(); });
  }

  ~Loop() {
    closing_ = true;
    wake();
    thread_.join();
    if (multi_ != nullptr) libcurl()->multi_cleanup(multi_);
  }

  void add(HttpRequest request, std::stop_token stop, Done done) {
    auto transfer = std::make_unique<Transfer>();
    transfer->request = std::move(request);
    transfer->done = std::move(done);
    transfer->on_stop.emplace(std::move(stop), [this, at = transfer.get()] {
      at->stopped = true;
      wake();
    });
    {
      const std::lock_guard lock(mutex_);
      arrivals_.push_back(std::move(transfer));
    }
    wake();
  }

 private:
  void wake() {
    if (multi_ != nullptr) libcurl()->multi_wakeup(multi_);
  }

  void work() {
    for (;;) {
      begin_arrivals();
      multi_ != nullptr ? follow() : std::this_thread::sleep_for(std::chrono::milliseconds(20));
      end_stopped();
      const std::lock_guard lock(mutex_);
      if (closing_ && open_.empty() && arrivals_.empty()) return;
    }
  }

  void begin_arrivals() {
    std::vector<std::unique_ptr<Transfer>> arrived;
    {
      const std::lock_guard lock(mutex_);
      arrived.swap(arrivals_);
    }
    for (auto& transfer : arrived) begin(std::move(transfer));
  }

  void begin(std::unique_ptr<Transfer> transfer) {
    if (transfer->stopped || closing_) return end(std::move(transfer), canceled);
    if (multi_ == nullptr) return end(std::move(transfer), unusable(kNoCurl));
    if (const auto objected = objection(transfer->request)) return end(std::move(transfer), *objected);
    prepare(*transfer);
    CURL* easy = transfer->easy.get();
    if (easy == nullptr || libcurl()->multi_add_handle(multi_, easy) != CURLM_OK) {
      return end(std::move(transfer), unusable(kNoCurl));
    }
    open_.emplace(easy, std::move(transfer));
  }

  // Lets libcurl do what there is to do, then waits for more.
  void follow() {
    int running = 0, left = 0;
    libcurl()->multi_perform(multi_, &running);
    while (const CURLMsg* message = libcurl()->multi_info_read(multi_, &left)) {
      if (message->msg == CURLMSG_DONE) close(message->easy_handle, message->data.result);
    }
    if (!closing_) libcurl()->multi_poll(multi_, nullptr, 0, 60'000, nullptr);
  }

  void close(CURL* easy, CURLcode code) {
    auto node = open_.extract(easy);
    HttpOutcome outcome = node.mapped()->stopped ? HttpOutcome(canceled) : outcome_of(*node.mapped(), code);
    libcurl()->multi_remove_handle(multi_, easy);
    end(std::move(node.mapped()), std::move(outcome));
  }

  void end_stopped() {
    std::vector<CURL*> stopped;
    for (const auto& [easy, transfer] : open_) {
      if (transfer->stopped || closing_) stopped.push_back(easy);
    }
    for (CURL* easy : stopped) {
      auto node = open_.extract(easy);
      libcurl()->multi_remove_handle(multi_, easy);
      end(std::move(node.mapped()), canceled);
    }
  }

  static void end(std::unique_ptr<Transfer> transfer, HttpOutcome outcome) {
    const Done done = std::move(transfer->done);
    transfer.reset();  // the key is gone before anyone hears of it
    done(std::move(outcome));
  }

  CURLM* multi_ = nullptr;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Transfer>> arrivals_;
  std::atomic<bool> closing_ = false;
  std::map<CURL*, std::unique_ptr<Transfer>> open_;  // the loop's thread only
  std::thread thread_;
};

CurlHttpTransport::CurlHttpTransport() : loop_(std::make_unique<Loop>()) {}
CurlHttpTransport::~CurlHttpTransport() = default;

void CurlHttpTransport::start(HttpRequest request, std::stop_token stop, Done done) {
  loop_->add(std::move(request), std::move(stop), std::move(done));
}

}  // namespace hone::os
