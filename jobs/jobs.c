typedef int tlw_jobs_placeholder;
