import { quote } from '@countersign/sdk/words'

/** The landing page. */
export const home = {
  title: 'Countersign: see which company vouches for an AI',
  heading: 'See which company vouches for an AI.',
  intro:
    'Verification in real time: companies prove their domains and register their models here. Ask a model for proof, and its link shows who requested it, for which model, and how far that is proven.',
  find: {
    label: 'Check a link, or find a model or provider',
    submit: 'Find',
    hint: (host: string) =>
      `A link or code from your chat (${host}/v/…), a name, a domain, or the digest of a model file.`,
  },
  actions: {
    browse: 'Browse models',
    providers: 'Search providers',
    samples: 'See sample results',
  },
  example: {
    open: 'Try the demo chat',
    question: 'Can you prove which model you are?',
    answer: 'I am Atlas Chat. See here who vouches for me; the link works for 15 minutes:',
    model: 'Atlas Chat 2.1.0',
    provider: 'Registered by northwind.example, Northwind AI',
    note: 'Example conversation. The strip is drawn from the SHA-256 digest of the model file.',
  },
  how: {
    heading: 'How a check works',
    steps: [
      {
        name: 'Ask the AI for proof',
        text: 'Type “prove which model you are”, and add a phrase of your own. A registered model answers with a link.',
      },
      {
        name: 'Open the link on this site',
        text: 'The AI gives you a verification link. Look at the address bar, or type the code above. Links work for 15 minutes.',
      },
      {
        name: 'Read what was checked',
        text: 'Which provider and how thoroughly it was checked, which server, which model file, and when. The record also says what was not checked.',
      },
    ],
  },
  pillars: {
    heading: 'SSL for AI',
    text: 'A browser’s address bar tells you whose website you are on. A link shows you which company vouches for it, with three checks.',
    items: [
      {
        name: 'Provider identity',
        text: 'A provider proves its email address and its domain. The verified domain is its identity; a company name alone never is.',
      },
      {
        name: 'Deployment authorization',
        text: 'A server proves its key, or its platform vouches for it, and its provider has authorized it for the model.',
      },
      {
        name: 'Model integrity',
        text: 'The digest of the model file is registered, and a signed artifact shows that the provider’s own proven signer vouched for it.',
      },
    ],
    later: 'A check of what is running right now, with trusted execution hardware, may come later.',
  },
  limits: {
    heading: 'What we check, and what we do not',
    checked: 'Checked',
    notChecked: 'Not checked',
    does: [
      'That this registry made the link, for this model, within the last 15 minutes',
      'That the provider controls the domain shown',
      'Which server requested the link, and whether it proved its key',
      'That the model, server, provider and key have not been withdrawn since',
    ],
    doesNot: [
      'Whether the answers are true, safe or unbiased',
      'Who forwarded the link to you: anyone can copy it',
      'What happens inside the provider’s servers',
      'Whether you should trust the company',
    ],
  },
  providers: {
    heading: 'For providers',
    text: 'Register, prove your domain, and give your model a tool that answers with a link. It takes one program and four commands.',
    verify: 'Verify your model',
    register: 'Register as provider',
    docs: 'View API docs',
  },
  sample: {
    heading: 'From the registry',
    model: (name: string, version: string) => quote(`${name} ${version}`),
    registeredBy: 'Registered by',
    demo: 'Sample data',
    when: (day: string) => `Registered by this account on ${day}`,
    note: 'Chosen by the operator of this registry, or sample data. An entry is not a verification: a link from your own chat shows which company vouches for it.',
    open: 'View the entry',
  },
} as const
