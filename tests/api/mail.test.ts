import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publisherIssuers } from '@countersign/sdk/contract'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { portOf } from '../../server/src/http/listen.ts'
import { checkMailServer, createDeliverMail } from '../../server/src/outbound/mail.ts'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createDesk, tokenIn } from '../support/desk.ts'
import { createSignInWorld, type SignInWorld, someone } from '../support/sign-in.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { createWorld, type World } from '../support/world.ts'

/** Every kind of email. A missing one is untested. */
const subjects = [
  'A provider answered your report',
  'A trusted publisher was added to your account',
  'An API key was added to your account',
  'GitHub was connected to your account',
  'GitHub was disconnected from your account',
  'One of your models was reported',
  'Reports about your models',
  'Reset your password',
  'Verify your email address',
  'You already have an account',
  'Your domain is verified',
  'Your password was changed',
  'Your week at the registry',
]

const canary = 'Canary<b>Quux</b>'
const ada = {
  email: 'ada@acme.example',
  password: 'a quiet heron at dawn',
  company_name: 'Canary Quux',
  website: 'https://acme.example',
}

const createLog = () => {
  const lines: string[] = []
  return { log: pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }), text: () => lines.join('') }
}

/** Triggers every email, with a canary in each text that people enter. */
const causeEveryMail = async (
  world: SignInWorld,
  lastMail: (to: string) => Promise<{ link?: string | undefined; code?: string | undefined }>,
) => {
  const desk = createDesk(world)
  await desk.post('auth/email/register', ada)
  const { body } = await desk.post('auth/email/verify', { token: tokenIn((await lastMail(ada.email)).link) })
  const auth_token = String(body.auth_token)
  const owner = world.client(auth_token)
  const { api_key } = await owner.keys.create({ name: canary, scopes: ['full'] })
  const key = world.client(api_key)
  await key.publishers.add({
    kind: 'other',
    issuer: publisherIssuers.gitlab,
    subject: `${canary} https://evil.example/x`,
  })
  await createDesk(world).post('auth/email/register', ada)

  world.sitDown(someone('canary-quux'))
  const { url } = await world.startLink('github', { browser: desk.browser, auth_token })
  await world.walk(desk.browser, url)
  await owner.auth.unlink('github')

  world.clock.advance('61m')
  await desk.post('auth/password/forgot', { email: ada.email })
  const token = new URL((await lastMail(ada.email)).link ?? '').searchParams.get('token')
  await desk.post('auth/password/set', { token, password: 'a new heron at noon' })

  const { model_id } = await key.models.register({
    display_name: 'Canary Quux',
    api_model_identifier: 'canary-quux',
    version: '1.0.0',
    description: `About ${canary} and its maps.`,
    endpoint: 'https://api.acme.example/v1',
  })
  // Names that an older release accepted.
  await world.database.transaction(async (tx) => {
    await tx.updateTable('providers').set({ company_name: canary }).execute()
    await tx.updateTable('models').set({ display_name: canary }).execute()
  })
  await key.account.setNotifications({ weekly_reports: true })
  const report = (severity: 'critical' | 'low') =>
    world.anyone.incidents.report({
      model_id,
      category: 'other',
      severity,
      title: `${canary} https://evil.example/x`,
      description: `${canary} said so, in so many words.`,
      reporter_email: 'visitor@home.example',
    })
  const { incident_id } = await report('critical')
  await report('low')
  await key.incidents.respond(incident_id, { status: 'resolved', response: `${canary} was put right` })
  await world.jobs.run('incident-digest')

  const winner = await world.provider('northwind', { isVerified: false, website: ada.website })
  await winner.client.auth.sendVerification({})
  await winner.client.auth.verifyEmail({ verification_code: (await lastMail('northwind@acme.example')).code ?? '' })
  winner.publishProof()
  await winner.client.providers.verifyDomain({})

  await world.jobs.run('weekly-report')
  world.clock.advance('7.1d')
  await world.jobs.run('weekly-report')
  await world.jobs.run('mails')
}

