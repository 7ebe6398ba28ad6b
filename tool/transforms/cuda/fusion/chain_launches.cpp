// Launches in a loop of the host, each of which may need what the ones before wrote, as one kernel that runs the loop
// itself: its blocks share each step's blocks among them, and wait for all others before the next step.
//
//   for (t …) { step<<<grid, 256>>>(from, to, n); swap(from, to); }
//
//   __global__ steps(from, to, n): for (t …) { for (block …) step(block, grid, from, to, n); wait; swap(from, to); }
//
// A launch costs microseconds on the device even where nothing waits for the host; so does a wait of the whole device,
// but half as many, and a wait of one block costs next to nothing. `blocks`: at most so many, 0 as many as run at once;
// one is a plain launch. `threads` of a block, where they need not be the kernel's own.
#include <algorithm>
#include <functional>
#include <map>

#include "tool/frontend/parse/source_tokens.h"
#include "tool/transforms/code/launch_arguments.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_text.h"
#include "tool/transforms/cuda/fusion/launch_chain.h"
#include "tool/transforms/cuda/own_kernels.h"

namespace hone::frontend {
namespace {

constexpr int most_threads = 1024;

class ChainWriter {
 public:
  ChainWriter(const KernelContext& context, const LaunchChain& chain, int blocks, int threads)
      : context_(context), chain_(chain), edits_(context), names_(context), blocks_(blocks), threads_(threads) {
    for (std::string* name :
         {&begun_, &first_, &apart_, &thread_, &shape_, &grid_, &number_, &most_, &size_, &together_})
      *name = names_.make(*name);
    steps_ = names_.make(helper_name(context, "steps"));
  }

  std::optional<std::string> candidate() {
    const auto launcher = definition_range(context_, context_.launcher);
    if (!launcher) return std::nullopt;
    std::vector<std::pair<const clang::FunctionDecl*, std::string>> written;
    for (const ChainedLaunch& launch : chain_.launches)
      if (std::ranges::find(written, launch.kernel, &std::pair<const clang::FunctionDecl*, std::string>::first) ==
          written.end()) {
        written.emplace_back(launch.kernel, names_.make(launch.kernel->getNameAsString() + "_step"));
        if (!write_step(*launch.kernel, written.back().second)) return std::nullopt;
      }
    const auto step_of = [&](const ChainedLaunch& launch) {
      return std::ranges::find(written, launch.kernel, &std::pair<const clang::FunctionDecl*, std::string>::first)
          ->second;
    };
    std::string device, host;
    if (!loop_on_device(step_of, device) || !loop_on_host(host)) return std::nullopt;
    edits_.insert(launcher->begin, functions_ + kernel(device));
    edits_.replace(range_with_pragmas(context_.ast, chain_.loop), host);
    if (blocks_ != 1) edits_.include("<cooperative_groups.h>");
    return edits_.candidate();
  }

 private:
  bool deals_threads() const { return !chain_.keeps_blocks; }

