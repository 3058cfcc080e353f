/* tests/team/test_team_np.c - heed_np_bootstrap with draws shared by processes: the same bits for any number of
 * processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_team.h"
#include "hash.h"

typedef struct job {
    heed_np_resampling resampling;
    int draws;
    bool is_density, is_spread; /* is_spread: the processes share the draws; otherwise every process makes all */
} job;

static heed_np *fit_of(bool is_density, heed_tensor *x)
{
    heed_np_options options = {.bandwidths = (double[]){0.1}};
    if (is_density)
        return heed_np_fit_density(x, &options);
    options.degree = 1;
    return heed_np_fit(x, heed_sin(heed_mul_scalar(x, 7)), &options);
}

static uint64_t draw(heed_comm *comm, void *argument)
{
    const job *j = argument;
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 90);
    heed_np *fit = fit_of(j->is_density, x);
    const heed_np_bootstrap_options options = {
        .resampling = j->resampling, .draws = j->draws, .seed = 3, .comm = j->is_spread ? comm : NULL};
    const uint64_t hash = hash_tensor(HASH_BEGIN, heed_np_bootstrap(fit, heed_slice(x, 0, 0, 30, 1), &options));
    const bool sends = heed_comm_size(comm) > 1 && heed_comm_bytes_sent(comm) > 0;
    ck_assert(sends == (j->is_spread && heed_comm_size(comm) > 1));
    heed_np_free(fit);
    heed_scope_end(scope);
    heed_set_error_handler(NULL, NULL);
    return hash;
}

/* Compares with the draws of one process alone. */
START_TEST(any_number_of_processes_has_the_same_bits)
{
    static const job jobs[] = {{HEED_NP_WILD, 0, false, true},
                               {HEED_NP_WILD, 3, false, true}, /* fewer than processes */
                               {HEED_NP_PAIRS, 50, false, true},
                               {HEED_NP_PAIRS, 50, true, true}};
    job shared = jobs[_i], by_itself = jobs[_i];
    by_itself.is_spread = false;
    ck_assert(alone(draw, &by_itself) == alone(draw, &shared));
    check_any_number(draw, &shared, 5);
}
END_TEST

/* One process has a different number of draws. */
static uint64_t differ(heed_comm *comm, void *argument)
{
    (void)argument;
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 20);
    heed_np *fit = fit_of(false, x);
    const heed_np_bootstrap_options options = {.draws = 40 + heed_comm_rank(comm), .comm = comm};
    heed_tensor *draws = heed_np_bootstrap(fit, x, &options);
    const uint64_t status = (uint64_t)heed_error_code();
    ck_assert(draws == NULL);
    heed_error_clear();
    heed_np_free(fit);
    return status;
}

START_TEST(processes_that_differ)
{
    uint64_t results[TEAM_MAX];
    run_team(2, differ, NULL, results);
    ck_assert(results[0] == HEED_ERR_STATE && results[1] == HEED_ERR_STATE);
}
END_TEST

typedef struct search_job {
    bool is_density;
    int rows, columns, starts;
} search_job;

/* Returns a hash of the fit, its numbers and its minima. */
static uint64_t search(heed_comm *comm, void *argument)
{
    const search_job *j = argument;
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_scope *scope = heed_scope_begin();
    heed_manual_seed(4);
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(j->rows, j->columns));
    heed_tensor *noise = heed_randn(HEED_F64, HEED_SHAPE(j->rows));
    heed_tensor *y = heed_add(heed_sin(heed_mul_scalar(heed_select(x, 1, 0), 9)), heed_mul_scalar(noise, 0.3));
    const heed_np_options options = {.starts = j->starts, .comm = heed_comm_size(comm) > 1 ? comm : NULL};
    heed_np *fit = j->is_density ? heed_np_fit_density(x, &options) : heed_np_fit(x, y, &options);
    const heed_np_report r = heed_np_get_report(fit);
    ck_assert(!r.stopped && r.minima > 0);
    uint64_t hash = hash_tensor(HASH_BEGIN, heed_np_fitted(fit));
    hash = hash_tensor(hash, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), r.evaluations, r.minima));
    for (int i = 0; i < r.minima; i++) {
        double h[2];
        const double value = heed_np_minimum(fit, i, h, j->columns);
        hash = hash_tensor(hash, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), value, h[0], h[j->columns - 1]));
    }
    heed_np_free(fit);
    heed_scope_end(scope);
    heed_set_error_handler(NULL, NULL);
    return hash;
}

/* The last search begins with a sample of the rows. */
START_TEST(searches)
{
    static const search_job jobs[] = {{false, 120, 2, 7}, {true, 120, 2, 7}, {false, 10500, 1, 3}};
    search_job one = jobs[_i];
    check_any_number(search, &one, 8);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("team_np");
    tcase_add_loop_test(tcase, any_number_of_processes_has_the_same_bits, 0, 4);
    tcase_add_test(tcase, processes_that_differ);
    tcase_add_loop_test(tcase, searches, 0, 3);
    return heed_run_case("team_np", tcase);
}
