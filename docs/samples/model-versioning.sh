api=https://registry.example/api/v1
key="X-API-Key: $COUNTERSIGN_API_KEY"
previous=mdl_06dh0e3x7c9bw4vjz2n8qk5ytm

curl -H "$key" $api/models/register --json '{
    "display_name": "Acme Chat",
    "api_model_identifier": "acme-chat",
    "endpoint": "https://api.acme.example/v1/chat",
    "description": "Answers questions about our products",
    "version": "2.0.0",
    "force_new_version": true,
    "copy_authorizations": true
  }'

# Withdraw the previous version, if its links should stop
curl -H "$key" $api/models/$previous/archive \
  --json '{"reason": "Replaced by 2.0.0"}'
