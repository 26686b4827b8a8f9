/** The page behind the email to an old address. */
export const restoreAddress = {
  title: 'Take back your address',
  text: 'Someone changed the email address of your account. If it wasn’t you, take the change back. All sessions end, connected services are disconnected, and you choose a new password.',
  invalid: 'This link is no longer valid. It works once, within 72 hours.',
  restore: 'Take it back',
  restoring: 'Restoring…',
  done: 'Your address was restored',
}
