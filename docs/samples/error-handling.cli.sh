link=https://registry.example/v/W904-2CKW-GDNC-X7S1

code=0
countersign verify --json -- "$link" > verdict.json || code=$?
case $code in
  0) echo "verified" ;;
  3) echo "not verified: do not trust it" ;;
  9) echo "could not check: try again" ;;
  *) echo "wrong usage" ;;
esac
