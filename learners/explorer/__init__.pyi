from learners.explorer.run_page import explore_runs as explore_runs
