import { account } from '#messages/pages/account.ts'
import { setBypass } from '../../../data/session.ts'

/** Only in development builds. */
export const BypassSwitch = () => (
  <label className="mt-8 flex gap-2 text-muted text-small">
    <input type="checkbox" onChange={({ target }) => setBypass(target.checked)} />
    {account.login.bypass}
  </label>
)
