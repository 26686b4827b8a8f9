/** The page behind the email about a change that takes effect later. */
export const undoChange = {
  title: 'Undo a change',
  text: 'A change to your company takes effect soon. The email says which one, and who asked for it. If it is wrong, undo it: everything stays as it is, and all owners are emailed.',
  invalid: 'This link is no longer valid: the change took effect or was already cancelled.',
  undo: 'Undo it',
  undoing: 'Undoing…',
  done: 'The change was cancelled. Nothing has changed.',
  next: 'Then end the sessions of the person who asked for it, or revoke the key.',
}
