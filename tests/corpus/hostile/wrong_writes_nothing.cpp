// kernel: blur
// verdict: verify "was not written"
// tries: to do nothing at all
void blur(const float*, float*, int, int) {}
