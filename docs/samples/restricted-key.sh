curl https://registry.example/api/v1/providers/me/api-keys \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{
    "name": "chat servers",
    "scopes": ["links"],
    "expires_in_days": 90
  }'
