import { expect, it } from 'vitest'
import { account } from './account.ts'

const spoken = JSON.stringify(account)

it.each([
  'Authentication Required',
  'Verify Your Email',
  'Check Your Email',
  'Login successful!',
  'Registration successful! Check your email to verify your account and finish dashboard setup.',
  'OAuth flow not properly configured. Please contact support.',
  'Invalid authentication response',
  'Authentication successful!',
  'Account linked successfully!',
  'Verifying email...',
  'Email verified successfully',
  'Email verification failed.',
  'Verification failed',
  'Back to login',
  'Invalid verification link',
  'Email verified successfully!',
  'Password set successfully!',
  'Please enter a password',
  'Failed to set password.',
  'Continue with Password',
  'Setting up...',
  'Or continue with',
  'Create a password',
  'Please complete authentication first',
  'Failed to send verification email. Please try again.',
  'Connection failed. API service may be temporarily unavailable. Please try again later.',
  'Registration failed. Please check your connection and try again.',
  'Registration successful! Please save your API key.',
  'Authentication email sent! Please check your inbox and follow the instructions to complete your registration.',
  'Authenticate Now',
  'Generate API Key',
  'Back to Edit Details',
  'Full verification complete!',
  'Email verified (domain mismatch)',
  'Go to Dashboard',
  'Profile updated successfully!',
  'Failed to update profile',
])('says “%s” word for word', (words) => {
  expect(spoken).toContain(`"${words}"`)
})

it.each([
  [account.login.failed('why'), 'Login failed: why'],
  [account.signUp.failed('why'), 'Registration failed: why'],
  [account.callback.failed('why'), 'Authentication failed: why'],
  [account.failed.authentication(502), 'Authentication failed (502)'],
  [account.failed.registration(502), 'Registration failed (502)'],
  [account.failed.sendVerification(502), 'Failed to send verification email (502)'],
  [account.failed.emailVerification(502), 'Email verification failed (502)'],
  [account.failed.setPassword(502), 'Failed to set password (502)'],
])('says “%s”', (spoken, expected) => {
  expect(spoken).toBe(expected)
})
