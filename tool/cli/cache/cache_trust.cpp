#include "tool/cli/cache/cache_trust.h"

#include <filesystem>
#include <functional>
#include <set>
#include <system_error>
#include <vector>

#include "cache/lock_file.h"
#include "tool/cli/cache/signing.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/report/text.h"
#include "tool/trust/trust_file.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;
using trust::PublicKey;
using trust::TrustFile;

constexpr std::size_t kLongestName = 64;

Result<std::set<fs::path>> locks_of_build(const ProjectOptions& options) {
  HONE_TRY(const project::Project project, project::open_project(options.folder()));
  std::set<fs::path> locks;
  for (const project::ProjectUnit& unit : project.units) locks.insert(unit.settings.lock);
  return locks;
}

// The nearest hone.lock above this folder, for who has not configured a build; empty: there is none.
std::set<fs::path> lock_above() {
  std::error_code error;
  for (fs::path folder = fs::current_path(error); !error; folder = folder.parent_path()) {
    if (fs::exists(folder / "hone.lock", error)) return {folder / "hone.lock"};
    if (folder == folder.parent_path()) break;
  }
  return {};
}

Result<std::set<fs::path>> files_of(const std::set<fs::path>& locks) {
  std::set<fs::path> files;
  for (const fs::path& lock : locks) files.insert(trust::trust_file_beside(lock));
  return files;
}

std::string shown(const trust::TrustedKey& entry) {
  return entry.name.empty() ? entry.key.text() : fmt::format("'{}' ({})", printable_line(entry.name), entry.key.text());
}

std::string why_no_name(const std::string& name) {
  if (name.size() > kLongestName || name != printable_line(name)) return "a name is a line of at most 64 bytes";
  return name.starts_with("ed25519:") ? "a name is no key" : "";
}

Result<void> add(TrustFile& file, const PublicKey& key, const std::string& name) {
  if (const trust::TrustedKey* other = name.empty() ? nullptr : file.find_name(name); other && other->key != key)
    return coded_failure(DiagnosticCode::trust_name,
                         fmt::format("the name '{}' is another key's, {}", name, other->key.text()), "",
                         "untrust that one, or give another name with --as");
  for (trust::TrustedKey& known : file.keys)
    if (known.key == key) {
      if (!name.empty()) known.name = name;
      return {};
    }
  file.keys.push_back({key, name, ""});
  return {};
}

const trust::TrustedKey* find(const TrustFile& file, const std::string& key_or_name) {
  const auto key = PublicKey::parse(key_or_name);
  return key ? file.find(*key) : file.find_name(key_or_name);
}

// nullopt: the file does not name it.
Result<std::optional<trust::TrustedKey>> removed(const fs::path& path, const std::string& key_or_name) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  std::optional<trust::TrustedKey> found;
  HONE_CHECK(TrustFile::update(path, [&](TrustFile& file) -> Result<void> {
    const trust::TrustedKey* known = find(file, key_or_name);
    if (!known) return {};
    found = *known;
    std::erase_if(file.keys, [&](const trust::TrustedKey& one) { return one.key == found->key; });
    return {};
  }));
  return found;
}

// What rests on a word that counts no more.
void say_locked(const std::set<fs::path>& locks, const std::function<bool(const cache::LockEntry&)>& rests_on_it) {
  for (const fs::path& path : locks) {
    const auto lock = cache::LockFile::read(path);
    for (const cache::LockEntry& entry : lock ? lock->entries : std::vector<cache::LockEntry>{})
      if (!entry.signed_by.empty() && rests_on_it(entry))
        say("{}: '{}' was locked on its word, and stays; the next hone tune judges it here\n", path.string(),
            printable_line(entry.name));
  }
}

int withdraw(const std::set<fs::path>& files, const std::set<fs::path>& locks, const cache::Digest& digest) {
  for (const fs::path& path : files) {
    const auto written = TrustFile::update(path, [&](TrustFile& file) -> Result<void> {
      file.withdrawn.insert(digest);
      return {};
    });
    if (!written) return complain(written.error(), environment);
    say("{}: {} is withdrawn, whoever signed it; commit this\n", path.string(), digest);
  }
  say_locked(locks, [&](const cache::LockEntry& entry) { return entry.variant == digest; });
  return done;
}

}  // namespace

