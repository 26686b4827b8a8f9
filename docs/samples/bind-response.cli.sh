# TOKEN is what `countersign tokens mint --token` prints
printf 'Oslo is the capital of Norway.' > answer.txt
countersign tokens bind "$TOKEN" --file answer.txt
