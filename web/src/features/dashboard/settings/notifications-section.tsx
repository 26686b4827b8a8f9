import type { NotificationSettings } from '@countersign/sdk/contract'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { useMay } from '../../../data/role.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Switch } from '../../../ui/controls/switch.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { Allowed } from '../shared/allowed.tsx'
import type { TabProps } from '../shared/tab-props.ts'
import { useNotifications } from './own-notifications.ts'
import { SectionBody } from './section-body.tsx'

const words = settingsTab.notifications
const names = Object.keys(words.switches) as (keyof NotificationSettings)[]

export const NotificationsSection = ({ provider }: TabProps) => {
  const { settings, failure, again, choose } = useNotifications()
  const isAllowed = useMay()('account.setNotifications')
  const save = async (name: keyof NotificationSettings, isOn: boolean) => {
    try {
      await choose(name, isOn)
      toast.success(words.saved(words.switches[name].label, isOn))
    } catch (error) {
      toast.error(words.saveFailed, { description: explainFailure(error) })
    }
  }
  return (
    <Section heading={settingsTab.sections.notifications} className="mt-8">
      <p className="wrap-anywhere max-w-prose text-muted text-small">
        {provider.email_verified ? words.about(provider.email ?? '') : words.unverified(provider.email ?? '')}
      </p>
      <Allowed action="account.setNotifications" isExplained />
      <div className="mt-5">
        <SectionBody data={settings} failure={failure} failed={words.failed} again={again}>
          {(chosen) => (
            <ul className="border-line border-b">
              {names.map((name) => (
                <li key={name} className="border-line border-t py-4">
                  <Switch
                    disabled={!isAllowed}
                    {...words.switches[name]}
                    isOn={chosen[name]}
                    onSwitch={(isOn) => void save(name, isOn)}
                  />
                </li>
              ))}
            </ul>
          )}
        </SectionBody>
      </div>
      <p className="mt-4 max-w-prose text-muted text-small">{words.always}</p>
    </Section>
  )
}
