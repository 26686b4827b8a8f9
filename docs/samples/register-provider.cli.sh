# Saves the key in your profile, for this registry only
countersign providers register --company-name "Acme AI" \
  --email ops@acme.example --website https://acme.example

# Print the line for your DNS zone
countersign providers verify-domain --record
