/** The dialog in which a report is answered. */
export const respondIncident = {
  title: 'Respond to Incident',
  status: 'Status',
  statuses: { investigating: 'Investigating', resolved: 'Resolved', dismissed: 'Dismissed' },
  hints: {
    investigating: 'You are looking into it. From now on the report counts in the model’s public numbers.',
    resolved: 'Final. A reporter who left an e-mail address is sent your message.',
    dismissed: 'Final. There is nothing to it; it does not count in public numbers.',
  },
  response: 'Response message',
  responseHint: 'Resolving needs one.',
  submit: 'Submit Response',
  submitting: 'Submitting…',
  done: 'Incident response submitted successfully',
  failed: 'Failed to submit response',
  closed: (status: string) => `This incident is ${status}. That is final: it takes no other answer.`,
  closedElsewhere: 'It was answered in another place meanwhile. What you wrote was not sent:',
  copy: 'your message',
  failedToLoad: 'The incident could not be loaded',
  loading: 'Loading the incident…',
} as const
