/** What this is and how it is run. */
export const about = {
  title: 'About',
  heading: 'About Countersign',
  intro:
    'Countersign is SSL for AI. Anyone can say that they are a certain model; here a provider proves who it is, and its model proves in the chat that it speaks for that provider.',
  idea: {
    heading: 'The idea',
    paragraphs: [
      'A countersign is the answer that a guard gets to a challenge. You challenge the AI, it answers with a link, and the link leads to a record on this site: who vouches for what, checked when, and for how long it counts.',
      'The record shows the verified domain first, because names are free and domains are not. It also says what was not checked, because a check that promises too much protects nobody.',
    ],
  },
  pillars: {
    heading: 'Three pillars',
    items: [
      {
        name: 'Provider identity',
        text: 'The provider has shown a mailbox at its domain, a DNS record, or a file on its website. One provider holds a domain at a time.',
      },
      {
        name: 'Deployment authorization',
        text: 'A server proves by mutual TLS that it holds a key, and the provider has authorized that key for the model. Without such proof a link says so.',
      },
      {
        name: 'Model integrity',
        text: 'The model’s file has a digest, and a Sigstore bundle shows who signed it. It counts as verified only if the provider had declared that signer.',
      },
    ],
    later:
      'Which program runs on which hardware at this moment could be shown by trusted execution environments. That check is planned and not there today.',
  },
  limits: {
    heading: 'What it does not do',
    text: 'It does not rate answers, does not look into the provider’s servers, and does not recommend anyone. A link can be copied, so ask for one in your own chat and compare the phrase you gave.',
  },
  security: {
    heading: 'Security',
    keeps: {
      heading: 'What is kept',
      items: [
        'Of API keys, sessions and links: hashes or what they follow from, never the secrets themselves.',
        'Of passwords: argon2id hashes.',
        'Of prompts and answers that a provider attaches to a link: only their SHA-256.',
        'Signing keys: encrypted. They are rotated, and a key that leaked is withdrawn at once; its links stop counting.',
        'Every change to a provider, model, deployment or key leaves a row in a trail. Only the names in it go, when an account is deleted.',
      ],
    },
    report: {
      heading: 'How to report a vulnerability',
      text: (address: string) =>
        `Write to ${address} with “Security” in the subject: what you found, and how it can be repeated. Please give us time to mend it before you publish, do not touch the data of others, and do not load the service until it fails.`,
      link: 'Write to us',
    },
    threats: 'What a link withstands and what it does not is part of the documentation.',
    docs: 'Read about trust levels',
    incidents:
      'To report a model, use “Report an Issue” on its page or on the page of its link. Of a provider that pretends to be another, write to us.',
  },
  actions: { home: 'Back to Home', browse: 'Browse Models', docs: 'Read Documentation' },
} as const
