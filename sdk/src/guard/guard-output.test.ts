import { describe, expect, it } from 'vitest'
import type { VerificationLink } from '../runtime/link-issuer.ts'
import { createLinkCode } from '../verify/create-link-code.ts'
import { formatLinkCode } from '../verify/link-code.ts'
import { type GuardOptions, guardOutput } from './guard-output.ts'

const now = Date.UTC(2026, 0, 5, 12)
const codeOf = (number: number, at = now) =>
  formatLinkCode(
    createLinkCode(
      at,
      Uint8Array.from({ length: 8 }, (_, index) => number * 31 + index * 7),
    ),
  )

const [own, others, invented, old] = [codeOf(1), codeOf(2), codeOf(3), codeOf(4, now - 5 * 86_400_000)]
const url = `https://registry.example/v/${own}`
const link: VerificationLink = {
  url,
  code: own,
  token: 'token',
  verificationId: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
  expiresAt: '2026-01-05T12:15:00.000Z',
  challenge: null,
  origin: null,
}
const given = [link]
const issued = {
  get: async () => link,
  issuedTo: (sessionId: string) => (sessionId === 'chat-1' ? given : []),
  isOthers: (_: string, code: string) => code === others,
}
const create = (options: Partial<GuardOptions> = {}) =>
  guardOutput({
    issued,
    sessionId: 'chat-1',
    host: 'registry.example',
    onForeign: 'mark',
    mark: '(!)',
    now: () => now,
    ...options,
  })
const guarded = (text: string, options?: Partial<GuardOptions>) => create(options).check(text).text

describe('the guard keeps', () => {
  it.each([
    url,
    `See ${url}.`,
    `**${url}**, <${url}> "${url}" [me](${url}) | ${url} |`,
    `<a href="${url}">Check me</a>`,
    `代码${own}。`,
    JSON.stringify({ text: `Check me:\n${url}\nSee you`, quoted: `"${url}"`, code: `\t${own}\n` }),
    'registry.example',
    'Ask registry.example. Write to help@registry.example, or notregistry.example/v/1',
    'https://github.com/acme/registry.example',
    'https://evil.example/registry.example.txt',
    '550e8400-e29b-41d4-a716-446655440000 4111-1111-1111-1111',
    'const a = [1, [2, [3, [4, [5]]]]] // [x](y) [z]: w <a b',
    '[a](https://acme.example/(b)) ![c](d.png "e") [f][g]\n\n[g]: https://acme.example',
    '100% of R&D, &amp; &#169; %41 C:\\v\\x //acme.example \\\\acme\\v',
    '\u200bzero\u200d \u202ewidth\u202c e\u0301 👩‍👩‍👧 \ud800 lone',
    old.replaceAll('-', ''),
    '',
  ])('%j', (text) => {
    expect(create().check(text)).toMatchObject({ text, isClean: true })
  })
})

describe('the guard repairs', () => {
  it.each([
    { name: 'lower case', text: url.toLowerCase() },
    { name: 'spaces for hyphens', text: url.replaceAll('-', ' ') },
    { name: 'underscores', text: url.replaceAll('-', '_') },
    { name: 'a space after the path', text: url.replace('/v/', '/v/ ') },
    { name: 'a broken line', text: `${url.slice(0, -9)}\n${url.slice(-9)}` },
    { name: 'percent-encoding', text: encodeURIComponent(url) },
    { name: 'an invisible character at the end', text: `${url}\u200b` },
    { name: 'one wrong symbol', text: `${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}` },
    { name: 'a missing symbol', text: url.slice(0, -1) },
    { name: 'another host', text: url.replace('registry.example', 'regstry.example') },
    { name: 'plain http', text: url.replace('https:', 'http:') },
    { name: 'a query', text: `${url}?utm_source=chat` },
    { name: 'the address of the API', text: url.replace('/v/', '/api/v1/verify/') },
    { name: 'a label that leads elsewhere', text: `[${url}](https://evil.example/)` },
  ])('$name', ({ text }) => {
    const { findings, ...report } = create().check(`See ${text} now`)
    expect(report).toEqual({ text: `See ${url} now`, isClean: true })
    const { token, ...shown } = link
    expect(findings).toEqual([{ kind: 'repaired', found: text.slice(0, 200), link: shown }])
  })

  it('only what differs in at most two symbols', () => {
    const far = own.slice(0, -3).concat(Array.from(own.slice(-3), (symbol) => (symbol === '0' ? '1' : '0')).join(''))
    const { findings, ...report } = create().check(`See ${url.replace(own, far)} now`)
    expect(report).toEqual({ text: 'See (!) now', isClean: false })
    expect(findings).toMatchObject([{ kind: 'foreign', link: null }])
  })

  it('a bare code as a code', () => {
    expect(guarded(`It is ${own.toLowerCase().replaceAll('-', ' ')}!`)).toBe(`It is ${own}!`)
  })
})

