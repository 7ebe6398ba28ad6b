// What sandboxed code might try, one deed per name, for the tests: exits 0 when the deed was done, else with 1 and the
// reason on stdout.
#include <fcntl.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

int outcome(bool done) {
  if (done) return 0;
  std::printf("%s\n", std::strerror(errno));
  return 1;
}

std::string argument;

int sleep_long() {
  return ::sleep(1000), 0;
}

// A grandchild in a session of its own, that holds a lock beside the file named by the argument; its pid goes there.
int leave_daemon() {
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      ::flock(::open((argument + ".lock").c_str(), O_RDWR | O_CREAT, 0666), LOCK_EX);
      if (std::FILE* file = std::fopen((argument + ".tmp").c_str(), "w")) {
        std::fprintf(file, "%d", ::getpid());
        std::fclose(file);
      }
      std::rename((argument + ".tmp").c_str(), argument.c_str());
      for (;;) ::sleep(1000);
    }
    ::_exit(0);
  }
  ::wait(nullptr);
  while (::access(argument.c_str(), F_OK) != 0) ::usleep(1000);
  return 0;
}

int leave_daemon_and_stay() {
  return leave_daemon(), sleep_long();
}

// Ends only when it is ended; refused forks are tried again.
int fork_bomb() {
  for (;;) {
    if (::fork() < 0) ::usleep(1000);
  }
}

int fork_once() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  return outcome(child > 0);
}

