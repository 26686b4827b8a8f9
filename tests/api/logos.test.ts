import { deflateSync } from 'node:zlib'
import { idBody } from '@countersign/sdk/contract'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { startWebServer } from '../support/web-server.ts'
import { createWorld } from '../support/world.ts'

const picture = (width = 800, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 90, b: 160 } } })

/** A PNG with this many pixels in few bytes. */
const bomb = (edge: number) => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crcOf(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(edge, 0)
  header.writeUInt32BE(edge, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((Math.ceil(edge / 8) + 1) * edge))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const crcOf = (bytes: Buffer) => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')

const fetchBytes = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describeOnSqlite('a logo', (engine) => {
  it('of each kind is shown as a small WebP of our own, at its own permanent address', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const seen = new Set<string>()
    for (const file of [
      await picture().png().toBuffer(),
      await picture().jpeg().toBuffer(),
      await picture().webp().toBuffer(),
    ]) {
      const { logo_url } = await acme.client.providers.uploadLogo(acme.id, new Blob([file]))
      expect(logo_url).toMatch(new RegExp(`^${world.publicUrl}/logos/lgo_${idBody}\\.webp$`))
      expect((await world.anyone.providers.get(acme.id)).logo_url).toBe(logo_url)
      const { status, headers, bytes } = await fetchBytes(logo_url)
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'",
        'content-disposition': 'inline',
        'x-content-type-options': 'nosniff',
      })
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 256 })
      for (const earlier of seen) expect((await fetchBytes(earlier)).status).toBe(404)
      seen.add(logo_url)
    }
    expect(seen.size).toBe(3)
    expect(await world.database.read.selectFrom('logos').select('id').execute()).toHaveLength(1)
  })

  it('keeps nothing of the file but the picture', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const secret = 'canary-of-the-camera'
    const jpeg = await picture(100, 50)
      .withExif({ IFD0: { Copyright: secret } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { logo_url } = await acme.client.providers.uploadLogo(
      acme.id,
      new Blob([Buffer.concat([jpeg, Buffer.from(`<script>${secret}</script>`)])]),
    )
    const { bytes } = await fetchBytes(logo_url)
    expect(bytes.toString('latin1')).not.toContain(secret)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 50, height: 100 })
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
  })

  it('that is not a valid image is rejected in the words of the form, under any file name', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const png = await picture(20, 20).png().toBuffer()
    const files = {
      svg,
      gif: await picture(20, 20).gif().toBuffer(),
      tiff: await picture(20, 20).tiff().toBuffer(),
      avif: await picture(20, 20).avif().toBuffer(),
      text: Buffer.from('hello'),
      nothing: Buffer.alloc(0),
      'a beginning': png.subarray(0, 40),
      'a PNG in name': Buffer.concat([png.subarray(0, 8), svg]),
      'an SVG after it': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), svg]),
      'a RIFF of something else': Buffer.from('RIFF\0\0\0\0AVI LIST'),
    }
    for (const [name, file] of Object.entries(files)) {
      const sent = new File([file], 'logo.png', { type: 'image/png' })
      await expect(acme.client.providers.uploadLogo(acme.id, sent), name).rejects.toMatchObject({
        status: 422,
        issues: [{ loc: ['body', 'file'], msg: 'Please select an image file' }],
      })
    }
    expect((await acme.client.providers.me()).logo_url).toBeNull()
  })

  it('that is too large is rejected: in bytes, and in pixels however few bytes they take', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await expect(
      acme.client.providers.uploadLogo(acme.id, new Blob([Buffer.alloc(5 * 2 ** 20)])),
    ).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
      detail: 'Image must be smaller than 5MB',
    })
    const good = bomb(4_000)
    expect(good.length).toBeLessThan(10_000)
    expect((await acme.client.providers.uploadLogo(acme.id, new Blob([good]))).logo_url).not.toBe('')
    await expect(acme.client.providers.uploadLogo(acme.id, new Blob([bomb(4_001)]))).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('16 megapixels'),
    })
  })

  it('that ends early is rejected, and the registry keeps running', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const head = '--X\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    for (const body of [`${head}abc`, head, '--X\r\n', '--X', `${head}abc\r\n--X`]) {
      const response = await fetch(`${world.address}/api/v1/providers/${acme.id}/upload-logo`, {
        method: 'POST',
        headers: { 'X-API-Key': acme.apiKey, 'Content-Type': 'multipart/form-data; boundary=X' },
        body,
      })
      expect([400, 415]).toContain(response.status)
    }
    expect((await acme.client.providers.me()).id).toBe(acme.id)
  })

  it('is one file in the field "file", and nothing else', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const png = new Blob([await picture(20, 20).png().toBuffer()])
    const send = async (parts: [string, string | Blob][], headers: Record<string, string> = {}) => {
      const form = new FormData()
      for (const [name, value] of parts) form.append(name, value as Blob)
      const response = await fetch(`${world.address}/api/v1/providers/${acme.id}/upload-logo`, {
        method: 'POST',
        headers: { 'X-API-Key': acme.apiKey, ...headers },
        body: form,
      })
      return response.status
    }
    expect(await send([['file', png]])).toBe(200)
    expect(await send([['logo', png]])).toBe(415)
    expect(
      await send([
        ['file', png],
        ['file', png],
      ]),
    ).toBe(415)
    expect(
      await send([
        ['file', png],
        ['provider_id', 'prv_x'],
      ]),
    ).toBe(415)
    expect(await send([['file', 'text']])).toBe(415)
    expect(await send([])).toBe(415)
    const json = await ask(`${world.address}/api/v1/providers/${acme.id}/upload-logo`, {
      method: 'POST',
      headers: { 'X-API-Key': acme.apiKey },
      body: { file: 'x' },
    })
    expect(json.status).toBe(415)
  })

  it('is gone when it is removed, and while its provider is gone', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const upload = async () => {
      const file = new Blob([await picture(20, 20).png().toBuffer()])
      return (await acme.client.providers.uploadLogo(acme.id, file)).logo_url
    }
    const statusOf = async (url: string) => (await fetchBytes(url)).status
    const first = await upload()
    await acme.client.providers.deleteLogo(acme.id)
    await acme.client.providers.deleteLogo(acme.id)
    expect(await statusOf(first)).toBe(404)
    expect((await world.anyone.providers.get(acme.id)).logo_url).toBeNull()
    const second = await upload()
    await acme.client.providers.deactivate(acme.id, {})
    expect(await statusOf(second)).toBe(404)
    await acme.client.providers.reactivate(acme.id, {})
    expect(await statusOf(second)).toBe(200)
    await acme.client.providers.delete(acme.id)
    expect(await statusOf(second)).toBe(404)
    expect(await world.database.read.selectFrom('logos').select('id').execute()).toEqual([])
    for (const path of [
      '/logos/',
      '/logos/x',
      '/logos/..%2f..%2fetc',
      '/logos/lgo_06dh0e3x7c9bw4vjz2n8qk5ytm.webp',
      '/logos/lgo_x.webp',
    ])
      expect((await ask(`${world.address}${path}`)).status, path).toBe(404)
  })

  it('leaves a trail', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { logo_url } = await acme.client.providers.uploadLogo(
      acme.id,
      new Blob([await picture(20, 20).png().toBuffer()]),
    )
    await acme.client.providers.deleteLogo(acme.id)
    const { events } = await acme.client.account.events()
    expect(events.slice(0, 2)).toMatchObject([
      { action: 'logo.removed', actor: acme.keyId, before: { logo_url }, after: { logo_url: null } },
      { action: 'logo.uploaded', actor: acme.keyId, before: { logo_url: null }, after: { logo_url } },
    ])
  })
})

