// An HTTP server on this machine that says byte for byte what a test wants, politely or not.
//
// Each connection has a thread. The n-th request gets the n-th answer, the last answer all further ones.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tool/os/files/descriptor.h"

namespace hone::llm {

struct Received {
  std::string line;                            // "POST /v1/messages HTTP/1.1"
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class LoopbackServer {
 public:
  // What an answer can do to a connection.
  class Talk {
   public:
    bool send(const std::string& bytes);  // false: the client is gone
    void wait_until_left();               // until the client has gone, or the server ends
    void reset();                         // ends the connection with RST
    void close();                         // ends it

   private:
    friend class LoopbackServer;
    LoopbackServer* server = nullptr;
    int socket = -1;
    bool over = false;
  };
  using Answer = std::function<void(Talk&)>;

  explicit LoopbackServer(std::vector<Answer> answers);
  ~LoopbackServer();
  std::string url(const std::string& path = "") const;
  std::vector<Received> received() const;
  int clients_that_left() const { return left_; }

 private:
  void accept_all();
  void serve(int socket);
  bool read_request(int socket, std::string& buffered);

  std::vector<Answer> answers_;
  os::Descriptor listener_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Received> received_;
  std::atomic<int> left_ = 0;
  std::atomic<bool> ending_ = false;
  std::list<std::thread> threads_;
  std::thread acceptor_;
};

// A whole answer with its length; the connection is kept.
LoopbackServer::Answer answer(int status, const std::string& body, const std::string& headers = "");

// What a model's server says when all is well.
std::string openai_reply(const std::string& text);
std::string anthropic_reply(const std::string& text);

}  // namespace hone::llm
