import { expect, it } from 'vitest'
import { createLog } from './log.ts'

it('removes credentials from log lines', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const secret = 'csk_live_0123456789'
  const err = Object.assign(new Error('refused'), {
    token: secret,
    api_key: secret,
    config: { headers: { authorization: secret } },
    request: { cookie: secret },
  })
  log.error({ err }, 'failed')
  log.info({ headers: { authorization: secret, cookie: secret, accept: '*/*' } }, 'asked')
  expect(lines).toHaveLength(2)
  expect(lines.join('')).not.toContain(secret)
  expect(lines.join('')).toContain('"accept":"*/*"')
  expect(lines[0]).toContain('refused')
})
