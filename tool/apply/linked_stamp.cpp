#include "tool/apply/linked_stamp.h"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/digest.h"
#include "tool/command/make_rule.h"
#include "tool/lock/ledger.h"
#include "tool/lock/machine_rule.h"
#include "tool/os/files/files.h"
#include "tool/os/files/quick_replace.h"
#include "tool/os/files/this_program.h"
#include "tool/project/declared_machines.h"
#include "tool/project/project.h"

namespace hone::apply {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kVersion = 1;

std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool is_newer(const timespec& a, const timespec& b) {
  return std::pair(a.tv_sec, a.tv_nsec) > std::pair(b.tv_sec, b.tv_nsec);
}

std::string object_identity(const struct stat& status) {
  return fmt::format("{} {} {}.{}", status.st_size, status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

void append_part(std::string& text, const std::string& part) {
  text += std::to_string(part.size()) + ':' + part;
}

std::vector<KernelIdentity> kernels_of(const json& stamp) {
  std::vector<KernelIdentity> kernels;
  for (const json& text : stamp.at("kernels")) {
    KernelIdentity kernel;
    text.at("name").get_to(kernel.name);
    text.at("file").get_to(kernel.file);
    text.at("key").get_to(kernel.key);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace

LinkedStamp::LinkedStamp(const CompilerLine& line, fs::path lock, std::string asked)
    : line_(line), lock_(std::move(lock)), asked_(std::move(asked)) {
  ::clock_gettime(CLOCK_REALTIME_COARSE, &started_);  // the file system's clock
}

fs::path LinkedStamp::file() const {
  return line_.output + ".hone-linked";
}

std::string LinkedStamp::command() const {
  std::string text;
  for (const std::string& part :
       {std::string("hone linked 1"), os::this_program(), fs::current_path().string(), asked_})
    append_part(text, part);
  for (const std::string& argument : line_.arguments) append_part(text, argument);
  return cache::sha256(text);
}

LinkedStamp::Heard LinkedStamp::heard_from(const cache::LockFile& lock, std::vector<KernelIdentity> kernels) const {
  cache::LockFile part;
  std::ranges::copy_if(lock.entries, std::back_inserter(part.entries), [&](const cache::LockEntry& entry) {
    return std::ranges::any_of(kernels, [&](const KernelIdentity& kernel) {
      return entry.key == kernel.key ||
             (entry.name == kernel.name && entry.file == project::file_in_lock(kernel.file, lock_));
    });
  });
  const cache::Store store = lock::reading_store(lock_, [](const std::string&) {});
  std::string text = (lock.is_sealed() ? "sealed " : "unsealed ") + part.text();
  for (const cache::LockEntry& entry : part.entries)
    text += (entry.variant ? store.blob(*entry.variant) ? " there" : " gone" : "") + lock.why_not(entry);
  if (std::ranges::any_of(part.entries, lock::is_disputed))
    text += os::read_file(project::settings_beside(lock_)).value_or("");
  return {std::move(kernels), cache::sha256(text)};
}

// Among all prerequisites but the lock file and the variants, of which Heard knows.
bool LinkedStamp::has_newer(const std::string& depfile, const timespec& started) const {
  const std::string store = lock::project_store(lock_).string() + '/';
  return std::ranges::any_of(make_prerequisites(depfile), [&](const std::string& path) {
    // Folders are named while a variant is gone: one that comes back shows in their time, and in what Heard says.
    const bool watched = path + '/' == store || path == lock_.parent_path();
    if (path == lock_ || path.starts_with(store) || watched) return false;
    const auto status = status_of(path);
    return !status || is_newer(status->st_mtim, started);
  });
}

bool LinkedStamp::renew() const {
  if (line_.output.empty() || line_.depfile.empty()) return false;
  const auto text = os::read_file(file());
  const auto object = status_of(line_.output);
  const auto lock = cache::LockFile::read(lock_);
  if (!text || !object || !lock) return false;
  try {
    const json stamp = json::parse(*text);
    if (stamp.at("linked") != kVersion || stamp.at("command") != command() ||
        stamp.at("object") != object_identity(*object) || stamp.at("lock") != lock_.string())
      return false;
    const std::string depfile = stamp.at("depfile");
    const timespec then{stamp.at("started").at(0), stamp.at("started").at(1)};
    const Heard heard = heard_from(*lock, kernels_of(stamp));
    if (stamp.at("says") != heard.says || has_newer(depfile, then)) return false;
    // What changes from here on is newer than the object.
    const timespec times[2] = {started_, started_};
    if (!os::replace_quickly(line_.depfile, depfile) || ::utimensat(AT_FDCWD, line_.output.c_str(), times, 0) != 0)
      return false;
    put(heard, depfile);
    return true;
  } catch (const json::exception&) {
    return false;  // another version's, or torn
  }
}

void LinkedStamp::hear(const cache::LockFile& lock, const std::vector<KernelIdentity>& kernels) {
  heard_ = heard_from(lock, kernels);
}

void LinkedStamp::write() const {
  if (!heard_ || line_.output.empty() || line_.depfile.empty()) return;
  if (const auto depfile = os::read_file(line_.depfile)) put(*heard_, *depfile);
}

void LinkedStamp::put(const Heard& heard, const std::string& depfile) const {
  const auto object = status_of(line_.output);
  if (!object || !S_ISREG(object->st_mode)) return;
  json stamp = {{"linked", kVersion},     {"command", command()},
                {"lock", lock_.string()}, {"object", object_identity(*object)},
                {"says", heard.says},     {"started", {started_.tv_sec, started_.tv_nsec}},
                {"depfile", depfile},     {"kernels", json::array()}};
  for (const KernelIdentity& kernel : heard.kernels)
    stamp["kernels"].push_back({{"name", kernel.name}, {"file", kernel.file}, {"key", kernel.key}});
  (void)os::replace_quickly(file(), stamp.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace hone::apply
