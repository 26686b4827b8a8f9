countersign incidents list --status reported
countersign incidents respond inc_06dh0e3x7c9bw4vjz2n8qk5ytm \
  --status resolved --message "Fixed in version 2.0.1." --yes