int start_thread() {
  pthread_t thread;
  errno = ::pthread_create(
      &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  if (errno != 0) return outcome(false);
  ::pthread_join(thread, nullptr);
  return 0;
}

int hog_memory() {
  for (std::size_t total = 0; total < std::size_t{1} << 36; total += 16 << 20) {
    void* block = std::malloc(16 << 20);
    if (block == nullptr) return outcome(false);
    std::memset(block, 1, 16 << 20);
  }
  return 0;
}

int hog_shared_memory() {
  void* block = ::mmap(nullptr, std::size_t{1} << 32, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return outcome(block != MAP_FAILED);
}

int fill_disk() {
  ::signal(SIGXFSZ, SIG_IGN);
  const int file = ::open(argument.c_str(), O_WRONLY | O_CREAT, 0600);
  if (file < 0) return outcome(false);
  static char block[1 << 20];
  for (int i = 0; i < 64; ++i) {
    if (::write(file, block, sizeof block) <= 0) return outcome(false);
  }
  return 0;
}

// Many files, each small: no limit per file is met.
int fill_disk_with_files() {
  static char block[1 << 20];
  for (int i = 0; i < 4096; ++i) {
    const int file = ::open((argument + "/" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0600);
    if (file < 0) return outcome(false);
    (void)!::write(file, block, sizeof block);
    ::close(file);
  }
  return 0;
}

// Files without a name, which no look into the folder finds.
int fill_disk_with_unlinked_files() {
  static char block[1 << 20];
  for (int i = 0; i < 4096; ++i) {
    const int file = ::open((argument + "/nameless").c_str(), O_WRONLY | O_CREAT, 0600);
    ::unlink((argument + "/nameless").c_str());
    if (file < 0) ::usleep(10'000);  // no more descriptors: keeps what it has
    (void)!::write(file, block, sizeof block);
  }
  return sleep_long();
}

int fill_disk_with_names() {
  for (int i = 0; i < 1'000'000; ++i) {
    const int file = ::open((argument + "/" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0600);
    if (file < 0) return outcome(false);
    ::close(file);
  }
  return 0;
}

int dig_folders() {
  if (::chdir(argument.c_str()) != 0) return outcome(false);
  for (;;) {
    if (::mkdir("d", 0700) != 0 || ::chdir("d") != 0) return sleep_long();
  }
}

int print_megabytes() {
  for (int i = 0; i < 200'000; ++i) std::puts("0123456789012345678901234567890123456789012345678");
  return 0;
}

int open_to_read() {
  return outcome(::open(argument.c_str(), O_RDONLY) >= 0);
}
int create_file() {
  return outcome(::open(argument.c_str(), O_WRONLY | O_CREAT, 0600) >= 0);
}
int use_network() {
  return outcome(::socket(AF_INET, SOCK_STREAM, 0) >= 0);
}
int use_local_socket() {
  return outcome(::socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
}
int trace() {
  return outcome(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0);
}
int mount_something() {
  return outcome(::mount("none", argument.c_str(), "tmpfs", 0, nullptr) == 0);
}
int make_namespace() {
  return outcome(::unshare(CLONE_NEWUSER) == 0);
}
int make_memory_file() {
  return outcome(::syscall(SYS_memfd_create, "x", 0) >= 0);
}
int run_program() {
  return ::execl("/bin/true", "true", nullptr), outcome(false);
}
int be_root() {
  return outcome(::setuid(0) == 0 && ::open("/etc/shadow", O_RDONLY) >= 0);
}
int signal_other() {
  return outcome(::kill(std::atoi(argument.c_str()), 0) == 0);
}
int use_keys() {
  return outcome(::syscall(SYS_add_key, "user", "a", "b", 1, -3) >= 0);
}
int use_bpf() {
  return outcome(::syscall(SYS_bpf, 0, nullptr, 0) >= 0 || errno == EINVAL || errno == EFAULT);
}
int use_ring() {
  return outcome(::syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno == EFAULT);
}
int is_first_to_go() {
  int score = 0;
  std::FILE* file = std::fopen("/proc/self/oom_score_adj", "r");
  return outcome(file != nullptr && std::fscanf(file, "%d", &score) == 1 && score == 1000);
}
int read_own_maps() {
  return outcome(std::fopen("/proc/self/maps", "r") != nullptr);
}
int overrun() {
  char* block = new char[8];
  volatile std::size_t beyond = 8;
  return block[beyond];
}
int crash() {
  return *static_cast<volatile int*>(nullptr);
}
int give_up() {
  std::abort();
}
int ignore_signals() {
  for (int number = 1; number < 32; ++number) ::signal(number, SIG_IGN);
  return sleep_long();
}
int burn_processor() {
  static volatile bool forever = true;
  while (forever) continue;
  return 0;
}

int show_environment() {
  for (char** item = environ; *item != nullptr; ++item) std::puts(*item);
  return 0;
}

int echo() {
  char block[4096];
  for (ssize_t got; (got = ::read(0, block, sizeof block)) > 0;)
    (void)!::write(1, block, static_cast<std::size_t>(got));
  return 0;
}

// Descriptors that are open, but for the one that looks.
int show_descriptors() {
  for (int number = 0; number < 1024; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) std::printf("%d ", number);
  }
  return 0;
}

int write_to_descriptor() {
  return outcome(::write(std::atoi(argument.c_str()), "hello", 5) == 5);
}

const std::map<std::string, int (*)()> deeds = {{"sleep", sleep_long},
                                                {"daemon", leave_daemon},
                                                {"daemon-and-stay", leave_daemon_and_stay},
                                                {"fork-bomb", fork_bomb},
                                                {"fork", fork_once},
                                                {"thread", start_thread},
                                                {"memory", hog_memory},
                                                {"shared-memory", hog_shared_memory},
                                                {"disk", fill_disk},
                                                {"files", fill_disk_with_files},
                                                {"unlinked-files", fill_disk_with_unlinked_files},
                                                {"names", fill_disk_with_names},
                                                {"folders", dig_folders},
                                                {"print", print_megabytes},
                                                {"read", open_to_read},
                                                {"create", create_file},
                                                {"network", use_network},
                                                {"local-socket", use_local_socket},
                                                {"trace", trace},
                                                {"mount", mount_something},
                                                {"namespace", make_namespace},
                                                {"memory-file", make_memory_file},
                                                {"exec", run_program},
                                                {"root", be_root},
                                                {"signal", signal_other},
                                                {"keys", use_keys},
                                                {"bpf", use_bpf},
                                                {"ring", use_ring},
                                                {"first-to-go", is_first_to_go},
                                                {"maps", read_own_maps},
                                                {"overrun", overrun},
                                                {"crash", crash},
                                                {"abort", give_up},
                                                {"ignore-signals", ignore_signals},
                                                {"burn", burn_processor},
                                                {"environment", show_environment},
                                                {"echo", echo},
                                                {"descriptors", show_descriptors},
                                                {"write-to", write_to_descriptor}};

}  // namespace

int main(int count, char** arguments) {
  const auto deed = count > 1 ? deeds.find(arguments[1]) : deeds.end();
  if (deed == deeds.end()) return 2;
  if (count > 2) argument = arguments[2];
  const int result = deed->second();
  std::fflush(stdout);
  return result;
}
