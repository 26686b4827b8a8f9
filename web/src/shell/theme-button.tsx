import { Monitor, Moon, Sun } from 'lucide-react'
import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'
import { useTheme } from './theme.ts'

const words = site.layout.theme
const icons = { system: Monitor, light: Sun, dark: Moon }

export const ThemeButton = () => {
  const { theme, change } = useTheme()
  const Icon = icons[theme]
  return (
    <Button look="icon" onClick={change} aria-label={words[theme]} title={words[theme]}>
      <Icon aria-hidden size={18} />
    </Button>
  )
}
