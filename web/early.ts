/**
 * Runs before the page's own script is there, and before anything is painted in browsers that can wait for it: shows the still frame to who has
 * a session, and asks for the snapshot.
 */
import { askEarly } from './api/early.ts'
import { Api } from './api/request.ts'
import { browserSurroundings } from './api/surroundings.ts'
import { REGISTER_OPTIONS } from './state/wire.ts'

const surroundings = browserSurroundings(
  () => document.cookie,
  () => navigator.onLine,
)
if (surroundings.csrfToken() !== '') {
  document.documentElement.classList.add('has-session')
  askEarly(new Api(surroundings, '/json').post('/register', REGISTER_OPTIONS, { patience: 0 }))
}
