import { sha256 } from '#sha256'
import { isSame } from './bytes.ts'
import { type HashStep, hashSteps } from './steps.ts'

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

/** From an entry to its hash. */
export const leafStep: HashStep = (entry) => [leafPrefix, entry]

const nodeParts = (left: Uint8Array, right: Uint8Array) => [nodePrefix, left, right]

/** The hash of an entry (RFC 6962 §2.1). */
export const leafHash = (entry: Uint8Array): Uint8Array<ArrayBuffer> => sha256(...leafStep(entry))

/** The hash of two subtrees (RFC 6962 §2.1). */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> =>
  sha256(...nodeParts(left, right))

/** The root of a tree without entries. */
export const emptyRoot = (): Uint8Array<ArrayBuffer> => sha256()

const isOdd = (value: number) => value % 2 === 1
const half = (value: number) => Math.floor(value / 2)

/** What an inclusion proof is about. */
export interface Inclusion {
  /** The entry's position, from 0. */
  index: number
  /** The number of entries in the tree. */
  size: number
  /** The hash of the entry, made by `leafHash`. */
  leaf: Uint8Array
  /** The root of the tree. */
  root: Uint8Array
}

/** The steps from the leaf to the root; undefined if such a proof has another number of hashes. */
export const inclusionSteps = (index: number, size: number, proof: readonly Uint8Array[]): HashStep[] | undefined => {
  if (!(index >= 0 && index < size)) return undefined
  const steps: HashStep[] = []
  for (let width = 1; width < size; width *= 2) {
    const node = Math.floor(index / width)
    const isRight = isOdd(node)
    // At the right edge, a left node has no sibling and moves up as it is.
    if (!isRight && node === Math.floor((size - 1) / width)) continue
    const sibling = proof[steps.length]
    if (!sibling) return undefined
    steps.push((hash) => (isRight ? nodeParts(sibling, hash) : nodeParts(hash, sibling)))
  }
  return steps.length === proof.length ? steps : undefined
}

/** Whether the proof shows that the tree contains the entry (RFC 9162 §2.1.3.2). */
export const verifyInclusion = ({ index, size, leaf, root }: Inclusion, proof: readonly Uint8Array[]): boolean => {
  const steps = inclusionSteps(index, size, proof)
  return steps !== undefined && isSame(hashSteps(leaf, ...steps), root)
}

/** A tree's size and root. */
export interface TreeHead {
  /** The number of entries. */
  size: number
  /** The root hash. */
  root: Uint8Array
}

/** Whether the proof shows that the new tree starts with the entries of the old one (RFC 9162 §2.1.4.2). */
export const verifyConsistency = (old: TreeHead, now: TreeHead, proof: readonly Uint8Array[]): boolean => {
  if (!(old.size >= 0 && old.size <= now.size)) return false
  if (now.size === 0 && !isSame(now.root, emptyRoot())) return false
  if (old.size === 0) return proof.length === 0 && isSame(old.root, emptyRoot())
  if (old.size === now.size) return proof.length === 0 && isSame(old.root, now.root)
  let [node, last] = [old.size - 1, now.size - 1]
  while (isOdd(node)) [node, last] = [half(node), half(last)]
  // The proof leaves out the old root if that is a node of the new tree.
  const [first, ...rest] = node === 0 ? [old.root, ...proof] : proof
  if (!first) return false
  let [oldHash, newHash] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      oldHash = nodeHash(sibling, oldHash)
      newHash = nodeHash(sibling, newHash)
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else newHash = nodeHash(newHash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && isSame(oldHash, old.root) && isSame(newHash, now.root)
}
