/** A long hexadecimal value in groups of eight; copying omits the gaps. */
export const Hex = ({ value }: { value: string }) => {
  const groups = value.match(/.{1,8}/g) ?? []
  return (
    <code className="font-mono text-small">
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no other identity
        <span key={index} className="inline-block pe-2">
          {group}
        </span>
      ))}
    </code>
  )
}
