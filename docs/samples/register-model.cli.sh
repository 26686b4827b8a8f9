# Hashes the file locally and sends its name, size and digest
countersign models register model.safetensors \
  --identifier acme-chat --display-name "Acme Chat" \
  --endpoint https://api.acme.example/v1/chat \
  --description "Answers questions about our products" \
  --context-window 128000 \
  --capability text-generation --capability conversation
