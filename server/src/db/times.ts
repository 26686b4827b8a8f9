/** A stored moment as responses show it: ISO 8601 in UTC. */
export function timeOf(at: number): string
export function timeOf(at: number | null): string | null
export function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
