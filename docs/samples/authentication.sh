curl https://registry.example/api/v1/providers/me \
  -H "X-API-Key: $COUNTERSIGN_API_KEY"

# The same with a bearer token
curl https://registry.example/api/v1/providers/me \
  -H "Authorization: Bearer $COUNTERSIGN_API_KEY"
