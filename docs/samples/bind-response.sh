# TOKEN is the `token` of the answer that gave you the link
curl "https://registry.example/api/v1/jwt/$TOKEN/bind-response" \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{"response_text": "Oslo is the capital of Norway."}'
