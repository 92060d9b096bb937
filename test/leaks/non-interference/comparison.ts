import { fromJson } from '../../support/json.ts'
import { type Heard, IDS } from './stage.ts'

/** A difference between the two organizations that X can see; there must be none. */
export interface Difference {
  readonly asked: string
  /** A path in the JSON of the answer; `status`, a header, or `text`. */
  readonly where: string
  readonly first: string
  readonly second: string
}

/** All answers that X got in one organization. */
interface Hearing {
  readonly heard: readonly Heard[]
  readonly realm: { readonly id: number; readonly host: string }
}

/** Returns the first difference between the answers in two organizations. */
export function firstDifference(first: Hearing, second: Hearing): Difference | undefined {
  const [one, other] = [comparable(first), comparable(second)]
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [a, b] = [one[index], other[index]]
    if (a?.asked !== b?.asked) {
      return {
        asked: String(a?.asked),
        where: 'what was asked',
        first: String(a?.asked),
        second: String(b?.asked),
      }
    }
    if (a!.answer !== b!.answer) return { asked: a!.asked, ...differenceIn(a!.answer, b!.answer) }
  }
  return undefined
}

/**
 * Replaces all that may differ between two organizations by stand-ins. Everything else is the same, byte for byte;
 * the clock stands still while something is done and moves alike in both.
 *
 * - Ids: numbers of an organization are dense, so that what X may not see takes some of them, and X meets gaps (as at
 *   the public server: something has happened somewhere, and no more). The n-th smallest id of a kind in all answers to X
 *   must be at the same positions in both: `stage.ts` has each kind begin far from all others.
 * - What is random or made from the host's name: host, organization id, keys, digests. The n-th that X has met, in the
 *   order of meeting.
 * - `upload_space_used` counts the files of the whole organization. Source: docs/interface/uploads.md#ones-files.
 * - `stream_weekly_traffic` counts all messages of a channel, also those from before one subscribed. Source:
 *   docs/interface/channels.md#the-channel-object. It is compared in channels in which X sees all or nothing.
 */
function comparable({ heard, realm }: Hearing): Heard[] {
  const [label] = realm.host.split('.')
  const ofFile = new RegExp(
    `(user_uploads|user_avatars|thumbnail|emoji|icon|logo)(/|%2F)${realm.id}(/|%2F)([0-9a-f]{2}(?=/|%2F))?`,
    'g',
  )
  const withStandIns = heard.map(({ asked, answer }) => ({
    asked,
    answer: answer
      .replaceAll(label!, 'its-name')
      .replaceAll(ofFile, '$1$2its-id$3')
      .replaceAll(new RegExp(`("path_id":")${realm.id}/[0-9a-f]{2}(?=/)`, 'g'), '$1its-id')
      .replaceAll(/("upload_space_used":)\d+/g, '$1"some"')
      .replaceAll(/("name":"(?:attic|vault|past)"(?:(?!"name":).)*?"stream_weekly_traffic":)\d+/g, '$1"some"')
      .replaceAll(
        /("stream_weekly_traffic":)\d+((?:(?!"name":).)*?"name":"(?:attic|vault|past)")/g,
        '$1"some"$2',
      ),
  }))
  const ids = ranks(new Set(withStandIns.flatMap(({ answer }) => answer.match(IDS) ?? [])))
  const tokens = new Map<string, string>()
  const tokenOf = (text: string) => {
    if (!tokens.has(text)) tokens.set(text, `token-${tokens.size}`)
    return tokens.get(text)!
  }
  return withStandIns.map(({ asked, answer }) => ({
    asked,
    answer: answer.replaceAll(TOKENS, tokenOf).replaceAll(IDS, (id) => ids.get(id)!),
  }))
}

/** Keys, digests, queue ids, uuids and signatures: long words that contain a number. */
const TOKENS = /(?<![\w-])(?=[\w-]*\d)[\w-]{24,}(?![\w-])/g

/** `12000017` → `12#3`: the third of its kind. */
function ranks(ids: ReadonlySet<string>): Map<string, string> {
  const ranked = new Map<string, string>()
  for (const [kind, some] of Map.groupBy([...ids].sort(), (id) => id.slice(0, 2))) {
    for (const [rank, id] of some.entries()) ranked.set(id, `${kind}#${rank}`)
  }
  return ranked
}

function differenceIn(one: string, other: string): Omit<Difference, 'asked'> {
  const [linesOfOne, linesOfOther] = [one.split('\n'), other.split('\n')]
  const at = linesOfOne.findIndex((line, index) => line !== linesOfOther[index])
  const [a, b] = [linesOfOne[at] ?? '', linesOfOther[at] ?? '']
  const where = at === 0 ? 'status' : (/^[a-z-]+(?=: )/.exec(a)?.[0] ?? 'text')
  try {
    const [left, right] = [parse(a), parse(b)]
    return differenceOfJson(left, right, '') ?? { where, first: excerpt(a, b), second: excerpt(b, a) }
  } catch {
    return { where, first: excerpt(a, b), second: excerpt(b, a) }
  }
}

/** Puts quotes around the stand-ins for ids. */
function parse(text: string): unknown {
  return fromJson(text.replaceAll(/(?<=[[,:])(\d\d#\d+)(?=[\],}])/g, '"$1"'))
}

function differenceOfJson(a: unknown, b: unknown, path: string): Omit<Difference, 'asked'> | undefined {
  if (JSON.stringify(a) === JSON.stringify(b)) return undefined
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null
  if (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = differenceOfJson(a[key], b[key], path === '' ? key : `${path}.${key}`)
      if (found) return found
    }
  }
  const [first, second] = [String(JSON.stringify(a)), String(JSON.stringify(b))]
  return { where: path, first: excerpt(first, second), second: excerpt(second, first) }
}

/** Returns the text around the first difference. */
function excerpt(text: string, other: string): string {
  let at = 0
  while (at < text.length && text[at] === other[at]) at += 1
  return text.slice(Math.max(0, at - 150), at + 250)
}
