/** Keeps the page's shell for times without a network, and follows the notifications that somebody clicks on. */
export function startServiceWorker(): void {
  const { serviceWorker } = navigator
  // Only where the connection is safe; a private window may have none either.
  if (!serviceWorker) return
  // Its scope is the folder that the page is in. As a file beside another client it would get that one's.
  if (!location.pathname.endsWith('/')) return
  serviceWorker.addEventListener('message', ({ data }) => {
    if (typeof data?.hash === 'string') location.hash = data.hash
  })
  window.addEventListener('load', () => {
    serviceWorker.register('./service-worker.js').catch(() => {})
  })
}
