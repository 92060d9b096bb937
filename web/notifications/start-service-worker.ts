/** Keeps the page's shell for times without a network, and follows notifications that a user clicks. */
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

/**
 * Keeps the files that are loaded past the service worker, which has none of those that came before it: so the page opens offline after its
 * first visit.
 */
function keepLoaded({ scope }: ServiceWorkerRegistration): void {
  new PerformanceObserver(async (list) => {
    const cache = await caches.open('shell')
    for (const { name } of list.getEntries()) {
      if (name.startsWith(`${scope}page/`) && !(await cache.match(name)))
        await cache.add(name).catch(() => {})
    }
  }).observe({ type: 'resource', buffered: true })
}
