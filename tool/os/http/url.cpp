#include "tool/os/http/url.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include <fmt/format.h>

#include "tool/os/http/libcurl.h"

namespace hone::os {
namespace {

struct Cleanup {
  void operator()(CURLU* handle) const { libcurl()->url_cleanup(handle); }
};

std::string part(CURLU* handle, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (libcurl()->url_get(handle, which, &text, flags) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(libcurl()->free)> owned(text, libcurl()->free);
  return text;
}

}  // namespace

std::string Url::text() const {
  return fmt::format("{}://{}:{}{}{}{}", scheme, host, port, path, query.empty() ? "" : "?", query);
}

std::string Url::origin() const {
  const bool usual = port == (scheme == "https" ? "443" : "80");
  return fmt::format("{}://{}{}{}", scheme, host, usual ? "" : ":", usual ? "" : port);
}

Result<Url> parse_url(const std::string& text) {
  if (libcurl() == nullptr)
    return failure("libcurl (libcurl.so.4) is not installed", {}, "install it (Debian: libcurl4)");
  const std::unique_ptr<CURLU, Cleanup> handle(libcurl()->url());
  const bool read = handle && libcurl()->url_set(handle.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
  if (!read || text.find_first_of(std::string("\0\r\n\t ", 5)) != std::string::npos) {
    return failure("this is not a URL", {}, "write it as https://host/path");
  }
  Url url{part(handle.get(), CURLUPART_SCHEME), part(handle.get(), CURLUPART_HOST),
          part(handle.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT), part(handle.get(), CURLUPART_PATH),
          part(handle.get(), CURLUPART_QUERY)};
  if (url.scheme != "http" && url.scheme != "https") return failure("the URL is neither http nor https");
  if (!part(handle.get(), CURLUPART_USER).empty() || !part(handle.get(), CURLUPART_PASSWORD).empty()) {
    return failure("the URL holds a user or password", {}, "keys belong in the environment");
  }
  std::transform(url.host.begin(), url.host.end(), url.host.begin(), [](unsigned char c) { return std::tolower(c); });
  if (url.path.empty()) url.path = "/";
  return url;
}

bool is_loopback(const Url& url) {
  if (url.host == "localhost") return true;
  in_addr four{};
  if (::inet_pton(AF_INET, url.host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  in6_addr six{};
  const bool bracketed = url.host.size() > 2 && url.host.front() == '[' && url.host.back() == ']';
  return bracketed && ::inet_pton(AF_INET6, url.host.substr(1, url.host.size() - 2).c_str(), &six) == 1 &&
         IN6_IS_ADDR_LOOPBACK(&six);
}

}  // namespace hone::os
