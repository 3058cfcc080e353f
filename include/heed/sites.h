/* heed/sites.h - which functions note where they are called, with HEED_SITES; heed/site.h is the manual. Written by
 * scripts/sites from the other headers. */
#ifndef HEED_SITES_H
#define HEED_SITES_H

#include <heed/heed.h>

#ifdef HEED_SITES
/* clang-format off */

HEED_SITED(heed_status, heed_checkpoint_save)
#define heed_checkpoint_save(...) \
    (HEED_NOTE, (heed_checkpoint_save_sited)((heed_checkpoint_save)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_checkpoint_load)
#define heed_checkpoint_load(...) \
    (HEED_NOTE, (heed_checkpoint_load_sited)((heed_checkpoint_load)(__VA_ARGS__)))
HEED_SITED(bool, heed_checkpoint_exists)
#define heed_checkpoint_exists(...) \
    (HEED_NOTE, (heed_checkpoint_exists_sited)((heed_checkpoint_exists)(__VA_ARGS__)))
HEED_SITED(heed_comm *, heed_comm_self)
#define heed_comm_self(...) \
    (HEED_NOTE, (heed_comm_self_sited)((heed_comm_self)(__VA_ARGS__)))
HEED_SITED(int, heed_comm_rank)
#define heed_comm_rank(...) \
    (HEED_NOTE, (heed_comm_rank_sited)((heed_comm_rank)(__VA_ARGS__)))
HEED_SITED(int, heed_comm_size)
#define heed_comm_size(...) \
    (HEED_NOTE, (heed_comm_size_sited)((heed_comm_size)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_comm_bytes_sent)
#define heed_comm_bytes_sent(...) \
    (HEED_NOTE, (heed_comm_bytes_sent_sited)((heed_comm_bytes_sent)(__VA_ARGS__)))
#define heed_comm_free(...) \
    (HEED_NOTE, (heed_comm_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_comm *, heed_comm_new)
#define heed_comm_new(...) \
    (HEED_NOTE, (heed_comm_new_sited)((heed_comm_new)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_dataset_new)
#define heed_dataset_new(...) \
    (HEED_NOTE, (heed_dataset_new_sited)((heed_dataset_new)(__VA_ARGS__)))
#define heed_dataset_free(...) \
    (HEED_NOTE, (heed_dataset_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(int64_t, heed_dataset_size)
#define heed_dataset_size(...) \
    (HEED_NOTE, (heed_dataset_size_sited)((heed_dataset_size)(__VA_ARGS__)))
HEED_SITED(int, heed_dataset_tensors)
#define heed_dataset_tensors(...) \
    (HEED_NOTE, (heed_dataset_tensors_sited)((heed_dataset_tensors)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_dataset_split)
#define heed_dataset_split(...) \
    (HEED_NOTE, (heed_dataset_split_sited)((heed_dataset_split)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_dataset_subset)
#define heed_dataset_subset(...) \
    (HEED_NOTE, (heed_dataset_subset_sited)((heed_dataset_subset)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_dataset_all)
#define heed_dataset_all(...) \
    (HEED_NOTE, (heed_dataset_all_sited)((heed_dataset_all)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_dataset_take)
#define heed_dataset_take(...) \
    (HEED_NOTE, (heed_dataset_take_sited)((heed_dataset_take)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_loader *, heed_loader_new)
#define heed_loader_new(...) \
    (HEED_NOTE, (heed_loader_new_sited)((heed_loader_new)(__VA_ARGS__)))
#define heed_loader_free(...) \
    (HEED_NOTE, (heed_loader_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(int64_t, heed_loader_batches)
#define heed_loader_batches(...) \
    (HEED_NOTE, (heed_loader_batches_sited)((heed_loader_batches)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_loader_next)
#define heed_loader_next(...) \
    (HEED_NOTE, (heed_loader_next_sited)((heed_loader_next)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_loader_epoch)
#define heed_loader_epoch(...) \
    (HEED_NOTE, (heed_loader_epoch_sited)((heed_loader_epoch)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_loader_batch)
#define heed_loader_batch(...) \
    (HEED_NOTE, (heed_loader_batch_sited)((heed_loader_batch)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_scaler *, heed_scaler_new)
#define heed_scaler_new(...) \
    (HEED_NOTE, (heed_scaler_new_sited)((heed_scaler_new)(__VA_ARGS__)))
#define heed_scaler_free(...) \
    (HEED_NOTE, (heed_scaler_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_tensor *, heed_scaler_transform)
#define heed_scaler_transform(...) \
    (HEED_NOTE, (heed_scaler_transform_sited)((heed_scaler_transform)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_scaler_inverse_transform)
#define heed_scaler_inverse_transform(...) \
    (HEED_NOTE, (heed_scaler_inverse_transform_sited)((heed_scaler_inverse_transform)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_scaler_mean)
#define heed_scaler_mean(...) \
    (HEED_NOTE, (heed_scaler_mean_sited)((heed_scaler_mean)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_scaler_std)
#define heed_scaler_std(...) \
    (HEED_NOTE, (heed_scaler_std_sited)((heed_scaler_std)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_scaler_save)
#define heed_scaler_save(...) \
    (HEED_NOTE, (heed_scaler_save_sited)((heed_scaler_save)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_scaler *, heed_scaler_load)
#define heed_scaler_load(...) \
    (HEED_NOTE, (heed_scaler_load_sited)((heed_scaler_load)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_categories *, heed_categories_new)
#define heed_categories_new(...) \
    (HEED_NOTE, (heed_categories_new_sited)((heed_categories_new)(__VA_ARGS__)))
#define heed_categories_free(...) \
    (HEED_NOTE, (heed_categories_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(int64_t, heed_categories_count)
#define heed_categories_count(...) \
    (HEED_NOTE, (heed_categories_count_sited)((heed_categories_count)(__VA_ARGS__)))
HEED_SITED(const char *, heed_categories_name)
#define heed_categories_name(...) \
    (HEED_NOTE, (heed_categories_name_sited)((heed_categories_name)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_categories_find)
#define heed_categories_find(...) \
    (HEED_NOTE, (heed_categories_find_sited)((heed_categories_find)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_categories_save)
#define heed_categories_save(...) \
    (HEED_NOTE, (heed_categories_save_sited)((heed_categories_save)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_categories *, heed_categories_load)
#define heed_categories_load(...) \
    (HEED_NOTE, (heed_categories_load_sited)((heed_categories_load)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_dataset_fold)
#define heed_dataset_fold(...) \
    (HEED_NOTE, (heed_dataset_fold_sited)((heed_dataset_fold)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_dataset_new_source)
#define heed_dataset_new_source(...) \
    (HEED_NOTE, (heed_dataset_new_source_sited)((heed_dataset_new_source)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_dataset_zip)
#define heed_dataset_zip(...) \
    (HEED_NOTE, (heed_dataset_zip_sited)((heed_dataset_zip)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_loader_next_numbers)
#define heed_loader_next_numbers(...) \
    (HEED_NOTE, (heed_loader_next_numbers_sited)((heed_loader_next_numbers)(__VA_ARGS__)))
HEED_SITED(const heed_dataset *, heed_loader_dataset)
#define heed_loader_dataset(...) \
    (HEED_NOTE, (heed_loader_dataset_sited)((heed_loader_dataset)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_loader_get_state)
#define heed_loader_get_state(...) \
    (HEED_NOTE, (heed_loader_get_state_sited)((heed_loader_get_state)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_loader_set_state)
#define heed_loader_set_state(...) \
    (HEED_NOTE, (heed_loader_set_state_sited)((heed_loader_set_state)(__VA_ARGS__)))
HEED_SITED(heed_data_parallel *, heed_data_parallel_new)
#define heed_data_parallel_new(...) \
    (HEED_NOTE, (heed_data_parallel_new_sited)((heed_data_parallel_new)(__VA_ARGS__)))
#define heed_data_parallel_free(...) \
    (HEED_NOTE, (heed_data_parallel_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(bool, heed_data_parallel_take)
#define heed_data_parallel_take(...) \
    (HEED_NOTE, (heed_data_parallel_take_sited)((heed_data_parallel_take)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_data_parallel_backward)
#define heed_data_parallel_backward(...) \
    (HEED_NOTE, (heed_data_parallel_backward_sited)((heed_data_parallel_backward)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_data_parallel_step)
#define heed_data_parallel_step(...) \
    (HEED_NOTE, (heed_data_parallel_step_sited)((heed_data_parallel_step)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_data_parallel_save)
#define heed_data_parallel_save(...) \
    (HEED_NOTE, (heed_data_parallel_save_sited)((heed_data_parallel_save)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_data_parallel_steps)
#define heed_data_parallel_steps(...) \
    (HEED_NOTE, (heed_data_parallel_steps_sited)((heed_data_parallel_steps)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_data_parallel_set_steps)
#define heed_data_parallel_set_steps(...) \
    (HEED_NOTE, (heed_data_parallel_set_steps_sited)((heed_data_parallel_set_steps)(__VA_ARGS__)))
HEED_SITED(double, heed_data_parallel_loss)
#define heed_data_parallel_loss(...) \
    (HEED_NOTE, (heed_data_parallel_loss_sited)((heed_data_parallel_loss)(__VA_ARGS__)))
HEED_SITED(bool, heed_set_debug)
#define heed_set_debug(...) \
    (HEED_NOTE, (heed_set_debug_sited)((heed_set_debug)(__VA_ARGS__)))
HEED_SITED(bool, heed_debug_enabled)
#define heed_debug_enabled(...) \
    (HEED_NOTE, (heed_debug_enabled_sited)((heed_debug_enabled)(__VA_ARGS__)))
#define heed_set_notice_handler(...) \
    (HEED_NOTE, (heed_set_notice_handler)(__VA_ARGS__), heed_site_restore())
HEED_SITED(bool, heed_fail_freed)
#define heed_fail_freed(...) \
    (HEED_NOTE, (heed_fail_freed_sited)((heed_fail_freed)(__VA_ARGS__)))
#define heed_debug_set_owner(...) \
    (HEED_NOTE, (heed_debug_set_owner)(__VA_ARGS__), heed_site_restore())
HEED_NODISCARD HEED_SITED(heed_dict *, heed_dict_new)
#define heed_dict_new(...) \
    (HEED_NOTE, (heed_dict_new_sited)((heed_dict_new)(__VA_ARGS__)))
#define heed_dict_free(...) \
    (HEED_NOTE, (heed_dict_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_status, heed_dict_set)
#define heed_dict_set(...) \
    (HEED_NOTE, (heed_dict_set_sited)((heed_dict_set)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_dict_get)
#define heed_dict_get(...) \
    (HEED_NOTE, (heed_dict_get_sited)((heed_dict_get)(__VA_ARGS__)))
HEED_SITED(bool, heed_dict_has)
#define heed_dict_has(...) \
    (HEED_NOTE, (heed_dict_has_sited)((heed_dict_has)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_dict_size)
#define heed_dict_size(...) \
    (HEED_NOTE, (heed_dict_size_sited)((heed_dict_size)(__VA_ARGS__)))
HEED_SITED(const char *, heed_dict_name)
#define heed_dict_name(...) \
    (HEED_NOTE, (heed_dict_name_sited)((heed_dict_name)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_dict_at)
#define heed_dict_at(...) \
    (HEED_NOTE, (heed_dict_at_sited)((heed_dict_at)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_dict_set_text)
#define heed_dict_set_text(...) \
    (HEED_NOTE, (heed_dict_set_text_sited)((heed_dict_set_text)(__VA_ARGS__)))
HEED_SITED(const char *, heed_dict_text)
#define heed_dict_text(...) \
    (HEED_NOTE, (heed_dict_text_sited)((heed_dict_text)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_dict_text_count)
#define heed_dict_text_count(...) \
    (HEED_NOTE, (heed_dict_text_count_sited)((heed_dict_text_count)(__VA_ARGS__)))
HEED_SITED(const char *, heed_dict_text_key)
#define heed_dict_text_key(...) \
    (HEED_NOTE, (heed_dict_text_key_sited)((heed_dict_text_key)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_dict_load)
#define heed_dict_load(...) \
    (HEED_NOTE, (heed_dict_load_sited)((heed_dict_load)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_dict_check)
#define heed_dict_check(...) \
    (HEED_NOTE, (heed_dict_check_sited)((heed_dict_check)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_kernel_regression_by_queries)
#define heed_kernel_regression_by_queries(...) \
    (HEED_NOTE, (heed_kernel_regression_by_queries_sited)((heed_kernel_regression_by_queries)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_kernel_regression_by_keys)
#define heed_kernel_regression_by_keys(...) \
    (HEED_NOTE, (heed_kernel_regression_by_keys_sited)((heed_kernel_regression_by_keys)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_kernel_regression_by_data)
#define heed_kernel_regression_by_data(...) \
    (HEED_NOTE, (heed_kernel_regression_by_data_sited)((heed_kernel_regression_by_data)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_from_dlpack)
#define heed_from_dlpack(...) \
    (HEED_NOTE, (heed_from_dlpack_sited)((heed_from_dlpack)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(struct DLManagedTensor *, heed_to_dlpack)
#define heed_to_dlpack(...) \
    (HEED_NOTE, (heed_to_dlpack_sited)((heed_to_dlpack)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_vjp)
#define heed_vjp(...) \
    (HEED_NOTE, (heed_vjp_sited)((heed_vjp)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_jvp)
#define heed_jvp(...) \
    (HEED_NOTE, (heed_jvp_sited)((heed_jvp)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_hvp)
#define heed_hvp(...) \
    (HEED_NOTE, (heed_hvp_sited)((heed_hvp)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_jacobian)
#define heed_jacobian(...) \
    (HEED_NOTE, (heed_jacobian_sited)((heed_jacobian)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_hessian)
#define heed_hessian(...) \
    (HEED_NOTE, (heed_hessian_sited)((heed_hessian)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_checkpointed)
#define heed_checkpointed(...) \
    (HEED_NOTE, (heed_checkpointed_sited)((heed_checkpointed)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generate)
#define heed_generate(...) \
    (HEED_NOTE, (heed_generate_sited)((heed_generate)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sample)
#define heed_sample(...) \
    (HEED_NOTE, (heed_sample_sited)((heed_sample)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_beam_search)
#define heed_beam_search(...) \
    (HEED_NOTE, (heed_beam_search_sited)((heed_beam_search)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_gradcheck)
#define heed_gradcheck(...) \
    (HEED_NOTE, (heed_gradcheck_sited)((heed_gradcheck)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_gradgradcheck)
#define heed_gradgradcheck(...) \
    (HEED_NOTE, (heed_gradgradcheck_sited)((heed_gradgradcheck)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_set_requires_grad)
#define heed_set_requires_grad(...) \
    (HEED_NOTE, (heed_set_requires_grad_sited)((heed_set_requires_grad)(__VA_ARGS__)))
HEED_SITED(bool, heed_requires_grad)
#define heed_requires_grad(...) \
    (HEED_NOTE, (heed_requires_grad_sited)((heed_requires_grad)(__VA_ARGS__)))
HEED_SITED(bool, heed_is_leaf)
#define heed_is_leaf(...) \
    (HEED_NOTE, (heed_is_leaf_sited)((heed_is_leaf)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_grad_of)
#define heed_grad_of(...) \
    (HEED_NOTE, (heed_grad_of_sited)((heed_grad_of)(__VA_ARGS__)))
HEED_SITED(bool, heed_has_grad)
#define heed_has_grad(...) \
    (HEED_NOTE, (heed_has_grad_sited)((heed_has_grad)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_set_grad)
#define heed_set_grad(...) \
    (HEED_NOTE, (heed_set_grad_sited)((heed_set_grad)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_detach)
#define heed_detach(...) \
    (HEED_NOTE, (heed_detach_sited)((heed_detach)(__VA_ARGS__)))
HEED_SITED(bool, heed_set_grad_enabled)
#define heed_set_grad_enabled(...) \
    (HEED_NOTE, (heed_set_grad_enabled_sited)((heed_set_grad_enabled)(__VA_ARGS__)))
HEED_SITED(bool, heed_grad_enabled)
#define heed_grad_enabled(...) \
    (HEED_NOTE, (heed_grad_enabled_sited)((heed_grad_enabled)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_backward)
#define heed_backward(...) \
    (HEED_NOTE, (heed_backward_sited)((heed_backward)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_backward_with)
#define heed_backward_with(...) \
    (HEED_NOTE, (heed_backward_with_sited)((heed_backward_with)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_grad)
#define heed_grad(...) \
    (HEED_NOTE, (heed_grad_sited)((heed_grad)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_add_hook)
#define heed_add_hook(...) \
    (HEED_NOTE, (heed_add_hook_sited)((heed_add_hook)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_remove_hook)
#define heed_remove_hook(...) \
    (HEED_NOTE, (heed_remove_hook_sited)((heed_remove_hook)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_status, heed_graph_dot)
#define heed_graph_dot(...) \
    (HEED_NOTE, (heed_graph_dot_sited)((heed_graph_dot)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_set_anomaly)
#define heed_set_anomaly(...) \
    (HEED_NOTE, (heed_set_anomaly_sited)((heed_set_anomaly)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_summary)
#define heed_module_summary(...) \
    (HEED_NOTE, (heed_module_summary_sited)((heed_module_summary)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_profile_begin)
#define heed_profile_begin(...) \
    (HEED_NOTE, (heed_profile_begin_sited)((heed_profile_begin)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_profile_end)
#define heed_profile_end(...) \
    (HEED_NOTE, (heed_profile_end_sited)((heed_profile_end)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_explain)
#define heed_explain(...) \
    (HEED_NOTE, (heed_explain_sited)((heed_explain)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_summary_with)
#define heed_module_summary_with(...) \
    (HEED_NOTE, (heed_module_summary_with_sited)((heed_module_summary_with)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_profile_begin_with)
#define heed_profile_begin_with(...) \
    (HEED_NOTE, (heed_profile_begin_with_sited)((heed_profile_begin_with)(__VA_ARGS__)))
HEED_SITED(const void *, heed_storage_of)
#define heed_storage_of(...) \
    (HEED_NOTE, (heed_storage_of_sited)((heed_storage_of)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_version_of)
#define heed_version_of(...) \
    (HEED_NOTE, (heed_version_of_sited)((heed_version_of)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_io_csv *, heed_io_csv_read)
#define heed_io_csv_read(...) \
    (HEED_NOTE, (heed_io_csv_read_sited)((heed_io_csv_read)(__VA_ARGS__)))
#define heed_io_csv_free(...) \
    (HEED_NOTE, (heed_io_csv_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(int64_t, heed_io_csv_rows)
#define heed_io_csv_rows(...) \
    (HEED_NOTE, (heed_io_csv_rows_sited)((heed_io_csv_rows)(__VA_ARGS__)))
HEED_SITED(int, heed_io_csv_columns)
#define heed_io_csv_columns(...) \
    (HEED_NOTE, (heed_io_csv_columns_sited)((heed_io_csv_columns)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_io_csv_matrix)
#define heed_io_csv_matrix(...) \
    (HEED_NOTE, (heed_io_csv_matrix_sited)((heed_io_csv_matrix)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_io_csv_column)
#define heed_io_csv_column(...) \
    (HEED_NOTE, (heed_io_csv_column_sited)((heed_io_csv_column)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_categories *, heed_io_csv_categories)
#define heed_io_csv_categories(...) \
    (HEED_NOTE, (heed_io_csv_categories_sited)((heed_io_csv_categories)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_io_csv_codes)
#define heed_io_csv_codes(...) \
    (HEED_NOTE, (heed_io_csv_codes_sited)((heed_io_csv_codes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_io_csv_dates)
#define heed_io_csv_dates(...) \
    (HEED_NOTE, (heed_io_csv_dates_sited)((heed_io_csv_dates)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_io_csv_dataset)
#define heed_io_csv_dataset(...) \
    (HEED_NOTE, (heed_io_csv_dataset_sited)((heed_io_csv_dataset)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_io_csv_write)
#define heed_io_csv_write(...) \
    (HEED_NOTE, (heed_io_csv_write_sited)((heed_io_csv_write)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_io_csv *, heed_io_csv_parse)
#define heed_io_csv_parse(...) \
    (HEED_NOTE, (heed_io_csv_parse_sited)((heed_io_csv_parse)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_io_csv_skip_missing)
#define heed_io_csv_skip_missing(...) \
    (HEED_NOTE, (heed_io_csv_skip_missing_sited)((heed_io_csv_skip_missing)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_io_csv_skipped)
#define heed_io_csv_skipped(...) \
    (HEED_NOTE, (heed_io_csv_skipped_sited)((heed_io_csv_skipped)(__VA_ARGS__)))
HEED_SITED(char, heed_io_csv_separator)
#define heed_io_csv_separator(...) \
    (HEED_NOTE, (heed_io_csv_separator_sited)((heed_io_csv_separator)(__VA_ARGS__)))
HEED_SITED(const char *, heed_io_csv_name)
#define heed_io_csv_name(...) \
    (HEED_NOTE, (heed_io_csv_name_sited)((heed_io_csv_name)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_io_csv_line)
#define heed_io_csv_line(...) \
    (HEED_NOTE, (heed_io_csv_line_sited)((heed_io_csv_line)(__VA_ARGS__)))
HEED_SITED(const char *, heed_io_csv_field)
#define heed_io_csv_field(...) \
    (HEED_NOTE, (heed_io_csv_field_sited)((heed_io_csv_field)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_io_idx_read)
#define heed_io_idx_read(...) \
    (HEED_NOTE, (heed_io_idx_read_sited)((heed_io_idx_read)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_io_idx_parse)
#define heed_io_idx_parse(...) \
    (HEED_NOTE, (heed_io_idx_parse_sited)((heed_io_idx_parse)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_io_npy_read)
#define heed_io_npy_read(...) \
    (HEED_NOTE, (heed_io_npy_read_sited)((heed_io_npy_read)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_io_npy_parse)
#define heed_io_npy_parse(...) \
    (HEED_NOTE, (heed_io_npy_parse_sited)((heed_io_npy_parse)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_io_npy_write)
#define heed_io_npy_write(...) \
    (HEED_NOTE, (heed_io_npy_write_sited)((heed_io_npy_write)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_io_npz_read)
#define heed_io_npz_read(...) \
    (HEED_NOTE, (heed_io_npz_read_sited)((heed_io_npz_read)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_io_npz_parse)
#define heed_io_npz_parse(...) \
    (HEED_NOTE, (heed_io_npz_parse_sited)((heed_io_npz_parse)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_io_npz_write)
#define heed_io_npz_write(...) \
    (HEED_NOTE, (heed_io_npz_write_sited)((heed_io_npz_write)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_io_safetensors_read)
#define heed_io_safetensors_read(...) \
    (HEED_NOTE, (heed_io_safetensors_read_sited)((heed_io_safetensors_read)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_io_safetensors_write)
#define heed_io_safetensors_write(...) \
    (HEED_NOTE, (heed_io_safetensors_write_sited)((heed_io_safetensors_write)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_io_safetensors_parse)
#define heed_io_safetensors_parse(...) \
    (HEED_NOTE, (heed_io_safetensors_parse_sited)((heed_io_safetensors_parse)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_io_safetensors_read_shards)
#define heed_io_safetensors_read_shards(...) \
    (HEED_NOTE, (heed_io_safetensors_read_shards_sited)((heed_io_safetensors_read_shards)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_io_gguf_read)
#define heed_io_gguf_read(...) \
    (HEED_NOTE, (heed_io_gguf_read_sited)((heed_io_gguf_read)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_io_gguf_parse)
#define heed_io_gguf_parse(...) \
    (HEED_NOTE, (heed_io_gguf_parse_sited)((heed_io_gguf_parse)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_io_npy_dataset)
#define heed_io_npy_dataset(...) \
    (HEED_NOTE, (heed_io_npy_dataset_sited)((heed_io_npy_dataset)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_io_npz_dataset)
#define heed_io_npz_dataset(...) \
    (HEED_NOTE, (heed_io_npz_dataset_sited)((heed_io_npz_dataset)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_io_safetensors_dataset)
#define heed_io_safetensors_dataset(...) \
    (HEED_NOTE, (heed_io_safetensors_dataset_sited)((heed_io_safetensors_dataset)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dataset *, heed_io_idx_dataset)
#define heed_io_idx_dataset(...) \
    (HEED_NOTE, (heed_io_idx_dataset_sited)((heed_io_idx_dataset)(__VA_ARGS__)))
HEED_SITED(bool, heed_io_same_file)
#define heed_io_same_file(...) \
    (HEED_NOTE, (heed_io_same_file_sited)((heed_io_same_file)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_memory_report)
#define heed_memory_report(...) \
    (HEED_NOTE, (heed_memory_report_sited)((heed_memory_report)(__VA_ARGS__)))
HEED_SITED(heed_memory_stats, heed_memory_get_stats)
#define heed_memory_get_stats(...) \
    (HEED_NOTE, (heed_memory_get_stats_sited)((heed_memory_get_stats)(__VA_ARGS__)))
#define heed_memory_reset_peak(...) \
    (HEED_NOTE, (heed_memory_reset_peak)(__VA_ARGS__), heed_site_restore())
#define heed_memory_trim(...) \
    (HEED_NOTE, (heed_memory_trim)(__VA_ARGS__), heed_site_restore())
HEED_SITED(size_t, heed_memory_set_cache_limit)
#define heed_memory_set_cache_limit(...) \
    (HEED_NOTE, (heed_memory_set_cache_limit_sited)((heed_memory_set_cache_limit)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(void *, heed_alloc)
#define heed_alloc(...) \
    (HEED_NOTE, (heed_alloc_sited)((heed_alloc)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(void *, heed_calloc)
#define heed_calloc(...) \
    (HEED_NOTE, (heed_calloc_sited)((heed_calloc)(__VA_ARGS__)))
#define heed_free(...) \
    (HEED_NOTE, (heed_free)(__VA_ARGS__), heed_site_restore())
HEED_NODISCARD HEED_SITED(heed_status, heed_set_allocator)
#define heed_set_allocator(...) \
    (HEED_NOTE, (heed_set_allocator_sited)((heed_set_allocator)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(void *, heed_module_new)
#define heed_module_new(...) \
    (HEED_NOTE, (heed_module_new_sited)((heed_module_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_module_parameter)
#define heed_module_parameter(...) \
    (HEED_NOTE, (heed_module_parameter_sited)((heed_module_parameter)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_module_buffer)
#define heed_module_buffer(...) \
    (HEED_NOTE, (heed_module_buffer_sited)((heed_module_buffer)(__VA_ARGS__)))
HEED_SITED(heed_module *, heed_module_child)
#define heed_module_child(...) \
    (HEED_NOTE, (heed_module_child_sited)((heed_module_child)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_module_forward)
#define heed_module_forward(...) \
    (HEED_NOTE, (heed_module_forward_sited)((heed_module_forward)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_free)
#define heed_module_free(...) \
    (HEED_NOTE, (heed_module_free_sited)((heed_module_free)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_train)
#define heed_module_train(...) \
    (HEED_NOTE, (heed_module_train_sited)((heed_module_train)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_eval)
#define heed_module_eval(...) \
    (HEED_NOTE, (heed_module_eval_sited)((heed_module_eval)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_zero_grad)
#define heed_module_zero_grad(...) \
    (HEED_NOTE, (heed_module_zero_grad_sited)((heed_module_zero_grad)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_module_set_requires_grad)
#define heed_module_set_requires_grad(...) \
    (HEED_NOTE, (heed_module_set_requires_grad_sited)((heed_module_set_requires_grad)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_module_find)
#define heed_module_find(...) \
    (HEED_NOTE, (heed_module_find_sited)((heed_module_find)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_module_parameter_count)
#define heed_module_parameter_count(...) \
    (HEED_NOTE, (heed_module_parameter_count_sited)((heed_module_parameter_count)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_module_parameter_numel)
#define heed_module_parameter_numel(...) \
    (HEED_NOTE, (heed_module_parameter_numel_sited)((heed_module_parameter_numel)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_module_state)
#define heed_module_state(...) \
    (HEED_NOTE, (heed_module_state_sited)((heed_module_state)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_load_state)
#define heed_module_load_state(...) \
    (HEED_NOTE, (heed_module_load_state_sited)((heed_module_load_state)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_copy_state)
#define heed_module_copy_state(...) \
    (HEED_NOTE, (heed_module_copy_state_sited)((heed_module_copy_state)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_walk)
#define heed_module_walk(...) \
    (HEED_NOTE, (heed_module_walk_sited)((heed_module_walk)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_module_walk_modules)
#define heed_module_walk_modules(...) \
    (HEED_NOTE, (heed_module_walk_modules_sited)((heed_module_walk_modules)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_additive_attention *, heed_nn_additive_attention_new)
#define heed_nn_additive_attention_new(...) \
    (HEED_NOTE, (heed_nn_additive_attention_new_sited)((heed_nn_additive_attention_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_additive_attention_forward)
#define heed_nn_additive_attention_forward(...) \
    (HEED_NOTE, (heed_nn_additive_attention_forward_sited)((heed_nn_additive_attention_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_dot_product_attention *, heed_nn_dot_product_attention_new)
#define heed_nn_dot_product_attention_new(...) \
    (HEED_NOTE, (heed_nn_dot_product_attention_new_sited)((heed_nn_dot_product_attention_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_dot_product_attention_forward)
#define heed_nn_dot_product_attention_forward(...) \
    (HEED_NOTE, (heed_nn_dot_product_attention_forward_sited)((heed_nn_dot_product_attention_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_multi_head_attention *, heed_nn_multi_head_attention_new)
#define heed_nn_multi_head_attention_new(...) \
    (HEED_NOTE, (heed_nn_multi_head_attention_new_sited)((heed_nn_multi_head_attention_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_multi_head_attention_forward)
#define heed_nn_multi_head_attention_forward(...) \
    (HEED_NOTE, (heed_nn_multi_head_attention_forward_sited)((heed_nn_multi_head_attention_forward)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_additive_attention_masked)
#define heed_nn_additive_attention_masked(...) \
    (HEED_NOTE, (heed_nn_additive_attention_masked_sited)((heed_nn_additive_attention_masked)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_dot_product_attention_masked)
#define heed_nn_dot_product_attention_masked(...) \
    (HEED_NOTE, (heed_nn_dot_product_attention_masked_sited)((heed_nn_dot_product_attention_masked)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_multi_head_attention_masked)
#define heed_nn_multi_head_attention_masked(...) \
    (HEED_NOTE, (heed_nn_multi_head_attention_masked_sited)((heed_nn_multi_head_attention_masked)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_kv_cache *, heed_kv_cache_new)
#define heed_kv_cache_new(...) \
    (HEED_NOTE, (heed_kv_cache_new_sited)((heed_kv_cache_new)(__VA_ARGS__)))
#define heed_kv_cache_free(...) \
    (HEED_NOTE, (heed_kv_cache_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_status, heed_kv_cache_clear)
#define heed_kv_cache_clear(...) \
    (HEED_NOTE, (heed_kv_cache_clear_sited)((heed_kv_cache_clear)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_kv_cache_length)
#define heed_kv_cache_length(...) \
    (HEED_NOTE, (heed_kv_cache_length_sited)((heed_kv_cache_length)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_multi_head_attention_cached)
#define heed_nn_multi_head_attention_cached(...) \
    (HEED_NOTE, (heed_nn_multi_head_attention_cached_sited)((heed_nn_multi_head_attention_cached)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_kv_cache_pad)
#define heed_kv_cache_pad(...) \
    (HEED_NOTE, (heed_kv_cache_pad_sited)((heed_kv_cache_pad)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_kv_cache_select)
#define heed_kv_cache_select(...) \
    (HEED_NOTE, (heed_kv_cache_select_sited)((heed_kv_cache_select)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_conv1d *, heed_nn_conv1d_new)
#define heed_nn_conv1d_new(...) \
    (HEED_NOTE, (heed_nn_conv1d_new_sited)((heed_nn_conv1d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_conv1d_forward)
#define heed_nn_conv1d_forward(...) \
    (HEED_NOTE, (heed_nn_conv1d_forward_sited)((heed_nn_conv1d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_conv2d *, heed_nn_conv2d_new)
#define heed_nn_conv2d_new(...) \
    (HEED_NOTE, (heed_nn_conv2d_new_sited)((heed_nn_conv2d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_conv2d_forward)
#define heed_nn_conv2d_forward(...) \
    (HEED_NOTE, (heed_nn_conv2d_forward_sited)((heed_nn_conv2d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_conv_transpose1d *, heed_nn_conv_transpose1d_new)
#define heed_nn_conv_transpose1d_new(...) \
    (HEED_NOTE, (heed_nn_conv_transpose1d_new_sited)((heed_nn_conv_transpose1d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_conv_transpose1d_forward)
#define heed_nn_conv_transpose1d_forward(...) \
    (HEED_NOTE, (heed_nn_conv_transpose1d_forward_sited)((heed_nn_conv_transpose1d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_conv_transpose2d *, heed_nn_conv_transpose2d_new)
#define heed_nn_conv_transpose2d_new(...) \
    (HEED_NOTE, (heed_nn_conv_transpose2d_new_sited)((heed_nn_conv_transpose2d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_conv_transpose2d_forward)
#define heed_nn_conv_transpose2d_forward(...) \
    (HEED_NOTE, (heed_nn_conv_transpose2d_forward_sited)((heed_nn_conv_transpose2d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_max_pool2d *, heed_nn_max_pool2d_new)
#define heed_nn_max_pool2d_new(...) \
    (HEED_NOTE, (heed_nn_max_pool2d_new_sited)((heed_nn_max_pool2d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_max_pool2d_forward)
#define heed_nn_max_pool2d_forward(...) \
    (HEED_NOTE, (heed_nn_max_pool2d_forward_sited)((heed_nn_max_pool2d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_avg_pool2d *, heed_nn_avg_pool2d_new)
#define heed_nn_avg_pool2d_new(...) \
    (HEED_NOTE, (heed_nn_avg_pool2d_new_sited)((heed_nn_avg_pool2d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_avg_pool2d_forward)
#define heed_nn_avg_pool2d_forward(...) \
    (HEED_NOTE, (heed_nn_avg_pool2d_forward_sited)((heed_nn_avg_pool2d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_adaptive_avg_pool2d *, heed_nn_adaptive_avg_pool2d_new)
#define heed_nn_adaptive_avg_pool2d_new(...) \
    (HEED_NOTE, (heed_nn_adaptive_avg_pool2d_new_sited)((heed_nn_adaptive_avg_pool2d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_adaptive_avg_pool2d_forward)
#define heed_nn_adaptive_avg_pool2d_forward(...) \
    (HEED_NOTE, (heed_nn_adaptive_avg_pool2d_forward_sited)((heed_nn_adaptive_avg_pool2d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_decoder *, heed_nn_decoder_new)
#define heed_nn_decoder_new(...) \
    (HEED_NOTE, (heed_nn_decoder_new_sited)((heed_nn_decoder_new)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_nn_decoder_load)
#define heed_nn_decoder_load(...) \
    (HEED_NOTE, (heed_nn_decoder_load_sited)((heed_nn_decoder_load)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_decoder_forward)
#define heed_nn_decoder_forward(...) \
    (HEED_NOTE, (heed_nn_decoder_forward_sited)((heed_nn_decoder_forward)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_decoder_step)
#define heed_nn_decoder_step(...) \
    (HEED_NOTE, (heed_nn_decoder_step_sited)((heed_nn_decoder_step)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_decoder_masked)
#define heed_nn_decoder_masked(...) \
    (HEED_NOTE, (heed_nn_decoder_masked_sited)((heed_nn_decoder_masked)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_decoder_cached)
#define heed_nn_decoder_cached(...) \
    (HEED_NOTE, (heed_nn_decoder_cached_sited)((heed_nn_decoder_cached)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_nn_init_uniform_)
#define heed_nn_init_uniform_(...) \
    (HEED_NOTE, (heed_nn_init_uniform__sited)((heed_nn_init_uniform_)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_nn_init_normal_)
#define heed_nn_init_normal_(...) \
    (HEED_NOTE, (heed_nn_init_normal__sited)((heed_nn_init_normal_)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_nn_init_xavier_uniform_)
#define heed_nn_init_xavier_uniform_(...) \
    (HEED_NOTE, (heed_nn_init_xavier_uniform__sited)((heed_nn_init_xavier_uniform_)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_nn_init_kaiming_uniform_)
#define heed_nn_init_kaiming_uniform_(...) \
    (HEED_NOTE, (heed_nn_init_kaiming_uniform__sited)((heed_nn_init_kaiming_uniform_)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_nw_kernel_regression *, heed_nn_nw_kernel_regression_new)
#define heed_nn_nw_kernel_regression_new(...) \
    (HEED_NOTE, (heed_nn_nw_kernel_regression_new_sited)((heed_nn_nw_kernel_regression_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_nw_kernel_regression_forward)
#define heed_nn_nw_kernel_regression_forward(...) \
    (HEED_NOTE, (heed_nn_nw_kernel_regression_forward_sited)((heed_nn_nw_kernel_regression_forward)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_leave_one_out)
#define heed_nn_leave_one_out(...) \
    (HEED_NOTE, (heed_nn_leave_one_out_sited)((heed_nn_leave_one_out)(__VA_ARGS__)))
HEED_SITED(double, heed_nn_silverman_width)
#define heed_nn_silverman_width(...) \
    (HEED_NOTE, (heed_nn_silverman_width_sited)((heed_nn_silverman_width)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_linear *, heed_nn_linear_new)
#define heed_nn_linear_new(...) \
    (HEED_NOTE, (heed_nn_linear_new_sited)((heed_nn_linear_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_linear_forward)
#define heed_nn_linear_forward(...) \
    (HEED_NOTE, (heed_nn_linear_forward_sited)((heed_nn_linear_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_dropout *, heed_nn_dropout_new)
#define heed_nn_dropout_new(...) \
    (HEED_NOTE, (heed_nn_dropout_new_sited)((heed_nn_dropout_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_dropout_forward)
#define heed_nn_dropout_forward(...) \
    (HEED_NOTE, (heed_nn_dropout_forward_sited)((heed_nn_dropout_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_layer_norm *, heed_nn_layer_norm_new)
#define heed_nn_layer_norm_new(...) \
    (HEED_NOTE, (heed_nn_layer_norm_new_sited)((heed_nn_layer_norm_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_layer_norm_forward)
#define heed_nn_layer_norm_forward(...) \
    (HEED_NOTE, (heed_nn_layer_norm_forward_sited)((heed_nn_layer_norm_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_embedding *, heed_nn_embedding_new)
#define heed_nn_embedding_new(...) \
    (HEED_NOTE, (heed_nn_embedding_new_sited)((heed_nn_embedding_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_embedding_forward)
#define heed_nn_embedding_forward(...) \
    (HEED_NOTE, (heed_nn_embedding_forward_sited)((heed_nn_embedding_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_function *, heed_nn_function_new)
#define heed_nn_function_new(...) \
    (HEED_NOTE, (heed_nn_function_new_sited)((heed_nn_function_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_function_forward)
#define heed_nn_function_forward(...) \
    (HEED_NOTE, (heed_nn_function_forward_sited)((heed_nn_function_forward)(__VA_ARGS__)))
HEED_SITED(heed_activation, heed_activation_named)
#define heed_activation_named(...) \
    (HEED_NOTE, (heed_activation_named_sited)((heed_activation_named)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_flatten *, heed_nn_flatten_new)
#define heed_nn_flatten_new(...) \
    (HEED_NOTE, (heed_nn_flatten_new_sited)((heed_nn_flatten_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_flatten_forward)
#define heed_nn_flatten_forward(...) \
    (HEED_NOTE, (heed_nn_flatten_forward_sited)((heed_nn_flatten_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_sequential *, heed_nn_sequential_new)
#define heed_nn_sequential_new(...) \
    (HEED_NOTE, (heed_nn_sequential_new_sited)((heed_nn_sequential_new)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_nn_sequential_add)
#define heed_nn_sequential_add(...) \
    (HEED_NOTE, (heed_nn_sequential_add_sited)((heed_nn_sequential_add)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_sequential_forward)
#define heed_nn_sequential_forward(...) \
    (HEED_NOTE, (heed_nn_sequential_forward_sited)((heed_nn_sequential_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_residual *, heed_nn_residual_new)
#define heed_nn_residual_new(...) \
    (HEED_NOTE, (heed_nn_residual_new_sited)((heed_nn_residual_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_residual_forward)
#define heed_nn_residual_forward(...) \
    (HEED_NOTE, (heed_nn_residual_forward_sited)((heed_nn_residual_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_batch_norm1d *, heed_nn_batch_norm1d_new)
#define heed_nn_batch_norm1d_new(...) \
    (HEED_NOTE, (heed_nn_batch_norm1d_new_sited)((heed_nn_batch_norm1d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_batch_norm1d_forward)
#define heed_nn_batch_norm1d_forward(...) \
    (HEED_NOTE, (heed_nn_batch_norm1d_forward_sited)((heed_nn_batch_norm1d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_batch_norm2d *, heed_nn_batch_norm2d_new)
#define heed_nn_batch_norm2d_new(...) \
    (HEED_NOTE, (heed_nn_batch_norm2d_new_sited)((heed_nn_batch_norm2d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_batch_norm2d_forward)
#define heed_nn_batch_norm2d_forward(...) \
    (HEED_NOTE, (heed_nn_batch_norm2d_forward_sited)((heed_nn_batch_norm2d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_group_norm *, heed_nn_group_norm_new)
#define heed_nn_group_norm_new(...) \
    (HEED_NOTE, (heed_nn_group_norm_new_sited)((heed_nn_group_norm_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_group_norm_forward)
#define heed_nn_group_norm_forward(...) \
    (HEED_NOTE, (heed_nn_group_norm_forward_sited)((heed_nn_group_norm_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_instance_norm1d *, heed_nn_instance_norm1d_new)
#define heed_nn_instance_norm1d_new(...) \
    (HEED_NOTE, (heed_nn_instance_norm1d_new_sited)((heed_nn_instance_norm1d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_instance_norm1d_forward)
#define heed_nn_instance_norm1d_forward(...) \
    (HEED_NOTE, (heed_nn_instance_norm1d_forward_sited)((heed_nn_instance_norm1d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_instance_norm2d *, heed_nn_instance_norm2d_new)
#define heed_nn_instance_norm2d_new(...) \
    (HEED_NOTE, (heed_nn_instance_norm2d_new_sited)((heed_nn_instance_norm2d_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_instance_norm2d_forward)
#define heed_nn_instance_norm2d_forward(...) \
    (HEED_NOTE, (heed_nn_instance_norm2d_forward_sited)((heed_nn_instance_norm2d_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_rms_norm *, heed_nn_rms_norm_new)
#define heed_nn_rms_norm_new(...) \
    (HEED_NOTE, (heed_nn_rms_norm_new_sited)((heed_nn_rms_norm_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_rms_norm_forward)
#define heed_nn_rms_norm_forward(...) \
    (HEED_NOTE, (heed_nn_rms_norm_forward_sited)((heed_nn_rms_norm_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_positional_encoding *, heed_nn_positional_encoding_new)
#define heed_nn_positional_encoding_new(...) \
    (HEED_NOTE, (heed_nn_positional_encoding_new_sited)((heed_nn_positional_encoding_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_positional_encoding_forward)
#define heed_nn_positional_encoding_forward(...) \
    (HEED_NOTE, (heed_nn_positional_encoding_forward_sited)((heed_nn_positional_encoding_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_feed_forward *, heed_nn_feed_forward_new)
#define heed_nn_feed_forward_new(...) \
    (HEED_NOTE, (heed_nn_feed_forward_new_sited)((heed_nn_feed_forward_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_feed_forward_forward)
#define heed_nn_feed_forward_forward(...) \
    (HEED_NOTE, (heed_nn_feed_forward_forward_sited)((heed_nn_feed_forward_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_transformer_encoder_block *, heed_nn_transformer_encoder_block_new)
#define heed_nn_transformer_encoder_block_new(...) \
    (HEED_NOTE, (heed_nn_transformer_encoder_block_new_sited)((heed_nn_transformer_encoder_block_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_encoder_block_forward)
#define heed_nn_transformer_encoder_block_forward(...) \
    (HEED_NOTE, (heed_nn_transformer_encoder_block_forward_sited)((heed_nn_transformer_encoder_block_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_transformer_decoder_block *, heed_nn_transformer_decoder_block_new)
#define heed_nn_transformer_decoder_block_new(...) \
    (HEED_NOTE, (heed_nn_transformer_decoder_block_new_sited)((heed_nn_transformer_decoder_block_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_decoder_block_forward)
#define heed_nn_transformer_decoder_block_forward(...) \
    (HEED_NOTE, (heed_nn_transformer_decoder_block_forward_sited)((heed_nn_transformer_decoder_block_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_transformer_encoder *, heed_nn_transformer_encoder_new)
#define heed_nn_transformer_encoder_new(...) \
    (HEED_NOTE, (heed_nn_transformer_encoder_new_sited)((heed_nn_transformer_encoder_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_encoder_forward)
#define heed_nn_transformer_encoder_forward(...) \
    (HEED_NOTE, (heed_nn_transformer_encoder_forward_sited)((heed_nn_transformer_encoder_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_transformer_decoder *, heed_nn_transformer_decoder_new)
#define heed_nn_transformer_decoder_new(...) \
    (HEED_NOTE, (heed_nn_transformer_decoder_new_sited)((heed_nn_transformer_decoder_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_decoder_forward)
#define heed_nn_transformer_decoder_forward(...) \
    (HEED_NOTE, (heed_nn_transformer_decoder_forward_sited)((heed_nn_transformer_decoder_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_transformer *, heed_nn_transformer_new)
#define heed_nn_transformer_new(...) \
    (HEED_NOTE, (heed_nn_transformer_new_sited)((heed_nn_transformer_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_forward)
#define heed_nn_transformer_forward(...) \
    (HEED_NOTE, (heed_nn_transformer_forward_sited)((heed_nn_transformer_forward)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_encoder_block_masked)
#define heed_nn_transformer_encoder_block_masked(...) \
    (HEED_NOTE, (heed_nn_transformer_encoder_block_masked_sited)((heed_nn_transformer_encoder_block_masked)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_decoder_block_masked)
#define heed_nn_transformer_decoder_block_masked(...) \
    (HEED_NOTE, (heed_nn_transformer_decoder_block_masked_sited)((heed_nn_transformer_decoder_block_masked)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_encoder_masked)
#define heed_nn_transformer_encoder_masked(...) \
    (HEED_NOTE, (heed_nn_transformer_encoder_masked_sited)((heed_nn_transformer_encoder_masked)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_decoder_masked)
#define heed_nn_transformer_decoder_masked(...) \
    (HEED_NOTE, (heed_nn_transformer_decoder_masked_sited)((heed_nn_transformer_decoder_masked)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_masked)
#define heed_nn_transformer_masked(...) \
    (HEED_NOTE, (heed_nn_transformer_masked_sited)((heed_nn_transformer_masked)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_positional_encoding_at)
#define heed_nn_positional_encoding_at(...) \
    (HEED_NOTE, (heed_nn_positional_encoding_at_sited)((heed_nn_positional_encoding_at)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_encoder_block_cached)
#define heed_nn_transformer_encoder_block_cached(...) \
    (HEED_NOTE, (heed_nn_transformer_encoder_block_cached_sited)((heed_nn_transformer_encoder_block_cached)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_decoder_block_cached)
#define heed_nn_transformer_decoder_block_cached(...) \
    (HEED_NOTE, (heed_nn_transformer_decoder_block_cached_sited)((heed_nn_transformer_decoder_block_cached)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_transformer_decoder_cached)
#define heed_nn_transformer_decoder_cached(...) \
    (HEED_NOTE, (heed_nn_transformer_decoder_cached_sited)((heed_nn_transformer_decoder_cached)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_vision_transformer *, heed_nn_vision_transformer_new)
#define heed_nn_vision_transformer_new(...) \
    (HEED_NOTE, (heed_nn_vision_transformer_new_sited)((heed_nn_vision_transformer_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_vision_transformer_forward)
#define heed_nn_vision_transformer_forward(...) \
    (HEED_NOTE, (heed_nn_vision_transformer_forward_sited)((heed_nn_vision_transformer_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_np *, heed_np_fit)
#define heed_np_fit(...) \
    (HEED_NOTE, (heed_np_fit_sited)((heed_np_fit)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_np *, heed_np_fit_density)
#define heed_np_fit_density(...) \
    (HEED_NOTE, (heed_np_fit_density_sited)((heed_np_fit_density)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_np *, heed_np_fit_classes)
#define heed_np_fit_classes(...) \
    (HEED_NOTE, (heed_np_fit_classes_sited)((heed_np_fit_classes)(__VA_ARGS__)))
#define heed_np_free(...) \
    (HEED_NOTE, (heed_np_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_np_report, heed_np_get_report)
#define heed_np_get_report(...) \
    (HEED_NOTE, (heed_np_get_report_sited)((heed_np_get_report)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_np_bandwidths)
#define heed_np_bandwidths(...) \
    (HEED_NOTE, (heed_np_bandwidths_sited)((heed_np_bandwidths)(__VA_ARGS__)))
HEED_SITED(double, heed_np_minimum)
#define heed_np_minimum(...) \
    (HEED_NOTE, (heed_np_minimum_sited)((heed_np_minimum)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_np_fitted)
#define heed_np_fitted(...) \
    (HEED_NOTE, (heed_np_fitted_sited)((heed_np_fitted)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_np_residuals)
#define heed_np_residuals(...) \
    (HEED_NOTE, (heed_np_residuals_sited)((heed_np_residuals)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_np_leverages)
#define heed_np_leverages(...) \
    (HEED_NOTE, (heed_np_leverages_sited)((heed_np_leverages)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_np_robust_weights)
#define heed_np_robust_weights(...) \
    (HEED_NOTE, (heed_np_robust_weights_sited)((heed_np_robust_weights)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_np_predict)
#define heed_np_predict(...) \
    (HEED_NOTE, (heed_np_predict_sited)((heed_np_predict)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_np_quantile)
#define heed_np_quantile(...) \
    (HEED_NOTE, (heed_np_quantile_sited)((heed_np_quantile)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_np_classes)
#define heed_np_classes(...) \
    (HEED_NOTE, (heed_np_classes_sited)((heed_np_classes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_np_classify)
#define heed_np_classify(...) \
    (HEED_NOTE, (heed_np_classify_sited)((heed_np_classify)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_np_bootstrap)
#define heed_np_bootstrap(...) \
    (HEED_NOTE, (heed_np_bootstrap_sited)((heed_np_bootstrap)(__VA_ARGS__)))
HEED_SITED(double, heed_np_significance)
#define heed_np_significance(...) \
    (HEED_NOTE, (heed_np_significance_sited)((heed_np_significance)(__VA_ARGS__)))
HEED_SITED(heed_span, heed_span_begin)
#define heed_span_begin(...) \
    (HEED_NOTE, (heed_span_begin_sited)((heed_span_begin)(__VA_ARGS__)))
#define heed_span_end(...) \
    (HEED_NOTE, (heed_span_end)(__VA_ARGS__), heed_site_restore())
HEED_SITED(int64_t, heed_add_observer)
#define heed_add_observer(...) \
    (HEED_NOTE, (heed_add_observer_sited)((heed_add_observer)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_remove_observer)
#define heed_remove_observer(...) \
    (HEED_NOTE, (heed_remove_observer_sited)((heed_remove_observer)(__VA_ARGS__)))
HEED_SITED(size_t, heed_event_module)
#define heed_event_module(...) \
    (HEED_NOTE, (heed_event_module_sited)((heed_event_module)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_event_multiply_adds)
#define heed_event_multiply_adds(...) \
    (HEED_NOTE, (heed_event_multiply_adds_sited)((heed_event_multiply_adds)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_dot_product_attention)
#define heed_dot_product_attention(...) \
    (HEED_NOTE, (heed_dot_product_attention_sited)((heed_dot_product_attention)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_additive_attention)
#define heed_additive_attention(...) \
    (HEED_NOTE, (heed_additive_attention_sited)((heed_additive_attention)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_rope)
#define heed_rope(...) \
    (HEED_NOTE, (heed_rope_sited)((heed_rope)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_kernel_regression)
#define heed_kernel_regression(...) \
    (HEED_NOTE, (heed_kernel_regression_sited)((heed_kernel_regression)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_conv1d)
#define heed_conv1d(...) \
    (HEED_NOTE, (heed_conv1d_sited)((heed_conv1d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_conv2d)
#define heed_conv2d(...) \
    (HEED_NOTE, (heed_conv2d_sited)((heed_conv2d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_conv_transpose1d)
#define heed_conv_transpose1d(...) \
    (HEED_NOTE, (heed_conv_transpose1d_sited)((heed_conv_transpose1d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_conv_transpose2d)
#define heed_conv_transpose2d(...) \
    (HEED_NOTE, (heed_conv_transpose2d_sited)((heed_conv_transpose2d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_unfold)
#define heed_unfold(...) \
    (HEED_NOTE, (heed_unfold_sited)((heed_unfold)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_fold)
#define heed_fold(...) \
    (HEED_NOTE, (heed_fold_sited)((heed_fold)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_conv2d_weight)
#define heed_conv2d_weight(...) \
    (HEED_NOTE, (heed_conv2d_weight_sited)((heed_conv2d_weight)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_add)
#define heed_add(...) \
    (HEED_NOTE, (heed_add_sited)((heed_add)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sub)
#define heed_sub(...) \
    (HEED_NOTE, (heed_sub_sited)((heed_sub)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_mul)
#define heed_mul(...) \
    (HEED_NOTE, (heed_mul_sited)((heed_mul)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_div)
#define heed_div(...) \
    (HEED_NOTE, (heed_div_sited)((heed_div)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_maximum)
#define heed_maximum(...) \
    (HEED_NOTE, (heed_maximum_sited)((heed_maximum)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_minimum)
#define heed_minimum(...) \
    (HEED_NOTE, (heed_minimum_sited)((heed_minimum)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_floor_divide)
#define heed_floor_divide(...) \
    (HEED_NOTE, (heed_floor_divide_sited)((heed_floor_divide)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_remainder)
#define heed_remainder(...) \
    (HEED_NOTE, (heed_remainder_sited)((heed_remainder)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_atan2)
#define heed_atan2(...) \
    (HEED_NOTE, (heed_atan2_sited)((heed_atan2)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_where)
#define heed_where(...) \
    (HEED_NOTE, (heed_where_sited)((heed_where)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_compare)
#define heed_compare(...) \
    (HEED_NOTE, (heed_compare_sited)((heed_compare)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_compare_scalar)
#define heed_compare_scalar(...) \
    (HEED_NOTE, (heed_compare_scalar_sited)((heed_compare_scalar)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_mul_scalar)
#define heed_mul_scalar(...) \
    (HEED_NOTE, (heed_mul_scalar_sited)((heed_mul_scalar)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_add_scalar)
#define heed_add_scalar(...) \
    (HEED_NOTE, (heed_add_scalar_sited)((heed_add_scalar)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_rsub_scalar)
#define heed_rsub_scalar(...) \
    (HEED_NOTE, (heed_rsub_scalar_sited)((heed_rsub_scalar)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_pow_scalar)
#define heed_pow_scalar(...) \
    (HEED_NOTE, (heed_pow_scalar_sited)((heed_pow_scalar)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_clamp)
#define heed_clamp(...) \
    (HEED_NOTE, (heed_clamp_sited)((heed_clamp)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_neg)
#define heed_neg(...) \
    (HEED_NOTE, (heed_neg_sited)((heed_neg)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_square)
#define heed_square(...) \
    (HEED_NOTE, (heed_square_sited)((heed_square)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sqrt)
#define heed_sqrt(...) \
    (HEED_NOTE, (heed_sqrt_sited)((heed_sqrt)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_exp)
#define heed_exp(...) \
    (HEED_NOTE, (heed_exp_sited)((heed_exp)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_log)
#define heed_log(...) \
    (HEED_NOTE, (heed_log_sited)((heed_log)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_expm1)
#define heed_expm1(...) \
    (HEED_NOTE, (heed_expm1_sited)((heed_expm1)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_log1p)
#define heed_log1p(...) \
    (HEED_NOTE, (heed_log1p_sited)((heed_log1p)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sin)
#define heed_sin(...) \
    (HEED_NOTE, (heed_sin_sited)((heed_sin)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_cos)
#define heed_cos(...) \
    (HEED_NOTE, (heed_cos_sited)((heed_cos)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_asin)
#define heed_asin(...) \
    (HEED_NOTE, (heed_asin_sited)((heed_asin)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_acos)
#define heed_acos(...) \
    (HEED_NOTE, (heed_acos_sited)((heed_acos)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_atan)
#define heed_atan(...) \
    (HEED_NOTE, (heed_atan_sited)((heed_atan)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sinh)
#define heed_sinh(...) \
    (HEED_NOTE, (heed_sinh_sited)((heed_sinh)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_cosh)
#define heed_cosh(...) \
    (HEED_NOTE, (heed_cosh_sited)((heed_cosh)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_tanh)
#define heed_tanh(...) \
    (HEED_NOTE, (heed_tanh_sited)((heed_tanh)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sigmoid)
#define heed_sigmoid(...) \
    (HEED_NOTE, (heed_sigmoid_sited)((heed_sigmoid)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_relu)
#define heed_relu(...) \
    (HEED_NOTE, (heed_relu_sited)((heed_relu)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_abs)
#define heed_abs(...) \
    (HEED_NOTE, (heed_abs_sited)((heed_abs)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sign)
#define heed_sign(...) \
    (HEED_NOTE, (heed_sign_sited)((heed_sign)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_floor)
#define heed_floor(...) \
    (HEED_NOTE, (heed_floor_sited)((heed_floor)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_ceil)
#define heed_ceil(...) \
    (HEED_NOTE, (heed_ceil_sited)((heed_ceil)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_round)
#define heed_round(...) \
    (HEED_NOTE, (heed_round_sited)((heed_round)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_erf)
#define heed_erf(...) \
    (HEED_NOTE, (heed_erf_sited)((heed_erf)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_gelu)
#define heed_gelu(...) \
    (HEED_NOTE, (heed_gelu_sited)((heed_gelu)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_gelu_tanh)
#define heed_gelu_tanh(...) \
    (HEED_NOTE, (heed_gelu_tanh_sited)((heed_gelu_tanh)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_softplus)
#define heed_softplus(...) \
    (HEED_NOTE, (heed_softplus_sited)((heed_softplus)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_silu)
#define heed_silu(...) \
    (HEED_NOTE, (heed_silu_sited)((heed_silu)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_leaky_relu)
#define heed_leaky_relu(...) \
    (HEED_NOTE, (heed_leaky_relu_sited)((heed_leaky_relu)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_elu)
#define heed_elu(...) \
    (HEED_NOTE, (heed_elu_sited)((heed_elu)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_hardtanh)
#define heed_hardtanh(...) \
    (HEED_NOTE, (heed_hardtanh_sited)((heed_hardtanh)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_clone)
#define heed_clone(...) \
    (HEED_NOTE, (heed_clone_sited)((heed_clone)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_contiguous)
#define heed_contiguous(...) \
    (HEED_NOTE, (heed_contiguous_sited)((heed_contiguous)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_to_dtype)
#define heed_to_dtype(...) \
    (HEED_NOTE, (heed_to_dtype_sited)((heed_to_dtype)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sort)
#define heed_sort(...) \
    (HEED_NOTE, (heed_sort_sited)((heed_sort)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sort_axis)
#define heed_sort_axis(...) \
    (HEED_NOTE, (heed_sort_axis_sited)((heed_sort_axis)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_argsort)
#define heed_argsort(...) \
    (HEED_NOTE, (heed_argsort_sited)((heed_argsort)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_topk)
#define heed_topk(...) \
    (HEED_NOTE, (heed_topk_sited)((heed_topk)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_unique)
#define heed_unique(...) \
    (HEED_NOTE, (heed_unique_sited)((heed_unique)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_searchsorted)
#define heed_searchsorted(...) \
    (HEED_NOTE, (heed_searchsorted_sited)((heed_searchsorted)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_bincount)
#define heed_bincount(...) \
    (HEED_NOTE, (heed_bincount_sited)((heed_bincount)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_masked_fill)
#define heed_masked_fill(...) \
    (HEED_NOTE, (heed_masked_fill_sited)((heed_masked_fill)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_gather)
#define heed_gather(...) \
    (HEED_NOTE, (heed_gather_sited)((heed_gather)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_scatter_sum)
#define heed_scatter_sum(...) \
    (HEED_NOTE, (heed_scatter_sum_sited)((heed_scatter_sum)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_index_select)
#define heed_index_select(...) \
    (HEED_NOTE, (heed_index_select_sited)((heed_index_select)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_index_sum)
#define heed_index_sum(...) \
    (HEED_NOTE, (heed_index_sum_sited)((heed_index_sum)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_embedding)
#define heed_embedding(...) \
    (HEED_NOTE, (heed_embedding_sited)((heed_embedding)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_one_hot)
#define heed_one_hot(...) \
    (HEED_NOTE, (heed_one_hot_sited)((heed_one_hot)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_isnan)
#define heed_isnan(...) \
    (HEED_NOTE, (heed_isnan_sited)((heed_isnan)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_isinf)
#define heed_isinf(...) \
    (HEED_NOTE, (heed_isinf_sited)((heed_isinf)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_isfinite)
#define heed_isfinite(...) \
    (HEED_NOTE, (heed_isfinite_sited)((heed_isfinite)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_isclose)
#define heed_isclose(...) \
    (HEED_NOTE, (heed_isclose_sited)((heed_isclose)(__VA_ARGS__)))
HEED_SITED(bool, heed_allclose)
#define heed_allclose(...) \
    (HEED_NOTE, (heed_allclose_sited)((heed_allclose)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_logical_and)
#define heed_logical_and(...) \
    (HEED_NOTE, (heed_logical_and_sited)((heed_logical_and)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_logical_or)
#define heed_logical_or(...) \
    (HEED_NOTE, (heed_logical_or_sited)((heed_logical_or)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_logical_xor)
#define heed_logical_xor(...) \
    (HEED_NOTE, (heed_logical_xor_sited)((heed_logical_xor)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_logical_not)
#define heed_logical_not(...) \
    (HEED_NOTE, (heed_logical_not_sited)((heed_logical_not)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_any)
#define heed_any(...) \
    (HEED_NOTE, (heed_any_sited)((heed_any)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_any_axes)
#define heed_any_axes(...) \
    (HEED_NOTE, (heed_any_axes_sited)((heed_any_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_all)
#define heed_all(...) \
    (HEED_NOTE, (heed_all_sited)((heed_all)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_all_axes)
#define heed_all_axes(...) \
    (HEED_NOTE, (heed_all_axes_sited)((heed_all_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_mse_loss)
#define heed_mse_loss(...) \
    (HEED_NOTE, (heed_mse_loss_sited)((heed_mse_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_l1_loss)
#define heed_l1_loss(...) \
    (HEED_NOTE, (heed_l1_loss_sited)((heed_l1_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_smooth_l1_loss)
#define heed_smooth_l1_loss(...) \
    (HEED_NOTE, (heed_smooth_l1_loss_sited)((heed_smooth_l1_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_huber_loss)
#define heed_huber_loss(...) \
    (HEED_NOTE, (heed_huber_loss_sited)((heed_huber_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_hinge_loss)
#define heed_hinge_loss(...) \
    (HEED_NOTE, (heed_hinge_loss_sited)((heed_hinge_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_hinge_embedding_loss)
#define heed_hinge_embedding_loss(...) \
    (HEED_NOTE, (heed_hinge_embedding_loss_sited)((heed_hinge_embedding_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_kl_div)
#define heed_kl_div(...) \
    (HEED_NOTE, (heed_kl_div_sited)((heed_kl_div)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_poisson_nll_loss)
#define heed_poisson_nll_loss(...) \
    (HEED_NOTE, (heed_poisson_nll_loss_sited)((heed_poisson_nll_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_gaussian_nll_loss)
#define heed_gaussian_nll_loss(...) \
    (HEED_NOTE, (heed_gaussian_nll_loss_sited)((heed_gaussian_nll_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_cosine_similarity)
#define heed_cosine_similarity(...) \
    (HEED_NOTE, (heed_cosine_similarity_sited)((heed_cosine_similarity)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_cosine_embedding_loss)
#define heed_cosine_embedding_loss(...) \
    (HEED_NOTE, (heed_cosine_embedding_loss_sited)((heed_cosine_embedding_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_triplet_margin_loss)
#define heed_triplet_margin_loss(...) \
    (HEED_NOTE, (heed_triplet_margin_loss_sited)((heed_triplet_margin_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_binary_cross_entropy_with_logits)
#define heed_binary_cross_entropy_with_logits(...) \
    (HEED_NOTE, (heed_binary_cross_entropy_with_logits_sited)((heed_binary_cross_entropy_with_logits)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nll_loss)
#define heed_nll_loss(...) \
    (HEED_NOTE, (heed_nll_loss_sited)((heed_nll_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_cross_entropy)
#define heed_cross_entropy(...) \
    (HEED_NOTE, (heed_cross_entropy_sited)((heed_cross_entropy)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sequence_loss)
#define heed_sequence_loss(...) \
    (HEED_NOTE, (heed_sequence_loss_sited)((heed_sequence_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_ctc_loss)
#define heed_ctc_loss(...) \
    (HEED_NOTE, (heed_ctc_loss_sited)((heed_ctc_loss)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_layer_norm)
#define heed_layer_norm(...) \
    (HEED_NOTE, (heed_layer_norm_sited)((heed_layer_norm)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_rms_norm)
#define heed_rms_norm(...) \
    (HEED_NOTE, (heed_rms_norm_sited)((heed_rms_norm)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_batch_norm)
#define heed_batch_norm(...) \
    (HEED_NOTE, (heed_batch_norm_sited)((heed_batch_norm)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_group_norm)
#define heed_group_norm(...) \
    (HEED_NOTE, (heed_group_norm_sited)((heed_group_norm)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_instance_norm)
#define heed_instance_norm(...) \
    (HEED_NOTE, (heed_instance_norm_sited)((heed_instance_norm)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_dropout)
#define heed_dropout(...) \
    (HEED_NOTE, (heed_dropout_sited)((heed_dropout)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_dropout)
#define heed_generator_dropout(...) \
    (HEED_NOTE, (heed_generator_dropout_sited)((heed_generator_dropout)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_max_pool1d)
#define heed_max_pool1d(...) \
    (HEED_NOTE, (heed_max_pool1d_sited)((heed_max_pool1d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_max_pool2d)
#define heed_max_pool2d(...) \
    (HEED_NOTE, (heed_max_pool2d_sited)((heed_max_pool2d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_avg_pool1d)
#define heed_avg_pool1d(...) \
    (HEED_NOTE, (heed_avg_pool1d_sited)((heed_avg_pool1d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_avg_pool2d)
#define heed_avg_pool2d(...) \
    (HEED_NOTE, (heed_avg_pool2d_sited)((heed_avg_pool2d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_adaptive_max_pool1d)
#define heed_adaptive_max_pool1d(...) \
    (HEED_NOTE, (heed_adaptive_max_pool1d_sited)((heed_adaptive_max_pool1d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_adaptive_max_pool2d)
#define heed_adaptive_max_pool2d(...) \
    (HEED_NOTE, (heed_adaptive_max_pool2d_sited)((heed_adaptive_max_pool2d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_adaptive_avg_pool1d)
#define heed_adaptive_avg_pool1d(...) \
    (HEED_NOTE, (heed_adaptive_avg_pool1d_sited)((heed_adaptive_avg_pool1d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_adaptive_avg_pool2d)
#define heed_adaptive_avg_pool2d(...) \
    (HEED_NOTE, (heed_adaptive_avg_pool2d_sited)((heed_adaptive_avg_pool2d)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_matmul)
#define heed_matmul(...) \
    (HEED_NOTE, (heed_matmul_sited)((heed_matmul)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_bmm)
#define heed_bmm(...) \
    (HEED_NOTE, (heed_bmm_sited)((heed_bmm)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_linear)
#define heed_linear(...) \
    (HEED_NOTE, (heed_linear_sited)((heed_linear)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_outer)
#define heed_outer(...) \
    (HEED_NOTE, (heed_outer_sited)((heed_outer)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_einsum)
#define heed_einsum(...) \
    (HEED_NOTE, (heed_einsum_sited)((heed_einsum)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_bmm_t)
#define heed_bmm_t(...) \
    (HEED_NOTE, (heed_bmm_t_sited)((heed_bmm_t)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_linear_activated)
#define heed_linear_activated(...) \
    (HEED_NOTE, (heed_linear_activated_sited)((heed_linear_activated)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_recurrence)
#define heed_recurrence(...) \
    (HEED_NOTE, (heed_recurrence_sited)((heed_recurrence)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sum)
#define heed_sum(...) \
    (HEED_NOTE, (heed_sum_sited)((heed_sum)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sum_axes)
#define heed_sum_axes(...) \
    (HEED_NOTE, (heed_sum_axes_sited)((heed_sum_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_mean)
#define heed_mean(...) \
    (HEED_NOTE, (heed_mean_sited)((heed_mean)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_mean_axes)
#define heed_mean_axes(...) \
    (HEED_NOTE, (heed_mean_axes_sited)((heed_mean_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_var)
#define heed_var(...) \
    (HEED_NOTE, (heed_var_sited)((heed_var)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_var_axes)
#define heed_var_axes(...) \
    (HEED_NOTE, (heed_var_axes_sited)((heed_var_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_std)
#define heed_std(...) \
    (HEED_NOTE, (heed_std_sited)((heed_std)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_std_axes)
#define heed_std_axes(...) \
    (HEED_NOTE, (heed_std_axes_sited)((heed_std_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_norm)
#define heed_norm(...) \
    (HEED_NOTE, (heed_norm_sited)((heed_norm)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_norm_axes)
#define heed_norm_axes(...) \
    (HEED_NOTE, (heed_norm_axes_sited)((heed_norm_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_prod)
#define heed_prod(...) \
    (HEED_NOTE, (heed_prod_sited)((heed_prod)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_prod_axes)
#define heed_prod_axes(...) \
    (HEED_NOTE, (heed_prod_axes_sited)((heed_prod_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_cumsum)
#define heed_cumsum(...) \
    (HEED_NOTE, (heed_cumsum_sited)((heed_cumsum)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_trapezoid)
#define heed_trapezoid(...) \
    (HEED_NOTE, (heed_trapezoid_sited)((heed_trapezoid)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_trapezoid_scalar)
#define heed_trapezoid_scalar(...) \
    (HEED_NOTE, (heed_trapezoid_scalar_sited)((heed_trapezoid_scalar)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_max)
#define heed_max(...) \
    (HEED_NOTE, (heed_max_sited)((heed_max)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_max_axes)
#define heed_max_axes(...) \
    (HEED_NOTE, (heed_max_axes_sited)((heed_max_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_min)
#define heed_min(...) \
    (HEED_NOTE, (heed_min_sited)((heed_min)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_min_axes)
#define heed_min_axes(...) \
    (HEED_NOTE, (heed_min_axes_sited)((heed_min_axes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_argmax)
#define heed_argmax(...) \
    (HEED_NOTE, (heed_argmax_sited)((heed_argmax)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_argmax_axis)
#define heed_argmax_axis(...) \
    (HEED_NOTE, (heed_argmax_axis_sited)((heed_argmax_axis)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_argmin)
#define heed_argmin(...) \
    (HEED_NOTE, (heed_argmin_sited)((heed_argmin)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_argmin_axis)
#define heed_argmin_axis(...) \
    (HEED_NOTE, (heed_argmin_axis_sited)((heed_argmin_axis)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sum_to)
#define heed_sum_to(...) \
    (HEED_NOTE, (heed_sum_to_sited)((heed_sum_to)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_reshape)
#define heed_reshape(...) \
    (HEED_NOTE, (heed_reshape_sited)((heed_reshape)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_transpose)
#define heed_transpose(...) \
    (HEED_NOTE, (heed_transpose_sited)((heed_transpose)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_permute)
#define heed_permute(...) \
    (HEED_NOTE, (heed_permute_sited)((heed_permute)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_squeeze)
#define heed_squeeze(...) \
    (HEED_NOTE, (heed_squeeze_sited)((heed_squeeze)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_unsqueeze)
#define heed_unsqueeze(...) \
    (HEED_NOTE, (heed_unsqueeze_sited)((heed_unsqueeze)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_flatten)
#define heed_flatten(...) \
    (HEED_NOTE, (heed_flatten_sited)((heed_flatten)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_expand)
#define heed_expand(...) \
    (HEED_NOTE, (heed_expand_sited)((heed_expand)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_slice)
#define heed_slice(...) \
    (HEED_NOTE, (heed_slice_sited)((heed_slice)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_unslice)
#define heed_unslice(...) \
    (HEED_NOTE, (heed_unslice_sited)((heed_unslice)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_select)
#define heed_select(...) \
    (HEED_NOTE, (heed_select_sited)((heed_select)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_diagonal)
#define heed_diagonal(...) \
    (HEED_NOTE, (heed_diagonal_sited)((heed_diagonal)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_diag)
#define heed_diag(...) \
    (HEED_NOTE, (heed_diag_sited)((heed_diag)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_tril)
#define heed_tril(...) \
    (HEED_NOTE, (heed_tril_sited)((heed_tril)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_triu)
#define heed_triu(...) \
    (HEED_NOTE, (heed_triu_sited)((heed_triu)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_split)
#define heed_split(...) \
    (HEED_NOTE, (heed_split_sited)((heed_split)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_split_sizes)
#define heed_split_sizes(...) \
    (HEED_NOTE, (heed_split_sizes_sited)((heed_split_sizes)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_chunk)
#define heed_chunk(...) \
    (HEED_NOTE, (heed_chunk_sited)((heed_chunk)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_unbind)
#define heed_unbind(...) \
    (HEED_NOTE, (heed_unbind_sited)((heed_unbind)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_meshgrid)
#define heed_meshgrid(...) \
    (HEED_NOTE, (heed_meshgrid_sited)((heed_meshgrid)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_concat)
#define heed_concat(...) \
    (HEED_NOTE, (heed_concat_sited)((heed_concat)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_stack)
#define heed_stack(...) \
    (HEED_NOTE, (heed_stack_sited)((heed_stack)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_repeat_interleave)
#define heed_repeat_interleave(...) \
    (HEED_NOTE, (heed_repeat_interleave_sited)((heed_repeat_interleave)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_tile)
#define heed_tile(...) \
    (HEED_NOTE, (heed_tile_sited)((heed_tile)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_flip)
#define heed_flip(...) \
    (HEED_NOTE, (heed_flip_sited)((heed_flip)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_roll)
#define heed_roll(...) \
    (HEED_NOTE, (heed_roll_sited)((heed_roll)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_pad)
#define heed_pad(...) \
    (HEED_NOTE, (heed_pad_sited)((heed_pad)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_softmax)
#define heed_softmax(...) \
    (HEED_NOTE, (heed_softmax_sited)((heed_softmax)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_log_softmax)
#define heed_log_softmax(...) \
    (HEED_NOTE, (heed_log_softmax_sited)((heed_log_softmax)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_logsumexp)
#define heed_logsumexp(...) \
    (HEED_NOTE, (heed_logsumexp_sited)((heed_logsumexp)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_masked_softmax)
#define heed_masked_softmax(...) \
    (HEED_NOTE, (heed_masked_softmax_sited)((heed_masked_softmax)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_sequence_mask)
#define heed_sequence_mask(...) \
    (HEED_NOTE, (heed_sequence_mask_sited)((heed_sequence_mask)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_average *, heed_average_new)
#define heed_average_new(...) \
    (HEED_NOTE, (heed_average_new_sited)((heed_average_new)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_average_update)
#define heed_average_update(...) \
    (HEED_NOTE, (heed_average_update_sited)((heed_average_update)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_average_swap)
#define heed_average_swap(...) \
    (HEED_NOTE, (heed_average_swap_sited)((heed_average_swap)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_dict *, heed_average_state)
#define heed_average_state(...) \
    (HEED_NOTE, (heed_average_state_sited)((heed_average_state)(__VA_ARGS__)))
#define heed_average_free(...) \
    (HEED_NOTE, (heed_average_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_status, heed_optimizer_step)
#define heed_optimizer_step(...) \
    (HEED_NOTE, (heed_optimizer_step_sited)((heed_optimizer_step)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optimizer_zero_grad)
#define heed_optimizer_zero_grad(...) \
    (HEED_NOTE, (heed_optimizer_zero_grad_sited)((heed_optimizer_zero_grad)(__VA_ARGS__)))
HEED_SITED(double, heed_optimizer_lr)
#define heed_optimizer_lr(...) \
    (HEED_NOTE, (heed_optimizer_lr_sited)((heed_optimizer_lr)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optimizer_set_lr)
#define heed_optimizer_set_lr(...) \
    (HEED_NOTE, (heed_optimizer_set_lr_sited)((heed_optimizer_set_lr)(__VA_ARGS__)))
#define heed_optimizer_free(...) \
    (HEED_NOTE, (heed_optimizer_free)(__VA_ARGS__), heed_site_restore())
HEED_NODISCARD HEED_SITED(heed_dict *, heed_optimizer_state)
#define heed_optimizer_state(...) \
    (HEED_NOTE, (heed_optimizer_state_sited)((heed_optimizer_state)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optimizer_load_state)
#define heed_optimizer_load_state(...) \
    (HEED_NOTE, (heed_optimizer_load_state_sited)((heed_optimizer_load_state)(__VA_ARGS__)))
HEED_SITED(int, heed_optimizer_groups)
#define heed_optimizer_groups(...) \
    (HEED_NOTE, (heed_optimizer_groups_sited)((heed_optimizer_groups)(__VA_ARGS__)))
HEED_SITED(double, heed_optimizer_group_lr)
#define heed_optimizer_group_lr(...) \
    (HEED_NOTE, (heed_optimizer_group_lr_sited)((heed_optimizer_group_lr)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optimizer_set_group_lr)
#define heed_optimizer_set_group_lr(...) \
    (HEED_NOTE, (heed_optimizer_set_group_lr_sited)((heed_optimizer_set_group_lr)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optimizer_step_closure)
#define heed_optimizer_step_closure(...) \
    (HEED_NOTE, (heed_optimizer_step_closure_sited)((heed_optimizer_step_closure)(__VA_ARGS__)))
HEED_SITED(int, heed_optimizer_parameter_count)
#define heed_optimizer_parameter_count(...) \
    (HEED_NOTE, (heed_optimizer_parameter_count_sited)((heed_optimizer_parameter_count)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_optimizer_parameter)
#define heed_optimizer_parameter(...) \
    (HEED_NOTE, (heed_optimizer_parameter_sited)((heed_optimizer_parameter)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_clip_grad_norm_)
#define heed_optim_clip_grad_norm_(...) \
    (HEED_NOTE, (heed_optim_clip_grad_norm__sited)((heed_optim_clip_grad_norm_)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_clip_grad_value_)
#define heed_optim_clip_grad_value_(...) \
    (HEED_NOTE, (heed_optim_clip_grad_value__sited)((heed_optim_clip_grad_value_)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_clip_grad_norm_tensors_)
#define heed_optim_clip_grad_norm_tensors_(...) \
    (HEED_NOTE, (heed_optim_clip_grad_norm_tensors__sited)((heed_optim_clip_grad_norm_tensors_)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_clip_grad_value_tensors_)
#define heed_optim_clip_grad_value_tensors_(...) \
    (HEED_NOTE, (heed_optim_clip_grad_value_tensors__sited)((heed_optim_clip_grad_value_tensors_)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_sgd)
#define heed_optim_sgd(...) \
    (HEED_NOTE, (heed_optim_sgd_sited)((heed_optim_sgd)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_adam)
#define heed_optim_adam(...) \
    (HEED_NOTE, (heed_optim_adam_sited)((heed_optim_adam)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_adamw)
#define heed_optim_adamw(...) \
    (HEED_NOTE, (heed_optim_adamw_sited)((heed_optim_adamw)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_rmsprop)
#define heed_optim_rmsprop(...) \
    (HEED_NOTE, (heed_optim_rmsprop_sited)((heed_optim_rmsprop)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_adagrad)
#define heed_optim_adagrad(...) \
    (HEED_NOTE, (heed_optim_adagrad_sited)((heed_optim_adagrad)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_lion)
#define heed_optim_lion(...) \
    (HEED_NOTE, (heed_optim_lion_sited)((heed_optim_lion)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_muon)
#define heed_optim_muon(...) \
    (HEED_NOTE, (heed_optim_muon_sited)((heed_optim_muon)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_lbfgs)
#define heed_optim_lbfgs(...) \
    (HEED_NOTE, (heed_optim_lbfgs_sited)((heed_optim_lbfgs)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_sgd_tensors)
#define heed_optim_sgd_tensors(...) \
    (HEED_NOTE, (heed_optim_sgd_tensors_sited)((heed_optim_sgd_tensors)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_sgd_add_group)
#define heed_optim_sgd_add_group(...) \
    (HEED_NOTE, (heed_optim_sgd_add_group_sited)((heed_optim_sgd_add_group)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_adam_tensors)
#define heed_optim_adam_tensors(...) \
    (HEED_NOTE, (heed_optim_adam_tensors_sited)((heed_optim_adam_tensors)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_adam_add_group)
#define heed_optim_adam_add_group(...) \
    (HEED_NOTE, (heed_optim_adam_add_group_sited)((heed_optim_adam_add_group)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_adamw_tensors)
#define heed_optim_adamw_tensors(...) \
    (HEED_NOTE, (heed_optim_adamw_tensors_sited)((heed_optim_adamw_tensors)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_adamw_add_group)
#define heed_optim_adamw_add_group(...) \
    (HEED_NOTE, (heed_optim_adamw_add_group_sited)((heed_optim_adamw_add_group)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_rmsprop_tensors)
#define heed_optim_rmsprop_tensors(...) \
    (HEED_NOTE, (heed_optim_rmsprop_tensors_sited)((heed_optim_rmsprop_tensors)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_rmsprop_add_group)
#define heed_optim_rmsprop_add_group(...) \
    (HEED_NOTE, (heed_optim_rmsprop_add_group_sited)((heed_optim_rmsprop_add_group)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_adagrad_tensors)
#define heed_optim_adagrad_tensors(...) \
    (HEED_NOTE, (heed_optim_adagrad_tensors_sited)((heed_optim_adagrad_tensors)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_adagrad_add_group)
#define heed_optim_adagrad_add_group(...) \
    (HEED_NOTE, (heed_optim_adagrad_add_group_sited)((heed_optim_adagrad_add_group)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_lion_tensors)
#define heed_optim_lion_tensors(...) \
    (HEED_NOTE, (heed_optim_lion_tensors_sited)((heed_optim_lion_tensors)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_lion_add_group)
#define heed_optim_lion_add_group(...) \
    (HEED_NOTE, (heed_optim_lion_add_group_sited)((heed_optim_lion_add_group)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_muon_tensors)
#define heed_optim_muon_tensors(...) \
    (HEED_NOTE, (heed_optim_muon_tensors_sited)((heed_optim_muon_tensors)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_optim_muon_add_group)
#define heed_optim_muon_add_group(...) \
    (HEED_NOTE, (heed_optim_muon_add_group_sited)((heed_optim_muon_add_group)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_optimizer *, heed_optim_lbfgs_tensors)
#define heed_optim_lbfgs_tensors(...) \
    (HEED_NOTE, (heed_optim_lbfgs_tensors_sited)((heed_optim_lbfgs_tensors)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_schedule *, heed_schedule_new_step)
#define heed_schedule_new_step(...) \
    (HEED_NOTE, (heed_schedule_new_step_sited)((heed_schedule_new_step)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_schedule *, heed_schedule_new_exponential)
#define heed_schedule_new_exponential(...) \
    (HEED_NOTE, (heed_schedule_new_exponential_sited)((heed_schedule_new_exponential)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_schedule *, heed_schedule_new_cosine)
#define heed_schedule_new_cosine(...) \
    (HEED_NOTE, (heed_schedule_new_cosine_sited)((heed_schedule_new_cosine)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_schedule *, heed_schedule_new_linear)
#define heed_schedule_new_linear(...) \
    (HEED_NOTE, (heed_schedule_new_linear_sited)((heed_schedule_new_linear)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_schedule *, heed_schedule_new_one_cycle)
#define heed_schedule_new_one_cycle(...) \
    (HEED_NOTE, (heed_schedule_new_one_cycle_sited)((heed_schedule_new_one_cycle)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_schedule_step)
#define heed_schedule_step(...) \
    (HEED_NOTE, (heed_schedule_step_sited)((heed_schedule_step)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_schedule_free)
#define heed_schedule_free(...) \
    (HEED_NOTE, (heed_schedule_free_sited)((heed_schedule_free)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_schedule *, heed_schedule_new_plateau)
#define heed_schedule_new_plateau(...) \
    (HEED_NOTE, (heed_schedule_new_plateau_sited)((heed_schedule_new_plateau)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_schedule_step_metric)
#define heed_schedule_step_metric(...) \
    (HEED_NOTE, (heed_schedule_step_metric_sited)((heed_schedule_step_metric)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_schedule *, heed_schedule_new_chained)
#define heed_schedule_new_chained(...) \
    (HEED_NOTE, (heed_schedule_new_chained_sited)((heed_schedule_new_chained)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_schedule *, heed_schedule_new_sequential)
#define heed_schedule_new_sequential(...) \
    (HEED_NOTE, (heed_schedule_new_sequential_sited)((heed_schedule_new_sequential)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_schedule_steps)
#define heed_schedule_steps(...) \
    (HEED_NOTE, (heed_schedule_steps_sited)((heed_schedule_steps)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_schedule_set_steps)
#define heed_schedule_set_steps(...) \
    (HEED_NOTE, (heed_schedule_set_steps_sited)((heed_schedule_set_steps)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_set_num_threads)
#define heed_set_num_threads(...) \
    (HEED_NOTE, (heed_set_num_threads_sited)((heed_set_num_threads)(__VA_ARGS__)))
HEED_SITED(int, heed_num_threads)
#define heed_num_threads(...) \
    (HEED_NOTE, (heed_num_threads_sited)((heed_num_threads)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_plot_lines)
#define heed_plot_lines(...) \
    (HEED_NOTE, (heed_plot_lines_sited)((heed_plot_lines)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_plot_heatmap)
#define heed_plot_heatmap(...) \
    (HEED_NOTE, (heed_plot_heatmap_sited)((heed_plot_heatmap)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_plot_fit)
#define heed_plot_fit(...) \
    (HEED_NOTE, (heed_plot_fit_sited)((heed_plot_fit)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_plot_text)
#define heed_plot_text(...) \
    (HEED_NOTE, (heed_plot_text_sited)((heed_plot_text)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_plot_panels)
#define heed_plot_panels(...) \
    (HEED_NOTE, (heed_plot_panels_sited)((heed_plot_panels)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(void *, heed_plot_png)
#define heed_plot_png(...) \
    (HEED_NOTE, (heed_plot_png_sited)((heed_plot_png)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_set_matmul_precision)
#define heed_set_matmul_precision(...) \
    (HEED_NOTE, (heed_set_matmul_precision_sited)((heed_set_matmul_precision)(__VA_ARGS__)))
HEED_SITED(heed_precision, heed_matmul_precision)
#define heed_matmul_precision(...) \
    (HEED_NOTE, (heed_matmul_precision_sited)((heed_matmul_precision)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_progress *, heed_progress_new)
#define heed_progress_new(...) \
    (HEED_NOTE, (heed_progress_new_sited)((heed_progress_new)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_progress_step)
#define heed_progress_step(...) \
    (HEED_NOTE, (heed_progress_step_sited)((heed_progress_step)(__VA_ARGS__)))
HEED_SITED(double, heed_progress_loss)
#define heed_progress_loss(...) \
    (HEED_NOTE, (heed_progress_loss_sited)((heed_progress_loss)(__VA_ARGS__)))
#define heed_progress_free(...) \
    (HEED_NOTE, (heed_progress_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_status, heed_progress_get_state)
#define heed_progress_get_state(...) \
    (HEED_NOTE, (heed_progress_get_state_sited)((heed_progress_get_state)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_progress_set_state)
#define heed_progress_set_state(...) \
    (HEED_NOTE, (heed_progress_set_state_sited)((heed_progress_set_state)(__VA_ARGS__)))
#define heed_manual_seed(...) \
    (HEED_NOTE, (heed_manual_seed)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_tensor *, heed_rand)
#define heed_rand(...) \
    (HEED_NOTE, (heed_rand_sited)((heed_rand)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_randn)
#define heed_randn(...) \
    (HEED_NOTE, (heed_randn_sited)((heed_randn)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_rand_like)
#define heed_rand_like(...) \
    (HEED_NOTE, (heed_rand_like_sited)((heed_rand_like)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_randn_like)
#define heed_randn_like(...) \
    (HEED_NOTE, (heed_randn_like_sited)((heed_randn_like)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_normal)
#define heed_normal(...) \
    (HEED_NOTE, (heed_normal_sited)((heed_normal)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_randint)
#define heed_randint(...) \
    (HEED_NOTE, (heed_randint_sited)((heed_randint)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_permutation)
#define heed_permutation(...) \
    (HEED_NOTE, (heed_permutation_sited)((heed_permutation)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_bernoulli)
#define heed_bernoulli(...) \
    (HEED_NOTE, (heed_bernoulli_sited)((heed_bernoulli)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_multinomial)
#define heed_multinomial(...) \
    (HEED_NOTE, (heed_multinomial_sited)((heed_multinomial)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_exponential)
#define heed_exponential(...) \
    (HEED_NOTE, (heed_exponential_sited)((heed_exponential)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_generator *, heed_generator_new)
#define heed_generator_new(...) \
    (HEED_NOTE, (heed_generator_new_sited)((heed_generator_new)(__VA_ARGS__)))
#define heed_generator_free(...) \
    (HEED_NOTE, (heed_generator_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_generator *, heed_generator_default)
#define heed_generator_default(...) \
    (HEED_NOTE, (heed_generator_default_sited)((heed_generator_default)(__VA_ARGS__)))
#define heed_generator_seed(...) \
    (HEED_NOTE, (heed_generator_seed)(__VA_ARGS__), heed_site_restore())
HEED_SITED(heed_status, heed_generator_get_state)
#define heed_generator_get_state(...) \
    (HEED_NOTE, (heed_generator_get_state_sited)((heed_generator_get_state)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_generator_set_state)
#define heed_generator_set_state(...) \
    (HEED_NOTE, (heed_generator_set_state_sited)((heed_generator_set_state)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_rand)
#define heed_generator_rand(...) \
    (HEED_NOTE, (heed_generator_rand_sited)((heed_generator_rand)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_randn)
#define heed_generator_randn(...) \
    (HEED_NOTE, (heed_generator_randn_sited)((heed_generator_randn)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_normal)
#define heed_generator_normal(...) \
    (HEED_NOTE, (heed_generator_normal_sited)((heed_generator_normal)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_randint)
#define heed_generator_randint(...) \
    (HEED_NOTE, (heed_generator_randint_sited)((heed_generator_randint)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_permutation)
#define heed_generator_permutation(...) \
    (HEED_NOTE, (heed_generator_permutation_sited)((heed_generator_permutation)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_bernoulli)
#define heed_generator_bernoulli(...) \
    (HEED_NOTE, (heed_generator_bernoulli_sited)((heed_generator_bernoulli)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_multinomial)
#define heed_generator_multinomial(...) \
    (HEED_NOTE, (heed_generator_multinomial_sited)((heed_generator_multinomial)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_generator_exponential)
#define heed_generator_exponential(...) \
    (HEED_NOTE, (heed_generator_exponential_sited)((heed_generator_exponential)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_rnn *, heed_nn_rnn_new)
#define heed_nn_rnn_new(...) \
    (HEED_NOTE, (heed_nn_rnn_new_sited)((heed_nn_rnn_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_rnn_forward)
#define heed_nn_rnn_forward(...) \
    (HEED_NOTE, (heed_nn_rnn_forward_sited)((heed_nn_rnn_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_gru *, heed_nn_gru_new)
#define heed_nn_gru_new(...) \
    (HEED_NOTE, (heed_nn_gru_new_sited)((heed_nn_gru_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_gru_forward)
#define heed_nn_gru_forward(...) \
    (HEED_NOTE, (heed_nn_gru_forward_sited)((heed_nn_gru_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_lstm *, heed_nn_lstm_new)
#define heed_nn_lstm_new(...) \
    (HEED_NOTE, (heed_nn_lstm_new_sited)((heed_nn_lstm_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_lstm_forward)
#define heed_nn_lstm_forward(...) \
    (HEED_NOTE, (heed_nn_lstm_forward_sited)((heed_nn_lstm_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_seq2seq_encoder *, heed_nn_seq2seq_encoder_new)
#define heed_nn_seq2seq_encoder_new(...) \
    (HEED_NOTE, (heed_nn_seq2seq_encoder_new_sited)((heed_nn_seq2seq_encoder_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_seq2seq_encoder_forward)
#define heed_nn_seq2seq_encoder_forward(...) \
    (HEED_NOTE, (heed_nn_seq2seq_encoder_forward_sited)((heed_nn_seq2seq_encoder_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_nn_bahdanau_decoder *, heed_nn_bahdanau_decoder_new)
#define heed_nn_bahdanau_decoder_new(...) \
    (HEED_NOTE, (heed_nn_bahdanau_decoder_new_sited)((heed_nn_bahdanau_decoder_new)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_nn_bahdanau_decoder_forward)
#define heed_nn_bahdanau_decoder_forward(...) \
    (HEED_NOTE, (heed_nn_bahdanau_decoder_forward_sited)((heed_nn_bahdanau_decoder_forward)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_scope *, heed_scope_begin)
#define heed_scope_begin(...) \
    (HEED_NOTE, (heed_scope_begin_sited)((heed_scope_begin)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_scope *, heed_no_grad_begin)
#define heed_no_grad_begin(...) \
    (HEED_NOTE, (heed_no_grad_begin_sited)((heed_no_grad_begin)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_scope_end)
#define heed_scope_end(...) \
    (HEED_NOTE, (heed_scope_end_sited)((heed_scope_end)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_scope_return)
#define heed_scope_return(...) \
    (HEED_NOTE, (heed_scope_return_sited)((heed_scope_return)(__VA_ARGS__)))
#define heed_thread_cleanup(...) \
    (HEED_NOTE, (heed_thread_cleanup)(__VA_ARGS__), heed_site_restore())
HEED_SITED(int64_t, heed_shape_numel)
#define heed_shape_numel(...) \
    (HEED_NOTE, (heed_shape_numel_sited)((heed_shape_numel)(__VA_ARGS__)))
HEED_SITED(bool, heed_shape_equal)
#define heed_shape_equal(...) \
    (HEED_NOTE, (heed_shape_equal_sited)((heed_shape_equal)(__VA_ARGS__)))
HEED_SITED(size_t, heed_shape_format)
#define heed_shape_format(...) \
    (HEED_NOTE, (heed_shape_format_sited)((heed_shape_format)(__VA_ARGS__)))
HEED_SITED(heed_text, heed_shape_text)
#define heed_shape_text(...) \
    (HEED_NOTE, (heed_shape_text_sited)((heed_shape_text)(__VA_ARGS__)))
HEED_SITED(bool, heed_shape_broadcast)
#define heed_shape_broadcast(...) \
    (HEED_NOTE, (heed_shape_broadcast_sited)((heed_shape_broadcast)(__VA_ARGS__)))
HEED_NODISCARD HEED_SITED(heed_shards *, heed_shards_new)
#define heed_shards_new(...) \
    (HEED_NOTE, (heed_shards_new_sited)((heed_shards_new)(__VA_ARGS__)))
#define heed_shards_free(...) \
    (HEED_NOTE, (heed_shards_free)(__VA_ARGS__), heed_site_restore())
HEED_SITED(bool, heed_shards_next)
#define heed_shards_next(...) \
    (HEED_NOTE, (heed_shards_next_sited)((heed_shards_next)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_shards_add)
#define heed_shards_add(...) \
    (HEED_NOTE, (heed_shards_add_sited)((heed_shards_add)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_shards_put)
#define heed_shards_put(...) \
    (HEED_NOTE, (heed_shards_put_sited)((heed_shards_put)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_shards_sum)
#define heed_shards_sum(...) \
    (HEED_NOTE, (heed_shards_sum_sited)((heed_shards_sum)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_shards_gather)
#define heed_shards_gather(...) \
    (HEED_NOTE, (heed_shards_gather_sited)((heed_shards_gather)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_zeros)
#define heed_zeros(...) \
    (HEED_NOTE, (heed_zeros_sited)((heed_zeros)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_ones)
#define heed_ones(...) \
    (HEED_NOTE, (heed_ones_sited)((heed_ones)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_full)
#define heed_full(...) \
    (HEED_NOTE, (heed_full_sited)((heed_full)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_from_values)
#define heed_from_values(...) \
    (HEED_NOTE, (heed_from_values_sited)((heed_from_values)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_from_array)
#define heed_from_array(...) \
    (HEED_NOTE, (heed_from_array_sited)((heed_from_array)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_arange)
#define heed_arange(...) \
    (HEED_NOTE, (heed_arange_sited)((heed_arange)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_linspace)
#define heed_linspace(...) \
    (HEED_NOTE, (heed_linspace_sited)((heed_linspace)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_eye)
#define heed_eye(...) \
    (HEED_NOTE, (heed_eye_sited)((heed_eye)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_zeros_like)
#define heed_zeros_like(...) \
    (HEED_NOTE, (heed_zeros_like_sited)((heed_zeros_like)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_ones_like)
#define heed_ones_like(...) \
    (HEED_NOTE, (heed_ones_like_sited)((heed_ones_like)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_full_like)
#define heed_full_like(...) \
    (HEED_NOTE, (heed_full_like_sited)((heed_full_like)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_empty)
#define heed_empty(...) \
    (HEED_NOTE, (heed_empty_sited)((heed_empty)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_empty_like)
#define heed_empty_like(...) \
    (HEED_NOTE, (heed_empty_like_sited)((heed_empty_like)(__VA_ARGS__)))
HEED_SITED(heed_shape, heed_shape_of)
#define heed_shape_of(...) \
    (HEED_NOTE, (heed_shape_of_sited)((heed_shape_of)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_dim)
#define heed_dim(...) \
    (HEED_NOTE, (heed_dim_sited)((heed_dim)(__VA_ARGS__)))
HEED_SITED(int, heed_rank)
#define heed_rank(...) \
    (HEED_NOTE, (heed_rank_sited)((heed_rank)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_numel)
#define heed_numel(...) \
    (HEED_NOTE, (heed_numel_sited)((heed_numel)(__VA_ARGS__)))
HEED_SITED(heed_dtype, heed_dtype_of)
#define heed_dtype_of(...) \
    (HEED_NOTE, (heed_dtype_of_sited)((heed_dtype_of)(__VA_ARGS__)))
HEED_SITED(double, heed_item)
#define heed_item(...) \
    (HEED_NOTE, (heed_item_sited)((heed_item)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_item_i64)
#define heed_item_i64(...) \
    (HEED_NOTE, (heed_item_i64_sited)((heed_item_i64)(__VA_ARGS__)))
HEED_SITED(double, heed_get)
#define heed_get(...) \
    (HEED_NOTE, (heed_get_sited)((heed_get)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_get_i64)
#define heed_get_i64(...) \
    (HEED_NOTE, (heed_get_i64_sited)((heed_get_i64)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_print)
#define heed_print(...) \
    (HEED_NOTE, (heed_print_sited)((heed_print)(__VA_ARGS__)))
HEED_SITED(size_t, heed_format)
#define heed_format(...) \
    (HEED_NOTE, (heed_format_sited)((heed_format)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_retain)
#define heed_retain(...) \
    (HEED_NOTE, (heed_retain_sited)((heed_retain)(__VA_ARGS__)))
#define heed_release(...) \
    (HEED_NOTE, (heed_release)(__VA_ARGS__), heed_site_restore())
HEED_SITED(const float *, heed_data_f32)
#define heed_data_f32(...) \
    (HEED_NOTE, (heed_data_f32_sited)((heed_data_f32)(__VA_ARGS__)))
HEED_SITED(const double *, heed_data_f64)
#define heed_data_f64(...) \
    (HEED_NOTE, (heed_data_f64_sited)((heed_data_f64)(__VA_ARGS__)))
HEED_SITED(const int64_t *, heed_data_i64)
#define heed_data_i64(...) \
    (HEED_NOTE, (heed_data_i64_sited)((heed_data_i64)(__VA_ARGS__)))
HEED_SITED(const bool *, heed_data_bool)
#define heed_data_bool(...) \
    (HEED_NOTE, (heed_data_bool_sited)((heed_data_bool)(__VA_ARGS__)))
HEED_SITED(const void *, heed_data_bytes)
#define heed_data_bytes(...) \
    (HEED_NOTE, (heed_data_bytes_sited)((heed_data_bytes)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_set_)
#define heed_set_(...) \
    (HEED_NOTE, (heed_set__sited)((heed_set_)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_fill_)
#define heed_fill_(...) \
    (HEED_NOTE, (heed_fill__sited)((heed_fill_)(__VA_ARGS__)))
HEED_SITED(heed_status, heed_copy_)
#define heed_copy_(...) \
    (HEED_NOTE, (heed_copy__sited)((heed_copy_)(__VA_ARGS__)))
HEED_SITED(float *, heed_mutable_f32)
#define heed_mutable_f32(...) \
    (HEED_NOTE, (heed_mutable_f32_sited)((heed_mutable_f32)(__VA_ARGS__)))
HEED_SITED(double *, heed_mutable_f64)
#define heed_mutable_f64(...) \
    (HEED_NOTE, (heed_mutable_f64_sited)((heed_mutable_f64)(__VA_ARGS__)))
HEED_SITED(int64_t *, heed_mutable_i64)
#define heed_mutable_i64(...) \
    (HEED_NOTE, (heed_mutable_i64_sited)((heed_mutable_i64)(__VA_ARGS__)))
HEED_SITED(bool *, heed_mutable_bool)
#define heed_mutable_bool(...) \
    (HEED_NOTE, (heed_mutable_bool_sited)((heed_mutable_bool)(__VA_ARGS__)))
HEED_SITED(void *, heed_mutable_bytes)
#define heed_mutable_bytes(...) \
    (HEED_NOTE, (heed_mutable_bytes_sited)((heed_mutable_bytes)(__VA_ARGS__)))
HEED_SITED(heed_tensor *, heed_from_buffer)
#define heed_from_buffer(...) \
    (HEED_NOTE, (heed_from_buffer_sited)((heed_from_buffer)(__VA_ARGS__)))
HEED_SITED(bool, heed_is_contiguous)
#define heed_is_contiguous(...) \
    (HEED_NOTE, (heed_is_contiguous_sited)((heed_is_contiguous)(__VA_ARGS__)))
HEED_SITED(int64_t, heed_stride)
#define heed_stride(...) \
    (HEED_NOTE, (heed_stride_sited)((heed_stride)(__VA_ARGS__)))
HEED_SITED(bool, heed_shares_storage)
#define heed_shares_storage(...) \
    (HEED_NOTE, (heed_shares_storage_sited)((heed_shares_storage)(__VA_ARGS__)))
HEED_SITED(size_t, heed_dtype_size)
#define heed_dtype_size(...) \
    (HEED_NOTE, (heed_dtype_size_sited)((heed_dtype_size)(__VA_ARGS__)))
HEED_SITED(const char *, heed_dtype_name)
#define heed_dtype_name(...) \
    (HEED_NOTE, (heed_dtype_name_sited)((heed_dtype_name)(__VA_ARGS__)))

/* clang-format on */
#endif

#endif
