import {
  type ActorActivity,
  maxActs,
  notFound,
  type PastAct,
  Refusal,
  type TrailAction,
  type TrailSubject,
  type UndoKind,
  type UndoneAct,
  type UndoObstacle,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { protectedSince } from '../db/factors.ts'
import { lockProvider } from '../db/lock.ts'
import { listOwnerMailboxes } from '../db/people.ts'
import type { Tx } from '../db/schema.ts'
import { checkStillValid } from '../db/still-valid.ts'
import { timeOf } from '../db/times.ts'
import type { Asked } from '../delays/service.ts'
import type { DeploymentService } from '../deployments/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { IncidentService } from '../incidents/service.ts'
import type { MailService } from '../mail/service.ts'
import type { ModelService } from '../models/service.ts'
import type { ProviderService } from '../providers/service.ts'
import { answersBefore, kindOfActor, obstacleOf, type TrailLine, undoKindOf } from './rules.ts'
import { countLinks, findActs, findKeyNames, isAuthorized, lineOf, listActs, readStates, readUndone } from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  models: Pick<ModelService, 'withdraw' | 'bringBack' | 'undoEdit'>
  deployments: Pick<DeploymentService, 'changeStatus' | 'giveAuthorization' | 'takeAuthorization' | 'remove'>
  incidents: Pick<IncidentService, 'reopen'>
  providers: Pick<ProviderService, 'undoUpdate'>
  mail: Pick<MailService, 'queue'>
  publicUrl: string
  now: () => number
}

