/**
 * Runs before the page's own script is there: gives the still frame the colours and the direction of the last visit, shows it to who has a
 * session, asks for the snapshot, and for the type where the network has room for it.
 */
import { askEarly } from './api/early.ts'
import { Api } from './api/request.ts'
import { browserSurroundings } from './api/surroundings.ts'
import { REGISTER_OPTIONS } from './state/wire.ts'
import { readStored } from './ui/stored.ts'

const root = document.documentElement
const look = readStored<{ scheme: string; direction: string }>('look')
if (look?.scheme) root.dataset.scheme = look.scheme
if (look?.direction) root.dir = look.direction

const surroundings = browserSurroundings(
  () => document.cookie,
  () => navigator.onLine,
)
if (surroundings.csrfToken() !== '') {
  root.classList.add('has-session')
  askEarly(new Api(surroundings, '/json').post('/register', REGISTER_OPTIONS, { patience: 0 }))
}

/** Milliseconds for this script, which is small, from which a network counts as slow. */
const SLOW_MS = 350

// A slow network would bring fifty kilobytes of type in place of the page's script: there words come first, in a system font with the same
// measures, and the type is loaded once they are drawn.
const own = performance.getEntriesByName(import.meta.url)[0]
const type = document.querySelector<HTMLLinkElement>('link[rel="preload"][as="font"]')
if (type && (own?.duration ?? 0) < SLOW_MS) type.media = 'all'
