import type { Email } from '../domain/emails/email-rows.ts'
import { findRealm } from '../http/find-realm.ts'
import { html, respondPage } from '../http/html.ts'
import type { DevEnvironment } from './environment.ts'

/** GET /dev/emails: the mail that the organization at this host has sent, newest first. */
export async function showEmails(request: Request, env: DevEnvironment): Promise<Response> {
  const realm = await findRealm(env.DB, new URL(request.url))
  if (!realm) return respondPage('Mail', html`<p>No organization answers here.</p>`, 404)
  const object = env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`))
  const emails = (await object.sentEmails()) as unknown as Email[]
  const list = emails.map(
    (email) => html`<article>
  <h2>${email.subject}</h2>
  <p>To ${email.recipient}, ${new Date(email.createdAt * 1_000).toISOString()}${email.sentAt === null ? ' (waiting)' : ''}</p>
  <pre>${email.body}</pre>
</article>`,
  )
  return respondPage('Mail', list.length === 0 ? html`<p>Nothing has been sent yet.</p>` : html`${list}`)
}
