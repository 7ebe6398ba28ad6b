#include "tool/frontend/gate/ptx_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace hone::frontend {
namespace {

// Lists of words with spaces between them. '#' stands for a number: "m#n#k#", "v#".
constexpr std::string_view kTypes =
    "b# s# u# f# s#x# u#x# f#x# bf# bf#x# tf# e#m# e#m#x# ue#m# ue#m#x# b#x#_p# b#x# pred";
constexpr std::string_view kRounding =
    "rn rz rm rp rna rs rni rzi rmi rpi ftz sat satfinite relu approx full xorsign abs NaN noftz scaled::n#::ue#m#";
constexpr std::string_view kComparisons =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor finite infinite number notanumber normal "
    "subnormal";
constexpr std::string_view kPlaces = "global shared shared::cta shared::cluster local";
constexpr std::string_view kOrders = "weak relaxed acquire release acq_rel sc cta cluster gpu sys";
constexpr std::string_view kCaches =
    "ca cg cs wb nc L#::evict_normal L#::evict_unchanged L#::evict_first L#::evict_last L#::no_allocate L#::cache_hint "
    "L#::#B v#";
constexpr std::string_view kTogether = "sync aligned";
constexpr std::string_view kOperations = "add min max inc dec and or xor exch cas popc";
constexpr std::string_view kMatrices =
    "m#n# m#n#k# row col a b c d load store mma trans x# sp sp::ordered_metadata satfinite xor and popc "
    "dst src kind::f#f#f# kind::mxf# kind::mxf#f#f# kind::mxf#nvf# block_scale scale_vec::#X fence mma_async "
    "commit_group wait_group";
constexpr std::string_view kBarriers =
    "arrive arrive_drop wait red warp popc and or cluster init inval expect_tx complete_tx noComplete test_wait "
    "try_wait parity pending_count";
constexpr std::string_view kBulkCopies =
    "async bulk tensor prefetch reduce #d L# L#::cache_hint L#::#B ca cg tile tile::gather# tile::scatter# "
    "im#col im#col::w im#col::w::# im#col_no_offs commit_group wait_group wait_all read noinc mbarrier arrive "
    "mbarrier::complete_tx::bytes bulk_group multicast::cluster cta_group::# cp_mask add min max inc dec and or xor "
    "noftz";

// Instructions, and what may stand behind each: types, words of its own and of the lists, nothing else.
struct PtxFamily {
  std::string_view instructions, own;
  std::array<std::string_view, 4> lists;
};

constexpr PtxFamily kPtxFamilies[] = {
    // computing
    {"abs add addc and bfe bfi bfind bmsk brev clz cnot copysign cos cvt div dp2a dp4a ex2 fma fns lg2 lop3 mad mad24 "
     "madc max min mov mul mul24 neg not or popc prmt rcp rem rsqrt sad selp set setp shf shl shr sin slct sqrt sub "
     "subc szext tanh testp xor",
     "hi lo wide cc pack l r left right clamp wrap shiftamt f#e b#e rc# ecl ecr",
     {kRounding, kComparisons}},
    // moving data
    {"ld", "param", {kPlaces, kOrders, kCaches}},
    {"st", "async mbarrier::complete_tx::bytes", {kPlaces, kOrders, kCaches}},
    {"atom red", "async noftz mbarrier::complete_tx::bytes", {kPlaces, kOrders, kCaches, kOperations}},
    {"cp", "", {kPlaces, kOrders, kBulkCopies}},
    {"cvta isspacep mapa getctarank", "to", {kPlaces}},
    {"prefetch prefetchu", "global local L# L#::evict_last L#::evict_normal tensormap", {}},
    {"createpolicy", "fractional range cvt L# global", {kCaches}},
    // warps
    {"shfl vote match redux", "up down bfly idx all any uni ballot", {kTogether, kOperations, kRounding}},
    {"elect activemask movmatrix", "m#n# trans", {kTogether}},
    {"setmaxnreg", "inc dec", {kTogether}},
    // matrices
    {"mma wmma wgmma ldmatrix stmatrix", "", {kMatrices, kTogether, kPlaces}},
    // waiting
    {"bar barrier mbarrier", "", {kPlaces, kOrders, kBarriers, kTogether}},
    {"fence membar",
     "gl proxy async async::generic alias mbarrier_init sync_restrict::shared::cta sync_restrict::shared::cluster",
     {kPlaces, kOrders}},
    {"nanosleep", "", {}},  // tells no time; __nanosleep() does the same
    {"bra", "uni", {}},
};

constexpr std::string_view kSpecialRegisters =
    "tid ntid ctaid nctaid laneid lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge clusterid nclusterid "
    "cluster_ctaid cluster_nctaid cluster_ctarank cluster_nctarank is_explicit_cluster";

struct PtxRefusal {
  std::string_view words, why;
};

constexpr std::string_view kEnds = "it ends the program's work on the device";
constexpr std::string_view kClock = "it reads a clock";
constexpr std::string_view kMachine = "it tells where on the device a thread runs, which differs from call to call";
constexpr std::string_view kTextures = "textures and surfaces are the program's; load from the arrays";

constexpr PtxRefusal kRefusedInstructions[] = {
    {"trap brkpt", kEnds},
    {"exit ret", "it leaves the function behind the compiler's back; branch to the end of the asm, or write return"},
    {"pmevent", "it steers a profiler"},
    {"call brx", "it goes to code that does not stand there; call functions from C++"},
    {"griddepcontrol",
     "use cudaGridDependencySynchronize() and cudaTriggerProgrammaticLaunchCompletion(), which the gate knows"},
    {"clusterlaunchcontrol", "it takes work from a launch that has not begun"},
    {"discard", "it leaves memory without content, which no tool sees"},
    {"multimem", "other devices are not a kernel's"},
    {"tensormap", "descriptors of copies are the host's to make"},
    {"alloca stacksave stackrestore", "it takes stack of unknown size"},
    {"tex tld4 txq suld sust sured suq istypep", kTextures},
};

constexpr PtxRefusal kRefusedModifiers[] = {
    {"volatile", "use .relaxed or .acquire with a scope"},
    {"mmio", "a kernel has no memory of devices"},
    {"const", "constants have names; read them from C++"},
    {"cv lu wt", "inputs do not change while a kernel runs"},
};

constexpr PtxRefusal kRefusedSpecials[] = {
    {"clock clock_hi clock64 globaltimer globaltimer_lo globaltimer_hi", kClock},
    {"smid nsmid warpid nwarpid gridid", kMachine},
    {"dynamic_smem_size total_smem_size aggr_smem_size", "sizes of shared memory are the launch's: pass them"},
};

bool has(std::string_view list, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

std::string_view why_not(std::string_view word, const PtxRefusal* first, const PtxRefusal* last) {
  const auto* found = std::find_if(first, last, [&](const PtxRefusal& one) { return has(one.words, word); });
  return found == last ? std::string_view() : found->why;
}

// "m16n8k16" is of the form "m#n#k#".
std::string form_of(std::string_view word) {
  std::string form;
  for (const char c : word) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c));
    if (!digit) form.push_back(c);
    if (digit && (form.empty() || form.back() != '#')) form.push_back('#');
  }
  return form;
}

