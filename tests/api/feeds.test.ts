import { describe, expect, it } from 'vitest'
import { ask, comparable } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { storeModel } from '../support/stored-names.ts'
import { createWorld, type World } from '../support/world.ts'

const locationsOf = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url)

/** Every page in the sitemap. */
const crawl = async ({ address, publicUrl }: World) => {
  const index = await ask(`${address}/sitemap.xml`)
  const files = locationsOf(index.text)
  const pages: string[] = []
  for (const file of files) {
    const { status, text } = await ask(file.replace(publicUrl, address))
    expect({ file, status }).toEqual({ file, status: 200 })
    pages.push(...locationsOf(text).map((url) => url.replace(publicUrl, '')))
  }
  return { files: files.map((url) => url.replace(publicUrl, '')), pages, index }
}

const unknownModel = `mdl_${'0'.repeat(26)}`

describe('robots.txt', () => {
  it('names the sitemap and lets crawlers see noindex', async () => {
    const { address, publicUrl } = await createWorld()
    const { status, text, headers } = await ask(`${address}/robots.txt`)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(text).toContain(`Sitemap: ${publicUrl}/sitemap.xml`)
    // A preview that cannot open the link could not say that it is open to check.
    expect(text).not.toMatch(/^Disallow: \/(v|verify\/|search|models|providers)?$/m)
    expect(text).toMatch(/^Disallow: \/verify-email\/$/m)
  })
})

describe('security.txt', () => {
  const read = async (options: Parameters<typeof createWorld>[0]) => {
    const world = await createWorld({ publicUrl: 'https://registry.example', ...options })
    const { status, text, headers } = await ask(`${world.address}/.well-known/security.txt`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const fields = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ') as [string, string])
    return { world, fields: new Map(fields), count: fields.length }
  }

  it('names a contact, its own address and a date within the next year', async () => {
    const { world, fields, count } = await read({ contactEmail: 'ops@registry.example' })
    expect(fields.get('Contact')).toBe('mailto:ops@registry.example')
    expect(fields.get('Canonical')).toBe('https://registry.example/.well-known/security.txt')
    const days = (Date.parse(fields.get('Expires') ?? '') - world.clock.now()) / 86_400_000
    expect(days).toBeGreaterThan(100)
    expect(days).toBeLessThan(365)
    expect(fields.size).toBe(count)
  })

  it.each([
    [{}, 'mailto:contact@registry.example'],
    [{ securityContact: 'https://acme.example/report' }, 'https://acme.example/report'],
  ])('names the contact of the settings: %o', async (options, contact) => {
    expect((await read(options)).fields.get('Contact')).toBe(contact)
  })
})

describeOnSqlite('the sitemap', (engine) => {
  it('contains the listed providers and the newest public version of their models, and nothing else', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const hidden = await world.provider('hidden', { isListed: false })
    const gone = await world.provider('gone')
    const old = await acme.registerModel({ api_model_identifier: 'atlas', version: '1' })
    const newest = await acme.registerModel({ api_model_identifier: 'atlas', version: '2', force_new_version: true })
    const secret = await acme.registerModel({ is_public: false })
    const unlisted = await hidden.registerModel()
    const archived = await acme.registerModel()
    await acme.client.models.archive(archived, {})
    const lost = await gone.registerModel()
    await gone.client.providers.deactivate(gone.id)

    const { pages, index } = await crawl(world)
    expect(index.headers['cache-control']).toBe('public, max-age=600')
    expect(pages).toContain(`/providers/${acme.id}`)
    expect(pages).toContain(`/models/${newest}`)
    expect(pages).toContain('/docs')
    const shown = pages.join(' ')
    for (const id of [old, secret, unlisted, archived, lost, hidden.id, gone.id]) expect(shown).not.toContain(id)
    expect(shown).not.toMatch(/login|dashboard|verify-email|\/v\b/)
  })
})

describe('the sitemap', () => {
  it('has many files for many pages, lists each page in one of them, and is refreshed after ten minutes', async () => {
    const world = await createWorld({ sitemapLength: 3 })
    const acme = await world.provider('acme')
    const ids = [await acme.registerModel()]
    for (let more = 0; more < 6; more++) {
      world.clock.advance('1s')
      ids.push(await acme.registerModel())
    }
    const before = await crawl(world)
    expect(before.files.filter((file) => file.includes('models'))).toHaveLength(3)
    expect(before.pages.filter((page) => page.startsWith('/models/')).sort()).toEqual(
      ids.map((id) => `/models/${id}`).sort(),
    )
    for (let more = 0; more < 3; more++) await acme.registerModel()
    expect((await crawl(world)).files).toEqual(before.files)
    world.clock.advance('11m')
    expect((await crawl(world)).files).toHaveLength(before.files.length + 1)
  })

  it.each(['models-1.xml', 'models-x-y.xml', 'other.xml', 'models.json', 'providers-%00.xml'])(
    'has no file %s',
    async (file) => {
      const { address } = await createWorld()
      expect((await ask(`${address}/sitemaps/${file}`)).status).toBe(404)
    },
  )
})

