curl -X PUT https://registry.example/api/v1/providers/prv_06dh0e3x7c9bw4vjz2n8qk5ytm/profile \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{
    "company_description": "Maps and questions",
    "founded_year": 2019,
    "headquarters_location": {"city": "Oslo", "country": "Norway"},
    "support_email": "help@acme.example"
  }'

# A picture is sent as a file
curl https://registry.example/api/v1/providers/prv_06dh0e3x7c9bw4vjz2n8qk5ytm/upload-logo \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" -F file=@logo.png
