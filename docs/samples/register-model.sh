digest=$(sha256sum model.safetensors | cut -d ' ' -f 1)

curl https://registry.example/api/v1/models/register \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json "{
    \"display_name\": \"Acme Chat\",
    \"api_model_identifier\": \"acme-chat\",
    \"endpoint\": \"https://api.acme.example/v1/chat\",
    \"description\": \"Answers questions about our products\",
    \"version\": \"1.0.0\",
    \"context_window\": 128000,
    \"capabilities\": [\"text-generation\", \"conversation\"],
    \"model_digest\": \"sha256:$digest\"
  }"
