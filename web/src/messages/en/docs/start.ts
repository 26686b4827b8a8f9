import { limits } from '@countersign/sdk/contract'
import type { DocsSection } from '../../blocks.ts'

const minutes = limits.tokenLifetimeSeconds / 60

/** Getting Started. */
export const start = {
  overview: {
    name: 'Overview',
    blocks: [
      'An AI can say anything about itself. With Countersign it can prove it: your server asks this registry for a short link, your AI hands the link to the person who asked, and the page behind it says which model is talking, whose domain vouches for it, and until when.',
      {
        heads: ['What is proven', 'How'],
        rows: [
          [
            '**Provider identity**: you control a domain',
            'A DNS record, a file on your website, or a mailbox there. The page says which. See [Register Provider](#register-provider).',
          ],
          [
            '**Deployment**: the server that asked holds a key you approved for that model',
            'A TLS handshake with a client certificate. See [Deployment Management](#deployment-management).',
          ],
          [
            '**Model integrity**: which files you registered, and who signed them',
            'SHA-256 digests and signed bundles. See [Sigstore Bundle Verification](#sigstore-bundle).',
          ],
        ],
      },
      `A link works for ${minutes} minutes and is judged anew each time someone opens it: a withdrawn model, a disabled deployment or a leaked key shows at once.`,
      { heading: 'Three ways to use it', id: 'three-ways' },
      {
        heads: ['Way', 'For'],
        rows: [
          ['**HTTP API** at `https://registry.example/api/v1`', 'Every language. JSON in, JSON out.'],
          ['**CLI** `countersign`, package `@countersign/cli`', 'People at a terminal, and pipelines.'],
          ['**TypeScript SDK**, package `@countersign/sdk`', 'Servers, browsers and edge runtimes.'],
        ],
      },
      'Samples on this page show all three where all three make sense, with the address of this registry in them. They are files that run in the tests of this software, so what you read is what works. Put your own ids in the place of `mdl_…` and the others.',
      {
        note: 'What a link does not prove: that the chat in front of you comes from that deployment. A link can be copied. [Integration Patterns](#integration-patterns) shows the three answers to that: a challenge, an origin, and a bound response.',
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
      'Over HTTP there is nothing to install. The SDK is `npm install @countersign/sdk`, and the command `countersign` is `npm install -g @countersign/cli`.',
      { heading: '1. Register', id: 'quick-start-register' },
      'The answer holds your API key, once, and a DNS record. Keep the key where your servers keep secrets, and publish the record at your domain.',
      'With the command line, name this registry first: `export COUNTERSIGN_API_URL=https://registry.example`.',
      { sample: 'register-provider', caption: 'Register' },
      'Let your programs find the key: `export COUNTERSIGN_API_KEY=csk_…`. The command line has kept it by itself.',
      { heading: '2. From domain to link', id: 'quick-start-link' },
      'When the record is out, this is all:',
      { sample: 'quick-start', caption: 'Domain, model, link, check' },
      'Open the link in a browser: that page is what your users see.',
      {
        note: 'Without a verified domain links are genuine but never *verified*: the page is amber, and `countersign verify` ends with 3.',
      },
    ],
  },

  authentication: {
    name: 'Authentication',
    blocks: [
      'Send your API key in `X-API-Key`, or as a bearer token in `Authorization`. Both are equal. A key begins with `csk_` and is shown once, when it is made; the registry keeps only its hash.',
      { sample: 'authentication', caption: 'Whose key is it' },
      {
        note: 'Never put an API key into code that runs in a browser or an app: everyone who has the page has the key. Mint links on your server.',
      },
      { heading: 'What needs no key', id: 'public-endpoints' },
      'Registering a provider, verifying links and tokens, binding a response, reporting an incident, the numbers of a model, its health and the status of its bundle, public lists and search. Each endpoint on this page says who may call it.',
      { heading: 'Keys that may do less', id: 'scopes' },
      'A new key can only mint links and list them, which is all that a chat server needs. Ask for more by name; a key with the scope `full` may do everything, and so may the key that registration returns.',
      { sample: 'restricted-key', caption: 'A restricted key' },
      {
        heads: ['Scope', 'Lets the key'],
        rows: [
          ['`read`', 'see your own private records'],
          ['`links`', 'mint, bind and list links (the default)'],
          ['`models`', 'register and change models, bundles and signers'],
          ['`deployments`', 'register and change deployments'],
          ['`incidents`', 'answer reports'],
          ['`account`', 'change the profile, the account and its keys'],
          ['`full`', 'do everything'],
        ],
      },
      'A restricted key makes only keys that may do no more than itself. Any key can revoke itself. A revoked key stops at the next request, on every server of the registry.',
      { heading: 'Endpoints of keys', id: 'key-endpoints' },
      { endpoints: ['keys.list', 'keys.create', 'keys.revoke', 'keys.compromise', 'keys.reviews', 'keys.review'] },
      { heading: 'CI jobs without a key', id: 'trusted-publishers' },
      'Trust a workflow of GitHub Actions or GitLab, and no key is kept where it runs: each of its jobs proves who it is and gets a token for 15 minutes that registers models and versions, gives bundles, and does nothing else.',
      { sample: 'trusted-publisher', caption: 'Trust a workflow' },
      { sample: 'publish-from-job', caption: 'In its job' },
      'A pull request never publishes. A repository is known by its number, so that another one of the same name later is not trusted. If a job is turned away, the answer and your settings name the claim.',
      { endpoints: ['publishers.list', 'publishers.add', 'publishers.remove', 'publishers.exchange'] },
      { heading: 'Endpoints of accounts', id: 'account-endpoints' },
      'These are what the pages of this registry use to sign people in. Servers need only a key.',
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
