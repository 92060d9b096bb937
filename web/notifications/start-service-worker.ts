/** Keeps the page's shell for times without a network, and follows notifications that somebody clicks. */
export function startServiceWorker(): void {
  const { serviceWorker } = navigator
  // Requires a safe connection; a private window may have none either.
  if (!serviceWorker) return
  // Its scope is the folder of the page. As a file beside another client it would have that one's scope.
  if (!location.pathname.endsWith('/')) return
  serviceWorker.addEventListener('message', ({ data }) => {
    if (typeof data?.hash === 'string') location.hash = data.hash
  })
  window.addEventListener('load', () => {
    serviceWorker.register('./service-worker.js').catch(() => {})
  })
}
