#include "loopback_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hone::llm {

bool LoopbackServer::Talk::send(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t sent = ::send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += static_cast<std::size_t>(sent);
  }
  return true;
}

void LoopbackServer::Talk::wait_until_left() {
  pollfd polled{socket, POLLRDHUP, 0};
  while (!server->ending_ && ::poll(&polled, 1, 10) == 0) {
  }
  if (polled.revents != 0) ++server->left_;
}

void LoopbackServer::Talk::reset() {
  const linger at_once{1, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  over = true;
}

void LoopbackServer::Talk::close() {
  over = true;
}

LoopbackServer::LoopbackServer(std::vector<Answer> answers)
    : answers_(std::move(answers)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* general = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_.get(), general, size) != 0 || ::listen(listener_.get(), 64) != 0 ||
      ::getsockname(listener_.get(), general, &size) != 0) {
    throw std::runtime_error("no server on the loopback interface");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

LoopbackServer::~LoopbackServer() {
  ending_ = true;
  acceptor_.join();
  for (std::thread& thread : threads_) thread.join();
}

std::string LoopbackServer::url(const std::string& path) const {
  return fmt::format("http://127.0.0.1:{}{}", port_, path);
}

std::vector<Received> LoopbackServer::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

void LoopbackServer::accept_all() {
  pollfd polled{listener_.get(), POLLIN, 0};
  while (!ending_) {
    if (::poll(&polled, 1, 10) <= 0) continue;
    const int socket = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0) threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void LoopbackServer::serve(int socket) {
  const os::Descriptor owned(socket);
  const timeval patience{0, 20'000};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string buffered;
  while (read_request(socket, buffered)) {
    std::size_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = received_.size() - 1;
    }
    Talk talk;
    talk.server = this;
    talk.socket = socket;
    answers_[std::min(number, answers_.size() - 1)](talk);
    if (talk.over) return;
  }
}

bool LoopbackServer::read_request(int socket, std::string& buffered) {
  Received request;
  std::size_t head = std::string::npos, whole = 0;
  for (;;) {
    if (head == std::string::npos && (head = buffered.find("\r\n\r\n")) != std::string::npos) {
      std::istringstream lines(buffered.substr(0, head));
      std::getline(lines, request.line);
      if (request.line.ends_with('\r')) request.line.pop_back();
      for (std::string line; std::getline(lines, line);) {
        if (line.ends_with('\r')) line.pop_back();
        std::string name = line.substr(0, line.find(':'));
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
        request.headers[name] = line.substr(std::min(line.size(), line.find(':') + 2));
      }
      whole = head + 4 + std::strtoul(request.headers["content-length"].c_str(), nullptr, 10);
    }
    if (head != std::string::npos && buffered.size() >= whole) break;
    char chunk[1 << 16];
    const ssize_t got = ::recv(socket, chunk, sizeof chunk, 0);
    if (got > 0) {
      buffered.append(chunk, static_cast<std::size_t>(got));
      if (buffered.front() == '\x16') return false;  // TLS, which is not spoken here
    } else if (got == 0 || ending_ || (errno != EAGAIN && errno != EINTR)) {
      return false;
    }
  }
  request.body = buffered.substr(head + 4, whole - head - 4);
  buffered.erase(0, whole);
  const std::lock_guard lock(mutex_);
  received_.push_back(std::move(request));
  return true;
}

LoopbackServer::Answer answer(int status, const std::string& body, const std::string& headers) {
  return [=](LoopbackServer::Talk& talk) {
    talk.send(fmt::format("HTTP/1.1 {} Said\r\nContent-Type: application/json\r\n{}Content-Length: {}\r\n\r\n{}",
                          status, headers, body.size(), body));
  };
}

std::string openai_reply(const std::string& text) {
  const nlohmann::json body{
      {"model", "served-model"},
      {"choices", {{{"message", {{"role", "assistant"}, {"content", text}}}, {"finish_reason", "stop"}}}},
      {"usage", {{"prompt_tokens", 1000}, {"completion_tokens", 500}}}};
  return body.dump();
}

std::string anthropic_reply(const std::string& text) {
  const nlohmann::json body{
      {"model", "served-claude"},
      {"content", {{{"type", "thinking"}, {"thinking", "hm"}}, {{"type", "text"}, {"text", text}}}},
      {"stop_reason", "end_turn"},
      {"usage", {{"input_tokens", 1000}, {"output_tokens", 500}}}};
  return body.dump();
}

}  // namespace hone::llm
