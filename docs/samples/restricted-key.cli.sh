countersign keys create "chat servers" \
  --scope links --expires-in-days 90
countersign keys list
