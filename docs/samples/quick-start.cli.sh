# The record is published: have it read
countersign providers verify-domain

# Your model
countersign models register --identifier acme-chat \
  --display-name "Acme Chat" \
  --endpoint https://api.acme.example/v1/chat \
  --description "Answers questions about our products"

# A link for the person who asked
link=$(countersign tokens mint --model acme-chat --url)
echo "$link"

# What that person sees: exit code 0 is verified
countersign verify "$link"
