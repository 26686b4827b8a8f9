/** The dialog that answers a report. */
export const respondIncident = {
  title: 'Respond to Incident',
  status: 'Status',
  statuses: { investigating: 'Investigating', resolved: 'Resolved', dismissed: 'Dismissed' },
  hints: {
    investigating: 'You are looking into it. The report now counts in the model’s public numbers.',
    resolved: 'Final. If the reporter left an email address, your message is sent to them.',
    dismissed: 'Final. The report is unfounded. If it is in the public numbers, it stays there, as dismissed by you.',
  },
  response: 'Response message',
  responseHint: 'Required to resolve.',
  submit: 'Submit Response',
  submitting: 'Submitting…',
  done: 'Incident response submitted successfully',
  failed: 'Failed to submit response',
  closed: (status: string) => `This incident is ${status}. That is final; you can’t reply again.`,
  closedElsewhere: 'Someone else replied in the meantime. Your message was not sent:',
  copy: 'your message',
  failedToLoad: 'The incident could not be loaded',
  loading: 'Loading the incident…',
} as const
