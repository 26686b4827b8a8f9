/** What this product keeps of people. Every sentence is about what the program does: change both together. */
export const privacy = {
  title: 'Privacy policy',
  heading: 'Privacy policy',
  intro: (host: string) => `What the registry at ${host} keeps of you, why, for how long, and who sees it.`,
  sections: [
    {
      heading: 'Information We Collect',
      groups: [
        {
          name: 'If you visit',
          items: [
            'There is no tracking, no advertising and no analytics, and this site loads nothing from other sites.',
            'Your network address is used while a request is answered, to limit how often one network may ask. Such counts are kept under a hash of the network and expire with the limit they belong to. Logs name the kind of request, never your address or what you typed.',
            'When a verification link has been open for two seconds, it counts as opened once. So that one network counts once a day for a provider, a keyed hash of network, provider and day is kept until a later day.',
            'Text that you paste to compare an answer stays in your browser.',
          ],
        },
        {
          name: 'If you report an issue',
          items: [
            'What you write, the addresses you add, and your e-mail address if you give one. The provider that you report sees all of it: leave the e-mail address out to stay unnamed. A fingerprint that your program sends is kept only as a keyed hash.',
          ],
        },
        {
          name: 'If you register as a provider',
          items: [
            'Your e-mail address, company name and website, and what else you put into your profile.',
            'Your password as an argon2id hash. If you sign in by GitHub or Google: the account’s identifier there, and the address that they verified.',
            'Your models, deployments, API keys (as hashes), and what you changed and when.',
            'Sessions (as hashes), with the name of your browser, when they began and when they were last used.',
            'Mails to you, for 30 days after they were sent.',
          ],
        },
        {
          name: 'In the chat with an AI',
          items: [
            'We are not part of it. A provider may attach a prompt and an answer to a link: we keep only their SHA-256. A fingerprint of the user is kept only as a keyed hash with a secret of that provider, so that two providers cannot compare theirs.',
            'A phrase that you gave the AI stands in the link’s record if the AI passed it on. Details that a provider adds to a link for itself are shown to that provider alone. Links and all that belongs to them are deleted 30 days after they ended.',
          ],
        },
      ],
    },
    {
      heading: 'How We Use Your Information',
      items: [
        'To answer what you ask, to show what is public, and to sign links.',
        'To send mails about your account: confirmation, a new password, changes that touch its safety, and the notifications that you can switch off.',
        'To look into reports, and to keep the service from being overrun or misused.',
        'For nothing else. There is no profile of you.',
      ],
    },
    {
      heading: 'Information Sharing',
      items: [
        'Public profiles and public models are public. A contact address is shown only if you state a support address; the address of your account never is.',
        'A report reaches the provider that it is about, with your e-mail address if you gave one.',
        'Other services are asked only where a provider wants it: DNS and the provider’s website for proof of a domain, its endpoint for monitoring, the model hub for a model’s card, the address of a signed bundle or a logo, GitHub or Google to sign in.',
        'Mails leave by the mail server of whoever runs this registry. Nothing is sold, and nothing is passed on for advertising.',
      ],
    },
    {
      heading: 'Data Security',
      items: [
        'Secrets are kept as hashes, and signing keys encrypted. API keys are shown once.',
        'The browser keeps what signs you in (it ends after 12 hours without use, and after 7 days in any case) and your choice of light or dark. A cookie ties a registration or a sign-in to your browser until it is done. Nothing else is stored there.',
        'Changes leave a trail. If you delete your account, personal data is erased at once and the trail stays without names; your address and your domain are free again. Links of your models, which then count no more, go with their 30 days.',
      ],
    },
  ],
  contact: {
    heading: 'Contact Us',
    text: 'Ask what is kept of you, have it corrected, or have it erased. You can delete your account yourself in its settings.',
    link: 'Write to us',
  },
  home: 'Back to Home',
} as const
