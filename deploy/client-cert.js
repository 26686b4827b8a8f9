// The client's certificate in the form of RFC 9440: DER in base64 between colons. Empty without a certificate.
const header = (request) => {
  const pem = request.variables.ssl_client_raw_cert
  if (!pem) return ''
  return `:${pem.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s/g, '')}:`
}

// biome-ignore lint/style/noDefaultExport: njs imports the default export
export default { header }