describe('emails by a mail server', () => {
  it('of every kind have a text and an HTML that say the same, one recipient, and only our words in the subject', async () => {
    const smtp = await startSmtpServer()
    const { log, text } = createLog()
    const world = await createSignInWorld('sqlite', {
      smtpUrl: smtp.url,
      log,
      oidcIssuers: [{ kind: 'other', issuer: publisherIssuers.gitlab }],
    })
    await causeEveryMail(world, async (to) => {
      await world.jobs.run('mails')
      return smtp.mails.findLast((mail) => mail.recipients.includes(to)) ?? {}
    })

    expect([...new Set(smtp.mails.map(({ subject }) => subject))].sort()).toEqual(subjects)
    for (const { subject, text: plain, html, link, code, to, recipients, field } of smtp.mails) {
      expect(plain.length, subject).toBeGreaterThan(100)
      expect(html, subject).toMatch(/^<!doctype html>/)
      expect(recipients, subject).toEqual([to])
      if (link !== undefined) expect(html, subject).toContain(`href="${link.replaceAll('&', '&amp;')}"`)
      if (code !== undefined) expect(html, subject).toContain(code)
      // The HTML loads nothing, and text by other people is never markup or a link.
      expect(html, subject).not.toMatch(/<(script|img|link|iframe|form|b)\b|evil\.example/i)
      expect(plain, subject).not.toContain('evil.example')
      expect(field('From'), subject).toBe('Countersign <no-reply@127.0.0.1>')
      expect(field('Auto-Submitted'), subject).toBe('auto-generated')
    }
    expect(new Set(smtp.mails.map(({ messageId }) => messageId)).size).toBe(smtp.mails.length)
    // Everything that an email links to is for the owner of the mailbox.
    expect(text().length).toBeGreaterThan(0)
    for (const { link, code } of smtp.mails) {
      const secret = link && /[\w-]{43}/.exec(link)?.[0]
      for (const each of [secret, code]) if (each) expect(text()).not.toContain(each)
    }
    expect(await readdir(join(world.dataDir, 'outbox')).catch(() => [])).toEqual([])
  })
})

const send = (
  world: { anyone: { auth: { sendVerification: (input: { email: string }) => Promise<unknown> } } },
  email: string,
) => world.anyone.auth.sendVerification({ email })

const metricsOf = async ({ registry }: World) => {
  const server = await registry.listenForMetrics({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void server.close())
  return (await ask(`http://127.0.0.1:${portOf(server)}/metrics`)).text
}

describeOnSqlite('a mail server', (engine) => {
  it.each([
    ['busy with the recipient', { code: 450, at: 'recipient' }],
    ['busy with the message', { code: 451, at: 'message' }],
    ['content with no message of ours', { code: 554, at: 'message' }],
    ['content with no sender of ours', { code: 553, at: 'sender' }],
    [
      'content with no sender of ours, and says so at the recipient',
      { code: 553, at: 'recipient', words: '5.7.1 Sender rejected' },
    ],
  ] as const)('that is %s is retried, at growing intervals, with the same email', async (_name, reply) => {
    const smtp = await startSmtpServer()
    const { log, text } = createLog()
    const world = await createWorld({ engine, smtpUrl: smtp.url, log })
    smtp.answer(reply)
    await send(world, 'bob@northwind.example')
    const attemptsWithin = async (minutes: number) => {
      const before = smtp.attempts()
      for (let half = 0; half < 2 * minutes; half++) {
        await world.jobs.run('mails')
        world.clock.advance('30.1s')
      }
      return smtp.attempts() - before
    }
    // At 0, 30 and 90 seconds, then after 2 and 4 minutes more.
    expect([
      await attemptsWithin(2),
      await attemptsWithin(2),
      await attemptsWithin(4),
      await attemptsWithin(4),
    ]).toEqual([3, 1, 1, 0])
    expect(text()).toContain('an email could not be sent')
    expect(text()).not.toContain('northwind')
    smtp.answer()
    world.clock.advance('5h')
    await world.jobs.run('mails')
    const mails = smtp.mails.filter(({ to }) => to === 'bob@northwind.example')
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1)
    expect(mails.at(-1)?.messageId).toMatch(/^<mal_\w+@127\.0\.0\.1>$/)
    const done = smtp.attempts()
    world.clock.advance('1d')
    await world.jobs.run('mails')
    expect(smtp.attempts()).toBe(done)
  })

  it('that is away for more than a day gets no more attempts, and the unsent text is deleted', async () => {
    const smtp = await startSmtpServer()
    const world = await createWorld({ engine, smtpUrl: smtp.url })
    smtp.answer({ code: 421, at: 'recipient' })
    await send(world, 'bob@northwind.example')
    for (let half = 0; half < 72; half++) {
      await world.jobs.run('mails')
      world.clock.advance('30m')
    }
    expect(smtp.attempts()).toBe(12)
    const rows = await world.database.read
      .selectFrom('mails')
      .select(['body_text', 'body_html', 'due_at', 'sent_at'])
      .execute()
    expect(rows).toEqual([{ body_text: '', body_html: '', due_at: null, sent_at: null }])
    expect(await metricsOf(world)).toContain('countersign_mails_abandoned_total{reason="given_up"} 1')
  })

  it('that permanently rejects the address is not retried; the log says so, without the address', async () => {
    const smtp = await startSmtpServer()
    const { log, text } = createLog()
    const world = await createWorld({ engine, smtpUrl: smtp.url, log })
    smtp.answer({ code: 550, at: 'recipient' })
    await send(world, 'bob@northwind.example')
    await world.jobs.run('mails')
    expect(text()).toContain('permanently rejected the address')
    expect(text()).not.toContain('northwind')
    const rows = await world.database.read
      .selectFrom('mails')
      .select(['attempts', 'body_text', 'due_at', 'sent_at'])
      .execute()
    expect(rows).toEqual([{ attempts: 1, body_text: '', due_at: null, sent_at: null }])
    expect(await metricsOf(world)).toContain('countersign_mails_abandoned_total{reason="rejected"} 1')
    smtp.answer()
    world.clock.advance('1d')
    await world.jobs.run('mails')
    expect(smtp.attempts()).toBe(1)
  })

  it('that cannot be reached is named in the log, with the reason', async () => {
    const deliver = createDeliverMail({
      smtpUrl: 'smtp://127.0.0.1:9',
      outbox: '',
      from: 'no-reply@acme.example',
      host: 'acme.example',
      onWritten: () => {},
    })
    await expect(
      deliver({ id: 'mal_1', to: 'bob@northwind.example', subject: '', text: '', html: '' }),
    ).rejects.toThrow('The mail server 127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9')
  })

  it('is checked with the sender of the emails, and gets none', async () => {
    const smtp = await startSmtpServer()
    const check = () => checkMailServer({ smtpUrl: smtp.url, from: 'Acme <no-reply@acme.example>' })
    await check()
    smtp.answer({ code: 553, at: 'sender', words: 'not owned' })
    await expect(check()).rejects.toThrow('rejects the sender no-reply@acme.example: 553 not owned')
    expect(smtp.mails).toEqual([])
  })

  it('that accepts an email leaves nothing of its text in the database', async () => {
    const smtp = await startSmtpServer()
    const world = await createWorld({ engine, smtpUrl: smtp.url })
    await send(world, 'bob@northwind.example')
    const rows = () => world.database.read.selectFrom('mails').select(['body_text', 'body_html', 'due_at']).execute()
    expect(JSON.stringify(await rows())).toContain('/verify-email/')
    await world.jobs.run('mails')
    expect(smtp.mails).toHaveLength(1)
    expect(await rows()).toEqual([{ body_text: '', body_html: '', due_at: null }])
  })

  it('gets at most three emails an hour to one address, for any number of requesters, and unlimited others', async () => {
    const smtp = await startSmtpServer()
    const world = await createWorld({ engine, smtpUrl: smtp.url })
    for (let time = 0; time < 5; time++) await send(world, 'Bob@northwind.example')
    await send(world, 'eve@northwind.example')
    await world.jobs.run('mails')
    const sentTo = () => smtp.mails.map(({ to }) => to).sort()
    expect(sentTo()).toEqual([...Array(3).fill('bob@northwind.example'), 'eve@northwind.example'])
    world.clock.advance('61m')
    await send(world, 'bob@northwind.example')
    await world.jobs.run('mails')
    expect(sentTo()).toHaveLength(5)
  })
})

