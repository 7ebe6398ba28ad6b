#include "tool/page/server/page_server.h"

#include <chrono>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>

#include "cache/digest.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/page/page.h"

namespace hone::page {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr auto fresh_for = std::chrono::seconds(1);

// What is shown now, and its digest.
class Shown {
 public:
  explicit Shown(const std::function<std::string()>& make) : make_(make) {}

  std::pair<std::string, std::string> now() {
    const std::lock_guard guard(mutex_);
    const auto time = std::chrono::steady_clock::now();
    if (tag_.empty() || time > made_ + fresh_for) {
      json_ = make_();
      tag_ = '"' + cache::sha256(json_) + '"';
      made_ = std::chrono::steady_clock::now();
    }
    return {json_, tag_};
  }

 private:
  const std::function<std::string()>& make_;
  std::mutex mutex_;
  std::string json_, tag_;
  std::chrono::steady_clock::time_point made_;
};

// By every name that a browser on this machine may have used. Who follows a link from elsewhere reads it himself; the
// page with the link does not.
bool is_for_us(const httplib::Request& request, int port) {
  const std::string host = request.get_header_value("Host");
  const bool ours = host == fmt::format("{}:{}", loopback, port) || host == fmt::format("localhost:{}", port);
  const std::string site = request.get_header_value("Sec-Fetch-Site");
  const bool followed_link = request.get_header_value("Sec-Fetch-Mode") == "navigate";
  return ours && (site.empty() || site == "none" || site == "same-origin" || followed_link);
}

void answer(httplib::Response& response, const std::string& text, const char* type) {
  response.set_header("Cache-Control", "no-store");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("X-Frame-Options", "DENY");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  response.set_content(text, type);
}

}  // namespace

Result<void> serve(const ServeOptions& options, const std::function<std::string()>& json,
                   const std::function<void(const std::string& address)>& listening, std::stop_token stop) {
  Shown shown(json);
  httplib::Server server;
  int port = options.port;
  server.set_keep_alive_max_count(1);  // else stopping waits for connections that nobody uses
  // Else the library lets several programs share a port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_pre_routing_handler([&](const httplib::Request& request, httplib::Response& response) {
    if (is_for_us(request, port)) return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    answer(response, "this report is for this machine's own browser, at the address that hone printed\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
    answer(response, html(shown.now().first, Use::served), "text/html; charset=utf-8");
  });
  server.Get("/report.json", [&](const httplib::Request& request, httplib::Response& response) {
    const auto [text, tag] = shown.now();
    response.set_header("ETag", tag);
    if (request.get_header_value("If-None-Match") == tag)
      response.status = 304;
    else
      answer(response, text, "application/json");
  });
  const bool bound = port ? server.bind_to_port(loopback, port) : (port = server.bind_to_any_port(loopback)) > 0;
  if (!bound)
    return coded_failure(DiagnosticCode::port_taken, "cannot listen there",
                         fmt::format("{}:{}", loopback, options.port),
                         "another program may: leave --port out, and any free one is taken");
  std::jthread answering([&] { server.listen_after_bind(); });
  while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  listening(fmt::format("http://{}:{}/", loopback, port));
  const std::stop_callback stopping(stop, [&] { server.stop(); });
  answering.join();
  return {};
}

}  // namespace hone::page
