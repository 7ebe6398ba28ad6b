// Runs the real hone-tool as a person would, and lets a test send it signals while it runs.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hone {

struct Ended {
  int code = -1;   // exit status
  int signal = 0;  // that killed it
  std::string out;
  std::string err;
};

class Program {
 public:
  // In `folder`, with XDG_CACHE_HOME=<folder>/cache; output is collected in files there.
  Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
          const std::string& input = {});
  ~Program();
  Program(const Program&) = delete;

  pid_t pid() const { return pid_; }
  void send(int signal) const;
  Ended wait();

  // Until `done` is true or the program has ended by itself; false then.
  bool run_until(const std::function<bool()>& done);

 private:
  bool ended();

  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool reaped_ = false;
};

inline Ended run(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                 const std::string& input = {}) {
  return Program(folder, arguments, input).wait();
}

}  // namespace hone
