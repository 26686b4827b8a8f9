/** Where providers begin. */
export const verifyModel = {
  title: 'Verify your model',
  heading: 'Verify your model',
  intro: 'Register a model, and from then on it can prove to anyone who runs it.',
  existing: {
    heading: 'Existing Provider',
    text: 'You have an account. Register a model, or a new version of one.',
    action: 'Register a model',
  },
  new: {
    heading: 'New Provider',
    text: 'Register your company first. A mail proves your address; after it you make your API key in the settings of the dashboard. The verified domain makes your links count.',
    action: 'Register as provider',
  },
  how: {
    heading: 'How it works',
    steps: [
      {
        name: 'Prove who you are',
        text: 'Confirm your e-mail address, and prove your domain by that address, a DNS record or a file on your website.',
      },
      {
        name: 'Register the model',
        text: 'State its endpoint and the digest of its file. Sign the file, and register the deployments that may speak for it, if you can.',
      },
      {
        name: 'Answer with a link',
        text: 'Whenever somebody asks your model for proof, your program asks for a link and the model passes it on.',
      },
    ],
  },
  docs: 'Read the quick start',
} as const
