// The report's server, asked as a browser asks it, and as a page elsewhere would.
#include "tool/page/server/page_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "tool/os/http/blocking.h"

namespace hone::page {
namespace {

using testing::HasSubstr;
using testing::Not;

class PageServer : public testing::Test {
 protected:
  PageServer() {
    std::promise<std::string> address;
    thread_ = std::jthread([this, &address](std::stop_token stop) {
      served_ = serve(
          {}, [this] { return "{\"report\": 1, \"made\": " + std::to_string(++made_) + "}"; },
          [&](const std::string& at) { address.set_value(at); }, stop);
    });
    address_ = address.get_future().get();
  }
  ~PageServer() override {
    thread_.request_stop();
    thread_.join();
    EXPECT_TRUE(served_);
  }

  os::HttpResponse get(const std::string& path, std::vector<os::HttpHeader> headers = {}) {
    os::HttpRequest request;
    request.url = address_ + path;
    request.headers = std::move(headers);
    const os::HttpOutcome outcome = os::ask(transport_, request);
    const auto* response = std::get_if<os::HttpResponse>(&outcome);
    return response ? *response : os::HttpResponse{};
  }

  std::atomic<int> made_ = 0;
  Result<void> served_;
  std::string address_;
  os::CurlHttpTransport transport_;
  std::jthread thread_;
};

TEST_F(PageServer, IsOnThisMachineAlone) {
  EXPECT_THAT(address_, testing::StartsWith("http://127.0.0.1:"));
}

TEST_F(PageServer, GivesPageThatAsksForMore) {
  const os::HttpResponse page = get("");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("data-live"));
  EXPECT_THAT(page.body, HasSubstr("\"made\": 1"));
}

TEST_F(PageServer, GivesNewDataAndNoneWhereNothingIsNew) {
  const os::HttpResponse first = get("report.json");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(get("report.json", {{"If-None-Match", first.headers.at("etag")}}).status, 304);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  const os::HttpResponse later = get("report.json", {{"If-None-Match", first.headers.at("etag")}});
  EXPECT_EQ(later.status, 200);
  EXPECT_NE(later.body, first.body);
}

TEST_F(PageServer, RefusesWhatWasMeantForAnotherHost) {
  const os::HttpResponse rebound = get("report.json", {{"Host", "evil.example"}});
  EXPECT_EQ(rebound.status, 403);
  EXPECT_THAT(rebound.body, Not(HasSubstr("report\": 1")));
  EXPECT_EQ(get("", {{"Host", "127.0.0.1:1"}}).status, 403);
}

TEST_F(PageServer, RefusesAnotherSitesPage) {
  EXPECT_EQ(get("report.json", {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
  EXPECT_EQ(get("report.json", {{"Sec-Fetch-Site", "same-origin"}}).status, 200);
}

TEST_F(PageServer, HasNothingElse) {
  EXPECT_EQ(get("hone.lock").status, 404);
  EXPECT_EQ(get("../../etc/passwd").status, 404);
}

TEST_F(PageServer, SaysThatPortIsTaken) {
  const int port = std::stoi(address_.substr(address_.rfind(':') + 1));
  const auto second = serve(
      {port}, [] { return ""; }, [](const std::string&) { FAIL() << "it listens"; }, {});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message(), HasSubstr("cannot listen there"));
}

}  // namespace
}  // namespace hone::page
