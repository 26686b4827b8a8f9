import { describe, expect, it } from 'vitest'
import { commonWords } from './common-passwords.ts'
import { passwordRefusal } from './rules.ts'

const account = { email: 'ada@northwind.example', company_name: 'Northwind Labs' }
const isRefused = (password: string) => passwordRefusal(password, account) !== undefined

/** Passwords at the top of leaked lists that are long enough. */
const leaked =
  `123456789 12345678 1234567890 password password1 password123 qwerty123 qwertyuiop 1q2w3e4r5t 1q2w3e4r abc12345 iloveyou
11111111 00000000 88888888 987654321 princess sunshine football baseball welcome1 welcome123 admin123 letmein1 trustno1 superman
batman123 passw0rd p@ssw0rd P@ssword1 Pa$$word Passw0rd! Password! Password1! Password123! Qwerty123! Welcome2024! Summer2025! Winter2023
qwerty12345 qwerty123456 qwer1234 asdfghjkl asdf1234 zxcvbnm123 zaq12wsx 1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5y6 aa123456 a123456789
abcd1234 abcdefgh 123qweasd 1234qwer 123456abc 123abc123 123123123 12341234 12344321 11223344 112233445566 147258369
741852963 789456123 159753456 0987654321 87654321 computer internet samsung1 michael1 jennifer jordan23 jessica1 ashley123 charlie1
thomas123 nicholas alexander elizabeth liverpool1 arsenal123 chelsea1 barcelona realmadrid juventus1 starwars starwars1 pokemon123
naruto123 minecraft1 metallica slipknot1 mustang1 corvette ferrari1 mercedes1 monkey123 dragon123 tigger123 butterfly1 chocolate1
cookie123 flower123 lovely123 iloveyou2 loveyou1 fuckyou1 asshole1 whatever1 changeme1 changeme123 testtest test1234 testing123
temp1234 guest123 user1234 administrator root1234 superuser1 master123 killer123 hunter123 shadow123 ginger123 jesus123 blessed1
freedom1 secret123 security1 access123 login123 hello123 hellohello monkeymonkey january2024 december1 london123 america1
letmein! iloveyou! 1password 123password 12monkey34 poiuytrewq lkjhgfdsa mnbvcxz1 zyxwvuts abababab xyzxyzxyz 12121212`.split(
    /\s+/,
  )

describe('a common password', () => {
  it.each(leaked)('%s is rejected', (password) => {
    expect(isRefused(password)).toBe(true)
  })

  it('is rejected with any of the usual endings: far more than three thousand', () => {
    const forms = [...commonWords]
      .filter((word) => /\D$/.test(word))
      .flatMap((word) => ['', '1', '12', '123', '!', '1!', '2024', '123456'].map((end) => `${word}${end}`))
    forms.push(...commonWords)
    const long = forms.filter((form) => form.length >= 8)
    expect(new Set(long).size).toBeGreaterThan(6_000)
    expect(long.filter((form) => !isRefused(form))).toEqual([])
    const capital = long.map((form) => `${form[0]?.toUpperCase()}${form.slice(1)}`)
    expect(capital.filter((form) => !isRefused(form))).toEqual([])
  })
})

it.each([
  'a quiet heron at dawn',
  'correct zebra battery moss',
  'password of the attacker',
  'sunshine over grey harbours',
  'tk9!vMq2#LzR',
  'xkcdzuvipo',
  'ohph4Eishai1',
  '48213907561',
  'ゆきのあさのかわせみ',
  'métro-boulot-dodo-7',
  'monkey48213907',
  'dragonwalkstoday',
])('%s is accepted: a password only has to be uncommon', (password) => {
  expect(isRefused(password)).toBe(false)
})

describe('a password that follows from the account', () => {
  it.each(['ada.lovelace', 'AdaLovelace1815', 'lovelace-labs', 'LovelaceLabs!', 'analytical2026', 'Countersign1'])(
    '%s is rejected',
    (password) => {
      const account = { email: 'ada.lovelace@analytical.example', company_name: 'Lovelace Labs' }
      expect(passwordRefusal(password, account, 'new_password')?.extensions).toMatchObject({
        errors: [{ pointer: '#/new_password' }],
      })
      if (!password.startsWith('Count')) expect(isRefused(password)).toBe(false)
    },
  )
})
