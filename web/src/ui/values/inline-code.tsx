/** An ID, URL or name in code style. */
export const InlineCode = ({ children }: { children: string }) => (
  <code className="font-mono text-small">{children}</code>
)
