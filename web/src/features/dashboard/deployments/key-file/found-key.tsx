import { registerDeployment } from '#messages/dashboard/register-deployment.ts'
import { formatTime } from '#messages/site.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { FactRow, FactRows } from '../../../../ui/layout/facts.tsx'
import type { FoundKey as Found } from './key-file.ts'

const words = registerDeployment.found

interface FoundKeyProps {
  found: Found
  /** The registry would reject its SPIFFE ID. */
  isSpiffeIdBad: boolean
  now: number
  forget: () => void
}

/** Shows what was found in a file, so that the user can confirm it is the right one. */
export const FoundKey = ({ found, isSpiffeIdBad, now, forget }: FoundKeyProps) => {
  const { kind, certificates, subject, issuer, notBefore, notAfter, keyType, spiffeId } = found
  const warnings = [
    found.hasPrivateKey && words.privateKey,
    notAfter !== undefined && Date.parse(notAfter) < now && words.expired,
    notBefore !== undefined && Date.parse(notBefore) > now && words.notYet,
    isSpiffeIdBad && words.badSpiffeId,
  ].filter((warning) => warning !== false)
  return (
    <section aria-label={words.heading} role="status">
      <FactRows>
        <FactRow name={words.kind}>{certificates > 1 ? words.chain(certificates) : words.kinds[kind]}</FactRow>
        {subject && (
          <FactRow name={words.subject}>
            <bdi>{subject}</bdi>
          </FactRow>
        )}
        {issuer !== undefined && (
          <FactRow name={words.issuer}>
            <bdi>{issuer ?? words.itself}</bdi>
          </FactRow>
        )}
        {notBefore !== undefined && notAfter !== undefined && (
          <FactRow name={words.valid}>{words.validity(formatTime(notBefore), formatTime(notAfter))}</FactRow>
        )}
        <FactRow name={words.keyType}>{keyType}</FactRow>
        {spiffeId && (
          <FactRow name={words.spiffeId}>
            <bdi>{spiffeId}</bdi>
          </FactRow>
        )}
      </FactRows>
      {warnings.map((warning) => (
        <p key={warning} className="mt-3 border-warn border-s-4 bg-warn-bg px-3 py-2 text-small">
          {warning}
        </p>
      ))}
      <Button className="mt-3" onClick={forget}>
        {words.forget}
      </Button>
    </section>
  )
}
