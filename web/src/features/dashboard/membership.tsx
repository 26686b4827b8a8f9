import type { Membership as Company } from '@countersign/sdk/contract'
import { describeCompany } from '@countersign/sdk/words/company'
import { useId, useState } from 'react'
import { dashboard } from '#messages/dashboard.ts'
import { client } from '../../data/client.ts'
import { useCompanies, useRole } from '../../data/role.ts'
import { switchCompany } from '../../data/session.ts'
import { explainFailure } from '../../failures/failure.ts'
import { toast } from '../../ui/controls/toast.ts'

const words = dashboard.menu

/** The company for which this tab acts, for people who belong to several, and what a limited role allows there. */
export const Membership = () => {
  const companies = useCompanies() ?? []
  const role = useRole()
  return (
    <>
      {companies.length > 1 && <CompanySwitch companies={companies} />}
      {role !== 'owner' && role !== 'admin' && (
        <p className="mt-2 text-muted text-small md:mt-0 md:mb-4 md:px-3">{words.limited[role]}</p>
      )}
    </>
  )
}

/** Other tabs keep their company. */
const CompanySwitch = ({ companies }: { companies: readonly Company[] }) => {
  const id = useId()
  const [isBusy, setIsBusy] = useState(false)
  const change = async (id: string) => {
    setIsBusy(true)
    try {
      const { provider_id, api_key } = await client.members.use(id)
      switchCompany({ providerId: provider_id, apiKey: api_key })
      // The page keeps no data of the other company.
      location.assign('/dashboard')
    } catch (failure) {
      setIsBusy(false)
      toast.error(words.notSwitched, { description: explainFailure(failure) })
    }
  }
  return (
    <div className="mt-2 mb-1 text-small md:mt-0 md:mb-4">
      <label htmlFor={id} className="mb-1 block text-muted">
        {words.company}
      </label>
      <select
        id={id}
        className="min-h-10 w-full truncate rounded-control border border-control bg-surface px-2"
        disabled={isBusy}
        value={companies.find(({ is_current }) => is_current)?.provider_id}
        onChange={({ target }) => void change(target.value)}
      >
        {companies.map(({ provider_id: id, role, ...company }) => (
          <option key={id} value={id}>
            {words.membership(describeCompany({ id, ...company }), role)}
          </option>
        ))}
      </select>
    </div>
  )
}
