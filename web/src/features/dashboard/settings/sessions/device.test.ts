import { expect, it } from 'vitest'
import { readDevice } from './device.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  {
    agent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`,
    is: 'Edge on Windows',
  },
  { agent: `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/153.0.0.0 Safari/537.36`, is: 'Chrome on Linux' },
  {
    agent: `Mozilla/5.0 (Linux; Android 16; K) ${webkit} Chrome/153.0.0.0 Mobile Safari/537.36`,
    is: 'Chrome on Android',
  },
  {
    agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0',
    is: 'Firefox on macOS',
  },
  {
    agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    is: 'Safari on iOS',
  },
  { agent: 'curl/8.9.1', is: undefined },
  { agent: null, is: undefined },
])('$agent is $is', ({ agent, is }) => {
  const device = readDevice(agent)
  expect(device && `${device.browser} on ${device.system}`).toBe(is)
})
