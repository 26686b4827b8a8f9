/** Leaving a form whose changes were not saved. */
export const unsaved = {
  heading: 'Leave without saving?',
  text: 'You have unsaved changes. They will be lost if you leave.',
  leave: 'Leave without saving',
  stay: 'Stay here',
} as const
