curl https://registry.example/api/v1/providers/me/verify-domain \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" --json '{"method": "dns"}'
