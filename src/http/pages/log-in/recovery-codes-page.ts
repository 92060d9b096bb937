import type { DoorTexts } from '../door-texts/english.ts'
import { textsOfRequest } from '../door-texts/texts-of-request.ts'
import { type Html, html, respondPage } from '../html.ts'

/** Shows a user who has just set up a second factor the recovery codes, this once, and then leads on. */
export function showRecoveryCodes(
  request: Request,
  codes: readonly string[],
  onward: string,
  cookies: readonly string[] = [],
): Response {
  const texts = textsOfRequest(request)
  const { language, secondFactor } = texts
  const body = html`${listOfCodes(texts, codes)}
<p class="door-on"><a class="button button-main" href="${onward}">${secondFactor.onward}</a></p>`
  const page = respondPage(secondFactor.codesTitle, body, 200, { language })
  for (const cookie of cookies) page.headers.append('Set-Cookie', cookie)
  return page
}

/** Returns new recovery codes with what they are for; nothing where there are none. */
export function listOfCodes({ secondFactor }: DoorTexts, codes: readonly string[]): Html {
  if (codes.length === 0) return html``
  return html`<p>${secondFactor.codesAbout}</p>
<pre>${codes.join('\n')}</pre>`
}
