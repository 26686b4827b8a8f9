/** An id, an address or a name as programs spell it. */
export const InlineCode = ({ children }: { children: string }) => <code className="font-mono text-small">{children}</code>
