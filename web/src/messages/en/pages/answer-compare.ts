/** Comparing an attached answer, on the link page. Apart from its other words, because few links have an answer. */
export const answerCompare = {
  byProvider: (provider: string) =>
    `${provider} attached an answer to this link. Paste the answer you received to see whether it matches. Spaces at the start and end don’t matter. The text stays in your browser.`,
  byBearer:
    'Someone who had the link attached a text, which may not come from the provider. Paste the answer you received to see whether it matches. Spaces at the start and end don’t matter. The text stays in your browser.',
  label: 'Answer from your chat',
  compare: 'Compare',
  empty: 'Paste the answer first.',
  unable: 'Your browser can only compare it on a secure page. Open this page over https.',
  match: {
    provider: (provider: string) => `The text is the same. ${provider} attached this answer.`,
    bearer: 'The text is the same. Someone who had the link attached it, which does not show that the model wrote it.',
  },
  mismatch:
    'The text is different. A single character is enough: copy the whole answer and nothing else, then compare again. If it still differs, do not take the link as proof of that answer.',
} as const
