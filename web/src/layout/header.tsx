import { Monitor, Moon, Sun } from 'lucide-react'
import { Link } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { isDevelopmentRegistry } from '../data/registry.ts'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { useTheme } from './theme.ts'

const words = site.layout
const icons = { system: Monitor, light: Sun, dark: Moon }

export const Header = () => (
  <header className="border-line border-b bg-surface print:hidden">
    {isDevelopmentRegistry && <p className="border-line border-b bg-sunken px-4 py-1 text-center text-micro">{words.development}</p>}
    <nav aria-label={words.main} className="mx-auto flex min-h-16 max-w-site items-center gap-2 px-4 sm:px-6">
      <Link to="/" aria-label={words.home} className="me-auto flex min-h-10 items-center gap-2.5 font-extrabold text-body">
        <Mark />
        {site.product}
      </Link>
      <Link to="/v" className="flex min-h-10 items-center px-2 font-semibold text-small underline-offset-4 hover:underline">
        {words.checkLink}
      </Link>
      <ThemeButton />
    </nav>
  </header>
)

const ThemeButton = () => {
  const { theme, change } = useTheme()
  const Icon = icons[theme]
  return (
    <Button look="icon" onClick={change} aria-label={words.theme[theme]} title={words.theme[theme]}>
      <Icon aria-hidden size={18} />
    </Button>
  )
}
