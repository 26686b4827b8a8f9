/** Sentences separated by lines. */
export const Bullets = ({ items }: { items: readonly string[] }) => (
  <ul className="max-w-prose border-line border-t">
    {items.map((item) => (
      <li key={item} className="border-line border-b py-2.5">
        {item}
      </li>
    ))}
  </ul>
)
