export { type CheckedLink, checkLink, type PinnedLogOptions, pinLog } from './pin.ts'
