/** Keeps the page's shell for times without a network, and follows notifications that somebody clicks. */
export function startServiceWorker(): void {
  const { serviceWorker } = navigator
  // Requires a safe connection; a private window may have none either.
  if (!serviceWorker) return
  // The service worker's scope is the folder of the page. At another address than a folder the page is beside another
  // client, whose scope it would get.
  if (!location.pathname.endsWith('/')) return
  serviceWorker.addEventListener('message', ({ data }) => {
    if (typeof data?.hash === 'string') location.hash = data.hash
  })
  window.addEventListener('load', () => {
    serviceWorker.register('./service-worker.js').catch(() => {})
    serviceWorker.ready.then(keepLoaded).catch(() => {})
  })
}

/** Keeps the files that were loaded before there was a service worker: the page opens offline although it was visited once. */
async function keepLoaded({ scope }: ServiceWorkerRegistration): Promise<void> {
  const cache = await caches.open('shell')
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  for (const file of new Set(loaded)) {
    if (file.startsWith(`${scope}page/`) && !(await cache.match(file))) await cache.add(file)
  }
}
