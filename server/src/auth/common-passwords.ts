/** Of eight characters and more, those that everyone tries first; digits at the end are looked through. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 12345678910 123123123 987654321 0987654321 87654321 11111111 00000000 88888888 66666666
  22222222 33333333 44444444 55555555 77777777 99999999 12341234 12344321 11223344 112233445566 147258369 147852369
  123654789 159753456 789456123 963852741 741852963 password passwort password! passw0rd p@ssword p@ssw0rd pa55word
  pa$$word mypassword newpassword thepassword yourpassword secretpassword adminpassword changeme changethis letmein
  letmeinnow welcome welcome! welcomehome qwertyui qwertyuiop qwerty123 qwerty1234 qwertz123 qwertzuiop azertyuiop asdfghjk
  asdfghjkl asdfasdf zxcvbnm123 zxcvbnm, 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5 qazwsxedc qweasdzxc
  qweasd123 asd123456 abc12345 abcd1234 abcdefgh abcdefg1 a1b2c3d4 aa123456 aaaa1111 administrator admin123 admin1234
  adminadmin rootroot rootpassword superuser superman superman1 batman123 spiderman starwars starwars1 pokemon123 pikachu1
  minecraft fortnite callofduty football football1 baseball baseball1 basketball liverpool liverpool1 chelsea123 arsenal123
  barcelona realmadrid manchester juventus1 iloveyou iloveyou1 iloveyou2 iloveyou! iloveme1 loveyou1 mylove123 sunshine
  sunshine1 princess princess1 jennifer michelle jessica1 charlie1 michael1 jordan23 matthew1 joshua12 daniel12 andrew12
  thomas12 robert12 william1 nicholas benjamin christopher alexander alexandra elizabeth stephanie samantha victoria
  veronica caroline natalie1 patricia margaret dragon123 dragon12 monkey123 monkey12 shadow123 shadow12 master123 master12
  killer123 hunter123 hunter12 ranger123 trustno1 whatever whatever1 computer computer1 internet internet1 keyboard
  samsung1 samsung123 iphone123 google123 facebook facebook1 linkedin linkedin1 twitter1 youtube1 snapchat instagram
  netflix1 amazon123 microsoft windows1 windows10 ubuntu123 linux123 test1234 testtest testing1 testing123 temp1234
  temppassword default1 guest123 guestguest user1234 username login123 loginlogin access14 access123 secret123 secret12
  topsecret private1 security security1 summer2023 summer2024 summer2025 summer2026 winter2023 winter2024 winter2025
  winter2026 spring2024 spring2025 spring2026 autumn2024 autumn2025 january1 february1 december1 november1 october1
  september1 mustang1 corvette ferrari1 porsche1 mercedes yamaha123 harley12 blink182 metallica slipknot nirvana1 eminem123
  beatles1 freedom1 forever1 flower123 butterfly cupcake1 chocolate cookie123 banana123 cheese123 pepper123 ginger12
  tigger12 snoopy12 scooby12 garfield mickey12 donald12 jesus123 jesuschrist heaven123 angel123 angels12 blessed1
  qwer1234 zaq12wsx zaq1zaq1 xsw21qaz 1234qwer 1234abcd 123qweasd 123456qwerty qwerty12345 12345qwert aaaaaaaa zzzzzzzz
  asdf1234 asdfqwer poiuytrewq lkjhgfdsa mnbvcxz1 correcthorsebatterystaple`
    .split(/\s+/)
    .filter((word) => word.length >= 5),
)
