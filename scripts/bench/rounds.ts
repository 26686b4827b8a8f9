import { median, ratioOfRounds, rotated, table } from './goal.ts'
import type { Load, Server } from './processes.ts'

export interface Contender {
  server: Server
  /** File with the requests to send; a function if each request works only once. */
  file: string | (() => string)
  /** File with client certificates. Then each request has a TLS connection of its own. */
  credentials?: string
  /** The only accepted status. */
  status: number
}

export interface Sample {
  rate: number
  cpuUs: number
  /** CPU time of the main thread. */
  loopUs: number
  p50: number
  p99: number
  rssMb: number
  count: number
}

/** Until the engine has compiled the hot code; this takes longer on a busy machine. */
const warmUp = { requests: 20_000, stepMs: 1_500, steps: 3 }

/** One measurement of one server. */
export const takeSample = async (
  load: Load,
  { server, file, status, credentials }: Contender,
  ms: number,
): Promise<Sample> => {
  const { port } = server
  const order = typeof file === 'string' ? { port, file, ms } : { port, file: file(), ms, isOnce: true as const }
  const before = server.usage()
  const { count, ms: took, statuses, p50, p99 } = await load.run(credentials ? { ...order, credentials } : order)
  const after = server.usage()
  if (count === 0 || statuses[status] !== count)
    throw new Error(`${server.name} answered ${JSON.stringify(statuses)} where ${status} was expected.`)
  const perResponse = (of: 'cpuSeconds' | 'loopSeconds') =>
    before && after ? ((after[of] - before[of]) * 1e6) / count : Number.NaN
  return {
    rate: (count / took) * 1_000,
    cpuUs: perResponse('cpuSeconds'),
    loopUs: perResponse('loopSeconds'),
    p50,
    p99,
    rssMb: after?.rssMb ?? Number.NaN,
    count,
  }
}

/** Measures all contenders in rotating turns, one at a time. */
export const runRounds = async (
  load: Load,
  contenders: readonly Contender[],
  rounds = 5,
  ms = 1_000,
): Promise<Sample[][]> => {
  const samples: Sample[][] = contenders.map(() => [])
  for (const contender of contenders) {
    let requested = 0
    for (let step = 0; step < warmUp.steps && requested < warmUp.requests; step++)
      requested += (await takeSample(load, contender, warmUp.stepMs)).count
  }
  for (let round = 0; round < rounds; round++) {
    for (const contender of rotated(contenders, round))
      samples[contenders.indexOf(contender)]?.push(await takeSample(load, contender, ms))
  }
  return samples
}

export const rates = (samples: readonly Sample[] | undefined) => (samples ?? []).map(({ rate }) => rate)

/** How much more CPU the others use per response. Unlike rates, this is meaningful on a busy machine. */
export const ratioOfCpu = (
  ours: readonly Sample[] | undefined,
  theirs: readonly Sample[] | undefined,
  field: 'cpuUs' | 'loopUs' = 'cpuUs',
) =>
  ratioOfRounds(
    (theirs ?? []).map((sample) => sample[field]),
    (ours ?? []).map((sample) => sample[field]),
  ).toFixed(2)

const middle = (samples: readonly Sample[], field: keyof Sample, digits = 0) =>
  median(samples.map((sample) => sample[field])).toFixed(digits)

export const describeSamples = (contenders: readonly Contender[], samples: readonly Sample[][]): string[] =>
  table(
    ['', 'req/s', 'CPU µs/op', 'p50 ms', 'p99 ms', 'RSS MB'],
    contenders.map(({ server }, index) => {
      const own = samples[index] ?? []
      return [
        server.name,
        middle(own, 'rate'),
        middle(own, 'cpuUs'),
        middle(own, 'p50', 2),
        middle(own, 'p99', 2),
        middle(own, 'rssMb'),
      ]
    }),
  )