  // The kernel's text as a function that is told its block, in place of the kernel where nothing else names it.
  bool write_step(const clang::FunctionDecl& kernel, const std::string& name) {
    const auto body = range_of(context_.ast, kernel.getBody()), all = definition_range(context_, &kernel);
    const auto parameters = range_of(context_.ast, clang::SourceRange(kernel.getParamDecl(0)->getBeginLoc(),
                                                                      kernel.parameters().back()->getEndLoc()));
    if (!body || !all || !parameters) return false;
    Substitution text(context_.ast);
    const std::string block = names_.make("block_index"), grid = names_.make("grid_size");
    const std::string thread = names_.make("thread_index"), shape = names_.make("block_size");
    for (const TextRange& range : {*parameters, *body})
      for_each_name(range, [&](const std::string& word, TextRange at) {
        if (word == "blockIdx") text.replace(at, block);
        if (word == "gridDim") text.replace(at, grid);
        if (word == "threadIdx" && deals_threads()) text.replace(at, thread);
        if (word == "blockDim" && deals_threads()) text.replace(at, shape);
        if (word == "__restrict__" || word == "__restrict") text.replace(at, "");
      });
    // By the cache that is not told of other blocks' stores.
    for (const auto* call : all_of<clang::CallExpr>(kernel.getBody())) {
      const auto* function = call->getDirectCallee();
      if (!function || !function->getIdentifier() || function->getName() != "__ldg") continue;
      text.replace(range_of(context_.ast, call->getCallee()->getSourceRange()), "(*");
      text.insert_after(call, ")");
    }
    const std::string told =
        "uint3 " + block + ", dim3 " + grid + (deals_threads() ? ", uint3 " + thread + ", dim3 " + shape : "") + ", ";
    edits_.replace(TextRange{all->begin, all->end},
                   "static __device__ __forceinline__ void " + name + "(" + told + text.text(*parameters) + ") " +
                       text.text(*body) + (is_named_elsewhere(kernel, *all) ? "\n\n" + as_it_is(*all) : ""));
    return !text.spoiled();
  }

  std::string as_it_is(TextRange range) const { return Substitution(context_.ast).text(range); }

  // In the whole file, the host's other functions included.
  bool is_named_elsewhere(const clang::FunctionDecl& kernel, TextRange definition) const {
    const auto& sources = context_.sources();
    const auto loop = range_of(context_.ast, chain_.loop);
    bool named = false;
    for_each_name({0, sources.getBufferData(sources.getMainFileID()).size()}, [&](const auto& word, TextRange at) {
      named |= word == kernel.getName() && !definition.contains(at) && !(loop && loop->contains(at));
    });
    return named;
  }

  void for_each_name(TextRange range, const std::function<void(const std::string&, TextRange)>& visit) const {
    const auto& sources = context_.sources();
    const SourceTokens tokens(std::string_view(sources.getBufferData(sources.getMainFileID())),
                              context_.ast.getLangOpts());
    for (std::size_t at = tokens.at_or_after(range.begin); at < tokens.size() && tokens[at].begin < range.end; ++at)
      if (tokens[at].kind == clang::tok::raw_identifier &&
          !(at > 0 && (tokens.is(at - 1, ".") || tokens.is(at - 1, "->"))))
        visit(tokens.spelling(at), {tokens[at].begin, tokens[at].end});
  }

  // A launch's tokens and its semicolon.
  std::optional<TextRange> statement_of(const ChainedLaunch& launch) const {
    auto range = range_of(context_.ast, launch.call->getSourceRange());
    const auto& sources = context_.sources();
    const SourceTokens tokens(std::string_view(sources.getBufferData(sources.getMainFileID())),
                              context_.ast.getLangOpts());
    const std::size_t next = range ? tokens.at_or_after(range->end) : tokens.size();
    if (next >= tokens.size() || !tokens.is(next, ";")) return std::nullopt;
    range->end = tokens[next].end;
    return range;
  }

  bool loop_on_device(const std::function<std::string(const ChainedLaunch&)>& step_of, std::string& text) {
    Substitution device(context_.ast);
    const auto call_instead = [&](const clang::CallExpr* call, const std::string& name) {
      device.replace(range_of(context_.ast, call->getCallee()->getSourceRange()), name);
    };
    for (const clang::CallExpr* call : chain_.exchanges) call_instead(call, exchange());
    for (const clang::CallExpr* call : chain_.bounds)
      call_instead(call, "::" + call->getDirectCallee()->getNameAsString());
    for (const clang::CallExpr* call : chain_.host_calls) call_instead(call, function_on_device(device, *call));
    for (const ChainedLaunch& launch : chain_.launches) {
      const auto statement = statement_of(launch);
      if (!statement) return false;
      device.replace(statement, one_step(device, launch, step_of(launch)));
    }
    const auto loop = range_of(context_.ast, chain_.loop);
    text = loop ? device.text(*loop) : "";
    return loop && !device.spoiled();
  }

