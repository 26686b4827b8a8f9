import type { Provider } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Link } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { useSignOut } from '../data/use-sign-out.ts'
import { Button } from '../ui/controls/button.tsx'
import { dashboardLinks } from './dashboard-links.ts'

const words = site.layout
const itemLook =
  'flex min-h-10 cursor-pointer items-center rounded-control px-3 text-small outline-none data-highlighted:bg-sunken'

/** The signed-in user's menu, under the company's proven domain or its name. */
export const AccountMenu = ({ provider }: { provider: Provider | undefined }) => {
  const signOut = useSignOut()
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button className="max-w-44">
          <ActingFor provider={provider} />
          <ChevronDown aria-hidden size={16} className="shrink-0" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          aria-label={words.account}
          className="z-20 min-w-48 rounded-surface border border-line bg-surface p-1 shadow-lg"
        >
          {dashboardLinks.map(({ to, label }) => (
            <DropdownMenu.Item key={to} asChild className={itemLook}>
              <Link to={to}>{label}</Link>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="my-1 border-line border-t" />
          <DropdownMenu.Item className={itemLook} onSelect={() => void signOut()}>
            {words.signOut}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const ActingFor = ({ provider }: { provider: Provider | undefined }) => {
  if (provider === undefined) return words.loading
  const { id, domain, domain_verified, company_name, email } = provider
  if (domain_verified && domain !== null) return <bdi className="truncate">{domain}</bdi>
  if (company_name === null) return <bdi className="truncate">{email ?? id}</bdi>
  return (
    <span className="grid min-w-0 text-start leading-tight">
      <span className="font-normal text-micro text-warn">{site.provider.notProven}</span>{' '}
      <bdi className="truncate">{quote(company_name)}</bdi>
    </span>
  )
}
