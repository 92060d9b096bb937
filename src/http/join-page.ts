import { ApiError } from '../core/errors.ts'
import type { JoinedUser, ShownInvitation } from '../domain/invitations/accept-invitation.ts'
import { acceptInvitationStep, showInvitationStep } from '../endpoints/invitations/accept-invitation.ts'
import { hashPassword } from '../endpoints/users/password-hash.ts'
import { askRealm, type PageOutcome, readForm } from './ask-realm.ts'
import type { Environment } from './environment.ts'
import { type Html, html, respondPage } from './html.ts'
import type { PageRequest } from './page-request.ts'

/** GET /join/{secret}: what the link in an invitation opens. A form makes the account. */
export async function showJoinPage(request: PageRequest, env: Environment): Promise<Response> {
  const shown = await askRealm(request, env, showInvitationStep.operation, { secret: request.params.secret })
  return respondOutcome(shown, (invitation) => joinForm(invitation as ShownInvitation, {}))
}

/** POST /join/{secret}: makes the account. Checked before the password is hashed, which costs. */
export async function acceptJoin(request: PageRequest, env: Environment): Promise<Response> {
  const form = await readForm(request, ['email', 'full_name', 'password'])
  const entered = { secret: request.params.secret, ...form }
  const { operation } = acceptInvitationStep
  const rehearsal = await askRealm(request, env, operation, entered, { rehearse: true })
  if (rehearsal.ok) {
    const password_hash = await hashPassword(entered.password)
    const joined = await askRealm(request, env, operation, { ...entered, password_hash }, { counted: true })
    return respondOutcome(joined, (user) => welcome(user as JoinedUser, new URL(request.url).origin))
  }
  const shown = await askRealm(request, env, showInvitationStep.operation, { secret: entered.secret })
  if (!shown.ok) return respondOutcome(shown, () => html``)
  const refusal = ApiError.fromWire(rehearsal.error).message
  return respondPage('Join', joinForm(shown.value as ShownInvitation, { ...entered, refusal }), 400)
}

function respondOutcome(outcome: PageOutcome, body: (value: unknown) => Html): Response {
  if (outcome.ok) return respondPage('Join', body(outcome.value))
  return respondPage('Join', html`<p>${outcome.error.msg}</p>`, outcome.error.status)
}

function joinForm(
  invitation: ShownInvitation,
  entered: { email?: string; full_name?: string; refusal?: string },
): Html {
  return html`<p>${invitation.referrer} invites you to join <strong>${invitation.organization}</strong>.</p>
${entered.refusal === undefined ? html`` : html`<p class="error" role="alert">${entered.refusal}</p>`}
<form method="post">
  <label for="email">E-mail address</label>
  ${
    invitation.email === null
      ? html`<input id="email" name="email" type="email" required value="${entered.email ?? ''}">`
      : html`<input id="email" type="email" disabled value="${invitation.email}">`
  }
  <label for="full_name">Your name</label>
  <input id="full_name" name="full_name" required autocomplete="name" value="${entered.full_name ?? ''}">
  <label for="password">A password, at least six characters</label>
  <input id="password" name="password" type="password" required minlength="6" autocomplete="new-password">
  <button>Join</button>
</form>`
}

function welcome(user: JoinedUser, origin: string): Html {
  return html`<p>Welcome to <strong>${user.organization}</strong>.</p>
<p>Open your app, give it the address of this server and log in with your e-mail address.</p>
<pre>${origin}
${user.email}</pre>`
}
