// A shared store behind HTTP, laid out as Bazel's HTTP cache: nginx, any WebDAV server, bazel-remote.
//
//   GET, PUT <url>/cas/<sha256>        a blob
//   GET, PUT <url>/ac/<request key>    a record
//
// Nothing hangs: a connection is tried for 2 s, a GET ends after 10 s, a PUT after 30 s, each whole. A redirect is not
// followed. The token goes over https or to this machine only, and is in no message.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "tool/os/http/http_transport.h"
#include "tool/os/http/url.h"
#include "tool/shared/shared_store.h"

namespace hone::shared {

struct HttpStoreSettings {
  os::Url url;
  std::string token;             // "": none; then ~/.netrc is asked
  std::string certificate, key;  // paths of PEM files; "": none
  std::chrono::milliseconds connecting{2'000}, getting{10'000}, putting{30'000};
};

class HttpStore final : public SharedStore {
 public:
  explicit HttpStore(HttpStoreSettings settings);
  ~HttpStore() override;
  std::string place() const override { return settings_.url.origin(); }
  Result<std::optional<std::string>> get(Kind kind, const cache::Digest& name) override;
  Result<void> put(Kind kind, const cache::Digest& name, const std::string& bytes) override;
  void hang_up() override { transport_.reset(); }

 private:
  os::HttpRequest request(const std::string& method, Kind kind, const cache::Digest& name) const;
  Result<os::HttpResponse> send(os::HttpRequest request);
  tl::unexpected<Error> leave(Error why);

  HttpStoreSettings settings_;
  std::unique_ptr<os::HttpTransport> transport_;  // made by the first request: most builds make none
  std::optional<Error> left_;
};

}  // namespace hone::shared
