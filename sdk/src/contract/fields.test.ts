import { expect, it } from 'vitest'
import type { z } from 'zod'
import { NewDeployment } from './deployments.ts'
import { Email, line, ModelId, nameLine, PartialDate, requiredText, text, wordList } from './fields.ts'
import { ModelEdit } from './models.ts'
import { ProfileUpdate } from './providers.ts'

const breaks = ['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085']

it.each(breaks)('turns a line break (%j) in a line into a space', (end) => {
  expect(line(100).parse(`First line${end}Second line`)).toBe('First line Second line')
})

it.each(breaks)('keeps a line break (%j) in text', (end) => {
  expect(text(100).parse(`First line${end}Second line`)).toBe('First line\nSecond line')
  expect(requiredText(1, 100, 'Required').parse(`${end}First line${end}${end}Second line${end}`)).toBe(
    'First line\n\nSecond line',
  )
})

it('removes invisible characters from lines and texts', () => {
  expect(line(100).parse(' Ac\u200bme\u202e\tCo\u0000 ')).toBe('Acme Co')
  expect(text(100).parse(' Ac\u200bme\u202e\n\tCo\u0000 ')).toBe('Acme\n\tCo')
})

it('leaves no run of spaces in a name, which could pass for the columns of a table', () => {
  const name = `Atlas${' '.repeat(70)}provider  Acme`
  expect(nameLine(1, 120, 'Required').parse(name)).toBe('Atlas provider Acme')
  expect(ModelEdit.parse({ version: name.slice(30) }).version).toBe('provider Acme')
  expect(ModelEdit.parse({ family_name: name }).family_name).toBe('Atlas provider Acme')
})

const messagesOf = (result: z.ZodSafeParseResult<unknown>) => result.error?.issues.map(({ message }) => message)

it.each([
  '✅ Acme',
  'Acme ✔',
  'Acme ☑\ufe0f',
  '🔒 Acme',
  'Acme™',
  'Ⓥerified Acme',
  'Acme <b>',
  'a@acme.example',
  '"Acme"',
  '2.0 | safe',
  'Acme 100%',
  'Acme V\u20dd',
  'Acme \u2d38\u20de',
  'Acme ˇ',
  'Acmeᵛ',
  'Acme ᵀᴹ',
  'Acme ①',
  'Acme ❶',
  'Acme 〼',
  'Acme ʘ',
  'Acme ꙮ',
  'Officiaǀ',
  'Veꭈified',
  'Ceꭇtified',
  'Cꬽuntersign',
  'Mistraǀ',
  'Gǀobal Lab',
  'ǁianz',
  'openai.cꬽm',
  'Acmꬲ Labs',
  'Micꞃoꞅoꞇ',
  'Oſſice',
  'Acme ʌI',
  'NavigɯX',
  'openaŀcom',
  '𝛉penAI',
  'ΑϹΜΕ',
])('rejects a name with a forbidden character: %s', (stated) => {
  const refused = [expect.stringMatching(/^A name may only contain letters, digits, spaces and .* is not allowed$/)]
  expect(messagesOf(nameLine(1, 120, 'Required').safeParse(stated))).toEqual(refused)
  expect(messagesOf(ProfileUpdate.safeParse({ company_name: stated }))).toEqual(refused)
  for (const field of ['display_name', 'model_name', 'version', 'family_name'])
    expect(messagesOf(ModelEdit.safeParse({ [field]: stated })), field).toEqual(refused)
  expect(messagesOf(NewDeployment.safeParse({ spki_fingerprint: 'ab'.repeat(32), cloud_identity: stated }))).toEqual(
    refused,
  )
})

