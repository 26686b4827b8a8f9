/** `/about` */
export const about = {
  title: 'About',
  heading: 'About Countersign',
  intro:
    'Countersign is SSL for AI. Any chat can claim to be a certain model. Here a provider proves its domain, and its model gives you a link that shows who requested it.',
  idea: {
    heading: 'The idea',
    paragraphs: [
      'A countersign is the password that answers a guard’s challenge. You challenge the AI, it answers with a link, and the link opens a record on this site: what was checked, when, and how long the link is valid.',
      'The record shows the verified domain first, because anyone can choose a name, but a domain has one owner. It also says what was not checked, because a check that promises too much protects no one.',
    ],
  },
  pillars: {
    heading: 'Three pillars',
    items: [
      {
        name: 'Provider identity',
        text: 'The provider proves that it controls its domain, with a DNS record or a file on its website. Only one provider can hold a domain at a time.',
      },
      {
        name: 'Deployment authorization',
        text: 'A server proves that it holds a key, over mutual TLS or with a signature, or its platform vouches for it. The provider has authorized it for the model. If it proves nothing, the link says so.',
      },
      {
        name: 'Model integrity',
        text: 'The model’s file has a digest, and a Sigstore bundle shows who signed it. It counts as verified only if the signer was shown to be the provider’s own.',
      },
    ],
    later:
      'Trusted execution environments could show which program is running on which hardware. We plan to add that check.',
  },
  limits: {
    heading: 'What it does not do',
    text: 'It does not rate answers, look inside the provider’s servers, or recommend anyone. A link can be copied, so ask for one in your own chat and compare the phrase you gave.',
  },
  security: {
    heading: 'Security',
    keeps: {
      heading: 'What we store',
      items: [
        'API keys, sessions and links: hashes, or the data they are derived from, never the secrets themselves.',
        'Passwords: argon2id hashes.',
        'Prompts and answers that a provider attaches to a link: only their SHA-256 digests.',
        'Signing keys: encrypted. They are rotated. If a key leaks, we revoke it at once, and its links are no longer valid.',
        'Every change to a provider, model, deployment or key is recorded in an audit log. When an account is deleted, only the names in it are removed.',
      ],
    },
    report: {
      heading: 'How to report a vulnerability',
      text: (address: string) =>
        `Write to ${address} with “Security” in the subject: what you found, and how to reproduce it. Please give us time to fix it before you publish, leave other people’s data alone, and do not overload the service.`,
      link: 'Write to us',
    },
    threats: 'The documentation describes which attacks a link withstands and which it does not.',
    docs: 'Read about trust levels',
    incidents:
      'To report a model, use “Report an Issue” on its page or on the page of its link. To report a provider that impersonates another, write to us.',
  },
  actions: { home: 'Back to Home', browse: 'Browse Models', docs: 'Read Documentation' },
} as const
