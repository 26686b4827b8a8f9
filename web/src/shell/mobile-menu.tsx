import type { Provider } from '@countersign/sdk/contract'
import { describeProvider } from '@countersign/sdk/words/company'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { useOwnProvider } from '../data/provider.ts'
import { useSignOut } from '../data/use-sign-out.ts'
import { Button } from '../ui/controls/button.tsx'
import { dashboardLinks } from './dashboard-links.ts'
import { SearchBox } from './search-box.tsx'

const words = site.layout
const linkLook = 'flex min-h-11 items-center border-line border-b font-semibold'

/** The header's links on small screens. Escape, its button and every link in it close it. */
export const MobileMenu = ({ close }: { close: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const { key } = useLocation()
  const openedAt = useRef(key)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (openedAt.current !== key) close()
  }, [key, close])

  return (
    <dialog
      ref={dialog}
      aria-label={words.menu}
      onClose={close}
      className="m-0 h-dvh max-h-none w-full max-w-none overflow-y-auto bg-surface px-4 pb-10 text-ink md:hidden"
    >
      <div className="flex min-h-16 items-center justify-between">
        <span className="font-extrabold">{site.product}</span>
        <Button look="icon" aria-label={words.closeMenu} onClick={() => dialog.current?.close()}>
          <X aria-hidden size={20} />
        </Button>
      </div>
      <SearchBox />
      <ul className="mt-4 border-line border-t">
        <Entry to="/models" label={words.models} />
        <Entry to="/providers" label={words.providers} />
        <Entry to="/v" label={words.checkLink} />
        <Entry to="/docs" label={words.docs} />
        <AccountEntries close={close} />
      </ul>
    </dialog>
  )
}

const Entry = ({ to, label }: { to: string; label: string }) => (
  <li>
    <Link to={to} className={linkLook}>
      {label}
    </Link>
  </li>
)

/** Someone who has not named a company yet is shown their address. */
const nameOf = (provider: Provider) =>
  (provider.company_name === null && !provider.domain_verified && provider.email) || describeProvider(provider)

const AccountEntries = ({ close }: { close: () => void }) => {
  const { isSignedIn, provider } = useOwnProvider()
  const signOut = useSignOut()
  if (!isSignedIn) return <Entry to="/login" label={words.signIn} />
  const leave = () => {
    close()
    void signOut()
  }
  return (
    <>
      <li className="py-3 text-muted text-small">
        <bdi>{words.signedInAs(provider === undefined ? words.loading : nameOf(provider))}</bdi>
      </li>
      {dashboardLinks.map(({ to, label }) => (
        <Entry key={to} to={to} label={label} />
      ))}
      <li>
        <button type="button" onClick={leave} className={`${linkLook} w-full cursor-pointer`}>
          {words.signOut}
        </button>
      </li>
    </>
  )
}