it.each([
  'Verified by Countersign',
  'vеrified',
  'VERIFIED Acme',
  'Ｖｅｒｉｆｉｅｄ',
  '𝐯𝐞𝐫𝐢𝐟𝐢𝐞𝐝',
  'Ver1fied Labs',
  'Veri-fied',
  'V e r i f i e d',
  'AcmeVerified',
  'v\u0332erified',
  'Acme (certified)',
  'Official Acme',
  'оffiсial',
  'Company confirrned',
  'Countersign Trust & Safety',
  'Trust and Safety',
  'The Trust/Safety Team',
  'Counter-sign',
  'CounterSign Maps',
  '2.0 verified',
  'ᐯerified',
  'Verified2',
  'Veri-fied2',
  'V3RIFIED',
  'v3r1f13d',
  'AIVERIFIEDAI',
  'V3r!fied',
  'Off!ci4l',
  'confirrn3d',
  'ChatGPToficial',
  'ГПТпроверено',
  'Trust and 5afety',
  'Acmeverified',
  'Acme4verified',
  'Officially Acme',
  'Ver!fied',
  'Cer+ified',
  '०fficial',
  'ߋfficial',
  'Company confirmed',
  'Verifʼied',
  'oʃʃicial',
  'Certifieð',
  'CouŋterSign',
  'Vérifié',
  'Unverified',
  'Acme vérifiée',
  'Acme certifié',
  'Officielle Acme',
  'Acme geprüft',
  'GEPRUFT Acme',
  'AcmeVerifiziert',
  'Offizielle Acme',
  'Acme verificado',
  'Acme Oficial',
  'Acme ufficiale',
  'Acme geverifieerd',
  'Acme zweryfikowany',
  'Acme doğrulanmış',
  'Acme проверено',
  'официальный Acme',
  'Acme επαληθευμένο',
  'Acme đã xác minh',
  'Acme موثق',
  'Acme सत्यापित',
  '北風已验证',
  '北 風 官 方',
  'Acme認証済み',
  '北風 公式',
  '삼성 공식',
  'Acme 인증됨',
  'Acme beglaubigt',
  'Acme geprueft',
  'Acme veri fizierte',
  'Acme 官-方',
  'Acme 공-식',
  'Acme رســمي',
  'Amtliche Acme',
  'Acme bekräftad',
  'Acme bekræftet',
  'Acme sertifisert',
  'Acme comprobado',
  'Acme certifikovaná',
  'Acme sprawdzone',
  'Acme megerősített',
  'Acme teyitli',
  'Acme заверено',
  'Acme потвърдено',
  'Acme επιβεβαιωμένη',
  'Acme đã xác nhận',
  'Acme مؤكد',
  'Acme تم التحقق',
  'Acme מוסמך',
  'Acme 正規',
  '北風正規代理店',
  '北風公認',
  'Acme 已确认',
  'Acme รับรอง',
  'Acme ตรวจสอบแล้ว',
  'Offisielt Acme',
  'Acme公式サイト',
  'Acme公式',
  'Acme 公式アカウント',
  '北風公式アプリ',
  'Acme 正規サイト',
  'Acme verificată',
  'Acme تایید شده',
  'Acme正規ストア',
  'オフィシャル Acme',
  'Acmeｵﾌｨｼｬﾙ',
  'Acme 認証ずみ',
  '検証された Acme',
  'Acme 官网',
  'Acme官網',
  '服务器官网',
  'Acme 공식물품',
  'Acme 通过认证',
  'Acme 已通过验证',
  'Acme 經過驗證',
  'Acme 经 过 验 证',
  'Acme 验证通过',
  'Acme 已核驗',
  'Acme 공식계정',
  '삼성공식홈페이지',
  'Acme 공식 앱',
  'Acme 오피셜',
  'Acme 인증받은',
  '검증받은 Acme',
  'Acme 확인된',
  "Veri''fiedacme",
  'Verifiecl',
  'Verifiec1 GPT',
  'Confirmecl',
  'VerifiecI Labs',
  'Verifieⅽl AI',
  'VerifieⅭl AI',
  'Verifiec-l',
  'Verifiec l',
  'Verifiec’l',
  'Verifiec_l',
  'Verifiećl',
  'Confirmecł',
  'Verifiec!',
  'Verifiec - l',
  'Confirr-ned',
  'Confirr ned',
  'Confirr’ned AI',
  'veri ficado',
  'Veri-ficado',
  'verifi ed',
  'Confirr  ned',
  'Veri Fica Do',
  'Con Firm Ado',
  'Acme oficialor',
  'Sverificado',
  'Подтвержденный',
  'Verificada Labs',
  'Офи-циальный',
  'o f i c i a l',
  'Acme virallinen',
  'Acme virallisesti',
  'C0nfirmec!',
  'Acme 已证实',
  'Acme 已證實',
  'Acme 已驗証',
  'überprüft',
  'Acme verificate',
  'Acme onaylandı',
  'Acme επαληθεύτηκε',
  'Acme được xác minh',
  'Acme ผ่านการยืนยัน',
  'Acme bekræftede',
  'Acme אומת',
])('rejects a name with a word reserved for the registry: %s', (stated) => {
  const refused = [expect.stringMatching(/^Only the registry may say “.*”: remove it from the name$/)]
  expect(messagesOf(nameLine(1, 120, 'Required').safeParse(stated))).toEqual(refused)
  expect(messagesOf(ModelEdit.safeParse({ version: stated }))).toEqual(refused)
})

