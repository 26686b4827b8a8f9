# Keep the key in your profile; read from stdin it is in no history
printf '%s' "$COUNTERSIGN_API_KEY" |
  countersign auth login --api-key-stdin

# Whose key is it, and is it good?
countersign auth status --check
countersign whoami
