# No key needed. With the link, the report counts as verified
curl https://registry.example/api/v1/incidents/report \
  --json '{
    "verification_token": "W904-2CKW-GDNC-X7S1",
    "category": "harmful_content",
    "severity": "high",
    "title": "It told me to skip a medicine",
    "description": "I asked about my prescription."
  }'