describe('the guard removes', () => {
  const host = 'registry.example'
  it.each([
    { name: 'a link of another session', text: `https://${host}/v/${others}` },
    { name: 'a link of no known session', text: `https://${host}/v/${invented}` },
    { name: 'an expired link', text: `https://${host}/v/${old}` },
    { name: 'an invented link', text: `https://${host}/v/XXXX-XXXX-XXXX-XXXX` },
    { name: 'any other page', text: `https://${host}/models/mdl_1` },
    { name: 'the home page', text: `https://${host}` },
    { name: 'a link without a scheme', text: `${host}/docs` },
    { name: 'the host as user name', text: `https://${host}@evil.example/` },
    { name: 'the host as the beginning of another', text: `https://${host}.evil.example/` },
    { name: 'the name as the beginning of another', text: `${host}.evil.example` },
    { name: 'a homoglyph', text: 'https://rеgistry.example/x' },
    { name: 'a digit for a letter', text: 'https://reg1stry.examp1e/x' },
    { name: 'two letters for one', text: 'https://registry.exarnple/x' },
    { name: 'full width', text: 'https://ｒｅｇｉｓｔｒｙ．ｅｘａｍｐｌｅ／ｘ' },
    { name: 'an ideographic full stop', text: 'https://registry。example/x' },
    { name: 'punycode', text: 'https://xn--registr-lkg.example/x' },
    { name: 'an accent', text: 'https://régistry.example/x' },
    { name: 'backslashes', text: `https:\\\\${host}\\v\\x` },
    { name: 'protocol-relative', text: `//${host}/v/x` },
    { name: 'percent-encoding twice', text: `https://regis%2574ry.example/x` },
    { name: 'character references', text: `&#104;ttps&colon;//registry&period;example/x` },
    { name: 'invisible characters', text: `https://regis\u200b\u00adtry.example/x` },
    { name: 'the query of another address', text: `https://evil.example/?u=https%3A%2F%2F${host}/v/${others}` },
    { name: 'another host with its path', text: `https://evil.example/v/${others}` },
    { name: 'a label that shows the host', text: `[open ${host} here](https://evil.example)` },
    { name: 'a label that leads there', text: `[home page](https://${host}/ "title")` },
    { name: 'an image', text: `![logo](https://${host}/v/${others})` },
    { name: 'an anchor', text: `<a class="x" href='https://evil.example'>${host}</a>` },
    { name: 'a reference', text: `[${host}][1]` },
    { name: 'a definition', text: `[1]: https://${host}/v/${others}` },
    { name: 'a bare code', text: others },
    { name: 'an invented bare code', text: invented.toLowerCase() },
    { name: 'a bare code without hyphens', text: others.replaceAll('-', '') },
    { name: 'a bare code in other groups', text: `${others.slice(0, 7)} ${others.slice(7)}` },
    { name: 'an old code in printed form', text: old },
  ])('$name', ({ text }) => {
    const { findings, ...report } = create().check(`See ${text} now`)
    expect(report).toEqual({ text: 'See (!) now', isClean: false })
    expect(findings).toMatchObject([{ kind: 'foreign', found: text, link: null }])
  })

  it('a label that shows the registry before another one that shows a code', () => {
    const text = `<a href="https://evil.example/1">https://registry.example/v/</a>\n<a href="https://evil.example/2">${own}</a>`
    expect(guarded(text)).toBe(`(!)\n${url}`)
  })

  it('an escaped link in JSON, and keeps the JSON valid', () => {
    const printed = {
      text: `Me:\n${others}\nor\nhttps://registry.example/v/${others}\nSee "https://registry.example/v/x"`,
    }
    const escaped = JSON.stringify(printed).replaceAll('/', '\\/').replaceAll('e', '\\u0065')
    expect(JSON.parse(guarded(JSON.stringify(printed)))).toEqual({ text: 'Me:\n(!)\nor\n(!)\nSee "(!)"' })
    expect(JSON.parse(guarded(escaped))).toEqual({ text: 'Me:\n(!)\nor\n(!)\nSee "(!)"' })
  })

  it('the token of another session, but not every token', () => {
    const part = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '')
    const claims = {
      iss: 'https://registry.example',
      iat: 1,
      exp: 2,
      model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
      provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
      model_identifier: 'acme-chat',
      version: '1',
      bound_to_response: false,
    }
    const tokenOf = (typ: string, jti: string) =>
      `${part({ alg: 'EdDSA', typ, kid: 'k' })}.${part({ ...claims, jti })}.${'A'.repeat(86)}`
    const theirs = tokenOf('vt+jwt', 'vrf_16dh0e3x7c9bw4vjz2n8qk5ytm')
    const mine = tokenOf('vt+jwt', link.verificationId)
    const any = tokenOf('JWT', 'x')
    expect(guarded(`${any} ${mine} ${theirs} https://registry.example/verify/${mine}`)).toBe(
      `${any} ${mine} (!) ${url}`,
    )
  })

  it('a link longer than the buffer', () => {
    const long = 'x'.repeat(5_000)
    expect(guarded(`a https://registry.example/${long} b`)).toBe('a (!) b')
    expect(guarded(`a ${long}/${others}/${long} b`)).not.toContain(others)
    expect(guarded(`a ${long} b`)).toBe(`a ${long} b`)
    expect(
      guarded(`a ${'\u200b'.repeat(3_000)}${others.slice(0, 9)}${'\u200b'.repeat(50)}${others.slice(9)} b`),
    ).toMatch(/\(!\) b$/)
  })

  it('a link completely, so that its surroundings cannot form another', () => {
    const text = guarded(`${others.slice(0, 9)} ${invented} ${others.slice(10)}`, { onForeign: 'strip' })
    expect(text).toBe(`${others.slice(0, 9)} … ${others.slice(10)}`)
    expect(guarded(text)).toBe(text)
  })
})

