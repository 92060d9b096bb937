/**
 * Runs before the page's own script is there: gives the still frame the colours and the direction of the last visit, shows it to who has a
 * session, and asks for the snapshot.
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
