api=https://registry.example/api/v1
key="X-API-Key: $COUNTERSIGN_API_KEY"
incident=inc_06dh0e3x7c9bw4vjz2n8qk5ytm

curl -H "$key" "$api/providers/me/incidents?status=reported"

curl -X PUT -H "$key" $api/incidents/$incident/respond --json '{
    "status": "resolved",
    "response": "Fixed in version 2.0.1."
  }'
