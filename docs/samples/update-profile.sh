provider=prv_06dh0e3x7c9bw4vjz2n8qk5ytm
api=https://registry.example/api/v1/providers/$provider
key="X-API-Key: $COUNTERSIGN_API_KEY"

curl -X PUT -H "$key" $api/profile --json '{
    "company_description": "Maps and questions",
    "founded_year": 2019,
    "headquarters_location": {"city": "Oslo", "country": "Norway"},
    "support_email": "help@acme.example"
  }'

# Upload a logo as a file
curl -H "$key" $api/upload-logo -F file=@logo.png
