# Register a model on Hugging Face without downloading it
countersign models register --hf acme/atlas --identifier atlas \
  --endpoint https://api.acme.example/v1/atlas

# Later: copy the current content of its card
countersign models sync atlas
