import { X } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { lists } from '#messages/lists.ts'
import { Field } from '../../../forms/field.tsx'
import { changeQuery } from '../../../hooks/change-query.ts'
import { useCombobox } from '../../../hooks/use-combobox.ts'
import { classes } from '../../../ui/classes.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { controlLook } from '../../../ui/controls/control-look.ts'
import { ProviderIdentity } from '../../../ui/values/provider-identity.tsx'
import { useFilterProvider, useProviderSuggestions } from './use-provider-suggestions.ts'

const words = lists.models.filters

/** Filters by one provider, found by typing and then shown until removed. */
export const ProviderFilter = () => {
  const [params, setParams] = useSearchParams()
  const id = params.get('provider')
  const choose = (provider: string | null) => setParams(changeQuery('provider', provider), { preventScrollReset: true })
  return id ? <ChosenProvider id={id} clear={() => choose(null)} /> : <ProviderField choose={choose} />
}

const ChosenProvider = ({ id, clear }: { id: string; clear: () => void }) => {
  const provider = useFilterProvider(id)
  return (
    <div>
      <p className="mb-1.5 font-semibold text-small">{words.provider}</p>
      <p className="flex min-h-10 items-center justify-between gap-2 rounded-control border border-control ps-3 text-small">
        {provider === undefined ? (
          words.unknownProvider
        ) : (
          <ProviderIdentity
            name={provider.company_name}
            domain={provider.domain}
            isVerified={provider.domain_verified}
          />
        )}
        <Button look="icon" aria-label={words.clearProvider} title={words.clearProvider} onClick={clear}>
          <X aria-hidden size={16} />
        </Button>
      </p>
    </div>
  )
}

const ProviderField = ({ choose }: { choose: (provider: string) => void }) => {
  const [text, setText] = useState('')
  const found = useProviderSuggestions(text)
  const box = useCombobox({
    label: words.suggestions,
    count: found?.length ?? 0,
    results: found,
    choose: (index) => {
      const provider = found?.[index]
      if (provider) choose(provider.id)
    },
  })
  return (
    <div {...box.frame} className="relative">
      <Field label={words.provider}>
        {(tie) => (
          <input
            {...tie}
            {...box.field}
            type="text"
            placeholder={words.providerHint}
            maxLength={200}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              box.open()
            }}
            className={controlLook}
          />
        )}
      </Field>
      {box.isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: focus stays in the field while a provider is pressed
        <div
          {...box.list}
          onMouseDown={(event) => event.preventDefault()}
          className="absolute inset-x-0 top-full z-10 mt-1.5 max-h-96 overflow-y-auto rounded-surface border border-line bg-surface py-1 shadow-lg"
        >
          {found?.map(({ id, company_name, domain, domain_verified }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field's keys choose it
            // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field
            <div
              key={id}
              id={box.optionId(index)}
              role="option"
              aria-selected={index === box.index}
              onClick={() => choose(id)}
              className={classes(
                'cursor-pointer px-3 py-2.5 text-small hover:bg-sunken',
                index === box.index && 'bg-sunken',
              )}
            >
              <ProviderIdentity name={company_name} domain={domain} isVerified={domain_verified} />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
