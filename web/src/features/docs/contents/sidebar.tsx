import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { page } from '#messages/docs/page.ts'
import { classes } from '../../../ui/classes.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ContentsList } from './contents-list.tsx'
import { useSidebar } from './use-sidebar.ts'

const words = page.sidebar

/** The contents beside the text, from 768 px; if collapsed, a strip with the button to expand it. */
export const Sidebar = ({ current }: { current: string | undefined }) => {
  const { isOpen, toggle } = useSidebar()
  const Icon = isOpen ? PanelLeftClose : PanelLeftOpen
  const label = isOpen ? words.collapse : words.expand
  return (
    <nav
      aria-label={words.label}
      className={classes(
        'sticky top-0 hidden max-h-dvh shrink-0 self-start overflow-y-auto overscroll-contain py-6 pe-4 md:block print:hidden!',
        isOpen ? 'w-64' : 'w-12',
      )}
    >
      <Button
        look="icon"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        className="-ms-2 mb-2"
      >
        <Icon aria-hidden size={18} />
      </Button>
      {isOpen && <ContentsList current={current} />}
    </nav>
  )
}
