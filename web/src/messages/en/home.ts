/** The landing page. */
export const home = {
  title: 'Countersign: find out which AI model you are talking to',
  heading: 'Find out which AI model you are talking to.',
  intro:
    'Companies register their models here and prove that they control their domain. When you ask a registered model for proof, it gives you a link to a record on this site.',
  example: {
    label: 'Example conversation',
    question: 'Can you prove which model you are?',
    answer: 'I am Atlas Chat, run by northwind.example. Check it here, the link works for 15 minutes:',
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
      { name: 'Open the link on this site', text: 'Look at the address bar, or type the code above. Links work for 15 minutes.' },
      {
        name: 'Read what was checked',
        text: 'Who runs it, which version and file, and when. The record also says what was not checked.',
      },
    ],
  },
  limits: {
    heading: 'What we check, and what we do not',
    checked: 'Checked',
    notChecked: 'Not checked',
    does: [
      'That the link was issued here, for this model, within the last 15 minutes',
      'That the provider controls the domain shown',
      'Which deployment asked for the link, and whether it proved its key',
      'That nothing was withdrawn since: model, deployment, provider or key',
    ],
    doesNot: [
      'Whether the answers are true, safe or unbiased',
      'Who forwarded the link to you: anyone who has it can copy it',
      'What happens inside the provider’s servers',
      'Whether you should trust the company',
    ],
  },
  providers: {
    heading: 'For providers',
    text: 'Register, prove your domain, and give your model a tool that answers with a link. It takes one program and four commands.',
    reference: 'Read the API reference',
  },
} as const