  // A copy of a function of the host's alone, once.
  std::string function_on_device(Substitution& device, const clang::CallExpr& call) {
    const clang::FunctionDecl* function = nullptr;
    call.getDirectCallee()->hasBody(function);
    const auto [known, is_new] = on_device_.try_emplace(function);
    if (!is_new) return known->second;
    known->second = names_.make(helper_name(context_, function->getNameAsString()));
    std::string parameters;
    for (const clang::ParmVarDecl* parameter : function->parameters())
      parameters += (parameters.empty() ? "" : ", ") + plain_type(context_.ast, parameter->getType()) + " " +
                    parameter->getNameAsString();
    functions_ += "static __device__ __forceinline__ " + plain_type(context_.ast, function->getReturnType()) + " " +
                  known->second + "(" + parameters + ") " + device.text(function->getBody()) + "\n\n";
    return known->second;
  }

  std::string one_step(const Substitution& device, const ChainedLaunch& launch, const std::string& step) const {
    const auto part = [&](const clang::Expr* expression) {
      const auto range = range_of(context_.ast, expression->getSourceRange());
      return range ? device.text(*range) : "";
    };
    const std::string wait = blocks_ == 1 ? "__syncthreads();" : "cooperative_groups::this_grid().sync();";
    std::string call = step + "(" + (launch.along_x ? "uint3{" + number_ + ", 0, 0}" : in_three(number_, grid_)) +
                       ", " + grid_ + (deals_threads() ? ", " + thread_ + ", " + shape_ : "");
    for (const clang::Expr* argument : launch.call->arguments()) call += ", " + part(argument);
    call += ");";
    const std::string type = launch.along_x ? "unsigned " : "unsigned long long ";
    const std::string end =
        launch.along_x ? grid_ + ".x" : "1ull * " + grid_ + ".x * " + grid_ + ".y * " + grid_ + ".z";
    return "{\nconst dim3 " + grid_ + "(" + part(launch.call->getConfig()->getArg(0)) + ");\nif (" + begun_ + ") " +
           wait + "  // for what the step before wrote\n" + begun_ + " = true;\nfor (" + type + number_ + " = " +
           first_ + "; " + number_ + " < " + end + "; " + number_ + " += " + apart_ + ") " +
           (deals_threads() ? call : braces(call + "\n__syncthreads();  // shared memory is the next block's")) + "\n}";
  }

  static std::string in_three(const std::string& number, const std::string& of) {
    return "uint3{unsigned(" + number + " % " + of + ".x), unsigned(" + number + " / " + of + ".x % " + of +
           ".y), unsigned(" + number + " / (1ull * " + of + ".x * " + of + ".y))}";
  }

  std::string exchange() {
    const std::string name = helper_name(context_, "exchange");
    helper_once(edits_, context_, name,
                "template <class T>\nstatic __device__ __forceinline__ void " + name +
                    "(T& a, T& b) {\n  const T kept = a;\n  a = b;\n  b = kept;\n}\n\n");
    return name;
  }

  std::string kernel(const std::string& loop) const {
    std::string parameters, prepared;
    for (const clang::VarDecl* variable : chain_.taken)
      parameters += (parameters.empty() ? "" : ", ") + plain_type(context_.ast, variable->getType()) + " " +
                    variable->getNameAsString();
    if (deals_threads()) {
      const std::string index = "threadIdx.x % " + size_;
      prepared = "const dim3 " + shape_ + "(" + chain_.block + ");\nconst unsigned " + size_ + " = " + shape_ +
                 ".x * " + shape_ + ".y * " + shape_ + ".z, " + together_ + " = blockDim.x / " + size_ +
                 ";\nconst uint3 " + thread_ + " = " +
                 (chain_.block_along_x ? "{" + index + ", 0, 0}"
                                       : "{" + index + " % " + shape_ + ".x, " + index + " / " + shape_ + ".x % " +
                                             shape_ + ".y, " + index + " / (" + shape_ + ".x * " + shape_ + ".y)}") +
                 ";\nconst unsigned " + first_ + " = blockIdx.x * " + together_ + " + threadIdx.x / " + size_ + ", " +
                 apart_ + " = gridDim.x * " + together_ + ";\n";
    } else {
      prepared = "const unsigned " + first_ + " = blockIdx.x, " + apart_ + " = gridDim.x;\n";
    }
    return "static __global__ void " + bounds() + steps_ + "(" + parameters + ") {\n" + prepared + "bool " + begun_ +
           " = false;\n" + loop + "\n}\n\n";
  }

