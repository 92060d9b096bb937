/** Returns the value of an `Authorization` header with a name and a secret (RFC 7617). */
export function basicAuthorization(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
}
