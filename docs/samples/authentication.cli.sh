# Save the key in your profile; stdin keeps it out of the history
printf '%s' "$COUNTERSIGN_API_KEY" |
  countersign auth login --api-key-stdin

# Whose key is it, and is it valid?
countersign auth status --check
countersign whoami
