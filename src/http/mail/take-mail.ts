import { createHash } from 'node:crypto'
import addressParser from 'nodemailer/lib/addressparser'
import type { Email } from 'postal-mime'
import type { Operation } from '../../api/define-endpoint.ts'
import { deploymentOf, type RealmCall } from '../../core/call.ts'
import { ApiError, isRefusal } from '../../core/errors.ts'
import { fairScheduler } from '../../core/fair-scheduler.ts'
import { FileTooLargeError, MIB } from '../../core/files.ts'
import { configureLog, log } from '../../core/log.ts'
import {
  type MemoryOwner,
  newRecord,
  noteOfRequest,
  outcomeOfRequest,
  recorded,
} from '../../core/request-record.ts'
import {
  admitMailStep,
  noteBounceStep,
  type OpenedMail,
  openMailStep,
  takeMailStep,
} from '../../features/emails/incoming-mail.ts'
import { readImageFacts } from '../../images/read-image-facts.ts'
import { readLocalPart, type WrittenAddress } from '../../model/incoming-mail/mail-address.ts'
import { type MailKey, NO_SUCH_ADDRESS } from '../../model/incoming-mail/mail-target.ts'
import type { ReservedUpload, StoredUpload } from '../../model/uploads/upload-file.ts'
import { emailDomainOf } from '../../outgoing/emails/email-sender.ts'
import { bucketOf } from '../../store/d1/bucket.ts'
import { findRealmById, type RealmRecord } from '../../store/d1/realms.ts'
import { uploadKey } from '../../store/uploads/upload-keys.ts'
import { arrivingBytes, readWhole } from '../input/arriving-body.ts'
import { LONG_BODY } from '../input/body-limit.ts'
import { holdingMemory } from '../request/admission-control.ts'
import { callRealm } from '../request/call-realm.ts'
import { deploymentFacts, type Environment } from '../request/environment.ts'
import { fileStoreOn } from '../storage/stored-files.ts'
import {
  bounceReason,
  filesIn,
  headerOf,
  type MailFile,
  parseMail,
  senderAddress,
  senderIn,
  textOf,
} from './read-mail.ts'

/** A mail as Cloudflare's Email Routing delivers it. */
export interface IncomingMail {
  /** Sender of the envelope; '' or `<>` for mail that cannot be answered. */
  readonly from: string
  /** Recipient of the envelope. */
  readonly to: string
  readonly raw: ReadableStream<Uint8Array>
  /** Bytes. */
  readonly rawSize: number
  /** Rejects the mail; the sender gets the reason from their own server. */
  setReject(reason: string): void
}

/** Limit of a mail, in bytes. Raw and parsed content are in memory together, and the share of memory covers both. */
const MAX_MAIL = 10 * MIB
const COPIES_HELD = 3
const MAX_FILES = 20
/** Limit of a refusal, in characters: it is one SMTP line. */
const MAX_REFUSAL_LENGTH = 300
/** First part of the User-Agent, and so the client name of the messages. */
const USER_AGENT = 'Email'

/** Outcome of a mail, for the log. `dropped`: no reply is sent, so that programs do not answer one another. */
type Outcome = 'taken' | 'refused' | 'dropped'

/** Thrown to refuse the mail, with a message for its sender. */
class MailRefusal extends Error {}

/**
 * Turns a mail to the deployment's domain into a message, or refuses it with a reason. Rejects if neither is possible now: the delivering
 * server tries again. `origin`: address of the organization, unless it is `https://` and its host.
 */
export async function takeMail(mail: IncomingMail, env: Environment, origin?: string): Promise<void> {
  configureLog(env)
  await recorded(newRecord('take-mail'), async () => {
    const outcome = await outcomeOf(mail, env, origin)
    const { rowsRead, rowsWritten, farTrips } = outcomeOfRequest()!
    log('info', 'mail', { outcome, rows_read: rowsRead, rows_written: rowsWritten, far_trips: farTrips })
  })
}

async function outcomeOf(mail: IncomingMail, env: Environment, origin: string | undefined): Promise<Outcome> {
  try {
    return await take(mail, env, origin)
  } catch (error) {
    if (!(error instanceof MailRefusal)) throw error
    mail.setReject(inOneLine(error.message))
    return 'refused'
  }
}

async function take(mail: IncomingMail, env: Environment, origin: string | undefined): Promise<Outcome> {
  const to = addressOf(mail, env)
  const isUnanswerable = mail.from === '' || mail.from === '<>'
  if (!to) throw new MailRefusal(NO_SUCH_ADDRESS)
  if (isUnanswerable && to.kind !== 'bounce') return 'dropped'
  if (mail.rawSize > MAX_MAIL) return refuseTooLarge(to)
  const realm = await findRealmById(env.DB, to.realmId)
  if (!realm) throw new MailRefusal(NO_SUCH_ADDRESS)
  const office = officeOf(env, realm, origin)
  noteOfRequest({ owner: async () => ownerOfMail(realm) })
  if (mail.rawSize > LONG_BODY && !(await isTaken(office, to))) return 'dropped'
  return holdingMemory(async (memory) => {
    const raw = await readWhole(arrivingBytes(mail.raw), MAX_MAIL, memory, COPIES_HELD)
    if (!raw) return refuseTooLarge(to)
    // Parsing ten megabytes blocks the thread.
    await fairScheduler.turn({ owner: `mail to ${realm.id}` })
    const email = await readable(raw)
    if (to.kind === 'bounce') return takeBounce(office, to, email)
    if (isAutomatic(email, to, env, realm)) return 'dropped'
    const mailKey = email.messageId ?? createHash('sha256').update(raw).digest('base64url')
    return post(office, { to, mailKey }, email)
  })
}

/** @throws MailRefusal */
async function isTaken(office: Office, to: WrittenAddress): Promise<boolean> {
  const admitted = (await orRefused(() => office.ask(admitMailStep, { to }))) as { isTaken: boolean }
  return admitted.isTaken
}

function refuseTooLarge({ kind }: WrittenAddress): Outcome {
  if (kind === 'bounce') return 'dropped'
  throw new MailRefusal(`The mail is too large: at most ${MAX_MAIL / MIB} MiB are taken here.`)
}

/** All mail to an organization counts as one account. */
function ownerOfMail({ host, id }: RealmRecord): MemoryOwner {
  return { organization: host, account: `mail to ${id}`, isAccepted: true }
}

function addressOf({ to }: IncomingMail, env: Environment): WrittenAddress | undefined {
  const at = to.lastIndexOf('@')
  const isOurs = at !== -1 && to.slice(at + 1).toLowerCase() === emailDomainOf(env)
  return isOurs ? readLocalPart(to.slice(0, at)) : undefined
}

async function readable(raw: Uint8Array): Promise<Email> {
  try {
    return await parseMail(raw)
  } catch {
    throw new MailRefusal('The mail cannot be read.')
  }
}

/** Whether this is an automatic reply, or our own mail coming back. Other mail by programs is accepted for channels only. */
function isAutomatic(email: Email, to: WrittenAddress, env: Environment, { host }: RealmRecord): boolean {
  const submitted = headerOf(email, 'auto-submitted')
  const precedence = headerOf(email, 'precedence')
  const isAnswer =
    submitted.startsWith('auto-replied') || precedence === 'auto_reply' || precedence === 'junk'
  if (isAnswer || headerOf(email, 'x-autoreply') !== '' || headerOf(email, 'x-autorespond') !== '')
    return true
  const [ours] = addressParser(env.EMAIL_FROM ?? `noreply@${host}`, { flatten: true })
  if (senderAddress(email) === ours?.address?.toLowerCase()) return true
  if (to.kind === 'channel') return false
  return (submitted !== '' && submitted !== 'no') || precedence === 'bulk' || precedence === 'list'
}

/** The addressed organization, and the means to call it. */
interface Office {
  readonly env: Environment
  readonly source: RealmCall['source']
  /** Calls a step. @throws ApiError when it is refused, or the object cannot be reached */
  ask(step: Operation, value: object): Promise<unknown>
}

function officeOf(env: Environment, realm: RealmRecord, at: string | undefined): Office {
  const { host } = realm
  const origin = at ?? `https://${host}`
  const source = {
    origin,
    userAgent: USER_AGENT,
    ip: '',
    development: env.DEVELOPMENT === true,
    deployment: deploymentFacts(env, new URL(origin)),
  }
  return {
    env,
    source,
    async ask({ operation }, value) {
      const call: RealmCall = {
        operation,
        credentials: { kind: 'none' },
        parameters: { ok: true, value },
        source,
        host,
      }
      // Every step may be repeated.
      const { outcome } = await callRealm(env, realm, call, true)
      if (!outcome.ok) throw ApiError.fromWire(outcome.error)
      return outcome.value
    },
  }
}

async function takeBounce(office: Office, to: WrittenAddress, email: Email): Promise<Outcome> {
  const reason = bounceReason(email)
  if (reason === undefined) return 'dropped'
  await office.ask(noteBounceStep, { to, reason })
  return 'taken'
}

async function post(office: Office, key: MailKey, email: Email): Promise<Outcome> {
  const { to } = key
  const subject = email.subject ?? ''
  const files = filesIn(email)
  if (files.length > MAX_FILES) throw new MailRefusal(`A mail may have ${MAX_FILES} files here, no more.`)
  const { isRepeated, uploads } = (await orRefused(() =>
    office.ask(openMailStep, { ...key, subject, files: files.length }),
  )) as OpenedMail
  if (isRepeated) return 'taken'
  const mail = {
    ...key,
    subject,
    text: textOf(email, to.options, to.kind === 'reply'),
    from: to.kind === 'channel' && to.options.includes('show-sender') ? senderIn(email) : null,
  }
  try {
    const stored: StoredUpload[] = []
    for (const [at, file] of files.entries()) stored.push(await store(office, uploads[at]!, file))
    await orRefused(() => office.ask(takeMailStep, { ...mail, files: stored }))
  } catch (error) {
    // After any other failure the mail may already be a message; if not, the files are removed later.
    if (error instanceof MailRefusal) await discard(office, uploads)
    throw error
  }
  return 'taken'
}

/** Asks the organization. The sender gets its refusal; after any other failure the mail is delivered again. */
async function orRefused<R>(ask: () => Promise<R>): Promise<R> {
  try {
    return await ask()
  } catch (error) {
    throw isRefusal(error) ? new MailRefusal(error.message) : error
  }
}

async function store(
  { env, source }: Office,
  reserved: ReservedUpload,
  file: MailFile,
): Promise<StoredUpload> {
  const { directory, spaceLeft } = reserved
  const { name, contentType, content } = file
  const { maxFileUploadMib } = deploymentOf(source)
  const maxBytes = maxFileUploadMib * MIB
  try {
    const limit = Math.min(maxBytes, spaceLeft ?? maxBytes)
    const size = await fileStoreOn(bucketOf(env)).keep(uploadKey(directory), content, limit)
    return { directory, name, contentType, size, image: readImageFacts(content) }
  } catch (error) {
    if (!(error instanceof FileTooLargeError)) throw error
    throw new MailRefusal('A file in the mail is larger than uploads may be here.')
  }
}

async function discard({ env }: Office, uploads: readonly ReservedUpload[]): Promise<void> {
  for (const { directory } of uploads) await fileStoreOn(bucketOf(env)).discard(uploadKey(directory))
}

/** Returns a text in ASCII, as SMTP requires. */
function inOneLine(text: string): string {
  return text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[^ -~]+/g, ' ')
    .slice(0, MAX_REFUSAL_LENGTH)
}
