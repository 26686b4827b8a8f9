api=https://registry.example/api/v1
key="X-API-Key: $COUNTERSIGN_API_KEY"
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# The record is published: have it read
curl --fail-with-body -H "$key" --json '{}' \
  $api/providers/me/verify-domain

# Your model
model=$(curl --fail-with-body -H "$key" $api/models/register --json '{
  "display_name": "Acme Chat",
  "api_model_identifier": "acme-chat",
  "endpoint": "https://api.acme.example/v1/chat",
  "description": "Answers questions about our products"
}' | field model_id)

# A link for the person who asked
link=$(curl --fail-with-body -H "$key" $api/create-verification \
  --json "{\"model_id\": \"$model\"}" | field verification_url)
echo "$link"

# What that person sees, as JSON
curl --fail-with-body "$api/verify/${link##*/}"
