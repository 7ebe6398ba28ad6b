#include "tests/projects/pseudo_terminal.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace hone::tests {

PseudoTerminal::PseudoTerminal(const std::vector<std::string>& command, const std::filesystem::path& directory,
                               const std::vector<std::string>& environment, unsigned short columns,
                               unsigned short rows) {
  winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
  if (pid_ != 0) return;
  if (chdir(directory.c_str()) != 0) _exit(126);
  for (const char* name : {"COLUMNS", "LINES", "NO_COLOR", "MAKEFLAGS", "HONE_MODE"}) unsetenv(name);
  setenv("TERM", "xterm", 1);
  for (const std::string& variable : environment) {
    const std::size_t sign = variable.find('=');
    setenv(variable.substr(0, sign).c_str(), variable.substr(sign + 1).c_str(), 1);
  }
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

PseudoTerminal::~PseudoTerminal() {
  close(terminal_);  // hangs up whatever still runs there
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void PseudoTerminal::type(const std::string& keys) const {
  if (write(terminal_, keys.data(), keys.size()) < 0) std::abort();
}

void PseudoTerminal::resize(unsigned short columns, unsigned short rows) const {
  const winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(terminal_, TIOCSWINSZ, &size);
}

bool PseudoTerminal::read_some(std::chrono::milliseconds patience) {
  pollfd ready{terminal_, POLLIN, 0};
  if (poll(&ready, 1, static_cast<int>(patience.count())) <= 0) return true;
  char bytes[4096];
  const ssize_t got = read(terminal_, bytes, sizeof bytes);
  if (got <= 0) return open_ = false;
  output_.append(bytes, static_cast<std::size_t>(got));
  return true;
}

bool PseudoTerminal::wait_for(const std::string& text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  for (;;) {
    if (const std::size_t at = output_.find(text, found_); at != std::string::npos) {
      found_ = at + text.size();
      return true;
    }
    if (!open_ || std::chrono::steady_clock::now() > end) return false;
    read_some(std::chrono::milliseconds(100));
  }
}

int PseudoTerminal::wait() {
  while (open_ && read_some(std::chrono::milliseconds(100))) continue;
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<std::string> PseudoTerminal::screen_after(std::size_t bytes) const {
  std::vector<std::string> lines(1);
  std::size_t row = 0, column = 0;
  for (std::size_t at = 0; at < bytes; ++at) {
    const char c = output_[at];
    if (c == '\r') {
      column = 0;
    } else if (c == '\n') {
      if (++row == lines.size()) lines.emplace_back();
    } else if (c == '\x1b' && output_.compare(at, 2, "\x1b[") == 0) {
      const std::size_t end = output_.find_first_not_of("0123456789;", at + 2);
      const std::size_t count = std::strtoul(output_.c_str() + at + 2, nullptr, 10);
      if (output_[end] == 'A') row -= std::min(row, count);
      if (output_[end] == 'J') {
        lines.resize(row + 1);
        lines[row].resize(std::min(lines[row].size(), column));
      }
      at = end;
    } else {
      lines[row].resize(std::max(lines[row].size(), column + 1), ' ');
      lines[row][column++] = c;
    }
  }
  std::erase_if(lines, [](const std::string& line) { return line.find_first_not_of(' ') == std::string::npos; });
  return lines;
}

}  // namespace hone::tests
