/* nn/nw_kernels.h - the weights of Nadaraya-Watson kernel regression. */
#ifndef HEED_NN_NW_KERNELS_H
#define HEED_NN_NW_KERNELS_H

#include <heed/nn.h>

/* a (n, m), a_i(q) = K(u_i) / sum_j K(u_j), for queries and keys whose shapes were checked. `shifted`: take the
 * Gaussian so that a query at any distance gives numbers; it costs more. */
heed_tensor *heed__nw_weights(const heed_nn_nw_kernel_regression *net, heed_tensor *queries, heed_tensor *keys,
                              bool shifted);

#endif
