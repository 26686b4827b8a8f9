export { quoted } from './quoted.ts'
