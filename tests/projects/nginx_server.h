// Test vocabulary: a real nginx on loopback, as an ordinary user, with the configuration that docs/cache.md prints.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace hone::tests {

class NginxServer {
 public:
  explicit NginxServer(std::filesystem::path folder);  // emptied
  ~NginxServer() { stop(); }
  NginxServer(const NginxServer&) = delete;

  static bool is_here();

  // "" or why it does not answer. `tls`: " ssl", `more`: what belongs to it.
  std::string start(const std::string& tls = "", const std::string& more = "");
  void stop();

  std::filesystem::path folder() const { return folder_; }
  std::filesystem::path root() const { return folder_ / "root"; }
  int port() const { return port_; }
  std::vector<std::string> reader() const;  // environments
  std::vector<std::string> writer() const;

 private:
  void configure(const std::string& tls, const std::string& more) const;

  std::filesystem::path folder_;
  int port_ = 0;
  pid_t process_ = -1;
};

}  // namespace hone::tests
