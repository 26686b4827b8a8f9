/** `/privacy`. Every sentence describes what the program does: change both together. */
export const privacy = {
  title: 'Privacy policy',
  heading: 'Privacy policy',
  intro: (host: string) => `What the registry at ${host} stores about you, why, for how long, and who sees it.`,
  sections: [
    {
      heading: 'Information We Collect',
      groups: [
        {
          name: 'If you visit',
          items: [
            'There is no tracking, no advertising and no analytics, and this site loads nothing from other sites.',
            'We use your network address while we answer a request, to limit how many requests one network can make. These counts are stored under a hash of the network and expire with the limit. Logs name the kind of request, never your address or what you typed.',
            'When a verification link has been open for two seconds, it counts as opened once. To count each network once a day per provider, we keep a keyed hash of network, provider and day until a later day.',
            'Text that you paste to compare an answer stays in your browser.',
          ],
        },
        {
          name: 'If you report an issue',
          items: [
            'What you write, the URLs you add, and your email address if you give one. The provider you report sees all of it; leave out the email address to stay anonymous. If your program sends a fingerprint, we store only a keyed hash of it.',
          ],
        },
        {
          name: 'If you register as a provider',
          items: [
            'Your email address, company name and website, and anything else you add to your profile.',
            'Your password as an argon2id hash. If you sign in with GitHub or Google: your account’s ID there, and the email address they verified.',
            'Your models, deployments, API keys (as hashes), and what you changed and when.',
            'Sessions (as hashes), with your browser’s name, when they began and when they were last used.',
            'When you sign in with a password: a hash of your network and email address, for 30 days, so that other people’s attempts to sign in don’t slow you down.',
            'Emails to you, for 30 days after they were sent.',
          ],
        },
        {
          name: 'In the chat with an AI',
          items: [
            'We are not part of the chat. A provider may attach a prompt and an answer to a link: we store only their SHA-256 digests. A user fingerprint is stored only as a hash keyed with that provider’s secret, so that providers cannot compare theirs.',
            'A phrase you gave the AI appears in the link’s record if the AI passed it on. Details that a provider adds to a link for itself are shown only to that provider. Links and all data attached to them are deleted 30 days after they expire, unless this registry’s operator has set another period.',
          ],
        },
      ],
    },
    {
      heading: 'How We Use Your Information',
      items: [
        'To answer your requests, show public entries, and sign links.',
        'To email you about your account: confirmation, password resets, changes that affect its security, and notifications, which you can switch off.',
        'To look into reports, and to protect the service from overload and misuse.',
        'For nothing else. We build no profile of you.',
      ],
    },
    {
      heading: 'Information Sharing',
      items: [
        'Public profiles and public models are public. We show a contact address only if you state a support address, and never your account’s email address.',
        'A report goes to the provider it is about, with your email address if you gave one.',
        'We contact other services only when a provider asks for it: DNS and the provider’s website to prove a domain, its endpoint for monitoring, the model hub for a model’s card, the URL of a signed bundle or logo, and GitHub or Google for signing in.',
        'This registry’s operator sends emails through their own server. We sell nothing and share nothing for advertising.',
      ],
    },
    {
      heading: 'Data Security',
      items: [
        'Secrets are stored as hashes, and signing keys are encrypted. API keys are shown once.',
        'Your browser stores your session (it expires after 12 hours without use, and after 7 days in any case) and your choice of light or dark theme. A cookie ties a registration or sign-in to your browser until it is complete. Nothing else is stored there.',
        'Changes are recorded in an audit log. If you delete your account, personal data is erased at once, the log is kept without names, and your email address and domain can be used again. Your models’ links stop being valid at once and are deleted with all other expired links. Until then, the domain that they named stays stored, so that they can be reported.',
      ],
    },
  ],
  contact: {
    heading: 'Contact Us',
    text: 'Ask what we store about you, or have it corrected or erased. You can delete your account yourself in the settings.',
    link: 'Write to us',
  },
  home: 'Back to Home',
} as const