const PtxFamily* family_of(std::string_view instruction) {
  const auto* found =
      std::ranges::find_if(kPtxFamilies, [&](const PtxFamily& one) { return has(one.instructions, instruction); });
  return found == std::end(kPtxFamilies) ? nullptr : found;
}

bool may_follow(const PtxFamily& family, std::string_view modifier) {
  const std::string form = form_of(modifier);
  if (has(family.own, form) || has(kTypes, form)) return true;
  return std::ranges::any_of(family.lists, [&](std::string_view list) { return has(list, form); });
}

// Why an instruction or a register is not on the lists; "" where it is.
std::string_view object_to_head(std::string_view instruction) {
  if (family_of(instruction)) return "";
  const std::string_view why = why_not(instruction, std::begin(kRefusedInstructions), std::end(kRefusedInstructions));
  return why.empty() ? "it is not among the PTX that the gate knows" : why;
}

std::string_view object_to_register(std::string_view name) {
  if (has(kSpecialRegisters, name)) return "";
  const std::string_view why = why_not(name, std::begin(kRefusedSpecials), std::end(kRefusedSpecials));
  return why.empty() ? "of the special registers a candidate may read those that tell a thread's place in the grid: "
                       "%tid, %ntid, %ctaid, %nctaid, %laneid, and those of clusters"
                     : why;
}

std::string refusal(const std::string& what, std::string_view why) {
  return why.empty() ? "" : "'" + what + "' in assembly is not allowed: " + std::string(why);
}

}  // namespace

std::string object_to_ptx(std::string_view instruction, const std::vector<std::string_view>& modifiers) {
  const PtxFamily* family = family_of(instruction);
  if (!family) return refusal(std::string(instruction), object_to_head(instruction));
  for (const std::string_view modifier : modifiers) {
    if (may_follow(*family, modifier)) continue;
    const std::string_view why = why_not(modifier, std::begin(kRefusedModifiers), std::end(kRefusedModifiers));
    return refusal(std::string(instruction) + "." + std::string(modifier),
                   why.empty() ? "it is not among the PTX that the gate knows" : why);
  }
  return "";
}

std::string object_to_special_register(std::string_view name) {
  return refusal("%" + std::string(name), object_to_register(name));
}

bool is_ptx_type(std::string_view word) {
  return has(kTypes, form_of(word));
}

std::string object_to_ptx_function(std::string_view name) {
  constexpr std::string_view kReads = "get_sreg_";
  std::string_view why = object_to_head(name.substr(0, name.find('_')));
  if (name.starts_with(kReads)) {
    std::string_view read = name.substr(kReads.size());
    if (read.size() > 2 && read[read.size() - 2] == '_' && has("x y z w", read.substr(read.size() - 1)))
      read.remove_suffix(2);
    why = object_to_register(read);
  }
  return why.empty() ? "" : "'cuda::ptx::" + std::string(name) + "' is not allowed: " + std::string(why);
}

}  // namespace hone::frontend
