/** Sessions of browsers that log in without a page. */
export { csrfTokenOf, newSession, type SessionOfBrowser } from '../../src/http/request/browser-session.ts'
