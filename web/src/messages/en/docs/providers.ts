import { limits } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'
import type { DocsSection } from '../../blocks.ts'

/** The API Endpoints group: providers. */
export const providers = {
  'register-provider': {
    name: 'Register Provider',
    blocks: [
      'Three fields are required: `company_name`, `email` and `website`. The response contains your first API key, shown once, and how to prove your domain. Anyone can register any name, so a name proves nothing. **Your verified domain is your identity**, as in a browser’s address bar, and pages show it before the name.',
      { sample: 'register-provider', caption: 'Register' },
      { heading: 'Prove the domain', id: 'prove-domain' },
      'Publish the TXT record from the response at `_countersign.` followed by your domain, then ask the registry to check. Or serve the JSON from `domain_proof.file_content` at `domain_proof.file_url`, without redirects, and ask with `"method": "file"`.',
      { sample: 'verify-domain', caption: 'Check the domain' },
      {
        heads: ['Proof', 'Note'],
        rows: [
          ['`dns`', 'The TXT record. At least two resolvers must find it, not through an alias.'],
          ['`file`', 'A file on your website. It never overrides another provider’s DNS proof.'],
        ],
      },
      'An email address does not prove a domain. Only one verified provider can hold a domain. Leave the proof in place: it is checked every day. If it cannot be checked, the domain is `stale` and your links are amber; after 72 hours the proof is lost.',
      'You can prove several domains. One is primary: pages and new links show it. If you change your website, its domain becomes primary.',
      {
        endpoints: [
          'providers.register',
          'providers.verifyDomain',
          'domains.list',
          'domains.add',
          'domains.verify',
          'domains.makePrimary',
          'domains.remove',
          'auth.checkDomain',
          'auth.sendVerification',
          'auth.verifyEmail',
        ],
      },
    ],
  },

  'update-profile': {
    name: 'Update Provider Profile',
    blocks: [
      'Send only the fields that change; an empty string removes a field. Visitors see the profile on your page, marked as stated by you.',
      { sample: 'update-profile', caption: 'Profile and logo' },
      {
        list: [
          `\`company_description\` has at most ${formatNumber(limits.companyDescription)} characters.`,
          `A logo is PNG, JPEG or WebP under ${formatNumber(limits.logoBytes / 1_048_576)} MiB. It is re-encoded, so that nothing can be hidden in it.`,
          'Changing `company_name` or `website` changes who you are to visitors: a new domain has to be proven.',
          '`is_listed` decides whether lists and search show you. Your pages and links work either way.',
          'Deactivating disables your pages and links until you reactivate. Deleting is permanent.',
        ],
      },
      {
        endpoints: [
          'providers.me',
          'providers.getPrivate',
          'providers.get',
          'providers.update',
          'providers.setProfile',
          'providers.setCompliance',
          'providers.setVisibility',
          'providers.uploadLogo',
          'providers.deleteLogo',
          'providers.deactivate',
          'providers.reactivate',
          'providers.delete',
        ],
      },
      { heading: 'Activity and notifications', id: 'account-trail' },
      'Every change to your records is logged: who, what and when. `log.entries` lists what the public transparency log says about you, `log.near` which names of other companies are near yours. It leaves out names that were given up or logged before yours: `countersign log monitor` lists those as well. Private models and accounts without a proven domain are not compared.',
      {
        endpoints: [
          'account.attention',
          'account.events',
          'log.entries',
          'log.near',
          'log.dispute',
          'account.notifications',
          'account.setNotifications',
          'account.changeEmail',
          'account.confirmEmail',
          'account.restoreEmail',
          'account.deleteMe',
        ],
      },
    ],
  },

  'incident-reporting': {
    name: 'Incident Reporting',
    blocks: [
      'Anyone can report a model, without a key or an account. A report with a verification link is a *verified report*: it is certain to be about that model and counts for more.',
      { sample: 'incident-reporting', caption: 'Report' },
      {
        list: [
          'Identify the model by `model_id`, by `verification_token`, or by both if they agree. The token may be a link, its code or the token itself, and may have expired.',
          '`category` is one of `harmful_content`, `technical_error`, `impersonation`, `privacy_violation`, `other`. `severity` defaults to `medium`.',
          `The title has at most ${formatNumber(limits.incidentTitle)} characters, the description ${formatNumber(limits.incidentText)}, with ten links at most.`,
          '`reporter_email` is optional. Only the provider sees it, and you are emailed when the report is resolved.',
        ],
      },
      'Public numbers count open reports that came with a genuine link or that the provider is investigating.',
      { heading: 'Answer a report', id: 'answer-report' },
      'A report starts as `reported`, may become `investigating`, and ends as `resolved`, which requires a message, or `dismissed`. Both are final.',
      { sample: 'incident-response', caption: 'Answer reports' },
      {
        endpoints: [
          'incidents.report',
          'incidents.list',
          'incidents.get',
          'incidents.respond',
          'models.communityStats',
        ],
      },
    ],
  },
} as const satisfies Record<string, DocsSection>