it('a token without putting a usable one into the finding', () => {
  const part = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '')
  const claims = {
    iss: 'https://registry.example',
    iat: 1,
    exp: 2,
    model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
    provider_id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
    model_identifier: 'acme-chat',
    version: '1',
    bound_to_response: false,
  }
  const tokenOf = (jti: string) =>
    `${part({ alg: 'EdDSA', typ: 'vt+jwt', kid: 'k' })}.${part({ ...claims, jti })}.${'A'.repeat(86)}`
  const issuedLink = { ...link, token: tokenOf(link.verificationId) }
  const keeper = { ...issued, issuedTo: () => [issuedLink] }
  for (const token of [issuedLink.token, tokenOf('vrf_16dh0e3x7c9bw4vjz2n8qk5ytm')])
    for (const text of [
      token,
      `https://registry.example/verify/${token}?a=b`,
      `https://registry.example/verify/${encodeURIComponent(token).replace(/e/g, '%65')}`,
      `https://registry.example/${'x'.repeat(1_990)}/${token}`,
      `[registry.example](https://evil.example/?t=x${token})`,
      `${token.slice(0, 30)}\n${token.slice(30)}`,
      `${url} ${token}`,
    ]) {
      const { findings } = create({ issued: keeper }).check(`See ${text} now`)
      expect(findings.length).toBeGreaterThan(0)
      const printed = decodeURIComponent(JSON.stringify(findings))
      expect(printed).not.toContain(token.slice(9, 30))
      expect(printed).not.toContain(token.slice(-200, -100))
    }
})