describe('a badge', () => {
  const badge = async (world: World, path: string) => {
    const reply = await ask(`${world.address}/badge/${path}`)
    const textOf = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(reply.text)?.[1]
    return { ...reply, says: textOf('title'), note: textOf('desc') }
  }

  it('shows the proven domain and the level, for a minute, on any page', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2.1' })
    const { status, says, headers, text } = await badge(world, `models/${id}.svg`)
    expect({ status, says }).toEqual({ status: 200, says: 'acme.example: registered “Atlas Chat 2.1” · not rated yet' })
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect(text).not.toMatch(/verified|http:\/\/(?!www\.w3\.org)|@font|<style|<script/i)
    expect((await badge(world, `providers/${acme.id}.svg`)).says).toBe('Countersign: acme.example · not rated yet')
    await world.session(acme)
    expect(await badge(world, `providers/${acme.id}.svg`)).toMatchObject({
      says: 'Countersign: acme.example · standard',
      note: 'The level also counts what the provider says of itself.',
    })
  })

  it('shows an unchecked provider as not verified, without its own claims', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme', { isVerified: false })
    const id = await storeModel(world, acme, { display_name: 'Verified by Countersign' })
    for (const path of [`models/${id}.svg`, `providers/${acme.id}.svg`]) {
      const { says, text } = await badge(world, path)
      expect(says).toBe('Countersign: provider not verified')
      expect(text).not.toMatch(/acme|Verified by/i)
    }
  })

  it('shows the name of a model as its provider’s claim, which cannot end its quotation', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await storeModel(world, acme, { display_name: `Atlas" verified '' by`, version: '1' })
    expect((await badge(world, `models/${id}.svg`)).says).toBe(
      'acme.example: registered “Atlas verified by 1” · not rated yet',
    )
  })

  it('never cuts a name so that it ends in another domain', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const display_name = 'GPT-5, the chat assistant of openai.com.acme.example'
    const id = await acme.registerModel({ display_name })
    const { says, text } = await badge(world, `models/${id}.svg`)
    expect(says).toBe('acme.example: registered “GPT-5, the chat assistant of…” · not rated yet')
    expect(text).not.toContain('openai')
    const long = await acme.registerModel({
      display_name: 'Long '.repeat(20).trim(),
      version: 'from the openai.com.acme.example',
    })
    const title = /<title>(.*)<\/title>/.exec((await ask(`${world.address}/models/${long}`)).text)?.[1]
    expect(title).toMatch(/^acme\.example: “Long .* from the…” · Countersign$/)
  })

  it('follows changes of the model and its provider', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const first = await acme.registerModel({ api_model_identifier: 'atlas', version: '1' })
    const second = await acme.registerModel({ api_model_identifier: 'atlas', version: '2', force_new_version: true })
    expect((await badge(world, `models/${first}.svg`)).says).toBe('acme.example: superseded “Atlas Chat 1”')
    await acme.client.models.archive(second, {})
    expect((await badge(world, `models/${second}.svg`)).says).toBe('acme.example: withdrew “Atlas Chat 2”')
    await acme.client.providers.deactivate(acme.id)
    expect((await badge(world, `models/${second}.svg`)).says).toBe('Countersign: unknown')
  })

  it('is the same for private and missing entries', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await acme.registerModel({ is_public: false })
    const replies = await Promise.all(
      [id, unknownModel, 'x', '%22%3E'].map((name) => badge(world, `models/${name}.svg`)),
    )
    for (const reply of replies) {
      expect(reply.status).toBe(404)
      expect(reply.text).toBe(replies[0]?.text)
      expect(comparable(reply)).toEqual(comparable(replies[0] ?? reply))
    }
    expect(replies[0]?.says).toBe('Countersign: unknown')
  })

  it('is well-formed for any name of a model', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await storeModel(world, acme, { display_name: `<a href="x">&'"]]>` })
    const { text } = await badge(world, `models/${id}.svg`)
    expect(text).not.toContain('<a ')
    expect(text.match(/&(?!(amp|lt|gt|quot|#39);)/)).toBeNull()
  })

  it('is within the limits of public reads', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    let reply = await badge(world, `models/${unknownModel}.svg`)
    for (let asked = 0; asked < 700 && reply.status === 404; asked++)
      reply = await badge(world, `models/${unknownModel}.svg`)
    expect(reply.status).toBe(429)
  })
})

