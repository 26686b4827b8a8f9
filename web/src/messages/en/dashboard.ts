/** The provider area. */
export const dashboard = {
  title: 'Dashboard',
  heading: 'Dashboard',
  domainProven: (domain: string) => `Your domain ${domain} is verified.`,
  domainNotProven: (domain: string) =>
    `Nobody can see yet that ${domain} is yours: publish this DNS record, then run the command. Until then links of your models are not shown as verified.`,
  record: { name: 'Name', type: 'Type', value: 'Value' },
  commandsHeading: 'On the command line',
  commandsText: 'The command line does everything that the registry offers.',
  commandsWhat: 'the commands',
  profile: 'See your public profile',

  registerModel: {
    title: 'Register a model',
    heading: 'Register a model',
    text: 'The command line reads the model where it lies, and sends its digest and the names of its files, nothing of what is in them.',
    signIn: 'Sign in on the machine where the model is',
    signInText: 'It asks for an API key of yours and keeps it for this registry alone.',
    register: 'Register the file or the folder',
    registerText: 'It asks for what it needs to know. The same command with --help lists everything that can be said of a model.',
    what: 'the command',
    docs: 'All ways to register a model',
    back: 'Back to the dashboard',
  },
} as const
