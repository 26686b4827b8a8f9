api=https://registry.example/api/v1
key="X-API-Key: $COUNTERSIGN_API_KEY"
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# The record is published: have it read
curl --fail-with-body $api/providers/me/verify-domain -H "$key" --json '{}'

# Your model
model=$(curl --fail-with-body $api/models/register -H "$key" --json '{
  "display_name": "Acme Chat",
  "api_model_identifier": "acme-chat",
  "endpoint": "https://api.acme.example/v1/chat",
  "description": "Answers questions about our products"
}' | field model_id)

# A link for the person who asked
link=$(curl --fail-with-body $api/create-verification -H "$key" \
  --json "{\"model_id\": \"$model\"}" | field verification_url)
echo "$link"

# What that person sees, as JSON
curl --fail-with-body "$api/verify/${link##*/}"
