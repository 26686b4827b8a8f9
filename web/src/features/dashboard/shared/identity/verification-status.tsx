import type { Provider } from '@countersign/sdk/contract'
import { profileSection } from '#messages/dashboard/profile.ts'
import { site } from '#messages/site.ts'
import { useMay } from '../../../../data/role.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { StatusChip, type Tone } from '../../../../ui/values/status-chip.tsx'
import { type Proven, provenOf } from './standing.ts'

const words = profileSection.verification
const tones: Record<Proven, Tone> = { domain: 'ok', email: 'warn', nothing: 'unk', unregistered: 'warn' }

export interface VerifyActions {
  email: () => void
  domain: () => void
}

/** What was proven, what it means, and the next step. */
export const VerificationStatus = ({ provider, onVerify }: { provider: Provider; onVerify: VerifyActions }) => {
  const proven = provenOf(provider)
  const may = useMay()
  const { badge, tip } = words.states[proven]
  const { domain_verification_method: method, domain_verified_at: at } = provider
  return (
    <div className="grid justify-items-start gap-2 text-small">
      <StatusChip tone={tones[proven]}>{badge}</StatusChip>
      <p className="text-muted">
        {tip}
        {proven === 'domain' && method !== null && at !== null && `. ${words.provenBy(site.domainMethods[method], at)}`}
      </p>
      {proven === 'nothing' && may('auth.sendVerification') && (
        <Button onClick={onVerify.email}>{words.verifyEmail}</Button>
      )}
      {proven === 'email' && may('providers.verifyDomain') && (
        <Button onClick={onVerify.domain}>{words.verifyDomain}</Button>
      )}
    </div>
  )
}
