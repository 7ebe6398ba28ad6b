// Scores of the edges of a graph: the scaled dot product of the source's and the target's feature vectors (a product
// of two dense matrices, sampled where an adjacency matrix has entries). One thread for each edge.

__global__ void edge_scores_kernel(const int* source, const int* target, const float* queries, const float* keys,
                                   float* score, int edges, int features, float scale) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) {
    return;
  }
  const float* q = queries + (size_t)source[e] * features;
  const float* k = keys + (size_t)target[e] * features;
  float sum = 0.0f;
  for (int f = 0; f < features; ++f) {
    sum += q[f] * k[f];
  }
  score[e] = sum * scale;
}

#pragma hone kernel in(source[0 : edges], target[0 : edges]) \
    in(queries[0 : nodes][0 : features], keys[0 : nodes][0 : features]) out(score[0 : edges]) \
    problem(edges = 500000, nodes = 40000, features = 64) problem(edges = 10007, nodes = 701, features = 37) \
    init(source : index(nodes), target : index(nodes)) requires(nodes > 0) \
    tolerance(rtol = 1e-4, atol = 1e-5) stream(s)
void edge_scores(const int* source, const int* target, const float* queries, const float* keys, float* score,
                 int edges, int nodes, int features, float scale, cudaStream_t s) {
  if (edges == 0) {
    return;
  }
  edge_scores_kernel<<<(edges + 255) / 256, 256, 0, s>>>(source, target, queries, keys, score, edges, features,
                                                        scale);
}
