import { readFileSync } from 'node:fs'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import { describe, expect, it } from 'vitest'
import { addresses } from '../../server/src/site/rules.ts'
import { page as docsPage } from '../../web/src/messages/en/docs/page.ts'
import { start as docsStart } from '../../web/src/messages/en/docs/start.ts'
import { home as consoleHome } from '../../web/src/messages/en/pages/home.ts'
import { ask } from '../support/ask.ts'
import { storeModel } from '../support/stored-names.ts'
import { createWorld, type World } from '../support/world.ts'

/** What a page contains before its scripts run. */
const read = async (world: World, path: string, method = 'GET') => {
  const { status, headers, text } = await ask(world.address + path, { method })
  const head = text.slice(0, text.indexOf('</head>'))
  const content = (pattern: RegExp) => pattern.exec(head)?.[1]
  return {
    status,
    headers,
    text,
    head,
    title: content(/<title>([^<]*)<\/title>/),
    description: content(/<meta name="description" content="([^"]*)">/),
    ogTitle: content(/<meta property="og:title" content="([^"]*)">/),
    ogDescription: content(/<meta property="og:description" content="([^"]*)">/),
    canonical: content(/<link rel="canonical" href="([^"]*)">/),
    robots: content(/<meta name="robots" content="([^"]*)">/),
    /** Without values generated for each response. */
    page: text.replace(/nonce="[^"]*"/g, ''),
  }
}

const withoutScripts = (text: string) => /<main>([\s\S]*)<\/main>/.exec(text)?.[1] ?? ''
const writtenIn = (text: string, id: 'link-answer' | 'model-answer'): unknown => {
  const [, json] = new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's').exec(text) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

const codeOf = (link: string) => link.split('/').at(-1) ?? ''
const mistype = (code: string) => code.slice(0, -1) + (code.endsWith('0') ? '1' : '0')

