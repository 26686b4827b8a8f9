import { Menu } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { useOwnProvider } from '../data/provider.ts'
import { isDevelopmentRegistry } from '../data/registry.ts'
import { Button } from '../ui/controls/button.tsx'
import { Mark } from './mark.tsx'
import { ThemeButton } from './theme-button.tsx'

const words = site.layout
// Its library is larger than the rest of the header, and most visitors have no account.
const AccountMenu = lazy(() => import('./account-menu.tsx').then(({ AccountMenu }) => ({ default: AccountMenu })))
// The page loads before its search.
const SearchBox = lazy(() => import('./search-box.tsx').then(({ SearchBox }) => ({ default: SearchBox })))
const MobileMenu = lazy(() => import('./mobile-menu.tsx').then(({ MobileMenu }) => ({ default: MobileMenu })))

const linkLook =
  'flex min-h-10 shrink-0 items-center whitespace-nowrap px-2 font-semibold text-small underline-offset-4 hover:underline'

export const Header = () => {
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  return (
    <header className="border-line border-b bg-surface print:hidden">
      {isDevelopmentRegistry && (
        <p className="border-line border-b bg-sunken px-4 py-1 text-center text-micro">{words.development}</p>
      )}
      <nav
        aria-label={words.main}
        className="mx-auto flex min-h-13 max-w-site md:min-h-16 items-center gap-2 px-4 sm:px-6"
      >
        <Link
          to="/"
          aria-label={words.home}
          className="me-auto flex min-h-10 shrink-0 items-center gap-2.5 font-extrabold text-body"
        >
          <Mark />
          {site.product}
        </Link>
        <div className="hidden min-w-0 grow justify-end md:flex md:px-4">
          <Suspense>
            <SearchBox />
          </Suspense>
        </div>
        <div className="hidden shrink-0 items-center gap-1 md:flex">
          <Link to="/models" className={linkLook}>
            {words.models}
          </Link>
          <a href="/docs" target="_blank" rel="noopener" className={linkLook}>
            {words.docs}
            <span className="sr-only"> ({words.opensInNewTab})</span>
          </a>
          <Link to="/v" className={linkLook}>
            {words.checkLink}
          </Link>
          <Account />
        </div>
        <ThemeButton />
        <Button
          look="icon"
          className="md:hidden"
          aria-label={words.openMenu}
          aria-haspopup="dialog"
          onClick={() => setIsMenuOpen(true)}
        >
          <Menu aria-hidden size={20} />
        </Button>
      </nav>
      {isMenuOpen && (
        <Suspense>
          <MobileMenu close={() => setIsMenuOpen(false)} />
        </Suspense>
      )}
    </header>
  )
}

const Account = () => {
  const { isSignedIn, provider } = useOwnProvider()
  if (!isSignedIn)
    return (
      <Link to="/login" className={linkLook}>
        {words.signIn}
      </Link>
    )
  return (
    <Suspense fallback={<span className={linkLook}>{words.loading}</span>}>
      <AccountMenu provider={provider} />
    </Suspense>
  )
}
