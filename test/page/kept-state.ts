import type { Page } from 'playwright-core'

/** Says to the page that it is left, at which it keeps the state. */
export async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
  })
}

/** What the database has that the present session cannot read. */
export const SEALED = 'sealed for another session'

/** Returns all that the page's database holds, as text, as the present session can read it. */
export function keptTexts(page: Page): Promise<string> {
  return page.evaluate(async (sealed) => {
    const kept = await new Promise<
      [IDBValidKey, { readonly iv?: BufferSource; readonly data?: BufferSource }][]
    >((resolve, reject) => {
      const opening = indexedDB.open('parley', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const store = opening.result.transaction('kept').objectStore('kept')
        const [names, values] = [store.getAllKeys(), store.getAll()]
        values.onsuccess = () => {
          opening.result.close()
          resolve(names.result.map((name, at) => [name, values.result[at]]))
        }
      }
    })
    const bytes = (text: string) => new TextEncoder().encode(text)
    const salt = kept.find(([name]) => name === 'salt')?.[1]
    const token = /csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? ''
    const secret = await crypto.subtle.importKey('raw', bytes(token), 'HKDF', false, ['deriveKey'])
    const how = {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: (salt ?? bytes('')) as BufferSource,
      info: bytes('kept for offline'),
    }
    const key = await crypto.subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, [
      'decrypt',
    ])
    const texts = kept
      .filter(([name]) => name !== 'salt')
      .map(async ([name, { iv, data }]) => {
        const plain = await crypto.subtle
          .decrypt({ name: 'AES-GCM', iv: iv! }, key, data!)
          .catch(() => undefined)
        return `${name}: ${plain ? new TextDecoder().decode(plain) : sealed}`
      })
    return JSON.stringify(await Promise.all(texts))
  }, SEALED)
}

/** Returns all bytes that the page's database holds, each as one character. */
export function keptBytes(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('parley', 1)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const all = opening.result.transaction('kept').objectStore('kept').getAll()
          all.onsuccess = () => {
            opening.result.close()
            const latin = (bytes: ArrayBuffer) => new TextDecoder('latin1').decode(bytes)
            resolve(all.result.map(({ data }) => (data ? latin(data) : '')).join())
          }
        }
      }),
  )
}
