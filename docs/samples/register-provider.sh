curl https://registry.example/api/v1/providers/register \
  --json '{
    "company_name": "Acme AI",
    "email": "ops@acme.example",
    "website": "https://acme.example"
  }'
