#include "tool/shared/environment_store.h"

#include <string.h>

#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cache/store.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/shared/build_store.h"
#include "tool/shared/http_store.h"

namespace hone::shared {
namespace {

constexpr const char* kToken = "HONE_CACHE_TOKEN";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string taken_token() {
  std::string token = variable(kToken);
  ::unsetenv(kToken);
  return token;
}

// What cannot be asked.
class NoStore final : public SharedStore {
 public:
  explicit NoStore(Error why) : why_(std::move(why)) {}
  std::string place() const override { return "HONE_CACHE_URL"; }
  Result<std::optional<std::string>> get(Kind, const cache::Digest&) override { return tl::unexpected(why_); }
  Result<void> put(Kind, const cache::Digest&, const std::string&) override { return tl::unexpected(why_); }

 private:
  Error why_;
};

}  // namespace

std::unique_ptr<SharedStore> environment_store() {
  HttpStoreSettings settings;
  settings.token = taken_token();
  const std::string text = variable("HONE_CACHE_URL");
  if (text.empty()) return nullptr;
  auto url = os::parse_url(text);
  if (!url)
    return std::make_unique<NoStore>(
        coded_failure(DiagnosticCode::shared_store, "HONE_CACHE_URL: " + url.error().what, "", url.error().advice)
            .value());
  settings.url = std::move(*url);
  settings.certificate = variable("HONE_CACHE_CERT");
  settings.key = variable("HONE_CACHE_KEY");
  return std::make_unique<HttpStore>(std::move(settings));
}

std::unique_ptr<SharedStore> environment_store_of_build() {
  auto store = environment_store();
  const auto folder = cache::user_folder();
  return store && folder ? std::make_unique<BuildStore>(std::move(store), *folder) : std::move(store);
}

Result<bool> sends_what_is_tuned() {
  const std::string text = variable("HONE_CACHE_PUSH");
  if (text == "1") return true;
  if (text.empty() || text == "0") return false;
  return coded_failure(DiagnosticCode::shared_store, fmt::format("HONE_CACHE_PUSH is '{}'", text), "",
                       "say 1 to send what is tuned to the shared store, or 0");
}

}  // namespace hone::shared
