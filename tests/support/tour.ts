import { generateKeyPairSync, hash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { contract, deviceGrantType, type Endpoint } from '@countersign/sdk/contract'
import { insertAccount, insertRestoreToken, password } from './account-rows.ts'
import { type ProviderActor, randomFingerprint } from './actors.ts'
import { ask, type Question, type Reply } from './ask.ts'
import { createAuthenticator } from './authenticator.ts'
import { insertChange, insertRecoveryToken, insertUndo } from './changes.ts'
import { githubJob } from './ci-issuer.ts'
import { addPasskey, insertPendingFactor } from './passkeys.ts'
import { insertMember } from './people.ts'
import { insertHandOff, insertIdentity } from './sign-in-rows.ts'
import { signChallenge } from './signers.ts'
import { ecKeys } from './sigstore/keys.ts'
import type { World } from './world.ts'

type Contract = typeof contract

/** The name of each endpoint of the contract, such as `models.register`. */
export type EndpointName = {
  [Feature in keyof Contract]: `${Feature}.${keyof Contract[Feature] & string}`
}[keyof Contract]

/** Every endpoint of the contract. */
export const rows = Object.entries(contract).flatMap(([feature, features]) =>
  Object.entries<Endpoint>(features).map(([name, row]) => ({ name: `${feature}.${name}` as EndpointName, row })),
)

/** The arguments of a call to an endpoint: path parameters and a valid body. */
export interface Target {
  ids: readonly string[]
  body?: Record<string, unknown>
  /** Sent instead of a JSON body. */
  file?: Buffer
  headers?: OutgoingHttpHeaders
  /** The owner's credential if a key is not enough. */
  credential?: () => Promise<string>
}

/** A PNG of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const word = 'AAAA'
const answer = { credential_id: word, client_data: word, authenticator_data: word, signature: word }
const act = { method: 'POST', path: '/api/v1/providers/me/api-keys', body_digest: '0'.repeat(64) }

/** Calls that need a session and what a browser answers to a challenge: made when the test takes the owner’s credential. */
const factorTargets = (world: World, owner: ProviderActor, factor_id: string) => {
  const begun = async () => (await world.session(owner)).client
  const codeOf = async (client: World['anyone']) => {
    await client.factors.sendCode({})
    return (await world.mails((await client.providers.me()).email ?? '')).at(-1)?.code ?? ''
  }
  const asOwner = (target: Target, prepare: (client: World['anyone'], target: Target) => Promise<object> | object) => ({
    ...target,
    credential: async () => {
      const { token, client } = await world.session(owner)
      Object.assign(target.body ?? {}, await prepare(client, target))
      return token
    },
  })
  const nothing = () => ({})
  const newUserCode = async () => {
    const { user_code } = await world.anyone.devices.begin({ name: 'canary-build' })
    return { user_code }
  }
  const adding = { name: 'Canary key', passkey: { credential_id: word, client_data: word, attestation: word } }
  const signingIn: Target = { ids: [], body: { passkey: answer }, headers: {} }
  const ownAddress = async (client: World['anyone']) => (await client.providers.me()).email ?? ''
  return {
    'account.changeEmail': asOwner(
      { ids: [], body: { email: 'canary-next@home.example', current_password: password } },
      async (client) => ({ email: await ownAddress(client) }),
    ),
    'account.confirmEmail': asOwner({ ids: [], body: { code: word } }, async (client) => {
      const email = await ownAddress(client)
      await client.account.changeEmail({ email, current_password: password })
      return { code: (await world.mails(email)).at(-1)?.code ?? '' }
    }),
    'factors.list': asOwner({ ids: [] }, nothing),
    'factors.sendCode': asOwner({ ids: [], body: {} }, nothing),
    'factors.begin': asOwner({ ids: [], body: {} }, async (client) => ({ code: await codeOf(client) })),
    'factors.add': asOwner({ ids: [], body: { ...adding } }, async (client) => ({
      passkey: createAuthenticator({ origin: world.publicUrl }).create(
        await client.factors.begin({ code: await codeOf(client) }),
      ),
    })),
    'factors.rename': asOwner({ ids: [factor_id], body: { name: 'Canary tablet' } }, nothing),
    'factors.remove': asOwner({ ids: [factor_id] }, nothing),
    'factors.renewCodes': asOwner({ ids: [], body: {}, headers: {} }, async (client, { headers }) => {
      const { recovery_codes } = await addPasskey(world, client)
      const empty = `sha256:${hash('sha256', '{}', 'hex')}`
      const renewing = { method: 'POST', path: '/api/v1/me/recovery-codes', body_digest: empty } as const
      const { response } = await client.factors
        .prove({ recovery: { code: recovery_codes?.[0] ?? '', act: renewing } })
        .withResponse()
      Object.assign(headers ?? {}, { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' })
      return {}
    }),
    'factors.beginProof': asOwner({ ids: [], body: act }, nothing),
    'factors.prove': asOwner({ ids: [], body: { passkey: answer } }, async (client) => {
      const { authenticator } = await addPasskey(world, client)
      return { passkey: authenticator.get(await client.factors.beginProof({ ...act, method: 'POST' })) }
    }),
    'devices.begin': { ids: [], body: { name: 'canary-build' } },
    'devices.token': asOwner({ ids: [], body: { grant_type: deviceGrantType, device_code: word } }, async (client) => {
      const { device_code, user_code } = await world.anyone.devices.begin({ name: 'canary-build' })
      await client.devices.approve({ user_code })
      return { device_code }
    }),
    'devices.find': asOwner({ ids: [], body: { user_code: word } }, newUserCode),
    'devices.approve': asOwner({ ids: [], body: { user_code: word } }, newUserCode),
    'devices.deny': asOwner({ ids: [], body: { user_code: word } }, newUserCode),
    'factors.beginSignIn': { ids: [], body: {} },
    'factors.signIn': {
      ...signingIn,
      credential: async () => {
        const { authenticator } = await addPasskey(world, await begun())
        const { body, headers } = await ask(`${world.address}/api/v1/auth/passkey/challenge`, {
          method: 'POST',
          body: {},
        })
        const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
        Object.assign(signingIn.headers ?? {}, { cookie })
        Object.assign(signingIn.body ?? {}, {
          passkey: authenticator.get(body as { options: Record<string, unknown> }),
        })
        return owner.apiKey
      },
    },
  }
}

const multipart = (file: Buffer) => ({
  headers: { 'Content-Type': 'multipart/form-data; boundary=part' },
  body: Buffer.concat([
    Buffer.from('--part\r\nContent-Disposition: form-data; name="file"; filename="logo.png"\r\n\r\n'),
    file,
    Buffer.from('\r\n--part--\r\n'),
  ]),
})

/** A provider with one of everything, private unless asked for; and for each endpoint the call that would change or show it. */
export const createTargets = async (world: World, name = 'acme', { is_public = false } = {}) => {
  const owner = await world.provider(name)
  const model_id = await owner.registerModel({
    is_public,
    display_name: 'Canary model',
    api_model_identifier: 'canary',
    sigstore_bundle_url: 'https://files.canary.example/model.sigstore.json',
  })
  const { deployment_id, spki_fingerprint } = await owner.registerDeployment([model_id])
  const spare = await owner.registerDeployment()
  const undone = await owner.registerDeployment()
  const [registered] = (await owner.client.account.events({ subject_id: undone.deployment_id })).events
  const spareDomain = 'canary-spare.example'
  await owner.client.domains.add({ domain: spareDomain })
  const spareKey = await owner.client.keys.create({ name: 'Canary key' })
  const archived_id = await owner.registerModel({
    is_public,
    display_name: 'Canary withdrawn',
    api_model_identifier: 'canary-withdrawn',
  })
  await owner.client.models.allowDeployment(archived_id, { deployment_id: spare.deployment_id })
  await owner.client.models.archive(archived_id, {})
  // No link names it: it can still be edited in place.
  const draft_id = await owner.registerModel({ is_public, display_name: 'Canary draft' })
  world.hub.publish('acme/canary', { sha: 'c'.repeat(40) })
  const { token } = await owner.client.verifications.create(
    { model_id },
    { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
  )
  await world.registry.transparency.sequence()
  const logged = (await owner.client.log.entries()).entries
  const logIndex = logged.find(({ index }) => index !== null)?.index ?? 0
  const { incident_id } = await world.anyone.incidents.report({
    verification_token: token,
    category: 'other',
    title: 'Canary title',
    description: 'A canary told me',
    reporter_email: 'canary@home.example',
  })
  const { email } = await owner.client.providers.me()
  await owner.client.auth.sendVerification({})
  const mail = (await world.mails(email ?? '')).at(-1)
  const { session_id, setup_token } = await insertAccount(world, owner)
  const { code, cookie } = await insertHandOff(world, owner.id)
  await insertIdentity(world, owner.id)
  // Anyone who can see a model can see who may sign it; only the record and its ID are private.
  const { publicKey, privateKey } = ecKeys()
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
  const declared = await owner.client.signers.declare({
    signer: { kind: 'key', public_key },
    api_model_identifier: 'canary',
  })
  const { message } = await owner.client.signers.challenge(declared.id, {})
  const { issuer, vouch } = world.jobIssuer
  const publisher = { kind: 'github', issuer, repository: 'acme/canary', workflow: 'canary.yml' } as const
  const leaked = await owner.client.keys.create({ name: 'Canary leak', scopes: ['full'] })
  await world.client(leaked.api_key).deployments.register({ spki_fingerprint: randomFingerprint() })
  const { reviews } = await owner.client.keys.compromise(leaked.id)
  const trusted = await owner.client.publishers.add(publisher)
  await owner.client.workloads.trust({ issuer: world.jobIssuer.issuer, subject: 'chat' })
  const spareWorkload = await owner.client.workloads.trust({ issuer: world.jobIssuer.issuer, subject: 'spare' })
  const guest = 'guest@home.example'
  const invitation = await owner.client.members.invite({ email: guest, role: 'viewer' })
  const invited = (await world.mails(guest)).at(-1)
  const invitation_token = new URL(invited?.link ?? '').searchParams.get('token') ?? ''
  const spareInvitation = await owner.client.members.invite({ email: 'canary-spare@home.example', role: 'viewer' })
  const colleague = `per_${spareInvitation.id.slice(4)}`
  await world.database.transaction((tx) =>
    insertMember(tx, {
      provider_id: owner.id,
      person_id: colleague,
      email: `canary-${spareInvitation.id}@home.example`,
      role: 'viewer',
      at: world.clock.now(),
    }),
  )
  const factor_id = `fac_${owner.id.slice(4)}`
  await insertPendingFactor(world, { person_id: `per_${owner.id.slice(4)}`, id: factor_id })
  const changeId = `chg_${spareInvitation.id.slice(4)}`
  const spareChangeId = `chg_${invitation.id.slice(4)}`
  await insertChange(world, owner, { id: changeId, name: 'Canary staged' })
  await insertChange(world, owner, { id: spareChangeId, name: 'Canary rejected' })
  const delayedIds = [factor_id, model_id].map((id) => `chg_${id.slice(4)}`)
  for (const id of delayedIds) await insertChange(world, owner, { id, name: 'Canary delayed', state: 'delayed' })
  const undo_token = `canary-undo-${owner.id}`
  await insertUndo(world, {
    token: undo_token,
    provider_id: owner.id,
    person_id: `per_${owner.id.slice(4)}`,
    change_id: delayedIds[1] ?? '',
  })
  const recovery_token = `canary-recovery-${owner.id}`
  await insertRecoveryToken(world, { token: recovery_token, person_id: `per_${owner.id.slice(4)}` })
  const restore_token = `canary-restore-${owner.id}`
  await insertRestoreToken(world, { token: restore_token, person_id: `per_${owner.id.slice(4)}` })
  const model = { ids: [model_id] }
  const targets: Record<EndpointName, Target> = {
    'verifications.create': { ids: [], body: { model_id } },
    'verifications.get': { ids: [token] },
    'verifications.opened': { ids: [token], body: {} },
    'verifications.inspect': { ids: [token] },
    'verifications.bind': { ids: [token], body: { response_text: 'Oslo' } },
    'signing.jwks': { ids: [] },
    'log.proofs': { ids: [owner.id] },
    'log.entries': { ids: [] },
    'log.near': { ids: [] },
    'log.dispute': { ids: [String(logIndex)], body: {} },
    'providers.register': {
      ids: [],
      body: { company_name: 'New Labs', email: 'new@new.example', website: 'https://new.example' },
    },
    'providers.me': { ids: [] },
    'providers.verifyDomain': { ids: [], body: {} },
    'providers.update': { ids: [owner.id], body: { industry: 'Maps' } },
    'providers.setProfile': { ids: [owner.id], body: { industry: 'Maps' } },
    'providers.setCompliance': { ids: [owner.id], body: { compliance_certifications: ['SOC2'] } },
    'providers.setVisibility': { ids: [owner.id], body: { is_listed: false } },
    'providers.uploadLogo': { ids: [owner.id], file: picture },
    'providers.deleteLogo': { ids: [owner.id] },
    'providers.deactivate': { ids: [owner.id], body: {} },
    'providers.reactivate': { ids: [owner.id], body: {} },
    'providers.delete': { ids: [owner.id] },
    'providers.list': { ids: [] },
    'providers.get': { ids: [owner.id] },
    'providers.getPrivate': { ids: [owner.id] },
    'providers.models': { ids: [owner.id] },
    'domains.list': { ids: [] },
    'domains.add': { ids: [], body: { domain: 'canary-new.example' } },
    'domains.verify': { ids: [spareDomain], body: {} },
    'domains.remove': { ids: [spareDomain] },
    'domains.makePrimary': { ids: [owner.domain], body: {} },
    'models.register': {
      ids: [],
      body: {
        display_name: 'New model',
        api_model_identifier: 'canary',
        version: '2',
        description: 'A model that is new here.',
        endpoint: 'https://api.acme.example',
        force_new_version: true,
      },
    },
    'models.list': { ids: [] },
    'models.get': model,
    'models.archive': { ...model, body: { reason: 'Old' } },
    'models.putArchive': { ...model, body: { reason: 'Old' } },
    'models.unarchive': { ids: [archived_id], body: {} },
    'models.quickEdit': { ids: [draft_id], body: { description: 'A model that was edited.' } },
    'models.history': model,
    'models.setVisibility': { ...model, body: { is_public: true } },
    'models.latest': model,
    'models.files': model,
    'models.health': model,
    'models.setHealth': { ...model, body: { enabled: true } },
    'models.communityStats': model,
    'models.syncHuggingface': { ...model, body: { huggingface_model_id: 'acme/canary' } },
    'models.allowDeployment': { ...model, body: { deployment_id: spare.deployment_id } },
    'models.deployments': model,
    'models.countDeployments': model,
    'models.revokeDeployment': { ids: [model_id, deployment_id] },
    'incidents.report': {
      ids: [],
      body: { verification_token: token, category: 'privacy_violation', title: 'It knows me', description: 'By name.' },
    },
    'incidents.list': { ids: [] },
    'incidents.get': { ids: [incident_id] },
    'incidents.respond': { ids: [incident_id], body: { status: 'resolved', response: 'It forgot you.' } },
    'bundles.verify': { ...model, body: { force_refresh: true } },
    'bundles.upload': {
      ...model,
      body: {
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        verificationMaterial: { publicKey: { hint: 'canary' } },
      },
    },
    'bundles.status': model,
    'signers.list': { ids: [] },
    'signers.declare': {
      ids: [],
      body: { signer: { kind: 'identity', issuer: 'https://accounts.acme.example', identity: 'other@acme.example' } },
    },
    'signers.challenge': { ids: [declared.id], body: {} },
    'signers.prove': { ids: [declared.id], body: { signature: signChallenge(message, privateKey) } },
    'signers.withdraw': { ids: [declared.id] },
    'search.find': { ids: [] },
    'auth.checkDomain': { ids: [], body: { email: 'new@new.example', website: 'https://new.example' } },
    'auth.sendVerification': { ids: [], body: { email: 'new@new.example', domain: 'new.example' } },
    'auth.verifyEmail': { ids: [], body: { email, verification_code: mail?.code } },
    'auth.register': {
      ids: [],
      body: { email: 'new@new.example', password, company_name: 'New Labs', website: 'https://new.example' },
    },
    'auth.login': { ids: [], body: { email, password } },
    'auth.verify': { ids: [], body: { token: mail?.link?.slice(mail.link.lastIndexOf('/') + 1) } },
    'auth.setPassword': { ids: [], body: { token: setup_token, password: 'another heron at dusk' } },
    'auth.passwordAccount': { ids: [], body: { token: setup_token } },
    'auth.forgotPassword': { ids: [], body: { email } },
    'auth.changePassword': {
      ids: [],
      body: { current_password: password, new_password: 'another heron at dusk' },
      credential: async () => (await world.session(owner)).token,
    },
    'auth.signOut': { ids: [], body: {} },
    'auth.sessions': { ids: [] },
    'auth.revokeSession': { ids: [session_id] },
    'auth.exchange': { ids: [], body: { code }, headers: { cookie: `__Host-hand_off=${cookie}` } },
    'auth.identities': { ids: [] },
    'auth.startLink': {
      ids: [],
      body: { provider: 'google' },
      credential: async () => (await world.session(owner)).token,
    },
    'auth.unlink': { ids: ['github'] },
    'keys.list': { ids: [] },
    'keys.create': { ids: [], body: { name: 'Another key' } },
    'keys.revoke': { ids: [spareKey.id] },
    'keys.compromise': { ids: [spareKey.id], body: {} },
    'keys.reviews': { ids: [] },
    'keys.review': { ids: [reviews[0]?.id ?? ''], body: { decision: 'confirmed' } },
    'publishers.list': { ids: [] },
    'publishers.add': { ids: [], body: { ...publisher, environment: 'release' } },
    'publishers.remove': { ids: [trusted.id] },
    'publishers.exchange': {
      ids: [],
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: vouch(
          world.publicUrl,
          githubJob({
            repository: publisher.repository,
            job_workflow_ref: `${publisher.repository}/.github/workflows/${publisher.workflow}@refs/heads/main`,
          }),
        ),
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        provider_id: owner.id,
      },
    },
    'workloads.list': { ids: [] },
    'workloads.trust': { ids: [], body: { issuer: world.jobIssuer.issuer, subject: 'another' } },
    'workloads.remove': { ids: [spareWorkload.id] },
    'workloads.exchange': {
      ids: [],
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: vouch(world.publicUrl, { sub: 'chat' }),
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        provider_id: owner.id,
        public_key: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      },
    },
    'members.list': { ids: [] },
    'members.invite': { ids: [], body: { email: 'another@home.example', role: 'viewer' } },
    'members.withdraw': { ids: [spareInvitation.id] },
    'members.setRole': { ids: [colleague], body: { role: 'responder' } },
    'members.remove': { ids: [colleague], body: {} },
    'members.preview': { ids: [], body: { token: invitation_token } },
    'members.accept': { ids: [], body: { token: invitation_token, password } },
    'members.providers': { ids: [] },
    'members.use': { ids: [owner.id], body: {}, credential: async () => (await world.session(owner)).token },
    ...factorTargets(world, owner, factor_id),
    'factors.beginRecovery': { ids: [], body: { email } },
    'factors.recover': { ids: [], body: { token: recovery_token } },
    'factors.cancelRecovery': { ids: [], credential: async () => (await world.session(owner)).token },
    'activity.list': { ids: [] },
    'activity.undo': { ids: [], body: { actor: owner.keyId, events: [registered?.id ?? ''] } },
    'changes.list': { ids: [] },
    'changes.get': { ids: [changeId] },
    'changes.approve': { ids: [changeId], body: {}, credential: async () => (await world.session(owner)).token },
    'changes.reject': { ids: [spareChangeId], body: {} },
    'changes.cancel': { ids: [delayedIds[0] ?? ''], body: {} },
    'changes.undo': { ids: [], body: { token: undo_token } },
    'account.restoreEmail': { ids: [], body: { token: restore_token } },
    'account.deleteMe': {
      ids: [],
      body: { current_password: password },
      credential: async () => {
        const email = 'canary-leaver@home.example'
        await owner.client.members.invite({ email, role: 'viewer' })
        const token = new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
        return (await world.anyone.members.accept({ token, password })).auth_token
      },
    },
    'account.attention': { ids: [] },
    'account.usage': { ids: [] },
    'account.verifications': { ids: [] },
    'account.verificationsByDay': { ids: [] },
    'account.events': { ids: [] },
    'account.notifications': { ids: [] },
    'account.setNotifications': { ids: [], body: { weekly_reports: true } },
    'deployments.register': { ids: [], body: { spki_fingerprint: randomFingerprint() } },
    'deployments.list': { ids: [] },
    'deployments.setStatus': { ids: [deployment_id], body: { status: 'disabled' } },
    'deployments.delete': { ids: [deployment_id] },
  }
  const me = await owner.client.providers.me()
  /** What only the owner knows: every private name contains this word, and IDs are private as a whole. */
  const secrets = [
    'canary',
    owner.apiKey,
    me.email ?? '',
    ...[
      owner.keyId,
      spareKey.id,
      model_id,
      archived_id,
      deployment_id,
      spare.deployment_id,
      incident_id,
      session_id,
      declared.id,
      trusted.id,
      invitation.id,
      spareInvitation.id,
      colleague,
      factor_id,
    ],
    ...[spki_fingerprint, spare.spki_fingerprint],
  ]
  return { owner, model_id, deployment_id, spareDomain, token, targets, secrets }
}

/** A link discloses its model. */
const isLink = (name: EndpointName) => name.startsWith('verifications.')

/** Secrets in a response to another caller who did not name them. */
export const leaksIn = (
  reply: Reply,
  { name, target, secrets }: { name: EndpointName; target: Target; secrets: readonly string[] },
) => {
  // A trusted job learns which provider trusts it, and an email's link shows its owner.
  if (
    reply.status < 300 &&
    (isLink(name) ||
      name === 'publishers.exchange' ||
      name === 'workloads.exchange' ||
      name === 'auth.passwordAccount' ||
      name === 'members.preview')
  )
    return []
  const sent = JSON.stringify([target.ids, target.body ?? {}]).toLowerCase()
  const answered = reply.text.toLowerCase()
  return secrets
    .map((secret) => secret.toLowerCase())
    .filter((secret) => answered.includes(secret) && !sent.includes(secret))
}

/** Calls an endpoint as the contract describes it. */
export const call = (
  world: World,
  row: Endpoint,
  { ids, body, file, headers }: Target,
  { apiKey, ...question }: Omit<Question, 'method'> & { apiKey?: string } = {},
) => {
  let index = 0
  const path = row.path.replace(/:\w+/g, () => encodeURIComponent(ids[index++] ?? ''))
  const content = file && multipart(file)
  return ask(`${world.address}${path}`, {
    method: row.method,
    ...(body !== undefined && { body }),
    ...(content && { body: content.body }),
    ...question,
    headers: {
      ...content?.headers,
      ...headers,
      ...(apiKey !== undefined && { 'X-API-Key': apiKey }),
      ...question.headers,
    },
  })
}
