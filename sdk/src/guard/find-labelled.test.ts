import { expect, it } from 'vitest'
import { createLinkCode } from '../verify/create-link-code.ts'
import { formatLinkCode } from '../verify/link-code.ts'
import { guardOutput } from './guard-output.ts'

const now = Date.UTC(2026, 0, 5, 12)
const codeOf = (number: number) => formatLinkCode(createLinkCode(now, new Uint8Array([number, 1, 2, 3, 4, 5, 6, 7])))
const linkOf = (code: string) => ({
  url: `https://registry.example/v/${code}`,
  code,
  token: '',
  verificationId: `vrf_${code}`,
  expiresAt: '',
  challenge: null,
  origin: null,
})
const links = [linkOf(codeOf(1)), linkOf(codeOf(2))] as const
const [{ url, code }, { url: other }] = links
const foreign = codeOf(3)
const issued = { get: () => Promise.reject(new Error()), issuedTo: () => links, isOthers: () => false }
const create = () =>
  guardOutput({ issued, sessionId: 'chat-1', host: 'registry.example', onForeign: 'mark', mark: '(!)', now: () => now })

const inPieces = async (text: string, size: number) => {
  const { writable, readable } = create()
  const writer = writable.getWriter()
  const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  const written = Promise.all([...chunks.map((chunk) => writer.write(chunk)), writer.close()])
  let output = ''
  for await (const chunk of readable) output += chunk
  await written
  return output
}

const expectGuarded = async (written: string, expected: string) => {
  expect(create().check(written).text).toBe(expected)
  for (const size of [1, 7, 64]) expect(await inPieces(written, size)).toBe(expected)
}

it.each([
  { written: `[a ${url} b <${other}> c](https://evil.example)`, expected: `[a ${url} b <${other}> c(!)` },
  { written: `![a ${url} b <${other}>](https://evil.example) d`, expected: `![a ${url} b <${other}>(!) d` },
  { written: `[a ${url} b <${other}>][1] c`, expected: `[a ${url} b <${other}>(!)1] c` },
  { written: `[a ${url} b <${other}>]: page.html c`, expected: `[a ${url} b <${other}>(!) page.html c` },
  {
    written: `[https://registry.example/models/x <${url}>](https://evil.example)`,
    expected: `[(!) <${url}>(!)`,
  },
  { written: `[a <${url}>](https://registry.example/models/x)`, expected: `[a <${url}>(!)(!))` },
  { written: `[a <${url}>](${other}/../../models/x)`, expected: `[a <${url}>(!)${other})` },
  { written: `[a <${url}>](https://evil.example "${other}")`, expected: `[a <${url}>(!) "${other}")` },
])('keeps each own link in a label that must not lead on, because a program may end it earlier: $written', (texts) =>
  expectGuarded(texts.written, texts.expected),
)

it('replaces a misleading label that shows only an own link with that link', () =>
  expectGuarded(`See [${url}, or ${url}](https://evil.example) now`, `See ${url} now`))

it.each([`[Check me](https://evil.example "${url}")`, `[Check me](page.html '${url}')`, `[x](<y z> (${url}))`])(
  'does not treat an own link in the title of a label as its target: %s',
  (written) => expectGuarded(`See ${written} now`, `See ${url} now`),
)

const schemes = ['https:', 'https://', 'HTTP:\\\\', 'ftp://', `${'x'.repeat(26)}://`]

it.each([
  ...schemes.flatMap((scheme) => [
    { written: `${code}${scheme}registry.example/models/x`, expected: `${code} (!)` },
    { written: `${foreign}${scheme}registry.example/models/x`, expected: '(!)(!)' },
    {
      written: `[${code}${scheme}registry.example.evil.example/v](https://evil.example "${url}")`,
      expected: url,
    },
  ]),
  {
    written: `${code}${'x'.repeat(31)}://registry.example/models/x`,
    expected: `${code}xxxxx(!)`,
  },
  { written: `${code}registry.example/models/x`, expected: `${code} (!)` },
  { written: `${code}${other.slice(-19)}`, expected: `${code} ${other.slice(-19)}` },
  {
    written: `<a href="//evil.example">\n\n${code}registry.example`,
    expected: '<a href="//evil.example">\n\n(!)(!)',
  },
])('also removes or separates a code when it removes the text right after it: $written', ({ written, expected }) =>
  expectGuarded(`See ${written} now`, `See ${expected} now`),
)

it('does not change a word that begins with a code', () =>
  expectGuarded(`See ${code}and so on, ${foreign}and so on`, `See ${code}and so on, ${foreign}and so on`))
