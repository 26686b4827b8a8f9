declare module 'parse-prometheus-text-format' {
  interface Family {
    name: string
    help: string
    type: string
    metrics: { value?: string; labels?: Record<string, string> }[]
  }
  const parse: (text: string) => Family[]
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default parse
}
