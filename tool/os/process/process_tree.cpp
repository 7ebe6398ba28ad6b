#include "tool/os/process/process_tree.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "tool/os/files/directory_entry.h"

namespace hone::os {
namespace {

const char* read_number(const char* text, std::size_t& value) noexcept {
  value = 0;
  while (*text == ' ') ++text;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + static_cast<std::size_t>(*text - '0');
  return text;
}

const char* skip_fields(const char* text, int count) noexcept {
  for (; count > 0 && *text != '\0'; --count) {
    while (*text == ' ') ++text;
    while (*text != ' ' && *text != '\0') ++text;
  }
  return text;
}

}  // namespace

bool ProcessTree::open() noexcept {
  proc_ = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  char link[16] = {};
  if (proc_ < 0 || ::readlinkat(proc_, "self", link, sizeof link - 1) <= 0) return false;
  std::size_t self = 0;
  read_number(link, self);
  self_ = static_cast<pid_t>(self);
  return true;
}

// /proc/<pid>/stat: "pid (name) state parent …", where the name may hold anything; rss in pages is field 24.
bool ProcessTree::read_entry(const char* name, Entry& entry) const noexcept {
  char path[32] = {};
  std::strncpy(path, name, 16);
  std::strcat(path, "/stat");
  const int opened = ::openat(proc_, path, O_RDONLY | O_CLOEXEC);
  if (opened < 0) return false;
  char text[1024];
  const ssize_t got = ::read(opened, text, sizeof text - 1);
  ::close(opened);
  if (got <= 0) return false;
  text[got] = '\0';
  const char* after_name = std::strrchr(text, ')');
  if (after_name == nullptr) return false;
  std::size_t pid = 0, parent = 0;
  read_number(text, pid);
  const char* at = read_number(skip_fields(after_name + 1, 1), parent);
  read_number(skip_fields(at, 19), entry.pages);
  entry.pid = static_cast<pid_t>(pid);
  entry.parent = static_cast<pid_t>(parent);
  entry.descendant = false;
  return true;
}

std::size_t ProcessTree::look() noexcept {
  std::size_t count = 0;
  ::lseek(proc_, 0, SEEK_SET);
  for_each_entry(proc_, [&](const DirectoryEntry& item) {
    if (item.name[0] < '1' || item.name[0] > '9' || count == capacity) return;
    if (read_entry(item.name, entries_[count])) ++count;
  });
  // Children may stand before their parents: repeat until nothing new is found.
  const auto marked = [&](pid_t pid) {
    if (pid == self_) return true;
    for (std::size_t i = 0; i < count; ++i) {
      if (entries_[i].pid == pid) return entries_[i].descendant;
    }
    return false;
  };
  for (bool found = true; found;) {
    found = false;
    for (std::size_t i = 0; i < count; ++i) {
      Entry& entry = entries_[i];
      if (!entry.descendant && entry.pid != self_ && marked(entry.parent)) found = entry.descendant = true;
    }
  }
  return count;
}

std::size_t ProcessTree::signal_descendants(int signal) noexcept {
  std::size_t signaled = 0;
  for_each_descendant([&](pid_t pid) { signaled += ::kill(pid, signal) == 0; });
  return signaled;
}

std::size_t ProcessTree::resident_bytes() noexcept {
  const std::size_t count = look();
  std::size_t pages = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (entries_[i].descendant) pages += entries_[i].pages;
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void ProcessTree::name_of(pid_t pid, const char* rest, char (&path)[32]) noexcept {
  char digits[12];
  std::size_t count = 0;
  for (; pid > 0; pid /= 10) digits[count++] = static_cast<char>('0' + pid % 10);
  char* to = path;
  while (count > 0) *to++ = digits[--count];
  std::strncpy(to, rest, 16);
  path[31] = '\0';
}

}  // namespace hone::os
