curl https://registry.example/api/v1/models/register \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{
    "display_name": "Acme Chat",
    "api_model_identifier": "acme-chat",
    "endpoint": "https://api.acme.example/v1/chat",
    "description": "Answers questions about our products",
    "version": "2.0.0",
    "force_new_version": true,
    "copy_authorizations": true
  }'

# Withdraw the version before it, where it should not speak for you any more
curl https://registry.example/api/v1/models/mdl_06dh0e3x7c9bw4vjz2n8qk5ytm/archive \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" --json '{"reason": "Replaced by 2.0.0"}'
