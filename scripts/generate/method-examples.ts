import type { contract } from '@countersign/sdk/contract'
/*
 * Examples for the methods of the client, shown by editors and on the reference page. `client` is a client with a key. A test
 * checks their types.
 */
export const methodExamples: Readonly<Record<string, string>> = {
  'verifications.create': `const link = await client.verifications.create({
  model_id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
  challenge: 'blue otter 42',
})
console.log(link.verification_url)`,
  'verifications.get': `const { status, provider } = await client.verifications.get('W904-2CKW-GDNC-X7S1')`,
  'verifications.inspect': `const { valid, claims } = await client.verifications.inspect(token)`,
  'verifications.bind': `const { response_hash } = await client.verifications.bind(token, { response_text: 'Hello!' })`,
  'providers.register': `const { provider_id, api_key, domain_proof } = await client.providers.register({
  company_name: 'Acme Labs',
  email: 'registry@acme.example',
  website: 'https://acme.example',
})
// Keep the key: it is shown once. Publish the record, then call verifyDomain with a client that has the key.
console.log(domain_proof.record_name, domain_proof.record_value)`,
  'providers.me': `const { company_name, domain, domain_verified } = await client.providers.me()`,
  'providers.verifyDomain': `const { result, detail } = await client.providers.verifyDomain({ method: 'dns' })`,
  'providers.update': `await client.providers.update(provider_id, { company_description: 'Makes models.' })`,
  'providers.list': `for await (const provider of client.providers.list({ verification: 'verified' })) console.log(provider.domain)`,
  'providers.models': `const models = await client.providers.models(provider_id, { include_archived: true }).toArray({ limit: 50 })`,
  'providers.uploadLogo': `await client.providers.uploadLogo(provider_id, await openAsBlob('logo.png'))`,
  'domains.add': `const { domain_proof } = await client.domains.add({ domain: 'acme-chat.example' })`,
  'models.register': `const { model_id, created } = await client.models.register({
  api_model_identifier: 'acme-chat',
  version: '2.1.0',
  display_name: 'Acme Chat',
  description: 'A model for conversations.',
  endpoint: 'https://api.acme.example/v1/chat',
  ifNotExists: true,
})
console.log(created ? 'registered' : 'was there already', model_id)`,
  'models.list': `for await (const model of client.models.list({ search: 'atlas' })) console.log(model.display_name)`,
  'models.get': `const { version, model_digest } = await client.models.get('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm')`,
  'models.archive': `await client.models.archive('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', { reason: 'Replaced' })`,
  'models.allowDeployment': `await client.models.allowDeployment(model_id, { deployment_id })`,
  'bundles.upload': `await client.bundles.upload(model_id, JSON.parse(await readFile('model.sig', 'utf8')))`,
  'bundles.status': `const { bundle_status, message } = await client.bundles.status(model_id)`,
  'signers.declare': `await client.signers.declare({
  signer: {
    kind: 'repository',
    issuer: 'https://token.actions.githubusercontent.com',
    repository: 'https://github.com/acme/models',
  },
})`,
  'deployments.register': `const { deployment_id } = await client.deployments.register({
  spki_fingerprint: spkiFingerprint(await readFile('client.pem')).hex,
  labels: { region: 'eu' },
})`,
  'incidents.report': `const { incident_id } = await client.incidents.report({
  verification_token: 'W904-2CKW-GDNC-X7S1',
  category: 'technical_error',
  title: 'Wrong arithmetic',
  description: 'It says that 2 + 2 is 5.',
})`,
  'incidents.list': `for await (const incident of client.incidents.list({ status: 'open' })) console.log(incident.title)`,
  'incidents.respond': `await client.incidents.respond(incident_id, { status: 'resolved', response: 'Fixed in version 2.1.1.' })`,
  'keys.create': `const { api_key } = await client.keys.create({ name: 'chat server', scopes: ['links'], expires_in_days: 90 })`,
  'members.invite': `await client.members.invite({ email: 'ada@acme.example', role: 'publisher' })`,
  'publishers.add': `await client.publishers.add({ kind: 'github', repository: 'acme/models', workflow: 'release.yml' })`,
  'publishers.exchange': `const { access_token } = await client.publishers.exchange({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  subject_token: idToken,
  provider_id,
})`,
  'search.find': `const { providers, models } = await client.search.find({ q: 'acme' })`,
  'account.events': `for await (const { at, action } of client.account.events({ since: '2026-11-01T00:00:00Z' })) console.log(at, action)`,
  'account.usage': `const { links } = await client.account.usage()
console.log(\`\${links.today} of \${links.limit} links used\`)`,
  'activity.list': `const { actors } = await client.activity.list({ since: '2026-11-20T00:00:00Z' })
for (const { actor, acts } of actors) console.log(actor, acts.length)`,
  'activity.undo': `const key = 'key_06dh0e3x7c9bw4vjz2n8qk5ytm'
const { acts } = await client.activity.undo({ actor: key, events: ['evt_06dh0e3x7c9bw4vjz2n8qk5ytm'] })
for (const { subject_id, is_undone, obstacle } of acts) console.log(subject_id, is_undone ? 'undone' : obstacle)`,
  'log.proofs': `const { state, facts } = await client.log.proofs(model_id)`,
  'log.entries': `for await (const { at, says } of client.log.entries()) console.log(at, says)`,
  'log.near': `for await (const { text, near, yours } of client.log.near()) console.log(text, near, yours)`,
  'log.dispute': `const { report_id } = await client.log.dispute('42')`,
  'signing.jwks': `const { keys } = await client.signing.jwks()`,
}

/** What each group of methods is for. */
export const featureDescriptions = {
  verifications: 'Links: minting, checking, and binding responses.',
  signing: 'The registry’s public keys.',
  search: 'Search for providers and models.',
  providers: 'Providers: registration, profile and public pages.',
  domains: 'Further domains of the caller.',
  models: 'Models and their versions.',
  bundles: 'Signed bundles of models.',
  signers: 'Signers of the caller’s models.',
  deployments: 'Servers, known by their public keys.',
  workloads: 'Platform identities that may stand for servers.',
  incidents: 'Reports about models.',
  keys: 'API keys.',
  publishers: 'Trusted publishers: CI workflows that publish without a key.',
  members: 'Members of the caller’s provider, invitations, and the providers of a person.',
  log: 'The transparency log.',
  activity: 'What keys, sessions and jobs did without presence, and undoing it.',
  changes: 'Calls of keys and CI jobs that wait for a person’s approval.',
  factors: 'Passkeys and authenticators, with which a person proves presence.',
  devices: 'Signing in a command line through a browser.',
  account: 'The caller’s links, quotas, trail and notifications.',
  auth: 'Sign-up and sign-in with email and password; the console uses it.',
} satisfies Record<keyof typeof contract, string>
