export { quoted } from '@countersign/sdk/words'
