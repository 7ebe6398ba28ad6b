// Stands in for `hone-worker --serve` where a test needs one that misbehaves. It runs nothing.
//
//     pretend_server LOG KIND MILLISECONDS [MISDEED [MARKER]] --serve
//
// Each bundle takes so long and is found wrong, "by KIND". LOG gets a line for each start, bundle and end. KIND may be
// "node": the name of Slurm's node. The misdeed is done at the first bundle (or before the hello): once where a MARKER
// is named, a folder that the first to do it makes; else always.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "tool/bundle/answer.h"
#include "tool/bundle/service.h"

namespace {

using namespace hone;

std::vector<std::string> words;

std::string word(std::size_t index) {
  return index < words.size() ? words[index] : "";
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

void log(const std::string& line) {
  std::ofstream(word(0), std::ios::app) << line + '\n';
}

bool does(const std::string& misdeed) {
  return word(3) == misdeed && (word(4).empty() || mkdir(word(4).c_str(), 0700) == 0);
}

void say(const std::string& text) {
  std::cout << text << std::flush;
}

std::string kind() {
  return word(1) == "node" ? variable("SLURMD_NODENAME") : word(1);
}

std::string verdict(const std::string& bytes) {
  bundle::Answer answer;
  answer.stage = Stage::verify;
  answer.reason = "wrong by " + kind();
  answer.machine = kind();
  return bundle::serialize_answer(answer, bytes) + '\n';
}

// As srun passes it on from a node.
[[noreturn]] void is_canceled(const std::string& why) {
  std::cerr << "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n"
            << "slurmstepd-node1: error: *** STEP 11.0 ON node1 CANCELLED AT 2026-11-28T00:36:48 DUE TO " << why
            << " ***\nsrun: error: node1: task 0: Terminated\n";
  _exit(143);
}

void judge(const std::string& bytes) {
  static int judged = 0;
  log("bundle " + bundle::fingerprint(bytes) + ' ' + kind());
  if (does("be preempted")) is_canceled("PREEMPTION");
  if (does("time out")) is_canceled("TIME LIMIT");
  if (++judged > 1 && does("time out later")) is_canceled("TIME LIMIT");
  if (does("die")) _exit(9);
  if (does("hang")) std::this_thread::sleep_for(std::chrono::hours(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(word(2))));
  if (does("babble")) return say("Segmentation fault\n");
  if (does("mistake")) return say(verdict(bytes + "of another"));
  if (does("lie")) return say("{\"bundle\":\"" + bundle::fingerprint(bytes) + "\",\"verdict\":{\"right\":true}}\n");
  if (does("refuse")) return say(bundle::write_refusal(bundle::fingerprint(bytes), "its device is gone"));
  say(verdict(bytes));
}

}  // namespace

int main(int argc, char** argv) {
  words.assign(argv + 1, argv + argc - 1);  // without --serve
  log("start " + variable("SLURM_JOB_ID") + ' ' + variable("CUDA_VISIBLE_DEVICES"));
  if (does("stay away")) {
    std::cerr << "no room for you\n";
    return 7;
  }
  if (does("greet in words")) say("Welcome to this machine!\n\n");
  say(bundle::write_hello({kind(), {}, variable("SLURM_JOB_ID"), variable("SLURMD_NODENAME")}));
  std::jthread pulse([](std::stop_token stop) {
    for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(100)))
      if (word(3) != "hang") say("\n");
  });
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty()) continue;
    const auto header = bundle::read_frame_header(line);
    if (!header) return 3;
    std::string bytes(header->bytes, '\0');
    std::cin.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    judge(bytes);
  }
  log("end");
  _exit(0);
}