  // Registers for the threads that a block may have.
  std::string bounds() const {
    if (!deals_threads() && chain_.block_size == 0) return "";
    const long long most = !deals_threads()         ? chain_.block_size
                           : chain_.block_size == 0 ? most_threads
                                                    : chain_.block_size * known_together();
    return "__launch_bounds__(" + std::to_string(most) + ") ";
  }

  // Blocks of the kernel that one block stands for, where their size is known.
  long long known_together() const { return std::max<long long>(threads_ / chain_.block_size, 1); }

  // How many blocks a step has at most is found by going through the steps, which also leaves variables as they were
  // left.
  bool loop_on_host(std::string& text) {
    Substitution host(context_.ast);
    const bool plain = blocks_ == 1 && chain_.changed.empty();
    for (const ChainedLaunch& launch : chain_.launches) {
      const auto statement = statement_of(launch);
      if (!statement) return false;
      host.replace(statement, most_ + " = " + larger() + "(" + most_ + ", " + launch.grid + ");");
    }
    const auto loop = range_of(context_.ast, chain_.loop);
    if (!loop) return false;
    std::string kept, handed;
    for (const clang::VarDecl* variable : chain_.taken) {
      const std::string name = variable->getNameAsString();
      std::string first = name;
      if (std::ranges::find(chain_.changed, variable) != chain_.changed.end()) {
        first = names_.make(name + "_first");
        kept += "const auto " + first + " = " + name + ";\n";
      }
      handed += (handed.empty() ? "" : ", ") + first;
    }
    std::string counted;
    if (!plain) counted = "unsigned long long " + most_ + " = 0;\n" + host.text(*loop) + "\nif (" + most_ + " > 0) ";
    text = braces(kept + threads_of_host() + counted + launch(handed));
    return !host.spoiled();
  }

  std::string threads_of_host() {
    if (!deals_threads() || chain_.block_size > 0) return "";
    return "const dim3 " + shape_ + "(" + chain_.block + ");\nconst unsigned " + size_ + " = " + shape_ + ".x * " +
           shape_ + ".y * " + shape_ + ".z, " + together_ + " = " + size_ + " > 0 && " + size_ + " < " +
           std::to_string(threads_) + " ? " + std::to_string(threads_) + " / " + size_ + " : 1;\n";
  }

  std::string launch(const std::string& handed) {
    std::string block = chain_.block, blocks = most_;
    if (deals_threads()) {
      const bool known = chain_.block_size > 0;
      const std::string together = known ? std::to_string(known_together()) : together_;
      const std::string others = known ? std::to_string(known_together() - 1) : together_ + " - 1";
      block = known ? std::to_string(chain_.block_size * known_together()) : size_ + " * " + together_;
      if (together != "1") blocks = "(" + most_ + " + " + others + ") / " + together;
    }
    if (blocks_ == 1) {
      const std::string more = chain_.stream != "nullptr" ? ", " + chain_.shared + ", " + chain_.stream
                               : chain_.shared != "0"     ? ", " + chain_.shared
                                                          : "";
      return steps_ + "<<<1, " + block + more + ">>>(" + handed + ");";
    }
    return run_at_once() + "(" + steps_ + ", " + blocks + ", " + block + ", " + chain_.shared + ", " + chain_.stream +
           ", " + handed + ");";
  }

