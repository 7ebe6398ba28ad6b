// Connections that go wrong.
#include <gmock/gmock.h>

#include "provider_bench.h"

namespace hone::llm {
namespace {
using namespace std::chrono_literals;
using testing::HasSubstr;

using Talk = LoopbackServer::Talk;
const std::string ok = "HTTP/1.1 200 OK\r\n";

struct BadConnection : EitherProvider {};
INSTANTIATE_TEST_SUITE_P(Providers, BadConnection, either_provider, provider_name);

TEST_P(BadConnection, TimesOutOnSilence) {
  model.timeout = 400ms;
  const Failure got = failure({[](Talk& talk) { talk.wait_until_left(); }});
  EXPECT_EQ(got.kind, FailureKind::timeout);
  EXPECT_FALSE(got.ends_the_run);
  EXPECT_EQ(got.attempts, 1);
  EXPECT_GT(got.spent.output_tokens, 0) << "it may have been generated";
}

TEST_P(BadConnection, TimesOutOnSilenceWithinBody) {
  model.timeout = 400ms;
  EXPECT_EQ(failure({[](Talk& talk) {
              talk.send(ok + "Content-Length: 100\r\n\r\n{\"choices\"");
              talk.wait_until_left();
            }}).kind,
            FailureKind::timeout);
}

TEST_P(BadConnection, TimesOutOnTrickle) {
  model.timeout = 400ms;
  EXPECT_EQ(failure({[](Talk& talk) {
              talk.send(ok + "Content-Length: 100000\r\n\r\n");
              while (talk.send(" ")) std::this_thread::sleep_for(5ms);
            }}).kind,
            FailureKind::timeout);
}

TEST_P(BadConnection, DiscardsLateReply) {
  model.timeout = 400ms;
  EXPECT_EQ(failure({[](Talk& talk) {
              talk.wait_until_left();
              answer(200, said("late"))(talk);
            }}).kind,
            FailureKind::timeout);
}

TEST_P(BadConnection, DoesNotDelayOtherCalls) {
  model.timeout = 30s;
  serve({[](Talk& talk) { talk.wait_until_left(); }, answer(200, said("quick"))});
  auto hung = ask();
  while (requests() < 1) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(reply_of(ask()).text, "quick");
  EXPECT_EQ(hung.wait_for(0ms), std::future_status::timeout);
  client.reset();
  EXPECT_EQ(failure_of(std::move(hung)).kind, FailureKind::canceled);
}

TEST_P(BadConnection, EndsWhenCallIsStopped) {
  serve({[](Talk& talk) { talk.wait_until_left(); }});
  std::stop_source stop;
  auto outcome = client->submit(asking("x"), stop.get_token());
  while (requests() < 1) std::this_thread::sleep_for(1ms);
  stop.request_stop();
  EXPECT_EQ(failure_of(std::move(outcome)).kind, FailureKind::canceled);
  while (server->clients_that_left() < 1) std::this_thread::sleep_for(1ms);
}

TEST_P(BadConnection, IsRetriedAfterReset) {
  const Reply got = reply({[](Talk& talk) { talk.reset(); }, answer(200, said("then"))});
  EXPECT_EQ(got.attempts, 2);
  EXPECT_TRUE(got.usage.estimated) << "the first attempt may have cost something";
  EXPECT_GT(got.usage.input_tokens, 1000);
}

TEST_P(BadConnection, IsRetriedAfterResetWithinBody) {
  EXPECT_EQ(reply({[](Talk& talk) {
                     talk.send(ok + "Content-Length: 1000\r\n\r\n{");
                     talk.reset();
                   },
                   answer(200, said("then"))})
                .text,
            "then");
}

TEST_P(BadConnection, FailsOnGarbageInsteadOfHttp) {
  for (const std::string& garbage :
       {std::string("\0\1\2\3garbage", 11), std::string("SSH-2.0-OpenSSH_9.2\r\n"), std::string("HTTP/9.9 200\r\n\r\n"),
        ok + "Transfer-Encoding: chunked\r\n\r\nzzzz\r\nnot a chunk", ok + "Content-Length: -5\r\n\r\n{}",
        ok + "Content-Length: 99999999999999999999999\r\n\r\n{}"}) {
    const Failure got = failure({[garbage](Talk& talk) {
      talk.send(garbage);
      talk.reset();
    }});
    EXPECT_THAT(got.kind, testing::AnyOf(FailureKind::exhausted, FailureKind::malformed, FailureKind::too_large))
        << garbage << got.what;
    EXPECT_FALSE(got.ends_the_run);
  }
}

LoopbackServer::Answer endless(const std::string& start, const std::string& piece) {
  return [=](Talk& talk) {
    if (talk.send(start)) {
      while (talk.send(piece)) {
      }
    }
    talk.reset();
  };
}

TEST_P(BadConnection, CutsOffLongBody) {
  model.reply_bytes = 1 << 20;
  const Failure got = failure({endless(ok + "Content-Length: 104857600\r\n\r\n", std::string(1 << 16, 'x'))});
  EXPECT_EQ(got.kind, FailureKind::too_large);
  EXPECT_EQ(got.attempts, 1);
  EXPECT_THAT(got.what, HasSubstr("1048576 bytes"));
}

TEST_P(BadConnection, CutsOffEndlessChunks) {
  model.reply_bytes = 1 << 20;
  EXPECT_EQ(
      failure({endless(ok + "Transfer-Encoding: chunked\r\n\r\n", "1000\r\n" + std::string(0x1000, ' ') + "\r\n")})
          .kind,
      FailureKind::too_large);
}

TEST_P(BadConnection, CutsOffEndlessHeaders) {
  const Failure got = failure({endless(ok, "X-More: " + std::string(1000, 'x') + "\r\n")});
  EXPECT_THAT(got.kind, testing::AnyOf(FailureKind::too_large, FailureKind::exhausted));
}

TEST_P(BadConnection, SkipsInterimResponse) {
  EXPECT_EQ(reply({[](Talk& talk) {
              talk.send("HTTP/1.1 103 Early Hints\r\nRetry-After: 9999\r\n\r\n");
              answer(200, said("real"))(talk);
            }}).text,
            "real");
}

TEST_P(BadConnection, AcceptsReplyThatEndsByClosing) {
  EXPECT_EQ(reply({[](Talk& talk) {
              talk.send("HTTP/1.0 200 OK\r\n\r\n" + said("old"));
              talk.close();
            }}).text,
            "old");
}

// Nothing is asked for compressed, so nothing is ever decompressed: a bomb stays as small as it was sent.
TEST_P(BadConnection, DoesNotDecompressReply) {
  const std::string zeros("\x1f\x8b\x08\0\0\0\0\0\0\3\x63\0\0\0", 14);
  EXPECT_EQ(failure({answer(200, zeros, "Content-Encoding: gzip\r\n")}).kind, FailureKind::malformed);
  EXPECT_FALSE(server->received().at(0).headers.contains("accept-encoding"));
}

struct UnreachableProvider : ProviderBench {
  Failure failure_at(const std::string& endpoint) {
    model.endpoint = endpoint;
    Settings settings;
    settings.models = {model};
    client = make_client(settings, {http, processes, clock}, environment).value();
    return failure_of(ask());
  }
};

TEST_F(UnreachableProvider, EndsRunIfNoServerListens) {
  std::string url;
  {
    const LoopbackServer gone({answer(200, "")});
    url = gone.url();
  }
  const Failure got = failure_at(url);
  EXPECT_EQ(got.kind, FailureKind::unreachable);
  EXPECT_TRUE(got.ends_the_run);
  EXPECT_EQ(got.attempts, 1);
  EXPECT_THAT(got.what, HasSubstr(url));
}

TEST_F(UnreachableProvider, EndsRunIfHostIsUnknown) {
  const Failure got = failure_at("https://no-such-host.invalid/v1");
  EXPECT_EQ(got.kind, FailureKind::unreachable);
  EXPECT_TRUE(got.ends_the_run);
  EXPECT_THAT(got.what, HasSubstr("no-such-host.invalid"));
}

TEST_F(UnreachableProvider, EndsRunIfServerLacksTls) {
  serve({answer(200, openai_reply("x"))});
  const Failure got = failure_at("https" + server->url().substr(4));
  EXPECT_EQ(got.kind, FailureKind::unreachable);
  EXPECT_TRUE(got.ends_the_run);
  EXPECT_TRUE(server->received().empty());
}

TEST_F(UnreachableProvider, IsRejectedIfPlainHttpWouldCarryKey) {
  model.endpoint = "http://192.0.2.1/v1";
  Settings settings;
  settings.models = {model};
  const auto made = make_client(settings, {http, processes, clock}, environment);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("plain http"));
}

}  // namespace
}  // namespace hone::llm