it('a link and leaves an ellipsis, a mark or the link itself, as configured', () => {
  const text = `See https://registry.example/v/${others}.`
  expect(guarded(text, { onForeign: undefined })).toBe('See ….')
  expect(guarded(text, { onForeign: 'mark', mark: undefined })).toBe('See (unverified link removed).')
  expect(create({ onForeign: 'keep' }).check(text)).toMatchObject({ text, isClean: false })
})

it('links of other hosts: several, with a port, in another alphabet', () => {
  const text =
    'http://127.0.0.1:4321/x http://127.0.0.1:4322/x https://bücher.example/x https://xn--bcher-kva.example/x'
  expect(guarded(text, { host: ['http://127.0.0.1:4321', 'bücher.example'] })).toBe(
    '(!) http://127.0.0.1:4322/x (!) (!)',
  )
  expect(() => create({ host: 'not a host' })).toThrow(TypeError)
  expect(() => create({ host: [] })).toThrow(TypeError)
  expect(() => create({ onForeign: 'drop' as never })).toThrow('"onForeign" must be one of strip, mark, keep')
})

it('links from a stream, and holds back only the possible start of one', async () => {
  const findings: string[] = []
  const guard = create({ onFinding: ({ kind }) => findings.push(kind) })
  const writer = guard.writable.getWriter()
  const reader = guard.readable.getReader()
  let output = ''
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) output += next.value
  })()
  const after = async (chunk: string) => {
    await writer.write(chunk)
    await new Promise((resolve) => setImmediate(resolve))
    return output
  }
  expect(await after('The sea is ca')).toBe('The sea is ')
  expect(await after('lm. 地图')).toBe('The sea is calm. 地图')
  expect(await after(` Here: ${url.slice(0, 40)}`)).toMatch(/ Here: $/)
  expect(await after(`${url.slice(40)}\n`)).toMatch(new RegExp(`${own}\n$`))
  expect(await after('[a lab')).toMatch(/\n$/)
  expect(await after('el], and ')).toMatch(/\[a label\], and $/)
  expect(await after(`${others.slice(0, 9)} `)).toMatch(/ and $/)
  expect(await after(others.slice(10))).toMatch(/ and $/)
  await writer.close()
  await reading
  expect(output).toMatch(/ and \(!\)$/)
  expect(findings).toEqual(['own', 'foreign'])
})

describe.each([
  { name: 'an address', glued: `${others}https://registry.example/v/x`, shown: '(!)(!)' },
  { name: 'another address', glued: `${others}https://acme.example/`, shown: '(!)https://acme.example/' },
  {
    name: 'a name in an anchor',
    glued: `<a href="//evil.example">\n\n${others}registry.example`,
    shown: '<a href="//evil.example">\n\n(!)(!)',
  },
  { name: 'a bar', glued: `${others}|`, shown: '(!)|' },
  { name: 'a link and an escape', glued: `[${url}](page)**&lbrack;`, shown: `${url} **&lbrack;` },
  { name: 'a link and a target', glued: `${url}](${url})`, shown: `${url}](${url})` },
])('text with $name directly after a code', ({ glued, shown }) => {
  it.each([0, 1, 2, 7])('reads the same in chunks of %i characters', async (size) => {
    const text = `See ${glued} now`
    const chunks = size === 0 ? [text] : (text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [])
    let output = ''
    const { writable, readable } = create()
    const writer = writable.getWriter()
    const written = Promise.all([...chunks.map((chunk) => writer.write(chunk)), writer.close()])
    for await (const chunk of readable) output += chunk
    await written
    expect(output).toBe(`See ${shown} now`)
  })
})
