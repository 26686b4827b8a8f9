# Exits 0 (verified), 3 (not verified), 9 (could not check)
countersign verify https://registry.example/v/W904-2CKW-GDNC-X7S1 \
  --expect-provider acme.example
