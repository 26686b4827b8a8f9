countersign providers update --description "Maps and questions" \
  --founded-year 2019 --hq-city Oslo --hq-country Norway \
  --support-email help@acme.example
countersign providers logo logo.png

# What your score is made of, and what is missing
countersign providers trust
