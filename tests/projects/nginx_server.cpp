#include "tests/projects/nginx_server.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "tests/llm/loopback_port.h"
#include "tests/replaced_text.h"
#include "tool/os/files/files.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;

std::string binary() {
  for (const char* path : {"/usr/sbin/nginx", "/usr/bin/nginx"})
    if (fs::exists(path)) return path;
  return "";
}

// The block of docs/cache.md.
std::string documented_configuration() {
  const std::string page = os::read_file(HONE_SOURCE "/docs/cache.md").value_or("");
  const std::size_t begin = page.find("```nginx\n");
  EXPECT_NE(begin, page.npos);
  return begin == page.npos ? "" : page.substr(begin + 9, page.find("```", begin + 9) - begin - 9);
}

}  // namespace

NginxServer::NginxServer(fs::path folder) : folder_(std::move(folder)) {
  fs::remove_all(folder_);
  fs::create_directories(root());
}

bool NginxServer::is_here() {
  return !binary().empty();
}

std::vector<std::string> NginxServer::reader() const {
  return {"HONE_CACHE_URL=http://127.0.0.1:" + std::to_string(port_)};
}

std::vector<std::string> NginxServer::writer() const {
  return {reader().front(), "HONE_CACHE_TOKEN=CHANGE-ME"};
}

void NginxServer::configure(const std::string& tls, const std::string& more) const {
  std::string site = test::replaced(documented_configuration(), "listen 8080;",
                                    "listen 127.0.0.1:" + std::to_string(port_) + tls + ";" + more);
  site = test::replaced(site, "root /srv/hone", "root \"" + root().string() + "\"");
  std::ofstream file(folder_ / "nginx.conf");
  file << "daemon off; master_process off; pid \"" << (folder_ / "pid").string() << "\"; error_log stderr;\n"
       << "events {}\nhttp {\naccess_log \"" << (folder_ / "access").string() << "\";\n";
  for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
    file << kind << "_temp_path \"" << (folder_ / kind).string() << "\";\n";
  file << site << "}\n";
}

std::string NginxServer::start(const std::string& tls, const std::string& more) {
  port_ = llm::free_port();
  configure(tls, more);
  const std::string program = binary(), prefix = folder_.string(), log = folder_ / "log";
  process_ = ::fork();
  if (process_ == 0) {
    (void)!::freopen(log.c_str(), "w", stderr);
    ::execl(program.c_str(), "nginx", "-p", prefix.c_str(), "-e", "stderr", "-c", "nginx.conf", nullptr);
    ::_exit(127);
  }
  for (int look = 0; look < 500 && process_ > 0; ++look) {
    if (llm::is_answering(port_)) return "";
    if (::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return "nginx does not answer: " + os::read_file(log).value_or("");
}

void NginxServer::stop() {
  if (process_ <= 0) return;
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

}  // namespace hone::tests
