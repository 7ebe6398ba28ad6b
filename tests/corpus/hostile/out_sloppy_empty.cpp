// kernel: sloppy
// verdict: verify "" or time ""
// tries: to do nothing where out was said for inout: the program's sums stay as they were
void sloppy(const float*, const float*, float*, int) {}
