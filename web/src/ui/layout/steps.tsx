interface StepsProps {
  steps: readonly { name: string; text: string }[]
  /** Numbers the steps. */
  isNumbered?: boolean
}

/** A few items side by side. */
export const Steps = ({ steps, isNumbered = false }: StepsProps) => {
  const List = isNumbered ? 'ol' : 'ul'
  return (
    <List className="mt-6 grid gap-8 md:grid-cols-3">
      {steps.map(({ name, text }, index) => (
        <li key={name} className="border-ink border-t-2 pt-4">
          {isNumbered && (
            <p aria-hidden className="font-semibold text-muted text-small">
              {index + 1}
            </p>
          )}
          <h3 className="font-semibold">{name}</h3>
          <p className="mt-1 max-w-prose text-muted">{text}</p>
        </li>
      ))}
    </List>
  )
}
