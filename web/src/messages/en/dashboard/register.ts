/** Words of the page on which a model is registered. */
export const register = {
  title: 'Register a model',
  heading: 'Register a model',
  status: 'The registry keeps what you say of it, and its digest. Its files stay with you.',
  back: 'Back',
  for: 'Registering model for',
  verified: 'Provider verified',
  notVerified: 'Your domain is not verified yet. You can register models; their links say that nobody has checked who you are.',
  toVerify: 'Verify your domain',
  versionSection: 'Version & Monitoring Settings',
  showAdvanced: 'Show Advanced Details',
  hideAdvanced: 'Hide Advanced Details',
  shortName: 'Model name must be at least 2 characters',
  conflict: (identifier: string, version: string) =>
    `A model with identifier "${identifier}" already exists. Current version: ${version}. Check "Force New Version" to create a new version that supersedes the existing one.`,
  failed: (why: string) => `Registration failed: ${why}`,
  failedUnknown: 'Failed to register model. Please try again.',

  hub: {
    heading: 'Import from a model hub',
    text: 'Is the model on the hub? Its name, description and links are filled in from there; fields that you filled stay as they are.',
    label: 'Model id on the hub',
    hint: 'Such as acme/atlas. Your browser asks the hub; the registry does not.',
    fetch: 'Fetch Model Info',
    fetching: 'Fetching…',
    loaded: 'Model info loaded from HuggingFace',
    failed: 'Failed to fetch model info from HuggingFace',
    error: 'Error fetching from HuggingFace',
    filled: (labels: string) => `Filled in from the hub: ${labels}.`,
    nothing: 'The hub tells nothing that you have not filled in already.',
    why: {
      name: 'This is no id of the hub. It is an owner and a name, such as acme/atlas.',
      missing: 'The hub shows everyone no such model. It may be private there, or the name be another.',
      gated: 'The model is gated on the hub: what is not shown to everyone is not read.',
      strange: 'What the hub tells of it is not understood.',
      silent: 'The hub does not answer right now. Try again, or fill in the form yourself.',
    },
    privateThere: 'It is private on the hub. What you register is public, unless you switch that off below.',
  },

  command: {
    heading: 'The same on the command line',
    text: 'This line registers what stands above.',
    what: 'the command',
  },
  edit: { title: 'Edit Model', heading: 'Edit Model' },
} as const
