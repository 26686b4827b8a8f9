curl "https://registry.example/api/v1/providers/me/incidents?status=reported" \
  -H "X-API-Key: $COUNTERSIGN_API_KEY"

curl -X PUT https://registry.example/api/v1/incidents/inc_06dh0e3x7c9bw4vjz2n8qk5ytm/respond \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{"status": "resolved", "response": "Mended in version 2.0.1."}'
