import { quote } from '@countersign/sdk/words'

/** `/chat` */
export const chat = {
  title: 'Demo chat',
  heading: 'Demo chat',
  simulation: 'Simulation',
  about:
    'No model answers here, and nothing you type leaves this page. The chat shows how a registered model gives its verification link when you ask who it is.',
  loading: 'Loading models',
  model: 'Model',
  modelHint: 'Active public models. This site makes up what they say here.',
  option: (model: string, provider: string) => `${provider}: ${quote(model)}`,
  unproven: (name: string) => `${name} (not verified)`,
  unnamed: 'a company without a name',
  log: 'Conversation',
  greeting: 'Ask “Who are you?” to see how a model gives its link.',
  you: 'You',
  replies: (model: string) => `Simulated reply of ${quote(model)}`,
  typing: 'Writing a simulated reply…',
  label: 'Your message',
  send: 'Send',
  empty: 'Type a message first.',
  suggestions: 'Try',
  questions: ['Who are you?', 'Which model am I talking to?', 'What is the capital of Norway?'],
  /** Questions that a model answers with its link. */
  asksWho:
    /\b(who|what)('s| are| r| is)? (you|u|this)\b|\b(which|what)( \w+)? (model|ai|llm|version|company)\b|\byour (name|identity|provider)\b|\bidentify yourself\b|\bintroduce yourself\b|\b(prove|proof|verify|verification)\b|\bwho('s| is)? (behind|made|built|trained|runs|created|owns) (you|this)\b|\bam i (talking|speaking|chatting) (to|with)\b|\bare you (real|really|an? (ai|llm|bot|robot|model)|(chat)?gpt|claude|gemini|llama|mistral)\b/i,
  whoAmI: (model: string, provider: string) => `I am ${model}, registered by ${provider}. Check it here:`,
  whoAmIUnproven: (model: string) =>
    `I am registered here as ${model}. No one has checked who registered me. See for yourself:`,
  link: 'Open my verification link',
  linkNote:
    'Simulated: a real link opens a page that lists what was checked, works for 15 minutes, and can contain a phrase you gave.',
  samples: 'See what such a page can show',
  canned: 'This is a demonstration, so I can only show how a model gives its link. Ask me who I am.',
  none: 'No models to talk to yet',
  noneText: 'The registry has no active public model. Register one, and it appears here.',
  register: 'Register a model',
  checkReal: 'Check a real link',
} as const
