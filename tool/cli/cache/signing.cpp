#include "tool/cli/cache/signing.h"

#include <cstdlib>
#include <system_error>

#include "tool/cli/command/command.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/llm/settings/user_folder.h"

namespace hone::cli {
namespace fs = std::filesystem;
namespace {

std::string named_file() {
  const char* named = std::getenv("HONE_SIGNING_KEY");
  return named == nullptr ? "" : named;
}

}  // namespace

Result<fs::path> signing_key_file() {
  if (const std::string named = named_file(); !named.empty()) return fs::path(named);
  if (const auto folder = llm::user_folder(llm::own_environment())) return *folder / "signing-key.pem";
  return coded_failure(DiagnosticCode::store_folder, "no folder for your signing key", "",
                       "set HONE_SIGNING_KEY, XDG_CONFIG_HOME or HOME");
}

Result<std::optional<trust::SigningKey>> own_signing_key() {
  const bool is_named = !named_file().empty();
  const auto file = signing_key_file();
  if (!file) return std::nullopt;  // a user without a home has none
  std::error_code error;
  if (!is_named && fs::status(*file, error).type() == fs::file_type::not_found) return std::nullopt;
  auto key = trust::SigningKey::read(*file);
  if (!key) return tl::unexpected(key.error());
  if (trust::is_exposed(*file))
    complain(file->string() + ": others may read your signing key, and so sign as you; chmod 600 it", done);
  return std::move(*key);
}

}  // namespace hone::cli
