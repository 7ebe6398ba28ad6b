// A command on a terminal of its own, and what a person would see there.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace hone::tests {

class PseudoTerminal {
 public:
  // `environment` are NAME=VALUE beside the caller's own, with TERM=xterm.
  PseudoTerminal(const std::vector<std::string>& command, const std::filesystem::path& directory,
                 const std::vector<std::string>& environment, unsigned short columns = 100, unsigned short rows = 24);
  ~PseudoTerminal();
  PseudoTerminal(const PseudoTerminal&) = delete;

  void type(const std::string& keys) const;
  void resize(unsigned short columns, unsigned short rows) const;
  // Until `text` came after what the last call found. False: the command ended, or a minute went by.
  bool wait_for(const std::string& text);
  // The exit status, after all of the output.
  int wait();

  const std::string& output() const { return output_; }  // with all escape sequences
  // What stands on the screen in the end, or where wait_for() found the last text, without blank lines. Understands
  // what Hone writes, and nothing wraps.
  std::vector<std::string> screen() const { return screen_after(output_.size()); }
  std::vector<std::string> screen_when_found() const { return screen_after(found_); }

 private:
  std::vector<std::string> screen_after(std::size_t bytes) const;
  bool read_some(std::chrono::milliseconds patience);

  int terminal_ = -1;
  pid_t pid_ = -1;
  bool open_ = true;
  std::string output_;
  std::size_t found_ = 0;
};

}  // namespace hone::tests
