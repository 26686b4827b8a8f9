# Answers hold next_cursor until the last page
curl "https://registry.example/api/v1/models/public?limit=20&sort=name"
