declare module 'virtual:reference' {
  export const reference: import('./reference.ts').Reference
}