describe('the head of a page', () => {
  it('is the server’s own for every address of the console, each with a title, a description and a preview', async () => {
    const world = await createWorld()
    const titles = new Map<string, string>()
    for (const { path, keeping, about } of addresses) {
      if (about !== undefined && about !== 'link') continue
      const { status, title, description, ogTitle, ogDescription, canonical, robots, headers } = await read(
        world,
        path.replace(':token', 'x').replace(':name', 'verified'),
      )
      expect({ path, status }).toEqual({ path, status: 200 })
      expect(description, path).not.toBe('')
      expect({ path, ogTitle, ogDescription }).toEqual({
        path,
        ogTitle: title?.replace(' · Countersign', ''),
        ogDescription: description,
      })
      if (keeping === 'secret')
        expect({ path, cache: headers['cache-control'], robots }).toEqual({
          path,
          cache: 'no-store',
          robots: 'noindex, nofollow',
        })
      else expect({ path, canonical, robots }).toEqual({ path, canonical: world.publicUrl + path, robots: undefined })
      expect(headers['referrer-policy'], path).toBe('no-referrer')
      titles.set(title ?? '', path)
    }
    expect(titles.size).toBeGreaterThan(20)
  })

  it('lists the addresses of the console, and the code that each of them needs', () => {
    const router = readFileSync(new URL('../../web/src/routes.tsx', import.meta.url), 'utf8')
    const shared = new Map(
      [...router.matchAll(/const (\w+) = \(\) =>\s*import\('\.\/features\/([^']+)\.tsx'\)/g)].map(([, name, page]) => [
        name,
        page,
      ]),
    )
    const routed = [
      ...router.matchAll(/path: '(\/[^']*)',\s*lazy: (?:(\w+)|\(\) =>\s*import\('\.\/features\/([^']+)\.tsx'\))/g),
    ].map(([, path, name, page]) => ({ path, chunk: page ?? shared.get(name) }))
    expect(routed.length).toBeGreaterThan(5)
    for (const { path, chunk } of routed)
      expect(addresses.filter((address) => address.path === path)).toMatchObject([{ path, chunk }])
    const others = [...router.matchAll(/path: '(\/[^']*)'/g)].map(([, path]) => path)
    expect(others.filter((path) => !addresses.some((address) => address.path === path))).toEqual([])
  })

  it('preloads the page’s code beside the console’s own, and nothing twice', async () => {
    const world = await createWorld()
    for (const path of ['/', '/v/hello', '/no/such/page']) {
      const { head } = await read(world, path)
      const files = [...head.matchAll(/<link rel="modulepreload"[^>]* href="([^"]+)"/g)].map(([, file]) => file ?? '')
      expect(new Set(files).size, path).toBe(files.length)
      for (const file of files) expect((await ask(world.address + file, { method: 'HEAD' })).status, file).toBe(200)
      expect(
        files.some((file) => file.includes(path === '/' ? '/home' : path === '/v/hello' ? '/link' : '/not-found')),
        path,
      ).toBe(true)
    }
  })

  it.each(['/no/such/page', '/models/x/y', '/dashboard/nothing', '/index.htm', '/v/a/b'])(
    'is empty at %s',
    async (path) => {
      const world = await createWorld()
      const { status, title, robots } = await read(world, path)
      expect({ status, robots }).toEqual({ status: 404, robots: 'noindex, nofollow' })
      expect(title).toBe(path === '/v/a/b' ? 'Verification link: open to check' : 'Page not found · Countersign')
    },
  )

  it('is found in any case, and with a trailing slash', async () => {
    const world = await createWorld()
    for (const path of ['/Docs', '/docs/', '/DOCS//']) {
      const { status, canonical } = await read(world, path)
      expect({ path, status, canonical }).toEqual({ path, status: 200, canonical: `${world.publicUrl}/docs` })
    }
  })

  it.each(['/search?q=atlas', '/models?search=atlas'])('of results is not indexed: %s', async (path) => {
    const world = await createWorld()
    const { robots, canonical, headers } = await read(world, path)
    expect(robots).toBe('noindex, nofollow')
    expect(headers['x-robots-tag']).toBe('noindex, nofollow')
    expect(canonical).toBe(world.publicUrl + path.replace(/\?.*/, ''))
  })

  it('of a model or a provider is neither indexed nor stored if its address has a query', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    for (const path of [`/models/${await acme.registerModel()}`, `/providers/${acme.id}`]) {
      expect(await read(world, path)).toMatchObject({ robots: undefined, headers: { 'cache-control': 'no-cache' } })
      expect(await read(world, `${path}?conversation=1`)).toMatchObject({
        robots: 'noindex, nofollow',
        headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' },
        canonical: world.publicUrl + path,
      })
    }
  })
})