interface ListQuery {
  actor?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

type ActRow = Awaited<ReturnType<typeof listActs>>[number]
type Asking = Omit<Asked, 'caller'> & { caller: Caller }

interface Undoing {
  act: TrailLine
  trail: readonly TrailLine[]
  undone: ReadonlySet<string>
}

const weekMs = 7 * 24 * 3_600_000
const archiveReason = 'Registered or restored by someone else'

const undoneActions = {
  key: ['key.undone', 'key'],
  session: ['session.undone', 'session'],
  job: ['publisher.undone', 'publisher'],
} as const satisfies Record<ActorActivity['kind'], readonly [TrailAction, TrailSubject]>

/** The ID of the key, session or publisher; a job also has a name of its own. */
const idOfActor = (actor: string) => actor.split(' ')[0] ?? actor

const parsed = (json: string | null) => (json === null ? null : JSON.parse(json))

const actOf = (row: ActRow, undone: ReadonlySet<string>): PastAct => {
  const undo = undoKindOf(row.action)
  const isUndone = undone.has(row.id)
  return {
    event_id: row.id,
    at: timeOf(row.at),
    action: row.action,
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    subject_name: row.subject_name,
    before: parsed(row.before),
    after: parsed(row.after),
    undo: isUndone ? null : undo,
    obstacle: isUndone ? 'already_undone' : undo === null ? 'by_hand' : null,
  }
}

const unless = (isDone: boolean, obstacle: UndoObstacle): UndoObstacle | undefined => (isDone ? undefined : obstacle)

/** What keys, sessions and jobs did without presence, and undoing it. */
export const createActivityService = (deps: Deps) => {
  const { database, events, models, deployments, incidents, providers, mail, publicUrl, now } = deps

  const reopen = (tx: Tx, caller: Caller, { act, trail, undone }: Undoing) => {
    const answerOf = ({ action, after }: TrailLine) => ({
      status: action.slice('incident.'.length) as 'investigating' | 'resolved' | 'dismissed',
      ...(typeof after.response === 'string' && { response: after.response }),
    })
    const earlier = answersBefore(act, trail, undone).map(answerOf)
    return incidents.reopen(tx, caller, act.subject_id, { answer: answerOf(act), earlier })
  }

  const revert = (tx: Tx, asked: Asking, { id, action, subject_id, before, after }: TrailLine) =>
    action === 'provider.updated'
      ? providers.undoUpdate(tx, asked, { before, after })
      : models.undoEdit(tx, asked.caller, subject_id, { id, action: action as TrailAction, before, after })

  const remove = async (tx: Tx, caller: Caller, id: string) => {
    const own = { provider_id: caller.provider_id, deployment_id: id }
    // Someone relies on it now.
    if (await isAuthorized(tx, own)) return 'changed_since'
    return unless(await deployments.remove(tx, caller, id), 'gone')
  }

  /** Returns what prevents it. */
  const undoOne = async (tx: Tx, asked: Asking, undoing: Undoing): Promise<UndoObstacle | undefined> => {
    const { caller } = asked
    const { act } = undoing
    const [first = '', second = ''] = act.subject_id.split(' ')
    const undoBy: Record<UndoKind, () => Promise<UndoObstacle | undefined>> = {
      archive: async () => unless(await models.withdraw(tx, caller, first, archiveReason), 'changed_since'),
      unarchive: async () => unless(await models.bringBack(tx, caller, first), 'changed_since'),
      revert: () => revert(tx, asked, act),
      reopen: async () => unless(await reopen(tx, caller, undoing), 'changed_since'),
      enable: async () => unless(await deployments.changeStatus(tx, caller, first, 'enabled'), 'changed_since'),
      disable: async () => unless(await deployments.changeStatus(tx, caller, first, 'disabled'), 'changed_since'),
      authorize: async () =>
        unless((await deployments.giveAuthorization(tx, caller, first, second)) !== undefined, 'changed_since'),
      revoke: async () => unless(await deployments.takeAuthorization(tx, caller, first, second), 'changed_since'),
      delete: () => remove(tx, caller, first),
    }
    const kind = undoKindOf(act.action)
    return kind === null ? 'by_hand' : undoBy[kind]()
  }

  /** An act that cannot be undone does not stop the others. */
  const tryToUndo = async (tx: Tx, asked: Asking, undoing: Undoing): Promise<UndoObstacle | undefined> => {
    const { act, trail, undone } = undoing
    const obstacle = obstacleOf(act, trail, undone)
    if (obstacle) return obstacle
    try {
      return await undoOne(tx, asked, undoing)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return error.code === 'not_found' ? 'gone' : 'by_hand'
    }
  }

  const emailOwners = async (
    tx: Tx,
    { caller, visitor }: Asking,
    { actor, undone, of }: { actor: string; undone: number; of: number },
  ) => {
    const owners = await listOwnerMailboxes(tx, caller.provider_id)
    const by = owners.find(({ id }) => id === caller.person_id)?.email ?? caller.actor
    for (const { email } of owners)
      await mail.queue(tx, {
        to: email,
        subject: 'Someone undid what a key, session or job did',
        lines: [
          `${undone} of ${of} acts of this ${kindOfActor(actor)} were undone:`,
          { code: idOfActor(actor) },
          'Undone with this account or key:',
          { mailbox: by },
          `From the network address ${visitor.address}, with this browser or program:`,
          { quote: visitor.userAgent ?? 'unknown' },
          { link: `${publicUrl}/dashboard?tab=settings&section=activity`, label: 'See what was undone' },
        ],
      })
  }

  return {
    async list({ provider_id }: Caller, query: ListQuery) {
      const until = query.until === undefined ? now() + 1 : Date.parse(query.until)
      const since = query.since === undefined ? until - weekMs : Date.parse(query.since)
      const period = { provider_id, since, until, actor: query.actor }
      const db = database.read
      const [acts, links, undone] = await Promise.all([
        protectedSince(db, provider_id, now()).then((at) => listActs(db, period, at)),
        countLinks(db, period),
        readUndone(db, { provider_id, since }),
      ])
      const byActor = new Map<string, { name: string | null; acts: PastAct[] }>()
      for (const row of acts.slice(0, maxActs.listed)) {
        const known = byActor.get(row.actor)
        const act = actOf(row, undone)
        if (known) known.acts.push(act)
        else byActor.set(row.actor, { name: row.actor_name, acts: [act] })
      }
      const silent = [...links.byKey.keys()].filter(
        (key) => !byActor.has(key) && (query.actor === undefined || query.actor === key),
      )
      const names = await findKeyNames(db, provider_id, silent)
      for (const key of silent) byActor.set(key, { name: names.get(key) ?? null, acts: [] })
      return {
        since: timeOf(since),
        until: timeOf(until),
        actors: [...byActor].map(([actor, { name, acts: listed }]): ActorActivity => {
          const kind = kindOfActor(actor)
          return { actor, kind, name, acts: listed, links: kind === 'key' ? (links.byKey.get(actor) ?? 0) : null }
        }),
        has_more: acts.length > maxActs.listed,
        links_are_lower_bounds: links.isLowerBound,
      }
    },

    /** Undoes the newest act first, so that repeated edits end at the value before all of them. */
    async undo(asked: Asking, { actor, events: ids }: { actor: string; events: readonly string[] }) {
      const { caller } = asked
      const { provider_id } = caller
      const acts = await database.transaction(
        async (tx) => {
          await lockProvider(database, tx, provider_id)
          await checkStillValid(tx, caller)
          const rows = await findActs(tx, { provider_id, actor, ids }, await protectedSince(tx, provider_id, now()))
          if (rows.length < new Set(ids).size) throw notFound()
          const oldest = Math.min(...rows.map(({ at }) => at))
          const before = await readUndone(tx, { provider_id, since: oldest })
          const trail = await readStates(tx, { provider_id, subjects: rows.map(({ subject_id }) => subject_id) })
          const undone = new Set(before)
          const results: UndoneAct[] = []
          for (const row of rows) {
            const obstacle = await tryToUndo(tx, asked, { act: lineOf(row), trail, undone })
            if (obstacle === undefined) undone.add(row.id)
            results.push({
              ...actOf(row, before),
              undo: undoKindOf(row.action),
              obstacle: obstacle ?? null,
              is_undone: obstacle === undefined,
            })
          }
          const done = results.filter(({ is_undone }) => is_undone).map(({ event_id }) => event_id)
          if (done.length === 0) return results
          const [action, subject] = undoneActions[kindOfActor(actor)]
          await events.record(tx, {
            provider_id,
            actor: caller.actor,
            action,
            subject: [subject, idOfActor(actor)],
            after: { actor, events: done },
          })
          await emailOwners(tx, asked, { actor, undone: done.length, of: results.length })
          return results
        },
        { writer: provider_id },
      )
      return { actor, undone: acts.filter(({ is_undone }) => is_undone).length, acts }
    },
  }
}

export type ActivityService = ReturnType<typeof createActivityService>
