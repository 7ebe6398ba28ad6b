// floyd-warshall: the shortest paths between all pairs.

#pragma hone kernel inout(path [0:n * n]) init(path : uniform(1, 1000)) problem(n = 300)
void floyd_warshall(int* path, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        path[i * n + j] = path[i * n + j] < path[i * n + k] + path[k * n + j] ? path[i * n + j]
                                                                              : path[i * n + k] + path[k * n + j];
}
