import { randomBytes } from 'node:crypto'
import { type Drill, must } from './fault.ts'
import { mustKeep } from './load.ts'
import type { Registry } from './registry.ts'

class Busy extends Error {}

interface Acknowledged {
  links: string[]
  models: Set<string>
  fingerprints: Set<string>
}

/** Kinds of writes, with the share of each: what the registry stored, and what it acknowledged, are compared later. */
const kinds = ['link', 'link', 'link', 'bound link', 'bound link', 'model', 'deployment'] as const

const count = ({ links, models, fingerprints }: Acknowledged) => links.length + models.size + fingerprints.size

interface KillOptions {
  registry: Registry
  kills: number
  /** How many writes are acknowledged before each kill. */
  perRound: () => number
  kill?: () => Promise<unknown>
  /** Whether what is acknowledged during the kill counts. A sync that is in progress while ext4 is shut down can wrongly succeed. */
  countsUntilEnd?: boolean
  stored: () => Promise<{ links: number; duplicates: number }>
}

/** Kills the registry repeatedly during writes. No acknowledged write may be lost or stored twice. */
export const killAmidWrites = async (
  drill: Pick<Drill, 'say'>,
  { registry, kills, perRound, kill = () => registry.end('SIGKILL'), countsUntilEnd = true, stored }: KillOptions,
) => {
  const total: Acknowledged = { links: [], models: new Set(), fingerprints: new Set() }
  let unknown = 0
  for (let round = 0; round < kills; round++) {
    const acknowledged: Acknowledged = { links: [], models: new Set(), fingerprints: new Set() }
    const enough = perRound()
    let isKilled = false
    const worker = async (index: number) => {
      for (let turn = index; !isKilled; turn++) {
        try {
          const note = await send(registry, kinds[turn % kinds.length] ?? 'link')
          if (isKilled && !countsUntilEnd) unknown++
          else note(acknowledged)
        } catch (error) {
          // The kill broke the connection, or the registry was busy: this write may be stored or not.
          if (!isKilled && !(error instanceof Busy)) throw error
          unknown++
        }
        if (count(acknowledged) >= enough && !isKilled) {
          isKilled = true
          await kill()
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, index) => worker(index)))
    await registry.start()
    await mustKeep(registry, acknowledged.links)
    total.links.push(...acknowledged.links)
    for (const id of acknowledged.models) total.models.add(id)
    for (const one of acknowledged.fingerprints) total.fingerprints.add(one)
    if ((round + 1) % 10 === 0) drill.say(`${round + 1} times, ${count(total)} writes`)
  }
  must(new Set(total.links).size === total.links.length, 'two requests got the same link')
  await mustHold(registry, total)
  const { links, duplicates } = await stored()
  must(duplicates === 0, `${duplicates} rows are stored twice`)
  must(
    links >= total.links.length && links <= total.links.length + unknown,
    `${links} links are stored, ${total.links.length} were acknowledged and ${unknown} are unknown`,
  )
  return { acknowledged: count(total), unknown }
}

export const describeKills = (kills: number, { acknowledged, unknown }: { acknowledged: number; unknown: number }) =>
  `${kills} times, ${acknowledged} acknowledged writes, ${unknown} interrupted or told to retry, 0 lost, 0 doubled`

/** Returns a function that records the acknowledged write. */
const send = async (registry: Registry, kind: (typeof kinds)[number]) => {
  const fingerprint = randomBytes(32).toString('hex')
  const { status, body, text } =
    kind === 'link'
      ? await registry.mint()
      : kind === 'bound link'
        ? await registry.mint({ response: 'Oslo' })
        : kind === 'model'
          ? await registry.post('/api/v1/models/register', {
              display_name: 'Atlas Chat',
              api_model_identifier: `atlas-${fingerprint.slice(0, 12)}`,
              version: '1.0.0',
              description: 'A model that answers questions about maps.',
              endpoint: 'https://api.acme.example/v1',
            })
          : await registry.post('/api/v1/deployments/register', { spki_fingerprint: fingerprint })
  // Busy writers of one provider may get a 503; then nothing was acknowledged.
  if (status === 503) throw new Busy(text)
  must(status === 201, `${kind}: ${status} ${text.slice(0, 300)}\n${registry.log().slice(-3_000)}`)
  return ({ links, models, fingerprints }: Acknowledged) => {
    if (kind === 'model') models.add(String(body.model_id))
    else if (kind === 'deployment') fingerprints.add(fingerprint)
    else links.push(String(body.verification_url))
  }
}

const mustHold = async ({ get, client }: Registry, { models, fingerprints }: Acknowledged) => {
  for (const id of models) {
    const { status } = await get(`/api/v1/models/${id}/public`)
    must(status === 200, `the acknowledged model ${id} is lost (${status})`)
  }
  const listed = await client.deployments.list({}).toArray()
  const known = listed.map(({ spki_fingerprint }) => spki_fingerprint)
  must(new Set(known).size === known.length, 'a deployment is stored twice')
  const lost = [...fingerprints].filter((one) => !known.includes(one))
  must(lost.length === 0, `${lost.length} acknowledged deployments are lost`)
}