Result<std::set<fs::path>> locks_of(const TrustPlace& place) {
  if (!place.lock.empty()) return std::set<fs::path>{fs::absolute(place.lock)};
  std::error_code error;
  std::set<fs::path> locks;
  if (!place.options.build.empty() || fs::exists(place.options.folder() / "compile_commands.json", error)) {
    HONE_TRY(locks, locks_of_build(place.options));
  } else {
    locks = lock_above();
  }
  if (locks.empty())
    return coded_failure(DiagnosticCode::no_lock, "no project is here", "",
                         "name its build folder (-p), or the lock file that it has or will have (--lock)");
  return locks;
}

int keygen(bool replace, bool show) {
  const auto file = signing_key_file();
  if (!file) return complain(file.error(), environment);
  if (show) {
    const auto key = trust::SigningKey::read(*file);
    if (!key) return complain(key.error(), environment);
    say("{}\n", key->public_key().text());
    return done;
  }
  const auto key = trust::SigningKey::generate();
  const auto written = key ? key->write(*file, replace) : tl::unexpected(key.error());
  if (!written) return complain(written.error(), environment);
  if (!*written)
    return complain(coded_failure(DiagnosticCode::signing_key, "you have a signing key, and it stays", file->string(),
                                  "--show prints its public key, --replace makes another in its place")
                        .value(),
                    no);
  complain(file->string() +
               ": this is your signing key: keep it to yourself. What it signs is believed where this "
               "public key is trusted:",
           done);
  say("{}\n", key->public_key().text());
  return done;
}

int list_trusted(const TrustPlace& place) {
  const auto locks = locks_of(place);
  const auto files = locks ? files_of(*locks) : tl::unexpected(locks.error());
  if (!files) return complain(files.error(), environment);
  for (const fs::path& path : *files) {
    const auto file = TrustFile::read(path);
    if (!file) return complain(file.error(), environment);
    if (file->keys.empty()) say("{}: nobody is trusted\n", path.string());
    for (const cache::Digest& digest : file->withdrawn) say("{}: withdrawn {}\n", path.string(), digest);
    for (const trust::TrustedKey& entry : file->keys)
      say("{}: {}{}\n", path.string(), entry.key.text(), entry.name.empty() ? "" : " " + printable_line(entry.name));
  }
  return done;
}

int trust_key(const TrustPlace& place, const std::string& text, const std::string& name) {
  const auto key = PublicKey::parse(text);
  if (!key) return complain(key.error(), usage);
  if (const std::string why = why_no_name(name); !why.empty()) return complain(why, usage);
  const auto locks = locks_of(place);
  const auto files = locks ? files_of(*locks) : tl::unexpected(locks.error());
  if (!files) return complain(files.error(), environment);
  for (const fs::path& path : *files) {
    const auto written = TrustFile::update(path, [&](TrustFile& file) { return add(file, *key, name); });
    if (!written) return complain(written.error(), environment);
    say("{}: {} is trusted: what it signs is locked without a search; commit this\n", path.string(),
        shown({*key, name, ""}));
  }
  return done;
}

int untrust(const TrustPlace& place, const std::string& what) {
  const auto locks = locks_of(place);
  const auto files = locks ? files_of(*locks) : tl::unexpected(locks.error());
  if (!files) return complain(files.error(), environment);
  std::optional<PublicKey> gone;
  for (const fs::path& path : *files) {
    const auto found = removed(path, what);
    if (!found) return complain(found.error(), environment);
    if (!*found) continue;
    gone = (*found)->key;
    say("{}: {} is trusted no more; commit this\n", path.string(), shown(**found));
  }
  if (!gone && cache::is_digest(what)) return withdraw(*files, *locks, what);
  if (!gone)
    return complain(with_code(fmt::format("nobody called '{}' is trusted; hone cache trust lists who is", what),
                              DiagnosticCode::trust_name),
                    no);
  say_locked(*locks, [&](const cache::LockEntry& entry) { return entry.signed_by == gone->text(); });
  return done;
}

}  // namespace hone::cli
