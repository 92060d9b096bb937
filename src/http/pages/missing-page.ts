import { respondNotFound } from '../respond.ts'
import { respondAuthPage, toLogIn } from './auth-page.ts'
import { html } from './html.ts'
import { textsOfRequest } from './texts-of-request.ts'

/** Answers at an address where nothing is: people in a browser get a page, programs the JSON of the API. */
export function respondMissing(request: Request): Response {
  const wantsPage = request.method === 'GET' && request.headers.get('accept')?.includes('text/html')
  if (!wantsPage) return respondNotFound()
  const texts = textsOfRequest(request)
  const { title, about } = texts.missing
  return respondAuthPage(texts, title, html`<p>${about}</p>${toLogIn(texts)}`, 404)
}
