// kernel: squash
// verdict: verify "did not end"
// tries: never to end
void squash(const float*, float*, int n, float) {
  for (volatile int i = 0; n >= 0; i = i + 1) continue;
}
