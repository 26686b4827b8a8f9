api=https://registry.example/api/v1
key="X-API-Key: $COUNTERSIGN_API_KEY"
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# After publishing the record, verify the domain
curl --fail-with-body -H "$key" --json '{}' \
  $api/providers/me/verify-domain

# Register your model
model=$(curl --fail-with-body -H "$key" $api/models/register --json '{
  "display_name": "Acme Chat",
  "api_model_identifier": "acme-chat",
  "endpoint": "https://api.acme.example/v1/chat",
  "description": "Answers questions about our products"
}' | field model_id)

# Mint a link for the visitor
link=$(curl --fail-with-body -H "$key" $api/create-verification \
  --json "{\"model_id\": \"$model\"}" | field verification_url)
echo "$link"

# Check it as the visitor would, as JSON
curl --fail-with-body "$api/verify/${link##*/}"
