import { createHash } from 'node:crypto'

const header = 'countersign log evidence v1'

/** A file with signed checkpoints that cannot all be honest, and its name. */
export const formatEvidence = (checkpoints: readonly string[]): { name: string; text: string } => {
  const text = `${header}\n${checkpoints.map((note) => `\n${Buffer.byteLength(note)}\n${note}`).join('')}`
  return { name: `evidence-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.txt`, text }
}
