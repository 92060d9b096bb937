import { respondAuthPage, toLogIn } from '../html/auth-page.ts'
import { html } from '../html/html.ts'
import { textsOfRequest } from '../html/texts-of-request.ts'
import { respondNotFound } from '../request/respond.ts'

/** Answers at an address where nothing is: people in a browser get a page, programs the JSON of the API. */
export function respondMissing(request: Request): Response {
  const wantsPage = request.method === 'GET' && request.headers.get('accept')?.includes('text/html')
  if (!wantsPage) return respondNotFound()
  const texts = textsOfRequest(request)
  const { title, about } = texts.missing
  return respondAuthPage(texts, title, html`<p>${about}</p>${toLogIn(texts)}`, 404)
}
