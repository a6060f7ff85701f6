// SPDX-License-Identifier: MIT
typedef int tlw_jobs_placeholder;
