import { vi } from 'vitest'
import type { TestRealm, TestUser } from './factories.ts'
import { inRealm } from './inside.ts'
import { fromJson } from './json.ts'
import { world } from './world.ts'

const MAIL_URL = 'https://mail.example.test/send'

/** A mail in the form that the service receives. */
export interface PostedMail {
  readonly from: string
  readonly to: readonly [string]
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly headers: Readonly<Record<string, string>>
}

/** Seconds beyond the default time for which mail waits for further messages. */
const BATCH_SECONDS = 121

/** A mail service that accepts JSON, in place of the network, for the mail of one organization. */
export class Mailbox {
  readonly posted: PostedMail[] = []
  /** Returns the service's answer; each test may set its own. */
  answer: (mail: PostedMail) => Response | Promise<Response> = () => new Response('{}')
  #realm: TestRealm | undefined
  #seconds = 0

  /** Prepares a test. The clock never goes back between tests, since pending mail would wait longer. */
  open(): void {
    world.clockOffset = this.#seconds
    world.settings = { EMAIL_API_URL: MAIL_URL }
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      if (String(url) !== MAIL_URL) return new Response('{}')
      const mail = fromJson<PostedMail>(String(init?.body))
      // Mails of an earlier test's organization are accepted and ignored.
      if (!mail.headers['Message-ID']?.endsWith(`@${this.#realm?.host}>`)) return new Response('{}')
      const answer = await this.answer(mail)
      if (answer.ok) this.posted.push(mail)
      return answer
    })
  }

  isFor(realm: TestRealm): void {
    this.#realm = realm
  }

  forget(): void {
    this.posted.length = 0
    this.answer = () => new Response('{}')
  }

  pass(seconds: number): void {
    this.#seconds += seconds
    world.clockOffset = this.#seconds
  }

  /** Delivers all mail that is due `seconds` from now. */
  async deliver(seconds = BATCH_SECONDS): Promise<void> {
    this.pass(seconds)
    await inRealm(this.#realm!, (object) => object.alarm())
  }

  to(user: TestUser): PostedMail[] {
    return this.posted.filter((mail) => mail.to[0] === user.email)
  }

  /** Delivers, and returns the user's only mail; throws unless there is exactly one. */
  async only(user: TestUser): Promise<PostedMail> {
    await this.deliver()
    const mails = this.to(user)
    if (mails.length !== 1)
      throw new Error(`${mails.length} mails: ${JSON.stringify(mails.map(({ subject }) => subject))}`)
    this.forget()
    return mails[0]!
  }

  /** Delivers, and returns the number of the user's mails. */
  async count(user: TestUser): Promise<number> {
    await this.deliver()
    const { length } = this.to(user)
    this.forget()
    return length
  }
}
