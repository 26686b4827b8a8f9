import { quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { Failed } from '../../../failures/failed.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { Chip } from '../../../ui/values/chip.tsx'
import { Allowed } from '../shared/allowed.tsx'
import { addressOf } from '../shared/tab-names.ts'
import { useRecentModels } from './overview.ts'

const words = overviewTab.models

export const RecentModels = ({ providerId }: { providerId: string }) => {
  const { models, failure, again } = useRecentModels(providerId)
  return (
    <Section heading={words.heading} className="">
      <p className="-mt-2 mb-3 text-muted text-small">{words.text}</p>
      {models === undefined ? (
        failure === undefined ? (
          <SkeletonRows count={2} />
        ) : (
          <Failed failure={failure} again={again} />
        )
      ) : models.length === 0 ? (
        <p className="border-line border-y py-6 text-small">
          {words.empty}{' '}
          <Allowed action="models.register">
            <Link to="/dashboard/models/register" className="link">
              {words.register}
            </Link>
          </Allowed>
        </p>
      ) : (
        <>
          <ul className="border-line border-t">
            {models.map(({ id, model_name, version, is_active }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-line border-b py-2.5 text-small"
              >
                <Link to={`/models/${id}`} className="link wrap-anywhere min-w-0 font-semibold">
                  <bdi>{quote(model_name)}</bdi>
                </Link>
                <span className="flex items-baseline gap-3">
                  <span className="text-muted">{words.version(version)}</span>
                  <Chip>{is_active ? words.active : words.inactive}</Chip>
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-3 text-small">
            <Link to={addressOf('models')} className="link">
              {words.all}
            </Link>
          </p>
        </>
      )}
    </Section>
  )
}
