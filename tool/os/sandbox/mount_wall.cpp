#include "tool/os/sandbox/mount_wall.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>

// Not <sys/mount.h>: glibc's and the kernel's header of that name exclude each other.
extern "C" int mount(const char*, const char*, const char*, unsigned long, const void*) noexcept;
extern "C" int umount2(const char*, int) noexcept;

#include "tool/os/sandbox/nvidia.h"

namespace hone::os {
namespace {
namespace fs = std::filesystem;

constexpr unsigned long no_set_user = 2, no_device = 4, no_exec = 8, bind_all = 4096 | 16384;  // MS_*
constexpr int detach = 2;                                                                      // MNT_DETACH
// While the walls go up, the host's root and the new one stand here.
constexpr const char* old_root = "/old";
constexpr const char* new_root = "/new";

bool is_below(const std::string& path, const std::string& folder) {
  return folder == "/" || path == folder || path.starts_with(folder + "/");
}

int set_attributes(const char* path, unsigned flags, std::uint64_t set) noexcept {
  mount_attr attributes{};
  attributes.attr_set = set;
  return ::syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0 ? 0 : errno;
}

int make_folder(const char* path) noexcept {
  return ::mkdir(path, 0755) == 0 || errno == EEXIST || errno == EROFS ? 0 : errno;
}

int make_file(const char* path) noexcept {
  const int made = ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (made < 0) return errno == EROFS || errno == EACCES ? 0 : errno;
  ::close(made);
  return 0;
}

int mount_memory(const char* path) noexcept {
  return ::mount("tmpfs", path, "tmpfs", no_set_user | no_device, "mode=755,size=1m") == 0 ? 0 : errno;
}

int pivot(const char* to, const char* old) noexcept {
  return ::syscall(SYS_pivot_root, to, old) == 0 ? 0 : errno;
}

// The old root is below the new one; any folder that exists will do to stand it on.
int step_aside() noexcept {
  if (const int error = mount_memory("/usr")) return error;
  if (const int error = make_folder("/usr/old")) return error;
  if (const int error = make_folder("/usr/new")) return error;
  if (const int error = pivot("/usr", "/usr/old")) return error;
  if (::chdir("/") != 0) return errno;
  return mount_memory(new_root);
}

int forget_the_host() noexcept {
  if (const int error = set_attributes(new_root, 0, MOUNT_ATTR_RDONLY)) return error;
  if (::chdir(new_root) != 0) return errno;
  if (const int error = pivot(".", ".")) return error;
  if (::umount2(".", detach) != 0) return errno;
  return ::chdir("/") == 0 ? 0 : errno;
}

}  // namespace

bool MountWall::covers(const std::string& path, Access access) const {
  return std::any_of(binds_.begin(), binds_.end(), [&](const Bind& bind) {
    return is_below(path, bind.path) && (bind.access == access || bind.access == Access::write);
  });
}

void MountWall::add_parents(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    std::string folder = new_root + path.substr(0, slash);
    if (std::find(folders_.begin(), folders_.end(), folder) == folders_.end()) folders_.push_back(std::move(folder));
  }
}

// A path that does not exist, or that we may not look at, needs no permission.
void MountWall::add(std::string path, Access access) {
  path = fs::path(path).lexically_normal().string();
  if (path.size() > 1 && path.back() == '/') path.pop_back();
  struct stat status {};
  for (std::size_t end = 0, links = 0; end < path.size();) {
    end = std::min(path.find('/', end + 1), path.size());
    const std::string part = path.substr(0, end);
    if (::lstat(part.c_str(), &status) != 0) return;
    if (!S_ISLNK(status.st_mode)) continue;
    std::error_code error;
    const fs::path content = fs::read_symlink(part, error);
    if (error || ++links > 40) return;
    add_parents(part);
    links_.push_back({new_root + part, content.string()});
    path = (fs::path(part).parent_path() / content).lexically_normal().string() + path.substr(end);
    end = 0;
  }
  if (covers(path, access)) return;
  const bool folder = S_ISDIR(status.st_mode);
  add_parents(folder ? path + "/" : path);
  binds_.push_back({path, old_root + path, new_root + path, access, folder});
}

MountWall MountWall::plan(const SandboxPolicy& policy, const std::string& program) {
  MountWall wall;
  for (const std::string& path : policy.writable) wall.add(path, Access::write);
  for (const std::string& path : policy.readable) wall.add(path, Access::read);
  if (!program.empty()) wall.add(fs::absolute(program).string(), Access::read);
  for (const char* path : {"/dev/null", "/dev/urandom"}) wall.add(path, Access::device);
  if (policy.devices) {
    for (const std::string& path : nvidia_devices()) wall.add(path, Access::device);
    for (const std::string& path : nvidia_answers()) wall.add(path, Access::read);
  }
  // A writable folder in a readable one must come after it, or it is covered.
  std::stable_sort(wall.binds_.begin(), wall.binds_.end(),
                   [](const Bind& a, const Bind& b) { return a.path.size() < b.path.size(); });
  return wall;
}

int MountWall::build() const noexcept {
  for (const std::string& folder : folders_) {
    if (const int error = make_folder(folder.c_str())) return error;
  }
  for (const Link& link : links_) {
    if (::symlink(link.content.c_str(), link.path.c_str()) != 0 && errno != EEXIST) return errno;
  }
  for (const Bind& bind : binds_) {
    if (const int error = bind.folder ? 0 : make_file(bind.target.c_str())) return error;
    if (::mount(bind.source.c_str(), bind.target.c_str(), nullptr, bind_all, nullptr) != 0) return errno;
    std::uint64_t set = MOUNT_ATTR_NOSUID;
    set |= bind.access == Access::device ? 0 : MOUNT_ATTR_NODEV;
    set |= bind.access == Access::read ? MOUNT_ATTR_RDONLY : MOUNT_ATTR_NOEXEC;
    if (const int error = set_attributes(bind.target.c_str(), AT_RECURSIVE, set)) return error;
  }
  if (const int error = make_folder("/new/proc")) return error;
  return ::mount("proc", "/new/proc", "proc", no_set_user | no_device | no_exec, nullptr) == 0 ? 0 : errno;
}

int MountWall::enter() const noexcept {
  if (const int error = step_aside()) return error;
  if (const int error = build()) return error;
  return forget_the_host();
}

}  // namespace hone::os
