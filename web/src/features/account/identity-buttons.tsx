import { account } from '#messages/pages/account.ts'
import { hasSignInBy } from '../../data/registry.ts'
import { Button } from '../../ui/controls/button.tsx'

const services = ['github', 'google'] as const
const offered = services.filter(hasSignInBy)
export const hasServices = offered.length > 0
export type Service = (typeof services)[number]

/** GitHub and Google, for signing in or connecting. */
export const IdentityButtons = ({ choose }: { choose: (service: Service) => void }) => (
  <div className="grid gap-3">
    {offered.map((service) => (
      <Button key={service} className="w-full" onClick={() => choose(service)}>
        {account.identities[service]}
      </Button>
    ))}
  </div>
)

/** A divider with a word in it. */
export const Or = ({ children }: { children: string }) => (
  <p className="my-6 flex items-center gap-3 text-muted text-small before:grow before:border-line before:border-t after:grow after:border-line after:border-t">
    {children}
  </p>
)
