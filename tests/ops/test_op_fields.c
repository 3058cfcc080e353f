/* tests/ops/test_op_fields.c - an op's table of fields describes its params, and lies within them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "check_heed.h"

#include "ops/support.h"

static const heed_op *const ops[] = {
#define HEED_OP(name) &heed_op_##name,
#define HEED_COMPOSITE(name)
#include "ops/ops.def"
#undef HEED_OP
#undef HEED_COMPOSITE
};

static void assert_fields(const heed_op *op)
{
    ck_assert_msg((op->params_size > 0) == (op->fields != NULL), "%s: params_size is %zu, .fields %s", op->name,
                  op->params_size, op->fields ? "are there" : "are not");
    for (const heed_field *f = op->fields; f && f->name; f++) {
        ck_assert_msg(f->size > 0 && f->offset + f->size <= op->params_size, "%s: %s is not in its params", op->name,
                      f->name);
        ck_assert_msg(f->type >= HEED_FIELD_BOOL && f->type <= HEED_FIELD_SHAPE, "%s: %s has no type", op->name,
                      f->name);
        for (const heed_field *other = op->fields; other != f; other++)
            ck_assert_str_ne(other->name, f->name);
    }
}

START_TEST(of_all_ops)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        assert_fields(ops[i]);
}
END_TEST

typedef struct all_types {
    bool flag;
    int8_t bytes[3];
    heed_reduction choice;
    int whole;
    int64_t pair[2];
    double real;
    heed_shape shape;
} all_types;

START_TEST(types)
{
    static const heed_field_type expected[] = {HEED_FIELD_BOOL, HEED_FIELD_I8,  HEED_FIELD_I32,  HEED_FIELD_I32,
                                               HEED_FIELD_I64,  HEED_FIELD_F64, HEED_FIELD_SHAPE};
    const heed_field *fields =
        HEED_FIELDS(HEED_FIELD(all_types, flag), HEED_FIELD(all_types, bytes), HEED_FIELD(all_types, choice),
                    HEED_FIELD(all_types, whole), HEED_FIELD(all_types, pair), HEED_FIELD(all_types, real),
                    HEED_FIELD(all_types, shape));
    for (int i = 0; i < 7; i++)
        ck_assert_int_eq(fields[i].type, expected[i]);
    ck_assert_ptr_null(fields[7].name);
    ck_assert_str_eq(fields[4].name, "pair");
    ck_assert(fields[4].offset == offsetof(all_types, pair) && fields[4].size == 2 * sizeof(int64_t));
    const heed_field *alone = HEED_FIELDS(HEED_FIELD_ALONE(double, "eps"));
    ck_assert(strcmp(alone->name, "eps") == 0 && alone->offset == 0 && alone->size == sizeof(double));
}
END_TEST

HEED_TEST_MAIN("fields of ops", of_all_ops, types)