  std::string larger() {
    const std::string name = helper_name(context_, "larger");
    helper_once(edits_, context_, name,
                "// The blocks of a grid, or `blocks` where those are more.\n"
                "static unsigned long long " +
                    name +
                    "(unsigned long long blocks, dim3 grid) {\n"
                    "  const unsigned long long others = 1ull * grid.x * grid.y * grid.z;\n"
                    "  return others > blocks ? others : blocks;\n}\n\n");
    return name;
  }

  std::string run_at_once() {
    const std::string number = blocks_ > 1 ? std::to_string(blocks_) : "";
    const std::string name = helper_name(context_, "at_once" + (number.empty() ? "" : "_" + number));
    helper_once(
        edits_, context_, name,
        "// Starts a kernel whose blocks wait for each other: as many as `blocks`, or as the device runs at once.\n"
        "template <class... Handed>\n"
        "static void " +
            name +
            "(void (*kernel)(Handed...), unsigned long long blocks, dim3 block, size_t shared,\n"
            "         cudaStream_t stream, Handed... handed) {\n"
            "  int device = 0, multiprocessors = 1, each = 1;\n"
            "  cudaGetDevice(&device);\n"
            "  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);\n" +
            (number.empty() ? "" : "  if (blocks > " + number + ") blocks = " + number + ";\n") +
            "  if (blocks > static_cast<unsigned>(multiprocessors))\n"
            "    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, block.x * block.y * block.z, shared);\n"
            "  const unsigned long long most = 1ull * multiprocessors * (each > 0 ? each : 1);\n"
            "  void* arguments[] = {static_cast<void*>(&handed)...};\n"
            "  cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(blocks < most ? blocks : most)), block,\n"
            "                              arguments, shared, stream);\n}\n\n");
    return name;
  }

  const KernelContext& context_;
  const LaunchChain& chain_;
  Edits edits_;
  NewNames names_;
  int blocks_, threads_;
  std::map<const clang::FunctionDecl*, std::string> on_device_;
  std::string functions_;
  std::string begun_ = "begun", first_ = "first_block", apart_ = "blocks_apart", thread_ = "thread", shape_ = "shape",
              grid_ = "blocks", number_ = "block", most_ = "most_blocks", size_ = "size", together_ = "together",
              steps_;
};

class ChainLaunches final : public Transformation {
 public:
  std::string_view name() const override { return "chain_launches"; }

  unsigned sites(const KernelContext& context) const override {
    return static_cast<unsigned>(launch_chains_of(context).size());
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned site) const override {
    const auto chains = launch_chains_of(context);
    if (site >= chains.size()) return {};
    const auto blocks = most_blocks_in_problem(context, chains[site]);
    std::vector<std::vector<int>> choices{{0, 1, 128, 16}};
    if (blocks && *blocks <= few) choices[0] = {1, 0};
    if (blocks && *blocks <= 1) choices[0] = {1};
    if (!chains[site].keeps_blocks) choices.push_back({1024, 256, 512, 128});
    return choices;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>& arguments) const override {
    const auto chains = launch_chains_of(context);
    if (site >= chains.size()) return std::nullopt;
    const int blocks = argument(arguments, 0, 0, 0, 4096),
              threads = argument(arguments, 1, most_threads, 32, most_threads);
    return ChainWriter(context, chains[site], blocks, threads).candidate();
  }

 private:
  static constexpr double few = 2;  // which one block does about as fast as they do

  // Where all grids are known in numbers.
  static std::optional<double> most_blocks_in_problem(const KernelContext& context, const LaunchChain& chain) {
    double most = 0;
    for (const ChainedLaunch& launch : chain.launches) {
      Launch known;
      known.call = launch.call;
      const auto shape = constant_shape(context, known, 0);
      if (!shape) return std::nullopt;
      most = std::max(most, static_cast<double>((*shape)[0]) * static_cast<double>((*shape)[1] * (*shape)[2]));
    }
    return most;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_chain_launches() {
  return std::make_unique<ChainLaunches>();
}

}  // namespace hone::frontend
