export { quoted } from '@countersign/sdk/verify'
