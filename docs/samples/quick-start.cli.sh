# After publishing the record, verify the domain
countersign providers verify-domain

# Register your model
countersign models register --identifier acme-chat \
  --display-name "Acme Chat" \
  --endpoint https://api.acme.example/v1/chat \
  --description "Answers questions about our products"

# Mint a link for the visitor
link=$(countersign tokens mint --model acme-chat --url)
echo "$link"

# Check it as the visitor would: exits 0 if verified
countersign verify "$link"
