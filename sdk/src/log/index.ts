export { LogError } from './bytes.ts'
export { type Checkpoint, formatCheckpoint, parseCheckpoint } from './checkpoint.ts'
export {
  formatNote,
  formatSignature,
  formatVkey,
  type Note,
  type NoteKey,
  type NoteSignature,
  type NoteSigner,
  noteKey,
  parseNote,
  parseVkey,
  signatureTypes,
  signNote,
  type VerifiedSignature,
  verifyNote,
} from './note.ts'
export {
  isQuorum,
  type LogPolicy,
  type PolicyGroup,
  type PolicyKey,
  parsePolicy,
  type VerifiedCheckpoint,
  verifyCheckpoint,
} from './policy.ts'
export { formatProof, type LogProof, parseProof, verifyProof } from './proof.ts'
export {
  emptyRoot,
  type Inclusion,
  leafHash,
  nodeHash,
  type TreeHead,
  verifyConsistency,
  verifyInclusion,
} from './tree.ts'
