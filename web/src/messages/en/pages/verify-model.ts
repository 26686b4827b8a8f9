/** `/verify-model` */
export const verifyModel = {
  title: 'Verify your model',
  heading: 'Verify your model',
  intro: 'Register a model, and its links show anyone which company vouches for it.',
  existing: {
    heading: 'Existing Provider',
    text: 'Already have an account? Register a model or a new version.',
    action: 'Register a model',
  },
  new: {
    heading: 'New Provider',
    text: 'Register your company first. Confirm your email address, then create your API key in the dashboard settings. Your links name your domain once it is proven.',
    action: 'Register as provider',
  },
  how: {
    heading: 'How it works',
    steps: [
      {
        name: 'Prove who you are',
        text: 'Confirm your email address, and prove your domain with a DNS record or a file on your website.',
      },
      {
        name: 'Register the model',
        text: 'State its endpoint and the digest of its file. If you can, sign the file and register the deployments that may request links for it.',
      },
      {
        name: 'Answer with a link',
        text: 'When someone asks your model for proof, your program requests a link and the model passes it on.',
      },
    ],
  },
  docs: 'Read the quick start',
} as const
