countersign providers update --description "Maps and questions" \
  --founded-year 2019 --hq-city Oslo --hq-country Norway \
  --support-email help@acme.example
countersign providers logo logo.png

# Show what your score consists of, and what is missing
countersign providers trust
