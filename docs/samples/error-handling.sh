curl https://registry.example/api/v1/create-verification \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{"model_id": "acme-chat"}'
