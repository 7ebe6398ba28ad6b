#include "tests/executor/slurm_cluster.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "tests/llm/loopback_port.h"
#include "tool/os/process/environment.h"

namespace hone::executor {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// Debian has the daemons where a user's PATH does not lead.
constexpr const char* search_path = "/usr/sbin:/sbin:/usr/local/sbin:/usr/bin:/bin:/usr/local/bin";

std::string daemon(const std::string& name) {
  return os::find_installed_program(name, search_path).value_or("");
}

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  const std::string whole = name;
  return whole.substr(0, whole.find('.'));
}

std::string user_name() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry ? entry->pw_name : std::to_string(::geteuid());
}

// `slow` and `again` give way to `quick`, and jobs of `again` would be queued once more, if they could be. A file that
// is there for everybody stands for a GPU.
constexpr const char* configuration = R"(ClusterName=hone
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmUser={user}
SlurmdUser={user}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthInfo=socket={folder}/munge.sock
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
GresTypes=gpu
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
ReturnToService=2
PropagateResourceLimits=NONE
SwitchType=switch/none
MpiDefault=none
KillWait=1
SlurmdParameters=config_overrides
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
{nodes}
PartitionName=slow Nodes=node[1-{count}] Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=again Nodes=node[1-{count}] MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE
PartitionName=brief Nodes=node[1-{count}] MaxTime=10 State=UP PriorityTier=1
PartitionName=quick Nodes=node[1-{count}] MaxTime=INFINITE State=UP PriorityTier=9 PreemptMode=OFF
)";

// The first one has a device, and a feature.
std::string node_lines(unsigned count) {
  std::string lines;
  for (unsigned number = 1; number <= count; ++number)
    lines += fmt::format("NodeName=node{} NodeAddr=127.0.0.1 NodeHostname={} Port={} CPUs=1 RealMemory=1000{}\n",
                         number, host_name(), llm::free_port(), number == 1 ? " Gres=gpu:fake:1 Feature=fast" : "");
  return lines;
}

void write(const fs::path& file, const std::string& text) {
  if (!os::write_file_atomically(file, text)) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

std::string SlurmCluster::missing() {
  for (const char* name : {"munged", "slurmctld", "slurmd", "srun"})
    if (daemon(name).empty()) return fmt::format("{} is not installed", name);
  return "";
}

SlurmCluster::SlurmCluster(unsigned count, Nodes nodes)
    : count_(count), folder_(os::TemporaryFolder::create("hone-slurm-test").value()) {
  const fs::path folder = folder_.path();
  fs::create_directory(folder / "state");
  for (unsigned number = 1; number <= count; ++number)
    fs::create_directory(folder / fmt::format("spool-node{}", number));
  std::string key(64, '\0');
  std::random_device entropy;
  for (char& byte : key) byte = static_cast<char>(entropy());
  write(folder / "key", key);
  ::chmod((folder / "key").c_str(), 0600);
  write(folder / "gres.conf", "NodeName=node1 Name=gpu Type=fake File=/dev/null\n");
  write(folder / "slurm.conf",
        fmt::format(fmt::runtime(configuration), fmt::arg("host", host_name()), fmt::arg("user", user_name()),
                    fmt::arg("folder", folder.string()), fmt::arg("control", llm::free_port()),
                    fmt::arg("nodes", node_lines(count)), fmt::arg("count", count)));
  ::setenv("SLURM_CONF", (folder / "slurm.conf").c_str(), 1);
  const auto in = [&](const char* name) { return (folder / name).string(); };
  start("munged", {"--foreground", "--force", "--socket", in("munge.sock"), "--key-file", in("key"), "--log-file",
                   in("munge.log"), "--pid-file", in("munge.pid"), "--seed-file", in("seed")});
  for (int i = 0; i < 500 && !fs::exists(folder / "munge.sock"); ++i) std::this_thread::sleep_for(10ms);
  start("slurmctld", {"-D", "-c"});
  for (unsigned number = 1; number <= count; ++number) {
    const std::string node = fmt::format("node{}", number);
    std::vector<std::string> words{daemon("slurmd"), "-D", "-N", node};
    if (nodes == Nodes::apart)
      words = {"unshare", ::geteuid() == 0 ? "-m" : "-Urm", "/bin/sh", "-c",
               fmt::format("mount -t tmpfs none /tmp && exec taskset -c {} {} -D -N {}", number - 1, words[0], node)};
    daemons_.insert_or_assign(node, os::spawn({.arguments = words}).value());
  }
  for (int i = 0; i < 300; ++i) {
    if (are_nodes_up()) return;
    std::this_thread::sleep_for(50ms);
  }
  throw std::runtime_error("Slurm does not come up: " + os::read_file(folder / "slurmctld.log").value_or(""));
}

SlurmCluster::~SlurmCluster() {
  ask({"scancel", "--user=" + user_name(), "--signal=KILL"});
  for (unsigned number = 1; number <= count_; ++number) daemons_.erase(fmt::format("node{}", number));
  for (const char* name : {"slurmctld", "munged"}) daemons_.erase(name);
  ::unsetenv("SLURM_CONF");
}

void SlurmCluster::start(const std::string& name, const std::vector<std::string>& command) {
  std::vector<std::string> words{daemon(name)};
  words.insert(words.end(), command.begin(), command.end());
  daemons_.insert_or_assign(name, os::spawn({.arguments = words}).value());
}

bool SlurmCluster::are_nodes_up() const {
  const std::string states = ask({"sinfo", "--noheader", "--Node", "--partition=slow", "--format=%t"});
  std::string idle;
  for (unsigned number = 1; number <= count_; ++number) idle += "idle\n";
  return states == idle;
}

std::string SlurmCluster::ask(const std::vector<std::string>& command) const {
  os::PosixProcessRunner runner;
  const auto exit = runner.run({.arguments = command, .timeout = 10s});
  return exit ? exit->out : "";
}

bool SlurmCluster::comes_to_have_no_jobs(std::chrono::seconds limit) const {
  for (const auto end = std::chrono::steady_clock::now() + limit; std::chrono::steady_clock::now() < end;) {
    if (ask({"squeue", "--noheader"}).empty()) return true;
    std::this_thread::sleep_for(50ms);
  }
  return false;
}

}  // namespace hone::executor
