import { addressDigests } from '../../core/address-digest.ts'
import { BadRequestError, RateLimitHitError, ServiceUnavailableError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { clientNetwork, DEFAULT_RATE_LIMITS } from '../../core/rate-limits.ts'
import { writtenLetter } from '../../model/emails/letter.ts'
import { textsIn } from '../../model/emails/texts-for.ts'
import { isEmailAddress } from '../../model/users/addresses/email-rules.ts'
import { RefusedAddressFailure } from '../../outgoing/emails/email-handover.ts'
import { emailOutletOf } from '../../outgoing/emails/email-sender.ts'
import { ROLES } from '../../rules/roles.ts'
import { listOrganizationsOf, type OrganizationOfPerson } from '../../store/d1/accounts.ts'
import { countMailRequest } from '../../store/d1/mail-requests.ts'
import { languageOfRequest } from '../html/texts-of-request.ts'
import { requireOwnOrigin } from '../request/browser-session.ts'
import { deploymentFacts, type Environment, originAt } from '../request/environment.ts'
import { realmHost } from '../request/request-url.ts'

const ROLE_NAMES = new Map<number, keyof typeof ROLES>([
  [ROLES.owner, 'owner'],
  [ROLES.administrator, 'administrator'],
  [ROLES.moderator, 'moderator'],
  [ROLES.member, 'member'],
  [ROLES.guest, 'guest'],
])

/** Organizations that a mail lists. */
const MAX_LISTED = 100
/** What a page asks for, so that it knows its own links again (web/views/app-shell/organizations-state.ts). */
const STATE = /^[\w-]{1,64}$/

/**
 * Mails the list of the organizations of this deployment in which an active account has this confirmed address, or that there is none. The
 * address alone gets the list, and everything else is the same whether or not anybody has it. No object is asked.
 *
 * @throws ApiError
 */
export async function mailOrganizations(
  request: Request,
  env: Environment,
  { email, state }: { readonly email: string; readonly state: string },
): Promise<void> {
  requireOwnOrigin(request)
  const address = email.trim()
  if (!isEmailAddress(address)) throw new BadRequestError('Enter a valid email address.')
  const digests = addressDigests(env).flatMap((digest) => digest(address) ?? [])
  await countRequest(request, env, digests)
  const found = await listOrganizationsOf(env.DB, digests, MAX_LISTED)
  await send(request, env, address, found, STATE.test(state) ? state : undefined)
}

/** Counts as mail that visitors ask for is counted by an organization (model/emails/mail-limits.ts). */
async function countRequest(request: Request, env: Environment, digests: readonly string[]): Promise<void> {
  const [ofAddress] = digests
  const network = clientNetwork(request.headers.get('cf-connecting-ip') ?? '')
  const [ofNetwork] = addressDigests(env).flatMap((digest) => digest(`network ${network}`) ?? [])
  // A deployment without a key knows no addresses.
  if (ofAddress === undefined || ofNetwork === undefined) throw new ServiceUnavailableError()
  const { mailByUser, mailByIp } = {
    ...DEFAULT_RATE_LIMITS,
    ...deploymentFacts(env, new URL(request.url)).rateLimits,
  }
  const counted = [
    { owner: ofAddress, limits: mailByUser },
    { owner: ofNetwork, limits: mailByIp },
  ]
  const wait = await countMailRequest(env.DB, counted, Date.now() / 1_000)
  if (wait > 0) throw new RateLimitHitError(wait)
}

async function send(
  request: Request,
  env: Environment,
  recipient: string,
  found: readonly OrganizationOfPerson[],
  state: string | undefined,
): Promise<void> {
  const url = new URL(request.url)
  const host = realmHost(url)
  const texts = textsIn(languageOfRequest(request) ?? 'en')
  const { subject, happened, none, add, end, roles } = texts.organizations
  const linesOf = ({ host: at, name, role }: OrganizationOfPerson) => {
    const link = originOf(at, url, env)
    const line = `${name} (${roles[ROLE_NAMES.get(role) ?? 'member']})\n${link}/`
    const adding = new URLSearchParams({ state: state ?? '', url: link, name })
    return state === undefined || at === host
      ? line
      : `${line}\n${add(host)}\n${originAt(url, env)}/#organizations?${adding}`
  }
  const { body: text, ...written } = writtenLetter(texts, {
    recipient,
    subject: subject(host),
    paragraphs: [
      texts.greeting(),
      happened({ address: recipient, host }),
      ...(found.length === 0 ? [none] : found.map(linesOf)),
      end,
    ],
  })
  const mail = { recipient, subject: written.subject, text, ...(written.html ? { html: written.html } : {}) }
  try {
    await emailOutletOf(env, host).send({
      ...mail,
      messageId: `<find-${crypto.randomUUID()}@${host}>`,
      writtenAt: Date.now() / 1_000,
    })
  } catch (error) {
    // Whoever asks learns nothing of the mailbox.
    if (error instanceof RefusedAddressFailure) return
    log('error', 'The list of organizations could not be mailed', { error })
    throw new ServiceUnavailableError()
  }
}

/** Returns the address of the organization at a host of this deployment. Local ones are at the port of the request. */
function originOf(host: string, own: URL, env: Environment): string {
  if (host === realmHost(own)) return originAt(own, env)
  const there = new URL(own)
  there.hostname = host
  return originAt(there, env)
}