describe('the page of a model', () => {
  it('names the proven domain first', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const api_model_identifier = 'Checked-by-this-registry'
    const id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2.1', api_model_identifier })
    const { status, title, description, canonical, robots } = await read(world, `/models/${id}`)
    expect({ status, title, canonical, robots }).toEqual({
      status: 200,
      title: 'acme.example: “Atlas Chat 2.1” · Countersign',
      canonical: `${world.publicUrl}/models/${id}`,
      robots: undefined,
    })
    expect(description).toMatch(/^acme\.example has proven control of its domain\./)
    expect(description).toContain('API identifier “Checked-by-this-registry”, version “2.1”.')
    expect(description).toContain('does not show that a chat is this model')
  })

  it('shows the names of models in a form that all programs read the same way', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    for (const path of [`/models/${await acme.registerModel()}`, `/providers/${acme.id}`]) {
      const [, url = ''] = /type="application\/json" href="([^"]*)"/.exec((await read(world, path)).head) ?? []
      const { status, body } = await ask(url.replace(world.publicUrl, world.address))
      expect({ status, id: body.id }).toEqual({ status: 200, id: path.split('/')[2] })
    }
  })

  it('says first that the provider is unchecked, and never that anything is verified', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme', { isVerified: false })
    const id = await acme.registerModel()
    for (const path of [`/models/${id}`, `/providers/${acme.id}`]) {
      const { title, description, head } = await read(world, path)
      expect(title).toMatch(/^Provider not checked/)
      expect(description).toContain('its identity has not been checked')
      expect(head).not.toMatch(/verified/i)
    }
  })

  it('says that a version was superseded or withdrawn', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const first = await acme.registerModel({ api_model_identifier: 'atlas', version: '1' })
    const second = await acme.registerModel({ api_model_identifier: 'atlas', version: '2', force_new_version: true })
    expect((await read(world, `/models/${first}`)).description).toMatch(/^A newer version has been registered/)
    await acme.client.models.archive(second, {})
    expect((await read(world, `/models/${second}`)).description).toMatch(/^Withdrawn by its provider/)
  })

  it('looks the same, in every byte, if it is private, deactivated, unknown or malformed', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const gone = await world.provider('gone')
    const ids = [
      await acme.registerModel({ is_public: false, display_name: 'Secret Atlas' }),
      await gone.registerModel(),
      `${'mdl'}_${'0'.repeat(26)}`,
      'x',
      '%zz',
      'mdl_%00',
    ]
    await gone.client.providers.deactivate(gone.id)
    const pages = await Promise.all(ids.map((id) => read(world, `/models/${id}`)))
    for (const { status, page, headers } of pages) {
      expect({ status, page }).toEqual({ status: 404, page: pages[0]?.page })
      expect(headers['content-length']).toBe(pages[0]?.headers['content-length'])
    }
    const providers = await Promise.all(
      [gone.id, `prv_${'0'.repeat(26)}`, 'x'].map((id) => read(world, `/providers/${id}`)),
    )
    for (const { status, page } of providers)
      expect({ status, page }).toEqual({ status: 404, page: providers[0]?.page })
  })

  it('never reveals the query that opened a conversation', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await acme.registerModel()
    const { headers, canonical, text } = await read(world, `/models/${id}?verification=SECRET&model=x`)
    expect(headers['cache-control']).toBe('no-store')
    expect(canonical).toBe(`${world.publicUrl}/models/${id}`)
    expect(text).not.toContain('SECRET')
  })

  it('cannot be made to run what a provider wrote', async () => {
    const world = await createWorld()
    const name = `"><script>alert(1)</script><!--</noscript>'`
    const acme = await world.provider('acme')
    const id = await storeModel(world, acme, { display_name: name })
    const { text, title } = await read(world, `/models/${id}`)
    expect(text).not.toContain('<script>alert')
    expect(title).toContain('&lt;script&gt;')
  })

  it('shows a model or provider as its page begins; a model’s contains its public data', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await storeModel(world, acme, { display_name: 'Atlas <b>Chat</b>' })
    const model = await read(world, `/models/${id}`)
    const provider = await read(world, `/providers/${acme.id}`)
    for (const { ogTitle, description, text } of [model, provider]) {
      expect(withoutScripts(text)).toContain(`<h1>${ogTitle}</h1>`)
      expect(withoutScripts(text)).toContain(`<p class="beginning">${description}</p>`)
    }
    expect(writtenIn(model.text, 'model-answer')).toEqual(
      JSON.parse((await ask(`${world.address}/api/v1/models/${id}/public`)).text),
    )
    await acme.client.models.setVisibility(id, { is_public: false })
    const hidden = await read(world, `/models/${id}`)
    expect(hidden.text).not.toMatch(/Atlas|model-answer/)
  })

  it('is still a page after too many requests, and says when to retry', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const acme = await world.provider('acme')
    const id = await acme.registerModel()
    let reply = await read(world, `/models/${id}`)
    for (let asked = 0; asked < 700 && reply.status === 200; asked++) reply = await read(world, `/models/${id}`)
    expect(reply.status).toBe(429)
    expect(reply.headers['retry-after']).toMatch(/^\d+$/)
    expect(reply.text).toContain('id="root"')
    expect(reply.title).toBe('Model · Countersign')
  })
})

