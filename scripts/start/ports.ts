import { createServer } from 'node:net'

/** Where the registry will listen. A port that was named must be free; the TLS port gives way unless it was named too. */
export const chooseAddresses = async ({ HOST: host = '127.0.0.1', PORT, TLS_PORT }: NodeJS.ProcessEnv) => {
  const port = await claim(host, Number(PORT ?? 4100), 'PORT')
  const tlsPort =
    TLS_PORT === undefined ? ((await freePort(host, 4143)) ?? (await freePort(host, 0))) : await claim(host, Number(TLS_PORT), 'TLS_PORT')
  return { host, port, tlsPort: tlsPort ?? 0 }
}

const claim = async (host: string, port: number, variable: string) => {
  const free = Number.isInteger(port) && port >= 0 && port < 65_536 ? await freePort(host, port) : port
  if (free !== undefined) return free
  throw new Error(`Port ${port} on ${host} is taken by another process. Name a free one: ${variable}=${port + 100} npm start`)
}

const freePort = (host: string, port: number) =>
  new Promise<number | undefined>((resolve) => {
    const server = createServer().once('error', () => resolve(undefined))
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })
