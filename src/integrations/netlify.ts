import { Buffer } from 'node:buffer'
import { tryParseJson } from '../core/json.ts'
import { Allowance } from './allowance.ts'
import { shortSha, topicOf } from './code-host-wording.ts'
import { type Delivery, defineIntegration, type Reading, type SignedDelivery } from './integration.ts'
import {
  bold,
  code,
  details,
  inWords,
  link,
  linkIfAny,
  plain,
  plainOrLink,
  quote,
  statement,
  words,
} from './markdown.ts'
import { Payload } from './payload.ts'
import { digestOf, hmac, isSameText } from './signatures.ts'

/** The words for the deploy of a site. */
const DEPLOYS: Readonly<Record<string, readonly [icon: string, text: string]>> = {
  deploy_building: [':hourglass:', 'is being built'],
  deploy_created: [':check:', 'is online'],
  deploy_failed: [':cross_mark:', 'has failed'],
  deploy_deleted: ['', 'was deleted'],
  deploy_locked: [':locked:', 'is locked: newer ones are not published'],
  deploy_unlocked: [':unlocked:', 'is not locked any more'],
  deploy_request_pending: ['', 'waits for approval'],
  deploy_request_accepted: ['', 'was approved'],
  deploy_request_rejected: ['', 'was rejected'],
}
const FORM = 'submission_created'
const SIGNATURE = 'X-Webhook-Signature'
const ISSUER = 'netlify'

/** Deploys and forms of Netlify. Source: docs/interface/webhooks.md#services. */
export const netlify = defineIntegration({
  name: 'netlify',
  displayName: 'Netlify',
  events: [...Object.keys(DEPLOYS), FORM],
  eventHeader: 'X-Netlify-Event',
  options: ['branches'],
  // A deploy has its id, its state and the time of its change; a form has its number.
  deliveryId: ({ digest }) => digest(),
  verify: verifyJws,
  sign: ({ body }, secret) => {
    const parts = [
      { alg: 'HS256', typ: 'JWT' },
      { iss: ISSUER, sha256: digestOf(body) },
    ]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return { [SIGNATURE]: `${signed}.${hmac(secret, [signed], 'base64url')}` }
  },
  read(delivery): Reading {
    if (delivery.event === FORM) return readForm(delivery.body)
    return Object.hasOwn(DEPLOYS, delivery.event) ? readDeploy(delivery) : { unsupported: delivery.event }
  },
})

function readDeploy({ body, event, takesBranch }: Delivery): Reading {
  const branch = body.text('branch')
  if (branch !== '' && !takesBranch(branch)) return 'ignore'
  const [icon, done] = DEPLOYS[event]!
  const site = body.text('name')
  const admin = body.text('admin_url')
  const id = body.text('id')
  const online = event === 'deploy_created' ? body.firstText('deploy_ssl_url', 'ssl_url', 'url') : ''
  const address = online || (admin && id && `${admin}/deploys/${encodeURIComponent(id)}`)
  const sha = shortSha(body.text('commit_ref'))
  const commit = linkIfAny(sha, body.text('commit_url')) || plain(sha)
  const title = code(body.text('title'))
  const by = plain(body.text('committer'))
  const text = words(
    icon,
    link('Deploy', address),
    site && `of ${linkIfAny(site, body.firstText('ssl_url', 'url')) || plain(site)}`,
    branch && `from ${plain(branch)}`,
    (title || commit) && `(${words(title, commit, by && `by ${by}`)})`,
    done,
  )
  return { event, topic: topicOf(site, branch), text: statement(text, quote(body.text('error_message'))) }
}

/** Reads a visitor's entries in a form of a site. */
function readForm(body: Payload): Reading {
  const form = body.text('form_name')
  const page = linkIfAny(body.text('data', 'referrer'), body.text('data', 'referrer'))
  const entered = body.at(body.has('human_fields') ? 'human_fields' : 'data')
  const facts = entered.entries().map(([name, value]) => [inWords(name), plainOrLink(value.text())] as const)
  const text = words('New submission of the form', bold(form), page && `on ${page}`)
  return { event: FORM, topic: form, text: statement(text, details(facts, entered.unread())) }
}

/** Whether a header is a JWS (HS256) whose claims have the digest of the body. */
function verifyJws({ body, header }: SignedDelivery, secret: string): boolean {
  const [head = '', claims = '', signature = '', ...more] = header(SIGNATURE).split('.')
  if (more.length > 0 || decoded(head).text('alg') !== 'HS256') return false
  const expected = hmac(secret, [`${head}.${claims}`], 'base64url')
  if (!isSameText(signature, expected)) return false
  const said = decoded(claims)
  return said.text('iss') === ISSUER && isSameText(said.text('sha256'), digestOf(body))
}

function decoded(part: string): Payload {
  return Payload.ofPost(tryParseJson(Buffer.from(part, 'base64url').toString()), new Allowance())
}
