import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import dns, { type Answer, type Packet, type Question } from 'dns-packet'

const responseCodes = { formerr: 1, servfail: 2, nxdomain: 3, notimp: 4, refused: 5 } as const

export type ResponseCode = keyof typeof responseCodes

interface DnsServerOptions {
  port?: number
  address?: string
  /** The TXT queries for unknown names. */
  otherwise?: (name: string) => readonly string[] | undefined
}

const noRecords = () => undefined

/**
 * A small DNS server on loopback, UDP and TCP on the same port. It knows the given records; every other name does not
 * exist.
 */
export const startDnsServer = async ({
  port = 0,
  address = '127.0.0.1',
  otherwise = noRecords,
}: DnsServerOptions = {}) => {
  const records = new Map<string, string[]>()
  const failures = new Map<string, { code: ResponseCode; type: Question['type'] | undefined }>()
  const addresses = new Map<string, (readonly string[])[]>()
  const aliases = new Map<string, string>()
  const waits = new Map<string, () => Promise<void>>()

  /** The current answer for a name; the last one repeats. */
  const addressesOf = (name: string, type: 'A' | 'AAAA') => {
    const turns = addresses.get(`${name} ${type}`) ?? []
    return (turns.length > 1 ? turns.shift() : turns[0]) ?? []
  }

  const addressRecords = (name: string, type: 'A' | 'AAAA'): Answer[] => {
    const target = aliases.get(keyOf(name))
    const own = addressesOf(keyOf(name), type).map((data) => ({ name, type, class: 'IN', ttl: 0, data }) as const)
    if (target === undefined) return own
    return [{ name, type: 'CNAME', class: 'IN', ttl: 0, data: target }, ...addressRecords(target, type)]
  }

  const answer = (request: Uint8Array): Packet => {
    const query = dns.decode(Buffer.from(request))
    const [question] = query.questions ?? []
    const name = keyOf(question?.name ?? '')
    const values = records.get(name) ?? otherwise(name)
    const isKnown = values !== undefined || aliases.has(name) || addresses.has(`${name} A`)
    const planned = failures.get(name)
    const isPlanned = planned !== undefined && (planned.type === undefined || planned.type === question?.type)
    const failure = isPlanned ? planned.code : isKnown ? undefined : 'nxdomain'
    const recordsOf = (question: Question): Answer[] => {
      if (question.type === 'A' || question.type === 'AAAA') return addressRecords(question.name, question.type)
      const target = aliases.get(keyOf(question.name))
      const alias: Answer[] =
        target === undefined ? [] : [{ name: question.name, type: 'CNAME', class: 'IN', ttl: 0, data: target }]
      if (question.type === 'CNAME') return alias
      if (question.type !== 'TXT') return []
      const owner = target ?? question.name
      return [
        ...alias,
        ...(records.get(keyOf(owner)) ?? otherwise(keyOf(owner)) ?? []).map((value) => txtRecord(owner, value)),
      ]
    }
    return {
      type: 'response',
      id: query.id ?? 0,
      flags: dns.AUTHORITATIVE_ANSWER | (failure ? responseCodes[failure] : 0),
      questions: query.questions ?? [],
      answers: failure || !question ? [] : recordsOf(question),
    }
  }

  const udp = createSocket('udp4')
  udp.on('message', async (message, { port: from, address: at }) => {
    await waits.get(nameOf(message))?.()
    const reply = replyOrNothing(() => dns.encode(answer(message)))
    if (!reply) return
    // RFC 1035 §4.2.1: a response that does not fit is truncated, and the client retries over TCP.
    udp.send(
      reply.length <= 512
        ? reply
        : dns.encode({ ...answer(message), answers: [], flags: dns.AUTHORITATIVE_ANSWER | dns.TRUNCATED_RESPONSE }),
      from,
      at,
    )
  })

  const tcp = createServer((socket) => serveTcp(socket, answer))

  tcp.listen(port, address)
  await once(tcp, 'listening')
  const bound = tcp.address()
  const boundPort = typeof bound === 'object' && bound ? bound.port : port
  udp.bind(boundPort, address)
  await once(udp, 'listening')

  return {
    port: boundPort,
    address: `${address}:${boundPort}`,
    /** Publishes these TXT records under a name, replacing earlier ones. */
    setTxt: (name: string, values: readonly string[]) => {
      records.set(keyOf(name), [...values])
    },
    /** Publishes addresses under a name: one list per query, then the last one repeatedly. */
    setAddresses: (name: string, ...turns: (readonly string[])[]) => {
      addresses.set(
        `${keyOf(name)} A`,
        turns.map((turn) => turn.filter((address) => !address.includes(':'))),
      )
      addresses.set(
        `${keyOf(name)} AAAA`,
        turns.map((turn) => turn.filter((address) => address.includes(':'))),
      )
    },
    /** Makes a name an alias of a target. */
    setAlias: (name: string, target: string) => {
      aliases.set(keyOf(name), target)
    },
    /** Runs this before each UDP response about a name. */
    waitFor: (name: string, work: () => Promise<void>) => {
      waits.set(keyOf(name), work)
    },
    /** Fails all queries about a name, or only those of one type. */
    fail: (name: string, code: ResponseCode, type?: Question['type']) => {
      failures.set(keyOf(name), { code, type })
    },
    clear: () => {
      records.clear()
      failures.clear()
      addresses.clear()
      aliases.clear()
    },
    close: async () => {
      udp.close()
      tcp.close()
      await Promise.all([once(udp, 'close'), once(tcp, 'close')])
    },
  }
}

