/** `/dashboard/models/register` */
export const register = {
  title: 'Register a model',
  heading: 'Register a model',
  status: 'The registry stores the model’s description and digest, never its files.',
  back: 'Back',
  for: 'Registering model for',
  verified: 'Provider verified',
  notVerified:
    'Your domain is not verified yet. You can register models, but their links say that no one has checked who you are.',
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
    text: 'If the model is on the hub, its name, description and links are filled in from there. Fields you have filled in stay as they are.',
    label: 'Model ID on the hub',
    hint: 'Such as acme/atlas. Your browser contacts the hub; the registry does not.',
    fetch: 'Fetch Model Info',
    fetching: 'Fetching…',
    loaded: 'Model info loaded from HuggingFace',
    failed: 'Failed to fetch model info from HuggingFace',
    error: 'Error fetching from HuggingFace',
    filled: (labels: string) => `Filled in from the hub: ${labels}.`,
    nothing: 'The hub has nothing that you haven’t already filled in.',
    why: {
      name: 'This is not a hub ID. Enter an owner and a name, such as acme/atlas.',
      missing: 'The hub has no public model with this ID. It may be private, or the name may differ.',
      gated: 'The model is gated on the hub, so its data can’t be read.',
      strange: 'The hub’s response could not be read.',
      silent: 'The hub is not responding. Try again, or fill in the form yourself.',
    },
    privateThere: 'The model is private on the hub. Your registration will be public unless you change that below.',
  },

  command: {
    heading: 'Command line',
    text: 'This command registers the model as entered above.',
    what: 'the command',
  },
  edit: { title: 'Edit Model', heading: 'Edit Model' },
} as const
