# The key is kept in your profile, for this registry only.
countersign providers register --company-name "Acme AI" \
  --email ops@acme.example --website https://acme.example

# The line to publish in the zone of your domain
countersign providers verify-domain --record