describeOnSqlite('the weekly report', (engine) => {
  it('comes once a week, however often its job runs', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.session(acme)
    await acme.client.account.setNotifications({ weekly_reports: true })
    const reportsAfter = async (time: `${number}d`) => {
      world.clock.advance(time)
      await world.jobs.run('weekly-report')
      return (await world.mails()).filter(({ subject }) => subject === 'Your week at the registry').length
    }
    expect([
      await reportsAfter('1d'),
      await reportsAfter('6d'),
      await reportsAfter('1d'),
      await reportsAfter('5d'),
    ]).toEqual([0, 0, 1, 1])
    expect([await reportsAfter('2d'), await reportsAfter('1d')]).toEqual([2, 2])
  })
})

describe('without a mail server', () => {
  it('emails are files that only the registry’s user can read, and the log has their links', async () => {
    const { log, text } = createLog()
    const world = await createWorld({ log })
    await send(world, 'bob@northwind.example')
    const [mail] = await world.mails('bob@northwind.example')
    const outbox = join(world.dataDir, 'outbox')
    const [file = ''] = await readdir(outbox)
    expect(file).toMatch(/^mal_\w+\.eml$/)
    expect((await stat(join(outbox, file))).mode & 0o777).toBe(0o600)
    expect((await stat(outbox)).mode & 0o777).toBe(0o700)
    expect(mail?.link).toBeDefined()
    expect(await readFile(join(outbox, file), 'utf8')).toContain(`\n${mail?.link}\n`)
    expect(text()).toContain(mail?.link)
  })

  it('the log of a public registry has no links', async () => {
    const { log, text } = createLog()
    const world = await createWorld({ log, publicUrl: 'https://registry.example' })
    await send(world, 'bob@northwind.example')
    const [mail] = await world.mails('bob@northwind.example')
    expect(mail?.link).toBeDefined()
    expect(text()).toContain('an email was written to the outbox')
    expect(text()).not.toContain(mail?.link)
  })

  it('they are deleted after a week, and nothing else in that folder', async () => {
    const world = await createWorld()
    const outbox = join(world.dataDir, 'outbox')
    await send(world, 'bob@northwind.example')
    await world.jobs.run('mails')
    await writeFile(join(outbox, 'notes.txt'), 'of the operator')
    await utimes(join(outbox, 'notes.txt'), 0, 0)
    world.clock.advance('6.9d')
    await world.jobs.run('cleanup')
    expect(await readdir(outbox)).toHaveLength(2)
    world.clock.advance('0.2d')
    await world.jobs.run('cleanup')
    expect(await readdir(outbox)).toEqual(['notes.txt'])
  })
})
