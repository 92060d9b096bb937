/**
 * Runs before the page's own script has loaded: gives the still frame the colours and the direction of the last visit, shows it to users with
 * a session, requests the snapshot, and on a fast network the fonts.
 */

import { realBrowserApi } from './api/browser-api.ts'
import { askEarly } from './api/early.ts'
import { Api } from './api/request.ts'
import { REGISTER_OPTIONS } from './state/wire.ts'
import { readStored } from './ui/stored.ts'

const root = document.documentElement
const look = readStored<{ scheme: string; direction: string }>('look')
if (look?.scheme) root.dataset.scheme = look.scheme
if (look?.direction) root.dir = look.direction

const browserApi = realBrowserApi(
  () => document.cookie,
  () => navigator.onLine,
)
if (browserApi.csrfToken() !== '') {
  root.classList.add('has-session')
  const api = new Api(browserApi, '/json')
  api.session.bind()
  askEarly(api.post('/register', REGISTER_OPTIONS, { patience: 0 }), api.session.token)
}

/** The load time of this small script, in milliseconds, from which a network counts as slow. */
const SLOW_MS = 350

// On a slow network, fifty kilobytes of fonts would delay the page's script: there the text is first drawn in a system font with the same
// metrics, and the fonts load afterwards.
const own = performance.getEntriesByName(import.meta.url)[0]
const type = document.querySelector<HTMLLinkElement>('link[rel="preload"][as="font"]')
if (type && (own?.duration ?? 0) < SLOW_MS) type.media = 'all'
