import type { Page } from 'playwright-core'

/** Says to the page that it is left, at which it keeps the state. */
export async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
  })
}

/** Returns all that the page's database holds, as text. */
export function keptTexts(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('parley', 1)
        opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const all = database.transaction('kept').objectStore('kept').getAll()
          all.onsuccess = () => {
            database.close()
            const plain = (_: string, value: unknown) =>
              value instanceof Map ? [...value] : value instanceof Set ? [...value] : value
            resolve(JSON.stringify(all.result, plain))
          }
        }
      }),
  )
}
