import { limits } from '@countersign/sdk/contract'
import { formatNumber } from '#messages/site.ts'
import type { DocsSection } from '../../blocks.ts'

/** API Endpoints about providers. */
export const providers = {
  'register-provider': {
    name: 'Register Provider',
    blocks: [
      'Three fields make a provider: `company_name`, `email` and `website`. The answer is your first API key, once, and how to prove your domain. Anyone may register under any name; that proves nothing. **The verified domain is your identity**, as in the address bar of a browser, and pages show it before the name.',
      { sample: 'register-provider', caption: 'Register' },
      { heading: 'Prove the domain', id: 'prove-domain' },
      'Publish the TXT record of the answer at `_countersign.` and your domain, then ask the registry to look. Or serve the JSON of `domain_proof.file_content` at `domain_proof.file_url`, without redirects, and ask with `"method": "file"`.',
      { sample: 'verify-domain', caption: 'Have the domain checked' },
      {
        heads: ['Proof', 'Note'],
        rows: [
          ['`dns`', 'The TXT record. At least two resolvers must find it, not through an alias.'],
          ['`file`', 'A file on your website. Never takes a domain from a provider who proved it by DNS.'],
        ],
      },
      'An email address proves no domain. One domain belongs to one verified provider. Leave the proof where it is: it is checked every day. If it cannot be checked, the domain is `stale` and your links are amber; after 72 hours the proof is lost.',
      'You may prove several domains. One is primary: pages and new links show it. If you change your website, its domain becomes the primary one.',
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
      'Send the fields that change; what is not named stays, and an empty text takes a field away. The profile is what visitors read on your page. What you state about yourself is shown as your own statement.',
      { sample: 'update-profile', caption: 'Profile and logo' },
      {
        list: [
          `\`company_description\` has at most ${formatNumber(limits.companyDescription)} characters.`,
          `A logo is PNG, JPEG or WebP under ${formatNumber(limits.logoBytes / 1_048_576)} MiB. It is drawn anew, so that nothing else hides in it.`,
          'Changing `company_name` or `website` changes who you are to visitors: another domain has to be proven again.',
          '`is_listed` decides whether lists and search show you. Your pages and links work either way.',
          'Deactivating takes your pages and links off the registry until you come back. Deleting is for good.',
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
      { heading: 'What happened, and which mails you get', id: 'account-trail' },
      'Every change to what you own is kept: who, what and when.',
      { endpoints: ['account.attention', 'account.events', 'account.notifications', 'account.setNotifications'] },
    ],
  },

  'incident-reporting': {
    name: 'Incident Reporting',
    blocks: [
      'Anyone can report a model, with no key and no account. A report that comes with a verification link is a *verified report*: it is known to be about that model, and it weighs more.',
      { sample: 'incident-reporting', caption: 'Report' },
      {
        list: [
          'Name the model by `model_id`, by `verification_token`, or by both when they agree. The token may be a link, its code or the token itself, and may have expired.',
          '`category` is one of `harmful_content`, `technical_error`, `impersonation`, `privacy_violation`, `other`. `severity` is `medium` unless you say otherwise.',
          `The title has at most ${formatNumber(limits.incidentTitle)} characters, the description ${formatNumber(limits.incidentText)}, with ten links at most.`,
          '`reporter_email` is optional. The provider sees it, nobody else does, and you are told when the report is resolved.',
        ],
      },
      'In public numbers count reports that came with a genuine link, and reports that the provider took up, while they are open.',
      { heading: 'Answer a report', id: 'answer-report' },
      'A report is `reported`, then perhaps `investigating`, and ends as `resolved`, which needs a message, or `dismissed`. Both ends are final.',
      { sample: 'incident-response', caption: 'Answer reports' },
      { endpoints: ['incidents.report', 'incidents.list', 'incidents.get', 'incidents.respond', 'models.communityStats'] },
    ],
  },
} as const satisfies Record<string, DocsSection>
