import { expect, it } from 'vitest'
import { platformOf } from './platforms.ts'

const cluster = 'id/0123456789ABCDEF0123456789ABCDEF'

it('a platform is named by the addresses of its issuers', () => {
  for (const region of ['eu-west-1', 'ap-southeast-7', 'us-gov-east-1', 'us-isob-east-1'])
    expect(platformOf(`https://oidc.eks.${region}.amazonaws.com/${cluster}`)).toBe('Amazon EKS')
  expect(platformOf('https://accounts.google.com')).toBe('Google Cloud')
})

it.each([
  [
    `https://oidc.eks.eu-west-1.amazonaws.com.rival.example/${cluster}`,
    'oidc.eks.eu-west-1.amazonaws.com.rival.example',
  ],
  [`https://oidc.eks.s3.amazonaws.com/${cluster}`, 'oidc.eks.s3.amazonaws.com'],
  [`https://oidc.eks.s3-eu-west-1.amazonaws.com/${cluster}`, 'oidc.eks.s3-eu-west-1.amazonaws.com'],
  [`https://oidc.eks.s3-website-us-east-1.amazonaws.com/${cluster}`, 'oidc.eks.s3-website-us-east-1.amazonaws.com'],
  [`https://rival.example/oidc.eks.eu-west-1.amazonaws.com/${cluster}`, 'rival.example'],
  [`https://oidc.eks.rival.example/amazonaws.com/${cluster}`, 'oidc.eks.rival.example'],
  ['https://accounts.google.com/rival', 'accounts.google.com'],
  ['https://gitlab.com.rival.example', 'gitlab.com.rival.example'],
  ['http://token.actions.githubusercontent.com', 'token.actions.githubusercontent.com'],
])('any other issuer is named by its host: %s', (issuer, host) => {
  expect(platformOf(issuer)).toBe(host)
})
