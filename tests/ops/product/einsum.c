/* tests/ops/product/einsum.c - cases of heed_einsum.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"

/* SUMS(name, "equation") is a function; OPERANDS its inputs. */
#define SUMS(name, equation) RUN(name, heed_einsum(equation, in, c->n_inputs))
#define OPERANDS(name_, run_, n, ...)                                                                                  \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = n, .in = { __VA_ARGS__ }                                               \
    }
#define A(...)                                                                                                         \
    {                                                                                                                  \
        .shape = DIMS(__VA_ARGS__)                                                                                     \
    }

SUMS(transposed, "ij->ji")
SUMS(summed, "ij->j")
SUMS(everything, "ij->")
SUMS(trace, "ii")
SUMS(diagonal, "...ii->...i")
SUMS(twice_two, "iijj->ij")
SUMS(product, "ij,jk->ik")
SUMS(implied, "ba,ac")
SUMS(attention, "bqd,bkd->bqk")
SUMS(heads, "bqhd,bkhd->bhqk")
SUMS(inner, "i,i")
SUMS(outer, "i,j->ji")
SUMS(elementwise, "ij,ij->ij")
SUMS(leading, "...ij,...jk->...ik")
SUMS(dots_summed, "...i,...i->i")
SUMS(bilinear, "bi,oij,bj->bo")
SUMS(broadcast, "bi,bi->b")
SUMS(of_one_only, "ij,k->k")
SUMS(four, "ab,bc,cd,de->ae")
SUMS(scalars, ",->")
SUMS(scalar_times, ",i")
RUN(same, heed_einsum("ij,ik->jk", HEED_TENSORS(in[0], in[0])))

#define X(...) counting(HEED_F64, HEED_SHAPE(__VA_ARGS__))
GIVES(sorted_letters, heed_einsum(" b A ", HEED_TENSORS(X(2, 3))))
GIVES(of_f32,
      heed_einsum("ij,j->i", HEED_TENSORS(counting(HEED_F32, HEED_SHAPE(2, 2)), heed_ones(HEED_F32, HEED_SHAPE(2)))))
GIVES(no_terms, heed_einsum("ij,jk->ik", HEED_TENSORS(X(2, 0), X(0, 1))))

/* An equation without arithmetic returns a view. */
static heed_tensor *is_view(void)
{
    heed_tensor *x = X(2, 2, 3);
    return heed_full(HEED_I64, HEED_SCALAR, heed_shares_storage(x, heed_einsum("iij->ji", HEED_TENSORS(x))));
}

#define OF_2_3(name, equation) GIVES(name, heed_einsum(equation, HEED_TENSORS(X(2, 3))))
#define OF_TWO(name, equation) GIVES(name, heed_einsum(equation, HEED_TENSORS(X(2, 3), X(3, 4))))
GIVES(no_equation, heed_einsum(NULL, HEED_TENSORS(X(2, 3))))
GIVES(no_list, heed_einsum("ij", NULL, 1))
GIVES(none, heed_einsum("ij", (heed_tensor *[]){X(2, 3)}, 0))
GIVES(null_operand, heed_einsum("ij,jk", HEED_TENSORS(X(2, 3), NULL)))
GIVES(of_i64, heed_einsum("ij", HEED_TENSORS(heed_ones(HEED_I64, HEED_SHAPE(2, 3)))))
GIVES(mixed, heed_einsum("i,i", HEED_TENSORS(X(2), heed_ones(HEED_F32, HEED_SHAPE(2)))))
OF_2_3(empty, "")
OF_2_3(strange, "i1")
OF_2_3(two_dots, "i..")
OF_2_3(dots_twice, "......")
OF_2_3(arrow_head, "ij>i")
OF_2_3(dash, "ij-i")
OF_2_3(arrow_twice, "ij->i->j")
OF_2_3(comma_behind, "ij->i,j")
OF_2_3(too_few, "ij,jk->ik")
OF_TWO(too_many, "ij->ij")
OF_2_3(rank, "ijk")
OF_2_3(rank_dots, "...ijk")
OF_TWO(sizes, "ij,kj->ik")
OF_TWO(dots_sizes, "...,...->...")
OF_2_3(square, "ii")
OF_2_3(unknown, "ij->ik")
OF_2_3(repeated, "ij->iji")
OF_2_3(nine_letters, "abcdefghi")
GIVES(ten_axes, heed_einsum("abcde,fghij", HEED_TENSORS(X(1, 1, 1, 1, 1), X(1, 1, 1, 1, 1))))
/* Intermediate products also have too many axes. */
GIVES(much_too_wide, heed_einsum("abcde,fghij,abcde,fghij->",
                                 HEED_TENSORS(X(1, 1, 1, 1, 2), X(1, 1, 1, 1, 2), X(1, 1, 1, 1, 2), X(1, 1, 1, 1, 2))))

