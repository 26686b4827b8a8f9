# Every page but the last has next_cursor
curl "https://registry.example/api/v1/models/public?limit=20&sort=name"
