import { createDecipheriv } from 'node:crypto'

/** Decrypts, as the desktop app does, what a page shows for it: hex of the nonce, the ciphertext and its tag. `key`: hex. */
export function decryptedFor(key: string, page: string): string {
  const bytes = Buffer.from(/name="token" value="([0-9a-f]+)"/.exec(page)![1]!, 'hex')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
}