const op_cases heed_cases_einsum = {
    .cases = (const op_case[]){OPERANDS("ij->ji", transposed, 1, A(2, 3)),
                               OPERANDS("ij->j", summed, 1, A(2, 3)),
                               OPERANDS("ij->", everything, 1, A(2, 3)),
                               OPERANDS("ii", trace, 1, A(3, 3)),
                               OPERANDS("...ii->...i", diagonal, 1, A(2, 3, 3)),
                               OPERANDS("iijj->ij", twice_two, 1, A(2, 2, 3, 3)),
                               OPERANDS("ij,jk->ik", product, 2, A(2, 3), A(3, 4)),
                               OPERANDS("ba,ac", implied, 2, A(2, 3), A(3, 4)),
                               OPERANDS("bqd,bkd->bqk", attention, 2, A(2, 3, 4), A(2, 5, 4)),
                               OPERANDS("bqhd,bkhd->bhqk", heads, 2, A(1, 3, 2, 2), A(1, 2, 2, 2)),
                               OPERANDS("i,i", inner, 2, A(3), A(3)),
                               OPERANDS("i,i, of 0", inner, 2, A(0), A(0)),
                               OPERANDS("i,j->ji", outer, 2, A(2), A(3)),
                               OPERANDS("ij,ij->ij", elementwise, 2, A(2, 3), A(2, 3)),
                               OPERANDS("...ij,...jk->...ik", leading, 2, A(2, 1, 2, 3), A(3, 3, 2)),
                               OPERANDS("...i,...i->i", dots_summed, 2, A(2, 3), A(3)),
                               OPERANDS("bi,oij,bj->bo", bilinear, 3, A(2, 3), A(2, 3, 2), A(2, 2)),
                               OPERANDS("bi,bi->b, of 1 and 3", broadcast, 2, A(2, 1), A(2, 3)),
                               OPERANDS("bi,bi->b, of 2 and 1", broadcast, 2, A(2, 3), A(1, 3)),
                               OPERANDS("ij,k->k", of_one_only, 2, A(2, 3), A(2)),
                               OPERANDS("ab,bc,cd,de->ae", four, 4, A(2, 3), A(3, 2), A(2, 3), A(3, 1)),
                               OPERANDS(",->", scalars, 2, {.shape = NO_DIMS}, {.shape = NO_DIMS}),
                               OPERANDS(",i", scalar_times, 2, {.shape = NO_DIMS}, A(3)),
                               OPERANDS("ij,ik->jk, of itself", same, 1, A(2, 3)),
                               OPERANDS("ij,jk->ik, (0, 3)", product, 2, A(0, 3), A(3, 2)),
                               {0}},
    .values =
        (const op_value[]){{"letters in order", sorted_letters, DIMS(3, 2), 0, (const double[]){0, 3, 1, 4, 2, 5}},
                           {"f32", of_f32, DIMS(2), 0, (const double[]){1, 5}},
                           {"no terms", no_terms, DIMS(2, 1), 0, (const double[]){0, 0}},
                           {"a view", is_view, NO_DIMS, 0, (const double[]){1}},
                           {0}},
    .errors =
        (const op_error[]){
            {"no equation", no_equation, HEED_ERR_ARGUMENT, "einsum: equation is NULL"},
            {"no list", no_list, HEED_ERR_ARGUMENT, "einsum: tensors is NULL"},
            {"n = 0", none, HEED_ERR_ARGUMENT, "einsum: n is 0"},
            {"NULL", null_operand, HEED_ERR_ARGUMENT, "einsum:"},
            {"i64", of_i64, HEED_ERR_DTYPE, "einsum: the tensor is i64 (2, 3)"},
            {"f64 and f32", mixed, HEED_ERR_DTYPE, "einsum: the tensors are f64 (2) and f32 (2)"},
            {"empty", empty, HEED_ERR_SHAPE, "einsum: operand 0 is (2, 3), but \"\" has 0 letters"},
            {"i1", strange, HEED_ERR_ARGUMENT, "einsum: cannot parse \"1\""},
            {"i..", two_dots, HEED_ERR_ARGUMENT, "einsum: cannot parse \"..\""},
            {"......", dots_twice, HEED_ERR_ARGUMENT, "einsum: cannot parse \"...\""},
            {"ij>i", arrow_head, HEED_ERR_ARGUMENT, "einsum: cannot parse \">i\""},
            {"ij-i", dash, HEED_ERR_ARGUMENT, "einsum: cannot parse \"-i\""},
            {"ij->i->j", arrow_twice, HEED_ERR_ARGUMENT, "einsum: cannot parse \"->j\""},
            {"ij->i,j", comma_behind, HEED_ERR_ARGUMENT, "einsum: cannot parse \",j\""},
            {"two terms", too_few, HEED_ERR_ARGUMENT, "\"ij,jk->ik\" is not an equation for 1 operands"},
            {"one term", too_many, HEED_ERR_ARGUMENT, "\"ij->ij\" is not an equation for 2 operands"},
            {"ijk", rank, HEED_ERR_SHAPE, "einsum: operand 0 is (2, 3), but \"ijk\" has 3 letters"},
            {"...ijk", rank_dots, HEED_ERR_SHAPE, "einsum: operand 0 is (2, 3), but \"...ijk\" has 3 letters"},
            {"sizes", sizes, HEED_ERR_SHAPE, "einsum: letter j has size 3, but 4 in operand 1 (3, 4)"},
            {"sizes of dots", dots_sizes, HEED_ERR_SHAPE,
             "einsum: axis -2 of ... has size 2, but 3 in operand 1 (3, 4)"},
            {"ii of (2, 3)", square, HEED_ERR_SHAPE, "einsum: letter i has size 2, but 3 in operand 0 (2, 3)"},
            {"k", unknown, HEED_ERR_ARGUMENT, "einsum: letter k of the output is in no operand"},
            {"iji", repeated, HEED_ERR_ARGUMENT, "einsum: letter i of the output occurs twice"},
            {"nine letters", nine_letters, HEED_ERR_ARGUMENT, "einsum: more than 8 letters at \"i\""},
            {"ten axes", ten_axes, HEED_ERR_SHAPE, "\"abcde,fghij\" gives more than 8 axes"},
            {"product", much_too_wide, HEED_ERR_SHAPE,
             "einsum: the product of (1, 1, 1, 1, 2) and (1, 1, 1, 1, 2) has 10 axes"},
            {0}},
};
