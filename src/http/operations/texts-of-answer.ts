import type { RealmAnswer } from '../../core/call.ts'
import { log } from '../../core/log.ts'
import {
  type BodyRanges,
  type BodyVersion,
  lostBody,
  type MessageBody,
  type MessageText,
  type TextForm,
  type WantedBody,
  type WorkerBodyReader,
} from '../../core/message-bodies.ts'
import { bodyDatabase } from '../../store/d1/body-databases.ts'
import { type BodyLocations, fetchBodiesFrom, fetchTextsFrom, textOf } from '../../store/d1/message-bodies.ts'
import type { Environment } from '../request/environment.ts'
import { keptTexts } from './kept-texts.ts'

/** Reads the bodies of the messages in the realm's last answer. */
export class TextsOfAnswer implements WorkerBodyReader {
  readonly #env: Environment
  readonly #realmId: number
  /** Bodies included in the last answer: newer than D1's, or missing there. */
  #sent: ReadonlyMap<number, MessageBody> = new Map()
  /** Bodies that belong in the answer but did not fit. */
  #unsent: ReadonlySet<number> = new Set()
  /** The databases that hold the bodies, according to the realm. */
  #ranges: BodyRanges = []
  /** The epoch within which a version of a message is one text, according to the realm. */
  #textEpoch: string | undefined
  #answers = 0
  /** Bodies missing in D1: the version, and after which answer it was missed. */
  readonly #lacked = new Map<number, { readonly version: number; readonly answer: number }>()

  constructor(env: Environment, realmId: number) {
    this.#env = env
    this.#realmId = realmId
  }

  /** Notes what an answer says about its bodies. */
  note({ bodies, unsentBodies, bodyRanges, textEpoch }: RealmAnswer): void {
    this.#sent = new Map(bodies?.map((body) => [body.id, body]))
    this.#unsent = new Set(unsentBodies)
    this.#ranges = bodyRanges ?? this.#ranges
    this.#textEpoch = textEpoch
    this.#answers += 1
  }

  read(wanted: readonly WantedBody[]): Promise<Map<number, MessageBody>> {
    return this.#read(wanted, fetchBodiesFrom, (body) => body)
  }

  async readVersions(wanted: readonly BodyVersion[]): Promise<Map<number, MessageBody>> {
    const found = await this.read(this.#asVersions(wanted))
    return this.#ofVersions(wanted, found, (body) => body)
  }

  async readTexts(wanted: readonly BodyVersion[], form: TextForm): Promise<Map<number, MessageText>> {
    const epoch = this.#textEpoch && { realmId: this.#realmId, epoch: this.#textEpoch }
    const exact = epoch ? keptTexts.find(epoch, wanted, form) : new Map<number, MessageText>()
    if (exact.size === wanted.length) return exact
    const others = exact.size === 0 ? wanted : wanted.filter(({ id }) => !exact.has(id))
    const found = await this.#read(
      this.#asVersions(others),
      (locations, realmId, unknown) => fetchTextsFrom(locations, realmId, unknown, form),
      (body) => textOf(body, form),
    )
    for (const [id, text] of this.#ofVersions(others, found, (body) => textOf(body, form))) {
      exact.set(id, text)
      if (epoch && !this.#sent.has(id) && found.get(id) === text) keptTexts.keep(epoch, text, form)
    }
    return exact
  }

  /** Reads bodies: `inD1` those that D1 has, and `of` makes those that came with the realm's answer. */
  async #read<Body>(
    wanted: readonly WantedBody[],
    inD1: (
      locations: BodyLocations,
      realmId: number,
      wanted: readonly WantedBody[],
    ) => Promise<Map<number, Body>>,
    of: (body: MessageBody) => Body,
  ): Promise<Map<number, Body>> {
    const unknown = wanted.filter(({ id }) => !this.#sent.has(id) && !this.#unsent.has(id))
    const database = (number: number) => bodyDatabase(this.#env, number)
    const found = await inD1({ ranges: this.#ranges, database }, this.#realmId, unknown)
    for (const { id } of wanted) {
      const body = this.#sent.get(id)
      if (body) found.set(id, of(body))
    }
    return found
  }

  /** Returns the bodies to fetch from D1. Without an epoch, a kept text of this version may be a different one. */
  #asVersions(wanted: readonly BodyVersion[]): readonly WantedBody[] {
    return this.#textEpoch ? wanted : wanted.map(({ id, isShort }) => ({ id, isShort }))
  }

  /** Returns the found bodies of the wanted versions, and replacements for lost ones. */
  #ofVersions<Body extends Pick<MessageBody, 'version'>>(
    wanted: readonly BodyVersion[],
    found: ReadonlyMap<number, Body>,
    of: (body: MessageBody) => Body,
  ): Map<number, Body> {
    const exact = new Map<number, Body>()
    for (const each of wanted) {
      const { id, version } = each
      const body = found.get(id)
      if (body?.version === version) exact.set(id, body)
      else if (body && this.#isLost(each)) exact.set(id, of(lostBody(id, version)))
    }
    return exact
  }

  /**
   * Whether a body is lost: D1 lacks this version, and the realm did not send it as one that D1 may lack. It may have been edited or
   * deleted in between, unless the realm names the same version again.
   */
  #isLost({ id, version }: BodyVersion): boolean {
    const before = this.#lacked.get(id)
    if (before?.version !== version) {
      this.#lacked.set(id, { version, answer: this.#answers })
      return false
    }
    if (before.answer === this.#answers) return false
    log('error', 'The body of a message is lost', { realm_id: this.#realmId, message_id: id })
    return true
  }
}
