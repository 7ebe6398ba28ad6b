#include "tool/shared/build_store.h"

#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>

#include "tool/os/files/files.h"

namespace hone::shared {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds alone_for{60};

}  // namespace

BuildStore::BuildStore(std::unique_ptr<SharedStore> store, const fs::path& folder)
    : store_(std::move(store)), stamp_(folder / (cache::sha256(store_->place()).substr(0, 16) + ".gone")) {}

// An empty stamp is only a lock. A time to come was written while a clock was wrong.
bool BuildStore::is_left_alone() const {
  std::error_code error;
  if (fs::file_size(stamp_, error) == 0 || error) return false;
  const auto age = fs::file_time_type::clock::now() - fs::last_write_time(stamp_, error);
  return !error && age < alone_for && age > -alone_for;
}

bool BuildStore::is_first_to_say() const {
  std::error_code error;
  fs::create_directories(stamp_.parent_path(), error);
  const auto lock = os::FileLock::acquire(stamp_);
  if (!lock) return true;
  if (is_left_alone()) return false;
  std::ofstream(stamp_) << "gone\n";
  return true;
}

Result<std::optional<std::string>> BuildStore::get(Kind kind, const cache::Digest& name) {
  if (!said_ && is_left_alone()) return std::nullopt;
  auto got = store_->get(kind, name);
  if (got || said_) return got;
  said_ = is_first_to_say();
  if (said_) return got;
  return std::nullopt;
}

Result<void> BuildStore::put(Kind kind, const cache::Digest& name, const std::string& bytes) {
  return store_->put(kind, name, bytes);
}

}  // namespace hone::shared
