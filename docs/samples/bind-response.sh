# TOKEN is the `token` from the response with the link
curl "https://registry.example/api/v1/jwt/$TOKEN/bind-response" \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{"response_text": "Oslo is the capital of Norway."}'
