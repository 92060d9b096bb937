import type { FinishedLogin } from '../../../domain/users/login/login-proof.ts'
import { respondSuccess } from '../../respond.ts'
import { field, form } from '../door-page.ts'
import { textsOfRequest } from '../door-texts/texts-of-request.ts'
import { html, respondPage } from '../html.ts'
import { asksForJson, FORMS_LEAD_TO } from './login-answers.ts'

/**
 * Asks for the second factor, after the password. The form is posted to its own address, so that whatever the log-in leads to stays in it;
 * the ticket says who has proved the password.
 */
export async function respondSecondFactor(
  request: Request,
  { ticket }: FinishedLogin & { kind: 'second factor' },
): Promise<Response> {
  if (asksForJson(request)) return respondSuccess({ second_factor_ticket: ticket })
  const texts = textsOfRequest(request)
  const fields = html`<input type="hidden" name="ticket" value="${ticket}">
${field({ label: texts.logIn.code, name: 'code' }, 'required autocomplete="one-time-code" autofocus')}`
  return respondPage(texts.logIn.title, form(fields, texts.logIn.button), 200, {
    language: texts.language,
    formsLeadTo: FORMS_LEAD_TO,
  })
}
