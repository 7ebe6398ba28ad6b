// kernel: tally
// verdict: gate "belongs to the judge's workload"
// wall: verify "result"
// tries: to make a workload of its own, which says how results are handed over
void tally(const std::vector<int>& data, Tally& into) {
  hone::detail::workload_state state = {};
  hone::workload other(state);
  other.skip();
  (void)data;
  (void)into;
}
