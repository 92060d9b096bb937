/** Keeps the page's shell for times without a network, and follows notifications that a user clicks. */
export function startServiceWorker(): void {
  const { serviceWorker } = navigator
  // Requires a secure connection; private windows may not offer service workers either.
  if (!serviceWorker) return
  // The service worker's scope is the folder of the page. A page whose address is not a folder stands next to another client, and would get
  // that client's scope.
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
 * Caches the files that were loaded before the service worker started, so that the page opens offline after its first visit.
 */
function keepLoaded({ scope }: ServiceWorkerRegistration): void {
  // Each file once: a request that fails is an entry of its own, which would be followed by another.
  const seen = new Set<string>()
  new PerformanceObserver(async (list) => {
    const cache = await caches.open('shell')
    for (const { name } of list.getEntries()) {
      if (!name.startsWith(`${scope}page/`) || seen.has(name)) continue
      seen.add(name)
      if (!(await cache.match(name))) await cache.add(name).catch(() => {})
    }
  }).observe({ type: 'resource', buffered: true })
}
