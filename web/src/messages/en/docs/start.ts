import { limits } from '@countersign/sdk/contract'
import type { DocsSection } from '../../blocks.ts'

const minutes = limits.tokenLifetimeSeconds / 60

/** The Getting Started group. */
export const start = {
  overview: {
    name: 'Overview',
    blocks: [
      'An AI can say anything about itself. With Countersign its company vouches for it: your server requests a short link from this registry, your AI gives the link to the person who asked, and its page says which company requested it, for which model, and until when it is valid.',
      {
        heads: ['What is proven', 'How'],
        rows: [
          [
            '**Provider identity**: you control a domain',
            'A DNS record or a file on your website. The page says which. See [Register Provider](#register-provider).',
          ],
          [
            '**Deployment**: the server that requested the link holds a key you authorized for that model',
            'A TLS handshake with a client certificate. See [Deployment Management](#deployment-management).',
          ],
          [
            '**Model integrity**: which files you registered, and who signed them',
            'SHA-256 digests and signed bundles. See [Sigstore Bundle Verification](#sigstore-bundle).',
          ],
        ],
      },
      `A link works for ${minutes} minutes and is checked each time someone opens it: a withdrawn model, a disabled deployment or a leaked key shows at once. [Samples](/sample) show what people see.`,
      { heading: 'Three ways to use it', id: 'three-ways' },
      {
        heads: ['Way', 'For'],
        rows: [
          ['**HTTP API** at `https://registry.example/api/v1`', 'Any language. JSON in, JSON out.'],
          ['**CLI** `countersign`, package `@countersign/cli`', 'People at a terminal, and pipelines.'],
          ['**TypeScript SDK**, package `@countersign/sdk`', 'Servers, browsers and edge runtimes.'],
        ],
      },
      'Samples on this page show all three where possible, with the URL of this registry filled in. They run as part of this project’s tests, so they work as shown. Replace `mdl_…` and similar with your own IDs.',
      {
        note: 'A link does not prove that the chat in front of you comes from that deployment, because links can be copied. [Integration Patterns](#integration-patterns) shows three measures against this: a challenge, an origin, and a bound response.',
      },
    ],
  },

  'quick-start': {
    name: 'Quick Start',
    blocks: [
      {
        steps: [
          '[Register as a provider](#register-provider) and publish the DNS record that proves your domain.',
          '[Register your model](#register-model).',
          '[Create a verification link](#create-verification) when a person asks your AI who it is.',
          '[Build that into your chat](#model-integration).',
        ],
      },
      { heading: 'Install', id: 'quick-start-install' },
      'The HTTP API needs no installation. Install the SDK with `npm install @countersign/sdk`, and the command line with `npm install -g @countersign/cli`.',
      { heading: '1. Register', id: 'quick-start-register' },
      'The response contains a DNS record and your API key, which is shown once. Store the key with your servers’ secrets, and publish the record at your domain.',
      'For the command line, set this registry first: `export COUNTERSIGN_API_URL=https://registry.example`.',
      { sample: 'register-provider', caption: 'Register' },
      'Set the key for your programs: `export COUNTERSIGN_API_KEY=csk_…`. The command line has already stored it.',
      { heading: '2. From domain to link', id: 'quick-start-link' },
      'Once the record is published, run:',
      { sample: 'quick-start', caption: 'Domain, model, link, check' },
      'Open the link in a browser to see what your users see.',
      {
        note: 'Without a verified domain, links are genuine but never *verified*: the page is amber, and `countersign verify` exits 3.',
      },
    ],
  },

  authentication: {
    name: 'Authentication',
    blocks: [
      'Send your API key in `X-API-Key`, or as a bearer token in `Authorization`. Both work the same. A key begins with `csk_` and is shown once, when it is created; the registry stores only its hash.',
      { sample: 'authentication', caption: 'Which provider a key belongs to' },
      {
        note: 'Never put an API key into code that runs in a browser or an app: anyone with the page has the key. Create links on your server.',
      },
      { heading: 'Without a key', id: 'public-endpoints' },
      'These need no key: registering a provider, verifying links and tokens, binding a response, reporting an incident, a model’s numbers, health and bundle status, public lists, and search. Each endpoint on this page says who may call it.',
      { heading: 'Restricted keys', id: 'scopes' },
      'By default, a new key can only create and list links, which is all a chat server needs. Request other scopes by name. A key with the scope `full` can do everything, as can the key returned at registration.',
      { sample: 'restricted-key', caption: 'A restricted key' },
      {
        heads: ['Scope', 'Lets the key'],
        rows: [
          ['`read`', 'see your own private records'],
          ['`links`', 'create, bind and list links (the default)'],
          ['`models`', 'register and change models, bundles and signers'],
          ['`deployments`', 'register and change deployments'],
          ['`incidents`', 'answer reports'],
          ['`account`', 'change the profile, the account and its keys'],
          ['`full`', 'do everything'],
        ],
      },
      'A restricted key can only create keys with the same scopes or fewer. Any key can revoke itself. A revoked key is rejected from the next request on every server of the registry.',
      { heading: 'Key endpoints', id: 'key-endpoints' },
      { endpoints: ['keys.list', 'keys.create', 'keys.revoke', 'keys.compromise', 'keys.reviews', 'keys.review'] },
      { heading: 'CI jobs without a key', id: 'trusted-publishers' },
      'If you trust a GitHub Actions or GitLab workflow, it needs no stored key. Each of its jobs proves its identity and gets a 15-minute token that can only register models and versions and upload bundles.',
      { sample: 'trusted-publisher', caption: 'Trust a workflow' },
      { sample: 'publish-from-job', caption: 'In its job' },
      'Pull requests can never publish. A repository is identified by its number, so a later repository with the same name is not trusted. If a job is rejected, the response and your settings name the claim that didn’t match.',
      { endpoints: ['publishers.list', 'publishers.add', 'publishers.remove', 'publishers.exchange'] },
      { heading: 'Servers without a key', id: 'trusted-workloads' },
      'On a platform that gives its workloads identity tokens (OIDC), a server stores no key. Trust its identity for a deployment. The server exchanges its token and a fresh public key for an hour, and signs its mint requests with that key. The page of its links says what the platform said of it.',
      { endpoints: ['workloads.list', 'workloads.trust', 'workloads.remove', 'workloads.exchange'] },
      { heading: 'Members', id: 'members' },
      'Invite your colleagues instead of sharing a password. Each signs in with their own address and has one role: `owner`, `admin`, `publisher` (models, bundles, deployments and links), `responder` (incidents) or `viewer`. A key may do no more than the member who made it, and is revoked when the member is removed.',
      {
        endpoints: [
          'members.list',
          'members.invite',
          'members.withdraw',
          'members.setRole',
          'members.remove',
          'members.preview',
          'members.accept',
          'members.providers',
          'members.use',
        ],
      },
      { heading: 'Passkeys', id: 'passkeys' },
      'A passkey signs you in without a password and proves that you are there: a stolen session or a leaked key cannot. The first one needs a recent sign-in and a code from an email. In an account older than a day it counts after 24 hours, and until then you can remove it from any browser in which you are signed in. These endpoints need a session and a browser; use them in the settings of the console.',
      {
        endpoints: [
          'factors.list',
          'factors.sendCode',
          'factors.begin',
          'factors.add',
          'factors.rename',
          'factors.remove',
          'factors.renewCodes',
          'factors.beginProof',
          'factors.prove',
          'factors.beginSignIn',
          'factors.signIn',
          'factors.beginRecovery',
          'factors.recover',
          'factors.cancelRecovery',
        ],
      },
      { heading: 'Signing in a device', id: 'devices' },
      'A program without a browser, such as `countersign auth login`, asks for a session as RFC 8628 describes: it shows a code and polls. A signed-in person opens `/device`, compares the code and approves. Until then polling gets `400` with `error: authorization_pending`; `slow_down` adds five seconds to the interval; `access_denied` and `expired_token` end it. The session never has presence: a dangerous change is staged.',
      { endpoints: ['devices.begin', 'devices.token', 'devices.find', 'devices.approve', 'devices.deny'] },
      { heading: 'Staged changes', id: 'staged-changes' },
      'Once an owner has a passkey or an authenticator, the company is protected. A key or a CI job can then no longer make a dangerous change by itself: the call gets `202` with the code `change_staged`, and nothing changes until a person approves it within 7 days. Dangerous are changes to the name, the website, domains, members, keys, publishers, signers and security alerts, a deployment’s first authorization for a model, and deactivating or deleting the account. Registering models and versions, minting, health and incidents work as before.',
      'What stops something, such as revoking a key, happens at once: three times an hour for keys, more often in the console. Without a protected owner, nothing is staged.',
      {
        endpoints: [
          'changes.list',
          'changes.get',
          'changes.approve',
          'changes.reject',
          'changes.cancel',
          'changes.undo',
        ],
      },
      { heading: 'After a theft', id: 'undo-acts' },
      'Registering versions, editing them and answering reports need no person. If someone else had a key or a session, owners and admins can list what it did in a period, and undo acts of their choice with one confirmation. Registered versions are archived, edits reverted, archived versions restored and answers withdrawn. What cannot be undone is listed with the reason.',
      { endpoints: ['activity.list', 'activity.undo'] },
      { heading: 'Account endpoints', id: 'account-endpoints' },
      'The pages of this registry use these to sign people in. Servers need only a key.',
      {
        endpoints: [
          'auth.register',
          'auth.login',
          'auth.verify',
          'auth.passwordAccount',
          'auth.setPassword',
          'auth.forgotPassword',
          'auth.changePassword',
          'auth.signOut',
          'auth.sessions',
          'auth.revokeSession',
          'auth.exchange',
          'auth.identities',
          'auth.startLink',
          'auth.unlink',
        ],
      },
    ],
  },
} as const satisfies Record<string, DocsSection>