it.each(['ꪜ Acme', '०penAI', '٥penAI', 'ᗅcme', 'AᑕME', 'Аcme', 'Αcme Labs', 'Acme Ꮮabs', 'Acme ՕՄ1Ꭺ', 'V2੦ Яндeкс'])(
  'rejects a name of mixed alphabets: %s',
  (stated) => {
    const refused = [expect.stringMatching(/^Write “.*” in the letters and digits of one alphabet$/)]
    expect(messagesOf(nameLine(1, 120, 'Required').safeParse(stated))).toEqual(refused)
  },
)

it.each([
  'Acme レ',
  'Acme ﾚ',
  'Acme ㇾ',
  'Acme 乚',
  'Acme\u{2010c}',
  'Acme \u{2010c}',
  'Acmeレ',
  'レAcme',
  'Acme レ Labs',
  'Acme (レ)',
  'Acme レレ',
  'Acmeレ株式会社',
  '北風株式会社 レ',
  'Acme レ クラウド',
  '2.0 レ',
  'Acme ੴ',
  'Acme ॐ',
  'Acme ง',
  'Acme ע',
  'Acme ٧',
  'Acme ㅁ',
  'Acme 〇',
  'Acme 卍',
  'Acme ৴',
  'Acme꠰',
  'Acme 𝋠',
  'Acme 〡',
  'Acme 𐄇',
  'AcmeI\u036e',
  'Acme \u030c',
  'A\u0336c\u0336m\u0336e',
  'Acme \ufe20',
  'acme\u{1d16d}example',
  'acme\u0358example',
  'acme\u302eexample',
  'Acme\u1cd0',
  'Acme\u{1cf00}',
  '\u030cAcme',
  'Acme\uff9e',
  'Acme \uff9e',
  'Acme\uff9e premium\uff9e',
  'Acme\u3099',
  '北風\uff9e',
  'Acmeヽ',
  'Acme ヾ',
  'Acme ﹰ',
  'Acme י',
  'Acme יי',
  'Acme ײ',
  'Acme\u064b',
  'Яндекс\u064b',
  'Acme :white_check_mark:',
  'Acme:white_check_mark:',
  'Acme :lock:',
  'Acme :+1:',
  'Acme (/)',
  'Acme (Y)',
  'Acme ( / )',
  'Acme (./ )',
  'Acme ( v )',
  'Acme (/',
  'Acme (–)',
  'Acme _/',
  'Acme - / -',
  'Acme : / :',
  'Acme (ν)',
  'Acme v/',
  'Acme _V_',
  'Acme +y+',
])('rejects a name with a letter that looks like a tick or a seal: %s', (stated) => {
  const refused = [expect.stringMatching(/^“.*” looks like a sign here: remove it from the name$/)]
  expect(messagesOf(nameLine(1, 120, 'Required').safeParse(stated))).toEqual(refused)
  expect(messagesOf(ModelEdit.safeParse({ version: stated }))).toEqual(refused)
})

