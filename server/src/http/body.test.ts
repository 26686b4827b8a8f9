import { expect, it, onTestFinished } from 'vitest'
import { createBodyParser, largeBytes } from './body.ts'

const parser = () => {
  const bodies = createBodyParser()
  onTestFinished(bodies.close)
  return (bytes: Buffer | undefined, maxValues = 1_000) => bodies.parse(bytes, maxValues)
}

const padding = 'x'.repeat(largeBytes)

it.each([
  ['small', ''],
  ['large', padding],
])('parses %s bodies, and says what is wrong with others', async (_, pad) => {
  const parse = parser()
  expect(await parse(Buffer.from(`{"a":["${pad}",1]}`))).toEqual({ a: [pad, 1] })
  await expect(parse(Buffer.from(`{"a":"${pad}"`))).rejects.toMatchObject({
    code: 'bad_request',
    message: 'The body is not valid JSON.',
  })
  await expect(parse(Buffer.from([0x22, 0xff, ...Buffer.from(pad), 0x22]))).rejects.toMatchObject({
    code: 'bad_request',
    message: 'The body is not valid UTF-8.',
  })
})

it('treats a missing body as an empty object', async () => {
  expect(await parser()(undefined)).toEqual({})
})

it('rejects a body of very many values without building them; text counts as one', async () => {
  const parse = parser()
  await expect(parse(Buffer.from(`[${'[],'.repeat(1_001)}0]`))).rejects.toMatchObject({
    code: 'bad_request',
    message: 'The body has more than 1000 values.',
  })
  await expect(parse(Buffer.from(`${'['.repeat(1_001)}${']'.repeat(1_001)}`))).rejects.toMatchObject({
    code: 'bad_request',
    message: 'The body has more than 1000 values.',
  })
  const text = `\\"${',[{'.repeat(200_000)}`
  expect(await parse(Buffer.from(`"${text}"`))).toHaveLength(600_001)
})

it('rejects large bodies while too many wait, and accepts them again', async () => {
  const parse = parser()
  const body = Buffer.from(`"${padding}"`)
  const all = await Promise.allSettled(Array.from({ length: 40 }, () => parse(body)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(32)
  expect(all.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await parse(body)).toBe(padding)
})
