# Register a model of the hub without downloading it
countersign models register --hf acme/atlas --identifier atlas \
  --endpoint https://api.acme.example/v1/atlas

# Later: take over what its card says now
countersign models sync atlas
