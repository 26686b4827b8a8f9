import type { Incident } from '@countersign/sdk/contract'

/** Reporting a model. */
export const report = {
  heading: 'Report an Issue',
  about: 'The provider can read the report and reply.',
  aboutVerified: 'It is sent with the link on this page. Such reports count for more.',
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
    'The provider of this model can read your report. If you think the provider is the impostor, also write to the operator of this registry:',
  severity: 'Severity',
  severities: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' } satisfies Record<
    Incident['severity'],
    string
  >,
  title: 'Title',
  titleHint: 'A few words.',
  description: 'Description',
  descriptionHint: 'What happened, and what you expected. Leave out passwords and other people’s personal data.',
  referenceUrl: 'Reference URL',
  referenceUrlHint: 'A page with more information.',
  email: 'Your email address',
  emailHint: 'The provider sees it. We email you when they mark the report as resolved.',
  submit: 'Submit report',
  submitting: 'Submitting…',
  incomplete: 'To submit, choose a category and enter a title and a description.',
  thanks: 'Thank you for your report! We will investigate this issue and take appropriate action.',
  reported: 'Issue reported successfully',
  failed: 'Failed to submit report. Please try again.',
} as const
