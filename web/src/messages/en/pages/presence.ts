/** The question for a passkey or code before a dangerous change. */
export const presence = {
  title: 'Confirm that it is you',
  about: {
    passkey: 'This change is protected. Use your passkey to make it.',
    app: 'This change is protected. Enter a code from your authenticator app to make it.',
    recovery: 'This change is protected. Enter one of your recovery codes to make it. Each works once.',
  },
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
