/** Returns a text's SHA-256 in lower-case hex; undefined on insecure connections, where browsers have no digests. */
export async function digestOf(text: string): Promise<string | undefined> {
  if (!crypto.subtle) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