export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>

/**
 * Two servers with the same records, because the registry queries at least two; `first` and `second` can be made to
 * disagree.
 */
export const startDnsServers = async (options: Omit<DnsServerOptions, 'port'> = {}) => {
  const [first, second] = await Promise.all([startDnsServer(options), startDnsServer(options)])
  const both = [first, second] as const
  const onBoth =
    <Name extends 'setTxt' | 'setAddresses' | 'setAlias' | 'fail' | 'clear'>(name: Name) =>
    (...args: Parameters<DnsServer[Name]>): void => {
      for (const server of both) (server[name] as (...given: Parameters<DnsServer[Name]>) => void)(...args)
    }
  return {
    first,
    second,
    /** Its addresses as settings of the registry. */
    servers: both.map(({ port, address }) => ({ host: '127.0.0.1', port, text: address })),
    addresses: both.map(({ address }) => address),
    setTxt: onBoth('setTxt'),
    setAddresses: onBoth('setAddresses'),
    setAlias: onBoth('setAlias'),
    fail: onBoth('fail'),
    clear: onBoth('clear'),
    close: async () => {
      await Promise.all(both.map(({ close }) => close()))
    },
  }
}

export type DnsServers = Awaited<ReturnType<typeof startDnsServers>>

const keyOf = (name: string) => name.toLowerCase().replace(/\.$/, '')

/** One TXT record is a row of strings of at most 255 bytes. */
const txtRecord = (name: string, value: string) => {
  const bytes = Buffer.from(value)
  const data = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, part) =>
    bytes.subarray(part * 255, part * 255 + 255),
  )
  return { name, type: 'TXT', class: 'IN', ttl: 1, data } as const
}

const serveTcp = (socket: Socket, answer: (request: Uint8Array) => Packet) => {
  let received = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    // RFC 1035 §4.2.2: two bytes of length before each message.
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0)
      const message = received.subarray(2, end)
      received = received.subarray(end)
      const reply = replyOrNothing(() => dns.encode(answer(message)))
      if (!reply) return socket.destroy()
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.write(Buffer.concat([length, reply]))
    }
  })
}

const nameOf = (request: Buffer): string => {
  try {
    return keyOf(dns.decode(request).questions?.[0]?.name ?? '')
  } catch {
    return ''
  }
}

/** A datagram that is not a DNS message gets no reply. */
const replyOrNothing = (reply: () => Buffer): Buffer | undefined => {
  try {
    return reply()
  } catch {
    return undefined
  }
}
