import { createHmac, type KeyObject } from 'node:crypto'
import {
  checkUnchanged,
  type Incident,
  type IncidentResponse,
  invalidField,
  type NewIncident,
  notFound,
  Refusal,
  tagOfIncident,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import type { Flag, Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { CapReports } from '../http/rate-limits.ts'
import type { NewId } from '../ids.ts'
import type { MailLine, MailService } from '../mail/service.ts'
import type { ModelService } from '../models/service.ts'
import type { VerificationService } from '../verifications/service.ts'
import {
  type Answered,
  answerRefusal,
  digestLines,
  isEmailedAtOnce,
  maxAnswersPerHour,
  reportRefusal,
  stateAfter,
  wordsOf,
} from './rules.ts'
import {
  countAlerts,
  countOwnIncidents,
  findCheckedDomain,
  findMailbox,
  findOwnIncident,
  findSubject,
  incidentOf,
  insertIncident,
  listOwnIncidents,
  listPending,
  lockIncident,
  markAnswered,
  markReopened,
  type Subject,
  takePending,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  models: Pick<ModelService, 'getVisible'>
  verifications: Pick<VerificationService, 'subjectOf'>
  mail: Pick<MailService, 'queue'>
  capReports: CapReports
  /** Reporters' fingerprints are shown and stored only as MACs under this key. */
  secret: KeyObject
  publicUrl: string
  now: () => number
  newId: NewId
}

type ListQuery = Parameters<typeof listOwnIncidents>[2]
type Mailbox = { email: string | null; email_verified_at: number | null; notify_incidents: Flag }

const hourMs = 3_600_000
const batchSize = 50

export const createIncidentService = ({
  database,
  events,
  models,
  verifications,
  mail,
  capReports,
  secret,
  publicUrl,
  now,
  newId,
}: Deps) => {
  const dashboard = { link: `${publicUrl}/dashboard?tab=incidents`, label: 'Read and answer it' }

  /** Each provider sees another value for the same reporter. */
  const fingerprintOf = (provider_id: string, given: string) =>
    createHmac('sha256', secret).update(`${provider_id} ${given}`).digest('base64url')

  /** A private model and an unknown one get the same answer; by minting a link its provider disclosed the model. */
  const findReported = async ({ model_id, verification_token }: NewIncident): Promise<Subject> => {
    if (verification_token !== undefined) {
      const subject = await verifications.subjectOf(verification_token)
      if (model_id !== undefined && model_id !== subject.model_id)
        throw invalidField('model_id', 'The link is for another model; leave one of the two out')
      return subject
    }
    if (model_id === undefined) throw notFound()
    const { provider_id } = await models.getVisible(undefined, model_id)
    return { provider_id, model_id, verification_id: null }
  }

  const mailboxOf = (row: Mailbox | undefined) =>
    row?.email_verified_at != null && row.notify_incidents === 1 ? row.email : null

  const sendEmail = (tx: Tx, to: string, subject: string, lines: readonly MailLine[]) =>
    mail.queue(tx, {
      to,
      subject,
      lines: [...lines, dashboard, 'You can turn these emails off in your settings, under notifications.'],
    })

  const thank = async (
    tx: Tx,
    provider_id: string,
    { reporter_email, created_at }: { reporter_email: string; created_at: number },
    answer: string,
  ) => {
    const domain = await findCheckedDomain(tx, provider_id, now())
    await mail.queue(tx, {
      to: reporter_email,
      subject: 'A provider answered your report',
      lines: [
        `On ${new Date(created_at).toISOString().slice(0, 10)} someone who gave this address reported an AI model here.`,
        ...(domain === null
          ? ['Its provider, whose identity has not been verified, marked the report as resolved and answered:']
          : [
              'Its provider marked the report as resolved. It has proven control of this domain:',
              { domain },
              'It answered:',
            ]),
        { quote: answer },
        "If that wasn't you, ignore this email.",
      ],
      cap: { name: 'answers', perHour: maxAnswersPerHour },
    })
  }

  const getOwn = async ({ provider_id }: Caller, id: string): Promise<Incident> => {
    const row = await findOwnIncident(database.read, { provider_id, id })
    if (!row) throw notFound()
    return incidentOf(row)
  }

  return {
    async report(input: NewIncident, address: string) {
      const refusal = reportRefusal(input)
      if (refusal) throw refusal
      const { provider_id, model_id, verification_id } = await findReported(input)
      const is_verified_report = verification_id !== null
      const { category, severity, title } = input
      const id = newId('inc')
      await database.transaction(async (tx) => {
        const at = now()
        const subject = await findSubject(tx, { provider_id, model_id, verification_id })
        if (!subject) throw notFound()
        const to = mailboxOf(subject)
        // No one can answer the reporter about a deleted account.
        const { reporter_email, reporter_fingerprint } = subject.deleted_at === null ? input : {}
        const alerts = await countAlerts(tx, { provider_id, since: at - hourMs })
        const isEmailed = to !== null && isEmailedAtOnce({ is_verified_report, severity }, alerts)
        const inserted = await insertIncident(tx, {
          provider_id,
          id,
          model_id,
          verification_id,
          category,
          severity,
          status: 'reported',
          title,
          description: input.description,
          reference_url: input.reference_url ?? null,
          screenshot_url: input.screenshot_url ?? null,
          reporter_email: reporter_email ?? null,
          reporter_fingerprint: reporter_fingerprint ? fingerprintOf(provider_id, reporter_fingerprint) : null,
          is_verified_report: is_verified_report ? 1 : 0,
          counts_publicly: is_verified_report ? 1 : 0,
          provider_response: null,
          created_at: at,
          updated_at: at,
          resolved_at: null,
          digested_at: isEmailed ? at : null,
          domain: subject.domain,
          api_model_identifier: subject.api_model_identifier.toLowerCase(),
          withdrawn_at: null,
          withdrawn_reason: null,
        })
        if (!inserted)
          throw new Refusal('already_reported', 'This link was already used for a report of this category.')
        await capReports(tx, { address, model_id })
        await events.record(tx, {
          provider_id,
          actor: 'visitor',
          action: 'incident.reported',
          subject: ['incident', id],
          after: { model_id, category, severity, is_verified_report },
        })
        if (isEmailed)
          await sendEmail(tx, to, 'One of your models was reported', [
            `Someone reported your model ${model_id}, ${is_verified_report ? 'with a link for it' : 'without a link for it'}: ${wordsOf({ category, severity })}.`,
            { quote: title },
          ])
      })
      return {
        status: 'reported' as const,
        incident_id: id,
        is_verified_report,
        message: 'Thank you for your report! We will investigate this issue and take appropriate action.',
      }
    },

    get: getOwn,

    async list({ provider_id }: Caller, query: ListQuery) {
      const [{ rows, next_cursor }, counted] = await Promise.all([
        listOwnIncidents(database.read, provider_id, query),
        countOwnIncidents(database.read, provider_id, query),
      ])
      return { incidents: rows.map(incidentOf), next_cursor, ...counted }
    },

    /** If two answers close it at once, one is rejected. */
    async respond(
      caller: Caller,
      id: string,
      { status, response }: IncidentResponse,
      ifMatch?: string,
    ): Promise<Incident> {
      const { provider_id, actor } = caller
      await database.transaction(async (tx) => {
        if (ifMatch !== undefined) {
          if (!(await lockIncident(tx, { provider_id, id }))) throw notFound()
          const shown = await findOwnIncident(tx, { provider_id, id })
          // A closed incident is rejected below, with a message of its own.
          if (shown?.status === 'reported' || shown?.status === 'investigating')
            checkUnchanged(ifMatch, () => tagOfIncident(incidentOf(shown)))
        }
        const answered = await markAnswered(tx, { provider_id, id, status, response: response || null, at: now() })
        if (!answered) {
          const row = await findOwnIncident(tx, { provider_id, id })
          throw row ? answerRefusal(row.status) : notFound()
        }
        await events.record(tx, {
          provider_id,
          actor,
          action: `incident.${status}`,
          subject: ['incident', id],
          after: { status, ...(response && { response }) },
        })
        const { reporter_email, created_at } = answered
        if (status === 'resolved' && reporter_email !== null && response)
          await thank(tx, provider_id, { reporter_email, created_at }, response)
      })
      return getOwn(caller, id)
    },

    /** Withdraws the last answer, so that only the earlier ones count. False if the incident's status has changed since. */
    async reopen(
      tx: Tx,
      { provider_id, actor }: Pick<Caller, 'provider_id' | 'actor'>,
      id: string,
      { answer, earlier }: { answer: Answered; earlier: readonly Answered[] },
    ): Promise<boolean> {
      const { status, provider_response, isConfirmed } = stateAfter(earlier)
      const reopened = await markReopened(tx, {
        provider_id,
        id,
        answered: answer.status,
        status,
        provider_response,
        isConfirmed,
        at: now(),
      })
      if (!reopened) return false
      await events.record(tx, {
        provider_id,
        actor,
        action: 'incident.reopened',
        subject: ['incident', id],
        before: { ...answer },
        after: { status, ...(provider_response !== null && { response: provider_response }) },
      })
      const { reporter_email, created_at } = reopened
      if (answer.status === 'resolved' && reporter_email !== null)
        await mail.queue(tx, {
          to: reporter_email,
          subject: 'Your report is open again',
          lines: [
            `On ${new Date(created_at).toISOString().slice(0, 10)} someone who gave this address reported an AI model here.`,
            'We emailed you that its provider had marked the report as resolved. The provider says that the answer was not theirs and has withdrawn it.',
            "If you didn't report anything, ignore this email.",
          ],
          cap: { name: 'answers', perHour: maxAnswersPerHour },
        })
      return true
    },

    /**
     * One email to each provider about reports that were not emailed at once. A deactivated provider gets it after reactivation; one that
     * opted out never does.
     */
    async sendDigests(signal: AbortSignal): Promise<void> {
      for (let after = ''; !signal.aborted; ) {
        const providers = await listPending(database.read, { after, limit: batchSize })
        for (const provider_id of providers) {
          if (signal.aborted) return
          await database.transaction(async (tx) => {
            const mailbox = await findMailbox(tx, provider_id)
            if (!mailbox) return
            const pending = await takePending(tx, { provider_id, at: now() })
            const to = mailboxOf(mailbox)
            if (pending.length > 0 && to !== null)
              await sendEmail(tx, to, 'Reports about your models', digestLines(pending))
          })
        }
        const last = providers.at(-1)
        if (last === undefined) return
        after = last
      }
    },
  }
}

export type IncidentService = ReturnType<typeof createIncidentService>
