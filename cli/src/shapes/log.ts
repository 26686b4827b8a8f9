import { LoggedFact, LogProofs } from '@countersign/sdk/contract'
import { z } from 'zod'

/** Output of the commands for the transparency log. */

const text = z.string()
const count = z.number().int().min(0)
const witnesses = z.array(z.strictObject({ name: text, at: text }))

export const Witnessing = z.strictObject({ url: text, vkey: text, logs: z.array(text) })

export const LogCheckpoint = z.strictObject({
  origin: text,
  size: count,
  root: text,
  witnesses,
  is_witnessed: z.boolean(),
  is_pinned: z.boolean(),
})

export const LogFacts = LogProofs.pick({ origin: true, state: true }).extend({
  facts: z.array(LoggedFact.extend({ is_proven: z.boolean(), witnesses, is_witnessed: z.boolean() })),
  is_pinned: z.boolean(),
  /** Why a link is not verified, other than by its age; `unsaid` if the registry says nothing. */
  refusal: z.strictObject({ reason: text.nullable(), change: text.nullable() }).nullable(),
})

const evidenceKinds = z.enum(['fork', 'rollback', 'backfill', 'changed_entry', 'missing_tree', 'unlogged_key'])

export const LogVerified = z.union([
  z.strictObject({
    kind: z.enum(['proof', 'checkpoint']),
    origin: text,
    size: count,
    index: count.nullable(),
    entry: z.looseObject({}).nullable(),
    witnesses,
    is_witnessed: z.boolean(),
    is_pinned: z.boolean(),
  }),
  z.strictObject({ kind: evidenceKinds, is_proof: z.boolean(), says: text, is_pinned: z.boolean() }),
])

export const LogAudited = z.strictObject({
  result: z.enum(['held', 'refused', 'unknown']),
  at: text,
  link: text,
  says: z.array(text),
  checked: z.strictObject({
    provider: text,
    domain: text,
    model: text,
    digest: text.nullable(),
    deployment: text.nullable(),
  }),
  unmet: z.array(
    z.strictObject({ fact: text, ended_by: z.strictObject({ index: count, type: text, at: text }).nullable() }),
  ),
  held: z.record(text, count),
  origin: text,
  size: count,
  is_witnessed: z.boolean(),
  is_pinned: z.boolean(),
})

const Finding = z.strictObject({
  index: count,
  type: text,
  at: text,
  because: z.enum(['domain', 'name', 'provider', 'log_key', 'malformed', 'everything']),
  near: z.enum(['same', 'other_ending', 'lookalike', 'typo', 'added_words']).nullable(),
  watched: text.nullable(),
  entry: z.looseObject({}).nullable(),
  texts: z.record(text, text),
})

const MonitorReport = z.strictObject({
  origin: text,
  size: count,
  witnesses,
  is_witnessed: z.boolean(),
  is_pinned: z.boolean(),
  new_entries: count,
  unknown_entries: count,
  unnamed_entries: count,
  findings: z.array(Finding),
  sources: z.array(z.strictObject({ url: text, state: z.enum(['agrees', 'could_not_check']) })),
  evidence: z.strictObject({ kind: evidenceKinds, file: text }).nullable(),
})

/** With --follow, each finding is a line of its own, and a report follows if the log misbehaved, or if the policy’s quorum is missing or back. */
export const Monitored = z.union([MonitorReport, Finding])
