curl https://registry.example/api/v1/providers/me/publishers \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{
    "kind": "github",
    "repository": "acme/models",
    "workflow": "release.yml",
    "environment": "release"
  }'
