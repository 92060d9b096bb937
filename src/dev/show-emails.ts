import { findRealm } from '../http/find-realm.ts'
import { html, respondPage } from '../http/pages/html.ts'
import type { Email } from '../store/emails/email-rows.ts'
import type { DevEnvironment } from './environment.ts'

export const EMAILS_PATH = '/dev/emails'
export const DIGESTS_PATH = `${EMAILS_PATH}/digests`

/** Policy of a shown mail: it can load nothing, run nothing, and lead its reader only into a new window. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; frame-ancestors 'self'"
const LIST_POLICY = "default-src 'none'; style-src 'self'; frame-src 'self'; frame-ancestors 'none'"

/**
 * GET /dev/emails: the mail that the organization at this host has sent, newest first, as its readers see it.
 * GET /dev/emails/{id}: the HTML of one.
 */
export async function showEmails(request: Request, env: DevEnvironment): Promise<Response> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  if (!realm) return respondPage('Mail', html`<p>No organization answers here.</p>`, 404)
  const object = env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`))
  const emails = (await object.sentEmails()) as Email[]
  if (url.pathname !== EMAILS_PATH) return showOne(emails, Number(url.pathname.slice(EMAILS_PATH.length + 1)))
  const list = emails.map(
    (email) => html`<article>
  <h2>${email.subject}</h2>
  <p>To ${email.recipient}, ${new Date(email.createdAt * 1_000).toISOString()}${email.sentAt === null ? ' (waiting)' : ''}${replyTo(email)}</p>
  ${frameOf(email)}<pre>${email.body}</pre>
</article>`,
  )
  const page = respondPage(
    'Mail',
    html`<form method="post" action="${DIGESTS_PATH}"><button class="button">Make digests of the last week now</button></form>
${list.length === 0 ? html`<p>Nothing has been sent yet.</p>` : html`${list}`}`,
  )
  page.headers.set('Content-Security-Policy', LIST_POLICY)
  return page
}

function replyTo({ headers }: Email): string {
  const address = headers?.['Reply-To']
  return address === undefined ? '' : `, answers to ${address}`
}

/**
 * POST /dev/emails/digests: writes the digests that people would get if they were away now, as if they had
 * been sent.
 */
export async function makeDigests(request: Request, env: DevEnvironment): Promise<Response> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  if (!realm) return respondPage('Mail', html`<p>No organization answers here.</p>`, 404)
  await env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`)).makeDigests(url.origin)
  return new Response(null, { status: 303, headers: { Location: EMAILS_PATH } })
}

function frameOf({ id, html: content }: Email) {
  if (content === null) return html``
  return html`<iframe sandbox="allow-popups" src="${EMAILS_PATH}/${id}" loading="lazy" title="The mail"></iframe>
  <p>As text:</p>`
}

function showOne(emails: readonly Email[], id: number): Response {
  const email = emails.find((each) => each.id === id)
  if (!email?.html) return respondPage('Mail', html`<p>There is no such mail in HTML.</p>`, 404)
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': MAIL_POLICY }
  // Links open in a new window.
  return new Response(email.html.replace('<head>', '<head><base target="_blank">'), {
    headers: { ...headers, 'X-Frame-Options': 'SAMEORIGIN' },
  })
}
