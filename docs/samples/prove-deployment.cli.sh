countersign tokens mint --model acme-chat \
  --tls-url https://tls.registry.example \
  --cert client.crt --key client.key