describe('the page of a link', () => {
  const mint = async (world: World, options: { isVerified?: boolean } = {}) => {
    const acme = await world.provider('acme', options)
    const model_id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2.1' })
    // Only a proven domain may name its chat origins.
    const origin = options.isVerified === false ? undefined : 'https://chat.acme.example'
    const minted = await acme.client.verifications.create({ model_id, challenge: 'blue otter 42', origin })
    return { acme, model_id, minted, code: codeOf(minted.verification_url) }
  }

  it('has the same head for every link, valid, mistyped, unknown or malformed', async () => {
    const world = await createWorld()
    const { code } = await mint(world)
    const unknown = formatLinkCode(createLinkCode(0, new Uint8Array(8)))
    const heads = await Promise.all(
      [`/v/${code}`, `/v/${mistype(code)}`, `/v/${unknown}`, '/v/hello', `/verify/${code}`].map(async (path) =>
        (await read(world, path)).head.replace(/nonce="[^"]*"/g, ''),
      ),
    )
    expect(new Set(heads).size).toBe(1)
    expect(heads[0]).toContain('<title>Verification link: open to check</title>')
    expect(heads[0]).not.toMatch(/verified|acme|atlas|✓/i)
    expect(heads[0]).not.toContain(code)
  })

  it.each([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
  ])('contains no verdict for a prefetch: %j', async (headers) => {
    const world = await createWorld()
    const { code } = await mint(world)
    const text = (page: string, more = {}) =>
      fetch(`${world.address}${page}`, { headers: more }).then((response) => response.text())
    expect(await text(`/v/${code}`)).toContain('link-answer')
    expect(await text(`/v/${code}`, headers)).not.toContain('link-answer')
  })

  it('contains the answer that the API gives at that moment', async () => {
    const world = await createWorld()
    const { code, acme, model_id } = await mint(world)
    expect(writtenIn((await read(world, `/v/${code}`)).text, 'link-answer')).toEqual({
      token: code,
      record: await world.anyone.verifications.get(code),
    })
    await acme.client.models.archive(model_id, {})
    const after = await read(world, `/v/${code}`)
    expect(after.status).toBe(200)
    expect(writtenIn(after.text, 'link-answer')).toMatchObject({
      token: code,
      refusal: { code: 'link_archived', reason: 'archived', verification: { result: 'not_verified' } },
    })
    expect(after.headers['cache-control']).toBe('no-store')
  })

  it.each([
    {
      what: 'a good link',
      reach: async (world: World) => (await mint(world)).code,
      heading: '<bdi>acme.example</bdi> <bdi class="outcome-which">“Atlas Chat 2.1”</bdi>',
      says: 'Company confirmed, AI not confirmed',
    },
    {
      what: 'a link of an unknown provider',
      reach: async (world: World) => (await mint(world, { isVerified: false })).code,
      heading: '<bdi>Someone calling themselves “Acme Labs”</bdi>',
      says: 'We don’t know who this is',
    },
    {
      what: 'an expired link',
      reach: async (world: World) => {
        const { code } = await mint(world)
        world.clock.advance('16m')
        return code
      },
      heading: 'Do not rely on this link',
      says: 'Expired',
    },
    {
      what: 'a mistyped link',
      reach: async (world: World) => mistype((await mint(world)).code),
      heading: 'This link is mistyped',
      says: 'Mistyped link',
    },
  ])('says about $what without scripts what the console says', async ({ what, reach, heading, says }) => {
    const world = await createWorld()
    const plain = withoutScripts((await read(world, `/v/${await reach(world)}`)).text)
    expect(plain).toContain(`<h1 class="outcome-who">${heading}</h1>`)
    expect(plain).toContain(`<span>${says}</span>`)
    const isGood = what === 'a good link'
    expect(plain).not.toMatch(/Verified AI Model|Cryptographically Verified/)
    expect(plain.includes('treat this chat as unconfirmed')).toBe(/expired|mistyped/.test(what))
    if (isGood)
      for (const shown of [
        'What was checked',
        'Passed',
        'blue otter 42',
        'https://chat.acme.example',
        'What this does not prove',
      ])
        expect(plain).toContain(shown)
  })

  it('reloads when the link expires, without scripts', async () => {
    const world = await createWorld()
    const { code } = await mint(world)
    world.clock.advance('5m')
    const refresh = async () => /http-equiv="refresh" content="(\d+)"/.exec((await read(world, `/v/${code}`)).text)?.[1]
    expect(await refresh()).toBe('600')
    world.clock.advance('11m')
    expect(await refresh()).toBeUndefined()
  })

  it('starts the landing page and the documentation like the console', () => {
    const beginningAt = (wanted: string) => addresses.find(({ path }) => path === wanted)?.beginning
    expect(beginningAt('/')).toEqual({ heading: consoleHome.heading, text: consoleHome.intro })
    expect(beginningAt('/docs')).toEqual({ heading: docsPage.heading, text: docsStart.overview.blocks[0] })
  })

  it('loads the console’s code after the styles of prerendered content, and otherwise at once', async () => {
    const world = await createWorld()
    const codeOf = async (path: string) =>
      (await read(world, path)).head.match(/<script type="module"[^>]*>|<link rel="modulepreload"[^>]*>/g) ?? []
    for (const [path, isLater] of Object.entries({ '/': true, '/docs': true, '/v/hello': true, '/login': false })) {
      const code = await codeOf(path)
      expect(code.length, path).toBeGreaterThan(1)
      expect(code.filter((tag) => tag.includes('fetchpriority="low"')).length, path).toBe(isLater ? code.length : 0)
    }
  })

  it('accepts a link without scripts, and responds like its page', async () => {
    const world = await createWorld()
    const { code } = await mint(world)
    expect((await read(world, '/v')).text).toMatch(
      /<noscript>[\s\S]*<form action="\/v" method="get">[\s\S]*name="link"/,
    )
    const typed = await read(world, `/v?link=${encodeURIComponent(`${world.publicUrl}/v/${code}`)}`)
    expect(withoutScripts(typed.text)).toContain('<h1 class="outcome-who"><bdi>acme.example</bdi>')
    expect(typed.headers['cache-control']).toBe('no-store')
    expect(withoutScripts((await read(world, '/v?link=hello')).text)).toContain('This is not a verification link.')
    expect(
      withoutScripts((await read(world, `/v?link=${encodeURIComponent('https://other.example/v/')}${code}`)).text),
    ).toContain('This link belongs to another registry.')
  })

  it('says on a development registry that nothing is proof', async () => {
    const world = await createWorld()
    const { code } = await mint(world)
    for (const path of [`/v/${code}`, '/'])
      expect((await read(world, path)).text, path).toContain(
        '<p class="plain-note">Development registry: nothing here proves anything.</p>',
      )
  })

  it('changes and counts nothing when it is opened', async () => {
    const world = await createWorld()
    const { code, acme, model_id } = await mint(world)
    for (let preview = 0; preview < 10; preview++) await read(world, `/v/${code}`)
    expect((await acme.client.models.get(model_id)).first_verified_at).toBeNull()
    expect((await world.anyone.models.communityStats(model_id)).total_verifications).toBe(0)
  })

  it('counts as a request to the API; after too many, the console checks the link', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const { code } = await mint(world)
    let reply = await read(world, `/v/${code}`)
    for (let asked = 0; asked < 200 && writtenIn(reply.text, 'link-answer') !== undefined; asked++)
      reply = await read(world, `/v/${code}`)
    expect(writtenIn(reply.text, 'link-answer')).toBeUndefined()
    expect(reply.status).toBe(200)
    expect(withoutScripts(reply.text)).toContain('could not be checked')
    expect((await ask(`${world.address}/api/v1/verify/${code}`)).status).toBe(429)
  })
})
