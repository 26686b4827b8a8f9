/** A long hexadecimal value in groups of eight, copied without the gaps. */
export const Hex = ({ value }: { value: string }) => {
  const groups = value.match(/.{1,8}/g) ?? []
  return (
    <code className="font-mono text-small">
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
        <span key={index} className="inline-block pe-2">
          {group}
        </span>
      ))}
    </code>
  )
}
