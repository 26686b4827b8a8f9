/** The question for a passkey before a dangerous change. */
export const presence = {
  title: 'Confirm that it is you',
  about: 'This change is protected. Use your passkey; the change is then made.',
  confirm: 'Use passkey',
  confirming: 'Confirming…',
  code: 'Recovery code',
  useCode: 'Use a recovery code',
  appCode: 'Code from your authenticator app',
  useApp: 'Use your authenticator app',
  confirmCode: 'Use code',
  cancel: 'Cancel',
  declined: 'The passkey was not used. Try again.',
  elsewhere: 'Passkeys don’t work at this address. Open the registry at its public address.',
}
