import { createServer } from 'node:net'
import { settings } from '../../server/src/config.ts'

export interface Address {
  host: string
  port: number
}

export const readAddress = ({ HOST: host = '127.0.0.1', PORT }: NodeJS.ProcessEnv): Address => ({
  host,
  port: portOf('PORT', PORT || settings.PORT.default),
})

/** The port must be free. Returns the TLS port: any free one if TLS_PORT is not set. */
export const choosePorts = async ({ host, port }: Address, { TLS_PORT, DATA_DIR }: NodeJS.ProcessEnv) => {
  const prefix = DATA_DIR ? `DATA_DIR=${DATA_DIR} ` : ''
  await claim(host, port, `${prefix}PORT`)
  const tlsPort = TLS_PORT
    ? await claim(host, portOf('TLS_PORT', TLS_PORT), `${prefix}TLS_PORT`)
    : ((await freePort(host, 4143)) ?? (await freePort(host, 0)))
  return tlsPort ?? 0
}

const portOf = (name: 'PORT' | 'TLS_PORT', text: string): number => {
  const port = settings[name].parse(text)
  if (typeof port !== 'number')
    throw new Error(`${name} must be ${settings[name].expected}; it is ${JSON.stringify(text)}.`)
  return port
}

/** `assignment`: what the next try sets, up to the port. */
const claim = async (host: string, port: number, assignment: string) => {
  const free = await freePort(host, port)
  if (free !== undefined) return free
  throw new Error(
    `Port ${port} on ${host} is used by another process. Choose a free one: ${assignment}=${port + 100} npm start`,
  )
}

/** The port, if it is free; any free one for 0. */
export const freePort = (host: string, port: number) =>
  new Promise<number | undefined>((resolve) => {
    const server = createServer().once('error', () => resolve(undefined))
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })
