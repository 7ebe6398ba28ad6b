#include "tool/os/sandbox/sandbox_entry.h"

#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

#include "tool/os/sandbox/identity.h"
#include "tool/os/sandbox/landlock.h"
#include "tool/os/sandbox/namespaces.h"

namespace hone::os {

const char* to_string(Step step) {
  switch (step) {
    case Step::namespaces:
      return "enter its namespaces";
    case Step::mounts:
      return "make its file system";
    case Step::descriptors:
      return "set up its descriptors";
    case Step::directory:
      return "enter its working directory";
    case Step::limits:
      return "set its limits";
    case Step::identity:
      return "drop its identity";
    case Step::landlock:
      return "enter Landlock";
    case Step::seccomp:
      return "enter seccomp";
    case Step::program:
      return "run the program";
  }
  return "";
}

Result<SandboxEntry> SandboxEntry::prepare(const SandboxPolicy& policy, const SandboxLevel& level,
                                           const std::string& program, const ExecAddresses& exec) {
  SandboxEntry entry;
  entry.level_ = level;
  entry.inside_ = sandbox_identity(level);
  entry.outside_ = {::geteuid(), ::getegid()};
  entry.limits_ = plan_limits(policy, level);
  entry.fixed_addresses_ = policy.fixed_addresses;
  if (level.mounts) entry.wall_ = MountWall::plan(policy, program);
  if (level.landlock) {
    entry.devices_ = policy.devices;
    entry.tools_ = policy.devices && policy.exec && level.namespaces;
    HONE_TRY(entry.ruleset_, build_ruleset(policy, program));
  }
  if (level.seccomp) {
    const bool confined_signals = level.namespaces || (level.landlock && landlock_confines_signals());
    HONE_TRY(entry.filter_, build_filter(policy, confined_signals, exec));
  }
  return entry;
}

int SandboxEntry::clone_flags() const noexcept {
  return level_.namespaces ? namespace_flags(level_.user_namespace) : 0;
}

StepError SandboxEntry::enter_supervisor() const noexcept {
  volunteer_for_the_oom_killer();
  if (!level_.namespaces) return {};
  if (const int error = enter_namespaces(level_.user_namespace, outside_.uid, outside_.gid)) {
    return {error, Step::namespaces};
  }
  return {level_.mounts ? wall_.enter() : 0, Step::mounts};
}

// The order matters: limits first, while root may still set its user's; the parent-death signal after the identity,
// since the kernel clears it on that change; seccomp last, since it forbids all of the above.
StepError SandboxEntry::enter() const noexcept {
  if (const int error = apply_limits(limits_)) return {error, Step::limits};
  if (fixed_addresses_) ::personality(ADDR_NO_RANDOMIZE);  // best effort: some containers forbid it
  const int dropped = level_.identity ? drop_identity(inside_.uid, inside_.gid) : drop_capabilities();
  if (dropped != 0 && (level_.identity || level_.user_namespace)) return {dropped, Step::identity};
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {errno, Step::identity};
  if (level_.landlock) {
    if (const int error = enter_landlock(ruleset_.get(), devices_, tools_)) return {error, Step::landlock};
  }
  if (level_.seccomp) {
    if (const int error = enter_seccomp(filter_)) return {error, Step::seccomp};
  }
  return {};
}

}  // namespace hone::os