describeOnSqlite('a logo given as an address', (engine) => {
  it('is fetched once, shown as ours, and removed by an empty address', async () => {
    const website = await startWebServer()
    const world = await createWorld({ engine, egressAllow: [`acme.example=127.0.0.1:${website.port}`] })
    const acme = await world.provider('acme')
    website.serve('/logo.png', 200, await picture().png().toBuffer())
    const { logo_url } = await acme.client.providers.setProfile(acme.id, {
      logo_url: 'https://acme.example/logo.png',
      industry: 'Maps',
    })
    expect(logo_url).toMatch(new RegExp(`^${world.publicUrl}/logos/`))
    expect((await sharp((await fetchBytes(logo_url ?? '')).bytes).metadata()).width).toBe(512)
    // A form sends back what it was shown.
    expect((await acme.client.providers.setProfile(acme.id, { logo_url: logo_url ?? '' })).logo_url).toBe(logo_url)
    expect(website.requests).toEqual(['acme.example/logo.png'])
    expect((await acme.client.providers.setProfile(acme.id, { logo_url: '' })).logo_url).toBeNull()
    expect((await fetchBytes(logo_url ?? '')).status).toBe(404)
  })

  it('that is invalid, too large, missing, unsafe or unreachable leaves the profile unchanged', async () => {
    const website = await startWebServer()
    const world = await createWorld({ engine, egressAllow: [`acme.example=127.0.0.1:${website.port}`] })
    const inside = await startWebServer()
    const acme = await world.provider('acme')
    website.serve('/page', 200, svg)
    website.serve('/large', 200, Buffer.alloc(6 * 2 ** 20))
    website.serve('/inside', 302, '', { Location: `${inside.url}/logo.png` })
    inside.serve('/logo.png', 200, await picture(20, 20).png().toBuffer())
    website.handle('/cut', (_request, response) => response.destroy())
    const before = await acme.client.providers.me()
    for (const [url, code] of [
      ['https://acme.example/page', 'validation_failed'],
      ['https://acme.example/large', 'validation_failed'],
      ['https://acme.example/missing', 'upstream_refused'],
      ['https://acme.example/inside', 'upstream_refused'],
      ['https://acme.example/cut', 'upstream_unavailable'],
      [`${inside.url}/logo.png`, 'validation_failed'],
      ['https://127.0.0.1/logo.png', 'upstream_refused'],
      ['https://[::1]/logo.png', 'upstream_refused'],
      ['https://169.254.169.254/latest/meta-data', 'upstream_refused'],
      ['https://northwind.example/logo.png', 'upstream_refused'],
    ] as const) {
      const change = acme.client.providers.update(acme.id, { logo_url: url, industry: 'Maps' })
      await expect(change, url).rejects.toMatchObject({ code })
    }
    expect(inside.requests).toEqual([])
    expect(await acme.client.providers.me()).toEqual(before)
  })
})