describe('resources for other sites', () => {
  it.each([
    { name: 'badge.js', type: /javascript/ },
    { name: 'preview.png', type: /image\/png/ },
  ])('exist for any page: $name', async ({ name, type }) => {
    const { address } = await createWorld()
    const { status, headers } = await ask(`${address}/${name}`)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(type)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    })
  })
})

describe('oEmbed', () => {
  const oembed = ({ address }: World, url: string, more = '') =>
    ask(`${address}/oembed?url=${encodeURIComponent(url)}${more}`)

  it('is linked from the pages of models and providers, and shows their badge', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    await world.session(acme)
    const id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2.1' })
    for (const path of [`/models/${id}`, `/providers/${acme.id}`]) {
      const [, link = ''] =
        /type="application\/json\+oembed" href="([^"]*)"/.exec((await ask(world.address + path)).text) ?? []
      const { status, body, headers } = await ask(link.replaceAll('&amp;', '&').replace(world.publicUrl, world.address))
      expect(status).toBe(200)
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(body).toMatchObject({
        version: '1.0',
        type: 'rich',
        provider_name: 'Countersign',
        provider_url: world.publicUrl,
        height: 20,
      })
      expect(body.title).toMatch(/^acme\.example: /)
      expect(body.html).toContain(`<a href="${world.publicUrl}${path}"><img src="${world.publicUrl}/badge${path}.svg"`)
      expect(body.html).toContain(' title="The level also counts what the provider says of itself."')
    }
  })

  it('answers in XML on demand, with everything escaped', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await storeModel(world, acme, { display_name: '<b>&' })
    const { text, headers } = await oembed(world, `${world.publicUrl}/models/${id}`, '&format=xml')
    expect(headers['content-type']).toMatch(/^text\/xml/)
    expect(text).toContain('<title>acme.example: “&lt;b&gt;&amp; 1.0.0”</title>')
    expect(text).toContain('<html>&lt;a href=&quot;')
  })

  it('says in its title and picture that a version was withdrawn', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2' })
    await acme.client.models.archive(id, {})
    const { body } = await oembed(world, `${world.publicUrl}/models/${id}`)
    expect(body.title).toBe('acme.example: withdrew “Atlas Chat 2”')
    expect(body.html).toContain('acme.example: withdrew “Atlas Chat 2”')
  })

  it('says, as the badge and the head of its page do, that the signature of a version is invalid', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2' })
    await world.database.transaction((tx) =>
      tx.updateTable('models').set({ bundle_status: 'invalid' }).where('id', '=', id).execute(),
    )
    const says = 'acme.example: invalid signature of “Atlas Chat 2”'
    const { body } = await oembed(world, `${world.publicUrl}/models/${id}`)
    expect(body.title).toBe(says)
    expect(body.html).toContain(says)
    const picture = await ask(`${world.address}/badge/models/${id}.svg`)
    expect(picture.text).toContain(`<title>${says}</title>`)
    expect(picture.text).toContain('#845000')
    const { text } = await ask(`${world.address}/models/${id}`)
    expect(text).toContain(`<title>${says} · Countersign</title>`)
    expect(text).toContain('content="The signature of its model file is invalid. Do not trust the file. ')
  })

  it('has nothing for links, other sites and private entries', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const secret = await acme.registerModel({ is_public: false })
    const model_id = await acme.registerModel()
    const { verification_url } = await acme.client.verifications.create({ model_id })
    const urls = [
      verification_url,
      `https://elsewhere.example/models/${model_id}`,
      `${world.publicUrl}/models/${secret}`,
      `${world.publicUrl}/models/${unknownModel}`,
      `${world.publicUrl}/docs`,
    ]
    const replies = await Promise.all(urls.map((url) => oembed(world, url)))
    for (const reply of replies) {
      expect(reply.status).toBe(404)
      expect(comparable(reply)).toEqual(comparable(replies[0] ?? reply))
    }
  })

  it.each(['', '?url=', '?url=x', '?url=a&url=b'])('requires a single address: %s', async (query) => {
    const { address } = await createWorld()
    expect((await ask(`${address}/oembed${query}`)).status).toBe(400)
  })
})