it.each(['#3', '#12', '# 3', "#'3"])('rejects a name that looks like the number of a version: %s', (stated) => {
  const refused = [expect.stringMatching(/^“#.*” looks like the number of a version: remove the #$/)]
  expect(messagesOf(nameLine(1, 120, 'Required').safeParse(stated))).toEqual(refused)
  expect(messagesOf(ModelEdit.safeParse({ version: stated }))).toEqual(refused)
})

it.each(['ΟΡΕΝΑΙ', 'Νίκη ΑΝΤΗΡΟ 2'])('rejects a name whose Greek capitals read as Latin: %s', (stated) => {
  const refused = [expect.stringMatching(/^“.*” looks like Latin letters/)]
  expect(messagesOf(nameLine(1, 120, 'Required').safeParse(stated))).toEqual(refused)
})

it.each([
  'Νίκη',
  'ΩΜΕΓΑ',
  'Acme Labs',
  'Übermaß & Söhne',
  'Acme #1 2.1',
  '#1 Labs',
  'いすゞ',
  'ｶﾞｿﾘﾝ Labs',
  'か\uff9e',
  'ייִדיש',
  'עברית יא',
  'ᓀᐦᐃᔭᐍᐏᐣ',
  'مُخْتَبَر Labs',
  '北風株式会社',
  "O'Neill’s (EU) – R+D, Inc.",
  'v2.0-rc/1:a_b!',
  'Unofficial Acme',
  'Verification Labs',
  'Trust Labs Safety',
  'हिन्दी',
  'हिन्दी २',
  'Яндекс Labs',
  'GPT模型',
  'ABC株式会社',
  'مختبرات ٥',
  'ᐃᓄᒃᑎᑐᑦ',
  'Ελλάδα AI',
  'β-VAE',
  'µ-Labs 2',
  'Verifier',
  'Counter Signal',
  'Artificial Beneficials',
  'Yahoo!',
  'Viral Link',
  'Viral Lift',
  'Viral List',
  'Sämtliche Werke',
  'Confirm AT',
  'Verifica Te',
  'Onay Li',
  'Res Mi',
  'Verificador SA',
  'Certificadora Digital',
  'Подтверждение почты',
  'Viral Lion Studios',
  'Viralliance',
  'Amt Lichtenberg',
  'Uffici Alti Milano',
  'Verifica Dati',
  'Verifica Documenti',
  'Certifica Digital',
  'Confirma Data',
  'Con Firma Della Valle',
  '東レ',
  '東レ株式会社',
  'レーザー Labs',
  'Acme レンタル',
  'ABCレンタル',
  'ｱｸﾒﾚﾝﾀﾙ',
  'カレー AI',
  'スレッド',
  'ラジオレ',
  'レ ミゼラブル',
  'Acme 東',
  'Σ Labs',
  'Acme Я',
  'Acme مختبرات ٥',
  'ॐ',
  'H₂O Labs²',
  'Kaʻena ʼA',
  'Acme の店',
  '삼성 AI',
  'Inoffizielle Acme',
  'Vérification Labs',
  'Certificate Labs',
  'Verificateur',
  '非官方 Acme',
  '数学公式',
  '수학공식',
  '身份认证',
  'ऑ सत्य',
  'llama:7b:q4',
  'chat:latest',
  'Acme ½ Ⅳ',
  '二〇二六 Acme',
  'Tiếng Việt',
  '正規表現',
  '非正規',
  '公認会計士',
  '非公式 Acme',
  '数学公式识别',
  '數學公式編輯器',
  '公式计算器',
  'アンオフィシャル Acme',
  '正規分布',
  '対数正規モデル',
  '器官网络',
  '过程验证',
  '身份验证服务',
  '認証サービス',
  '検証ラボ',
  '확인 도우미',
  '인증 연구소',
  '비공식 Acme',
  '수학 공식 도우미',
  '인공식물',
  '가공 식품 AI',
  'ห้องรับรอง',
  'Acme (EU/UK)',
  'Acme v2/v3',
  'chat_v_2',
  'R/D (v2)',
  'A+/B',
  'Acme approuvé',
  'Overend',
  'Vitralli',
  'Škoda Ěxa',
  'Guðrún Þórs',
  'Łutselkʼé',
  'ʔehdzo',
  'Ɛwɛ Ŋutɔ',
  'Ƙarɓa Ɗanƴa',
  'Azərbaycan',
  'Nʉmʉ',
  'Ǯiõǯǯ Labs',
  'Hō\u0358 O\u0358-ông',
  'Acme Verificación',
  'Claude cloud',
])('accepts the name %s', (stated) => {
  expect(nameLine(1, 120, 'Required').parse(stated)).toBe(stated)
})

it.each([
  { given: 'SOC 2, ISO 27001', words: ['SOC 2', 'ISO 27001'] },
  { given: 'SOC 2\nISO 27001\r\n\r\nHIPAA,', words: ['SOC 2', 'ISO 27001', 'HIPAA'] },
  { given: ['ISO\n27001', ' ', 'SOC 2'], words: ['ISO 27001', 'SOC 2'] },
])('reads a list of words from $given', ({ given, words }) => {
  expect(wordList(5).parse(given)).toEqual(words)
})

it.each([
  ['sam@acme.example', 'sam@acme.example'],
  [' Sam@ACME.Example ', 'Sam@acme.example'],
  ['sam@bücher.example', 'sam@xn--bcher-kva.example'],
  ['sam@ａｃｍｅ。example', 'sam@acme.example'],
])('stores the address %j as %s', (given, stored) => {
  expect(Email.parse(given)).toBe(stored)
})

it.each([
  'sam',
  'sam@acme',
  'sam@acme.example/x.other.example',
  'sam@acme.example#other.example',
  'sam@acme.example?x',
  'sam@-acme.example',
  'sam@acme..example',
  'sam@[192.0.2.7]',
  'sa\u202em@acme.example',
  'sa\u200bm@acme.example',
  'sam@ac\u00adme.example',
  `${'a'.repeat(65)}@acme.example`,
  `a@${'b.'.repeat(130)}example`,
])('rejects %j as an email address', (given) => {
  expect(Email.safeParse(given).success).toBe(false)
})

const messageOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

it.each(['2024', '2024-02', '2024-02-29', '2026-12-31'])('accepts the date %s', (date) => {
  expect(PartialDate.parse(date)).toBe(date)
})

it.each(['2026-02-31', '2025-02-29', '2026-04-31', '2026-13', '2026-00-01', '26', 'soon'])(
  'rejects the date %s',
  (date) => {
    expect(messageOf(PartialDate, date)).toMatch(/YYYY|does not exist/)
  },
)

it.each([
  {
    name: 'company size',
    schema: ProfileUpdate,
    value: { employee_count: 'many' },
    says: 'Must be empty, or must be one of 1-10, 11-50',
  },
  { name: 'specialties', schema: ProfileUpdate, value: { specialties: 5 }, says: 'Must be a list, or must be text' },
  { name: 'too many', schema: wordList(1), value: 'a, b', says: 'Must have at most 1 entries' },
  { name: 'uptime', schema: ModelEdit, value: { uptime_sla: true }, says: 'Must be text, or must be a number' },
  { name: 'capabilities', schema: ModelEdit, value: { capabilities: {} }, says: 'Must be a list, or must be text' },
  { name: 'an id', schema: ModelId, value: 'x', says: 'This is not the ID of a model' },
])('says what is allowed: $name', ({ schema, value, says }) => {
  expect(messageOf(schema, value)).toContain(says)
})
