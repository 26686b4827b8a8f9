import type { Incident } from '@countersign/sdk/contract'

/** Reporting a model. */
export const report = {
  heading: 'Report an Issue',
  about: 'The provider reads the report and can answer it.',
  aboutVerified: 'It is sent with the link on this page, which shows that the model was really used: such a report weighs more.',
  category: 'Category',
  choose: 'Choose a category',
  categories: {
    harmful_content: 'Malicious or harmful content',
    technical_error: 'Technical error',
    impersonation: 'Impersonation',
    privacy_violation: 'Privacy violation',
    other: 'Other',
  } satisfies Record<Incident['category'], string>,
  impersonation:
    'The provider of this model reads your report. If you think that the provider is the impostor, also write to those who run this registry:',
  severity: 'Severity',
  severities: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' } satisfies Record<Incident['severity'], string>,
  title: 'Title',
  titleHint: 'In a few words.',
  description: 'Description',
  descriptionHint: 'What happened, and what you expected. Leave out passwords and other people’s personal data.',
  referenceUrl: 'Reference URL',
  referenceUrlHint: 'Where more can be read.',
  email: 'Your e-mail address',
  emailHint: 'The provider sees it. You are told when the report is resolved.',
  submit: 'Submit report',
  submitting: 'Submitting…',
  incomplete: 'Choose a category and fill in title and description to submit.',
  thanks: 'Thank you for your report! We will investigate this issue and take appropriate action.',
  reported: 'Issue reported successfully',
  failed: 'Failed to submit report. Please try again.',
} as const
