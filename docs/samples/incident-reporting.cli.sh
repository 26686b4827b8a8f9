# No key needed. With the link, the report counts as verified
countersign incidents report --link W904-2CKW-GDNC-X7S1 \
  --category harmful_content --severity high \
  --title "It told me to skip a medicine" \
  --description "I asked about my prescription."
